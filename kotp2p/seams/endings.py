"""How a run of a peer ends, for the program that has started it, and own faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import Protocol, runtime_checkable

from kotp2p.referee.model.answers import Seat
from kotp2p.seams.commands import NO_WATCHERS, WatchOffer
from kotp2p.seams.notices import SeatView
from kotp2p.seams.world import FileFault, FileTrouble
from kotp2p.wire.addresses import Target
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import CodeTold, RefusalCode
from kotp2p.wire.genesis import Clocks


class EndKind(StrEnum):
    FINISHED = "finished"
    """The game is over and sealed. Exit 0."""
    LEFT = "left"
    """This seat has left by its own wish, or after elimination. Exit 0; of a process without a
    terminal 5."""
    ADJOURNED = "adjourned"
    """All players have agreed to stop here; they can resume together. Exit 5."""
    KEPT = "kept"
    """This process was closed and its seat is kept; it can resume. Exit 128 + signal."""
    STOPPED = "stopped"
    """This seat has cheated, copies differ, or the game is split. Exit 5."""
    CLOSED = "closed"
    REMOVED = "removed"
    """The host took this seat out of the lobby. Exit 4."""
    BUSY = "busy"
    """The table has no room for one more connection at the moment. Exit 4."""
    FULL = "full"
    KEPT_FOR_OTHERS = "kept-for-others"
    """The free seats are kept for the players of the last game there. Exit 4."""
    STARTED = "started"
    """The game of that table has begun. Exit 4."""
    NO_WATCHERS = "no-watchers"
    """The table takes no watchers. Exit 4."""
    NO_NEXT_GAME = "no-next-game"
    """No other game has begun at the table of a game that was watched. Exit 0."""
    SOURCE_LEFT = "source-left"
    """A player has left for good, and their program was the one through which the game was watched;
    `detail` is their name. Exit 3."""
    LOST_TABLE = "lost-table"
    """The link to a game that was watched was lost, and did not come back. Exit 3."""
    WRONG_LOG = "wrong-log"
    """What was shown of a game that was watched is not what a game contains; `detail` is technical.
    Exit 5."""
    VERSION = "version"
    """The host has another version of the protocol or the rules; `detail` names both. Exit 4."""
    NAME_UNKNOWN = "name-unknown"
    """The name in the address leads to no machine. Exit 3, like the next three."""
    REFUSED = "refused"
    """The machine answers, but nothing listens on that port."""
    NO_ANSWER = "no-answer"
    """No machine answers at that address."""
    NOT_A_TABLE = "not-a-table"
    """A program answers that does not speak kotp2p."""
    NO_MAILBOX = "no-mailbox"
    """The server that introduces guests does not answer; `detail` names it and is technical; empty:
    none is set. Exit 3, like the next six."""
    UNPROVEN_MAILBOX = "unproven-mailbox"
    """It shows no certificate that is taken for its name, which is `detail`."""
    NOBODY_AT_NUMBER = "nobody-at-number"
    """No host answers at the number of a code, which is `detail`."""
    RELAY_GONE = "relay-gone"
    """The server that carries links does not answer."""
    NO_DIRECT_WAY = "no-direct-way"
    """To a table that a code has led to; no relay is set on both machines."""
    RELAY_SILENT = "relay-silent"
    """It answers, but the host does not come there."""
    RELAY_REFUSES = "relay-refuses"
    """It answers that it carries nothing, or closes; `detail` is what it says."""
    WRONG_WORDS = "wrong-words"
    """The words of a code are not those of the table at its number. Exit 4."""
    FALSE_LOBBY = "false-lobby"
    """The host sends a lobby that is not what this guest has sent the host; `detail` says in what.
    Exit 4."""
    NOT_INVITED = "not-invited"
    """The table is closed, and this guest had no invitation. Exit 4."""
    OTHER_TABLE = "other-table"
    """Another table answers than the invitation is for. Exit 4."""
    OTHER_HOST = "other-host"
    """Another host answers than the invitation is from. Exit 4."""
    NEW_KEY = "new-key"
    """A known player sits there with another key, and no person can be asked here. `detail` is
    the player's name. Exit 4."""
    LOST_HOST = "lost-host"
    """The link to the host was lost in the lobby. Exit 4."""
    START_IN_DOUBT = "start-in-doubt"
    """The link to the host was lost after this seat had signed a start, and no player has reported
    that the game has begun. The seat can resume, if it has. `detail` is the table phrase. Exit
    4."""
    PORT_TAKEN = "port-taken"
    """The host could not listen. Exit 9."""
    NO_GAME = "no-game"
    """There is no game to resume. Exit 8."""
    IN_USE = "in-use"
    """Another process plays this game, or this profile. Exit 9."""
    ELSEWHERE = "elsewhere"
    """Another process plays this seat, from a copy of its files. Its player can resume where they
    want to play. Exit 5."""
    FILES = "files"
    """A file cannot be read or written; `detail` says which and why. Exit 9."""


@dataclass(frozen=True, slots=True)
class LastTable:
    """What is needed to find the people of a game that has ended once more."""

    host: Seat
    """The seat that had opened the table."""
    clocks: Clocks
    targets: tuple[tuple[Target, ...], ...]
    """By seat: where it could be dialled, best first; none for bots and the own seat."""
    bind: str
    """The one address at which this process may listen again: loopback for a table on this machine;
    empty: at all."""
    port: int
    secret: bytes = field(repr=False)
    watch: WatchOffer = NO_WATCHERS
    code: CodeTold | None = None
    """By which others have come; None: by none."""
    present: frozenset[Seat] = frozenset()
    """Those that played the game to its end themselves."""
    relayed: frozenset[Seat] = frozenset()
    """Those whose last link came through a relay."""
    late: int = 0
    """How many guests wait for a seat at the next game."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a whole run of a peer, with what is known about it."""

    kind: EndKind
    detail: str = ""
    log: PurePath | None = None
    view: SeatView | None = None
    winners: tuple[Seat, ...] = ()
    turns: int = 0
    table: LastTable | None = None
    one_game_key: Signer | None = field(default=None, repr=False)
    """What this seat has signed with, if the key was made for the game: a rematch needs it again,
    as each seat of a rematch is kept for its key."""
    file_fault: FileFault | None = None

    @staticmethod
    def of_files(trouble: FileTrouble) -> Ending:
        return Ending(EndKind.FILES, str(trouble), file_fault=trouble.fault)


@runtime_checkable
class StayingFront(Protocol):
    """A front whose player looks at the end of a game while the process stays for the others."""

    async def show_ending(self, ending: Ending) -> None:
        """Show the end, and return when the player has read it."""


_KINDS_OF_REFUSALS: dict[int, EndKind] = {
    RefusalCode.VERSION: EndKind.VERSION,
    RefusalCode.FULL: EndKind.FULL,
    RefusalCode.STARTED: EndKind.STARTED,
    RefusalCode.NO_TABLE: EndKind.NOT_A_TABLE,
    RefusalCode.REMOVED: EndKind.REMOVED,
    RefusalCode.CLOSED: EndKind.CLOSED,
    RefusalCode.BUSY: EndKind.BUSY,
    RefusalCode.KEPT: EndKind.KEPT_FOR_OTHERS,
    RefusalCode.NO_WATCHERS: EndKind.NO_WATCHERS,
}


def end_kind_of_refusal(code: int) -> EndKind:
    """Return the end that a REFUSAL or CLOSED means; CLOSED for an unknown code."""
    return _KINDS_OF_REFUSALS.get(code, EndKind.CLOSED)
