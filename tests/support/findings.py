"""Findings of `kotp2p doctor`: each kind, with each of its forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kotp2p.cli.extras import data_findings as data
from kotp2p.cli.extras import data_findings as games
from kotp2p.cli.extras import doctor_network as network
from kotp2p.cli.extras import doctor_network as peer
from kotp2p.cli.extras import doctor_terminal as terminal
from kotp2p.cli.extras.finding import Finding, Part
from kotp2p.cli.text.how_to_join import FirewallKind, NoAnswer, opening_command

NETWORK: Sequence[Finding] = (
    network.Address("eth0", "192.168.1.20", is_bridge=False, is_private=True),
    network.Address("docker0", "172.17.0.1", is_bridge=True, is_private=True),
    network.Address("wan0", "203.0.113.5", is_bridge=False, is_private=False),
    network.NoAddress(),
    *(network.Port(4242, use) for use in network.PortUse),
    network.FirewallSeen(
        FirewallKind.UFW, 4242, opening_command(FirewallKind.UFW, 4242, "python3")
    ),
    network.NoFirewall(),
    network.Multicast("eth0", is_heard=True, others=2),
    network.Multicast("eth0", is_heard=True, others=0),
    network.Multicast("eth0", is_heard=False, others=0),
    network.Multicast("eth0", is_heard=False, others=0, fault="Address already in use"),
)
PEER: Sequence[Finding] = (
    peer.Route("kitchen", "eth0", "192.168.1.20"),
    peer.Route("kitchen", "", ""),
    peer.UnknownName("kitchen"),
    peer.Tcp("kitchen", 4242),
    peer.NoTcp("kitchen", 4242, None),
    *(peer.NoTcp("kitchen", 4242, why, "eth0") for why in NoAnswer if why != NoAnswer.NO_ROUTE),
    *(peer.TlsFinding(door) for door in peer.DoorState),
    peer.Version("5.2", "5.2"),
    peer.Version("6.1", "5.2"),
    peer.Version("4.9", "5.2"),
    peer.Closed("the game has begun"),
)
"""Without a route nobody has tried to connect."""
SIGNS = (terminal.Sign("■", 1), terminal.Sign("💗 ", 3))
TERMINAL: Sequence[Finding] = (
    terminal.Size(100, 40),
    terminal.Size(70, 24),
    terminal.Size(80, 10),
    terminal.NoWindow(),
    terminal.Drawing("xterm", is_plain_set=False),
    terminal.Drawing("", is_plain_set=False),
    terminal.Drawing("", is_plain_set=True),
    *(terminal.Colours(depth, "") for depth in terminal.ColourDepth),
    terminal.Colours(terminal.ColourDepth.NONE, "NO_COLOR"),
    terminal.Encoding("utf-8", is_unicode=True, has_language=True),
    terminal.Encoding("ascii", is_unicode=False, has_language=True),
    terminal.Encoding("ascii", is_unicode=False, has_language=False),
    terminal.SymbolsDrawn("auto", "emoji", SIGNS),
    terminal.SymbolsDrawn("auto", "ascii", ()),
    terminal.SymbolsDrawn("emoji", "ascii", ()),
    *(
        terminal.ReadingOrder("auto", used, is_needed=True, sample="سلام")
        for used in ("terminal", "program", "off")
    ),
    *(
        terminal.Keys(program)
        for program in terminal.TerminalProgram
        if program not in (terminal.TerminalProgram.KONSOLE, terminal.TerminalProgram.WINDOWS)
    ),
)  # fmt: skip
"""Konsole and Windows Terminal have no habit of their own."""
FOLDER = "~/.local/share/kotp2p"
PHRASE = "lemon train ocean piano"
DATA: Sequence[Finding] = (
    *(data.Folder(use, FOLDER, is_there) for use in data.FolderUse for is_there in (True, False)),
    *(data.NotWritable(FOLDER, why) for why in data.WhyNot),
    data.OtherOwner(FOLDER, 1),
    data.OtherOwner(FOLDER, 3),
    *(data.Permissions(FOLDER, access, (f"{FOLDER}/profiles",)) for access in data.Access),
    data.Space(40_000, has_file_room=True),
    data.Space(50, has_file_room=True),
    data.Space(1, has_file_room=True),
    data.Space(40_000, has_file_room=False),
    data.LockHeld(4711, ("default", "ana"), (PHRASE,)),
    data.LockHeld(None, (), ()),
    data.LocksLeft(1),
    data.LocksLeft(2),
    games.Unfinished(PHRASE, 3, "default"),
    games.Unfinished(PHRASE, 3, "ana"),
    games.TornLog(PHRASE),
    games.BrokenGame(f"{FOLDER}/games/1f2f2210.../log: not a log of kotp2p"),
    games.Start(PHRASE, "default"),
    games.Unreadable(f"{FOLDER}/profiles", "permission denied"),
    games.BadLogs(1, (f"{FOLDER}/logs/x.kotlog",)),
    games.BadLogs(7, (f"{FOLDER}/logs/x.kotlog", f"{FOLDER}/logs/y.kotlog")),
    games.Strays(1, (f"{FOLDER}/games/.DS_Store",)),
    games.Strays(9, (f"{FOLDER}/games/.DS_Store", f"{FOLDER}/games/notes")),
    games.BadSettings("~/.config/kotp2p/config.toml"),
)
FINDINGS: Mapping[Part, Sequence[Finding]] = {
    Part.NETWORK: NETWORK, Part.PEER: PEER, Part.TERMINAL: TERMINAL, Part.DATA: DATA,
}  # fmt: skip
