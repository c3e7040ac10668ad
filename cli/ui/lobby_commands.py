"""What a player may type in the lobby, and what each command does. No I/O."""

from __future__ import annotations

from cli.text.i18n import _, ascii_digits
from cli.text.lobby import hints, keys, own_seat, seats
from kotp2p.front import Control
from kotp2p.net.invitation import fingerprint
from kotp2p.notices import LobbyChanged
from kotp2p.wire.names import fold_name

HOST_WORDS = ("start", "bot", "remove", "move")


WORDS = (*HOST_WORDS, "accept", "keys", "who", "?", "help", "leave", "quit", "exit")


def is_command(line: str) -> bool:
    return line.strip().lower().partition(" ")[0] in WORDS


def command(line: str, lobby: LobbyChanged, control: Control) -> list[str]:
    """Does what was typed; what is said at once. `leave` is asked about elsewhere."""
    text = " ".join(ascii_digits(line).split())
    word, _space, rest = text.partition(" ")
    word = word.lower()
    if word in ("?", "help"):
        return hints(lobby)
    if word == "who":
        return seats(lobby)
    if word == "keys":
        return keys(lobby)
    if word == "accept":
        if not rest:
            return [_("Say whom: accept NAME.")]
        control.accept(rest)
        found = [s for s in lobby.seats if s is not None and fold_name(s.name) == fold_name(rest)]
        return [
            _("{name} is accepted with the key {key}.", name=s.name, key=fingerprint(s.key))
            for s in found
        ]
    if word not in HOST_WORDS:
        known = hints(lobby)
        return [_("{text} is not understood here.", text=text), *known]
    if not own_seat(lobby).host:
        return [_("Only the host can do that.")]
    return _host_command(word, rest, control)


def _host_command(word: str, rest: str, control: Control) -> list[str]:
    match word:
        case "start":
            control.start()
        case "bot":
            control.add_bot()
        case "remove":
            if not rest:
                return [_("Say whom: remove NAME.")]
            control.remove(rest)
        case _:
            name, _space, seat = rest.rpartition(" ")
            if not (name and seat.isdigit() and len(seat) < 3):
                return [_("Say whom and where: move NAME SEAT.")]
            control.move(name, int(seat))
    return []
