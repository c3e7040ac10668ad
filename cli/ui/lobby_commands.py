"""What a player may type in the lobby.

Scope: the commands as values, and the reply that each gives at once. `leave`, chat and standing
orders are understood everywhere (`typed_lines`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cli.text.i18n import _, ascii_digits
from cli.text.lobby import describe_commands, list_keys, list_seats, own_seat
from kotp2p.front import Control
from kotp2p.notices import LobbyChanged


@dataclass(frozen=True, slots=True)
class LobbyCommand:
    word: str
    do: Callable[[str, LobbyChanged, Control], list[str]]
    """Takes what stands behind the word; returns what is said at once."""
    by_host_only: bool = False


def _start(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    control.start()
    return []


def _add_bot(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    control.add_bot()
    return []


def _remove(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    if not rest:
        return [_("Type a name or the number of a seat behind it: remove NAME.")]
    control.remove(rest)
    return []


def _move(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    name, _space, seat = rest.rpartition(" ")
    if not (name and seat.isdigit() and len(seat) < 3):
        return [
            _("Type a name, or the number of a seat, and the new seat behind it: move NAME SEAT.")
        ]
    control.move(name, int(seat))
    return []


def _open_seats(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    control.open_seats()
    return []


def _accept(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    if not rest:
        return [_("Type a name or the number of a seat behind it: accept NAME.")]
    control.accept(rest)
    return []


START = LobbyCommand("start", _start, by_host_only=True)
ADD_BOT = LobbyCommand("bot", _add_bot, by_host_only=True)
REMOVE = LobbyCommand("remove", _remove, by_host_only=True)
MOVE = LobbyCommand("move", _move, by_host_only=True)
OPEN_SEATS = LobbyCommand("open", _open_seats, by_host_only=True)
ACCEPT = LobbyCommand("accept", _accept)
KEYS = LobbyCommand("keys", lambda rest, lobby, control: list_keys(lobby))
WHO = LobbyCommand("who", lambda rest, lobby, control: list_seats(lobby))
HELP = LobbyCommand("help", lambda rest, lobby, control: describe_commands(lobby))
HELP_SIGN = LobbyCommand("?", HELP.do)
COMMANDS = (START, ADD_BOT, REMOVE, MOVE, OPEN_SEATS, ACCEPT, KEYS, WHO, HELP, HELP_SIGN)
_BY_WORD = {command.word: command for command in COMMANDS}


def is_command(word: str) -> bool:
    return word in _BY_WORD


def do_command(line: str, lobby: LobbyChanged, control: Control) -> list[str]:
    """Does what was typed, and returns what is said at once."""
    text = " ".join(ascii_digits(line).split())
    word, _space, rest = text.partition(" ")
    command = _BY_WORD.get(word.lower())
    if command is None:
        return [_("{text} is not understood here.", text=text), *describe_commands(lobby)]
    if command.by_host_only and not own_seat(lobby).host:
        return [_("Only the host can do that.")]
    return command.do(rest, lobby, control)
