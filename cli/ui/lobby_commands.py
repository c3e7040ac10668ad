"""What a player may type in the lobby.

Scope: the commands as values, and the reply that each gives at once. `leave`, chat and standing
orders are understood everywhere (`typed_lines`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.cli.text.i18n import _, ascii_digits
from kotp2p.cli.text.lobby import (
    describe_commands,
    describe_unready,
    list_keys,
    list_monsters,
    list_seats,
    list_unready,
    own_seat,
)
from kotp2p.cli.text.typed_words import COMMANDS as COMMAND_WORDS
from kotp2p.cli.text.typed_words import words_in_english
from kotp2p.seams.front import Control
from kotp2p.seams.notices import LobbyChanged


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


def _renew_code(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    control.renew_code()
    return []


def _copy(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    """`typed_lines` does it, as only a display has a clipboard."""
    return []


def _accept(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    if not rest:
        return [_("Type a name or the number of a seat behind it: accept NAME.")]
    control.accept(rest)
    return []


def _change_name(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    if not rest:
        return [_("Type the new name behind it: name Ana.")]
    control.change_name(rest)
    return []


def _change_monster(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    if not rest:
        return list_monsters(lobby)
    control.change_monster(rest)
    return []


def _be_ready(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    if own_seat(lobby).ready:
        return [_("You are ready already; not ready takes it back.")]
    control.mark_ready(True)
    return []


def _be_unready(rest: str, lobby: LobbyChanged, control: Control) -> list[str]:
    if words_in_english(rest.lower(), COMMAND_WORDS) != READY.word:
        return [_("Type not ready if you are not ready any more.")]
    control.mark_ready(False)
    return [] if own_seat(lobby).ready else [_("You are not ready; ready tells the others.")]


START = LobbyCommand("start", _start, by_host_only=True)
ADD_BOT = LobbyCommand("bot", _add_bot, by_host_only=True)
REMOVE = LobbyCommand("remove", _remove, by_host_only=True)
MOVE = LobbyCommand("move", _move, by_host_only=True)
OPEN_SEATS = LobbyCommand("open", _open_seats, by_host_only=True)
NEW_CODE = LobbyCommand("code", _renew_code, by_host_only=True)
COPY = LobbyCommand("copy", _copy, by_host_only=True)
NAME = LobbyCommand("name", _change_name)
MONSTER = LobbyCommand("monster", _change_monster)
MONSTERS = LobbyCommand("monsters", lambda rest, lobby, control: list_monsters(lobby))
READY = LobbyCommand("ready", _be_ready)
NOT_READY = LobbyCommand("not", _be_unready)
"""Of two words: the second one is that of READY."""
ACCEPT = LobbyCommand("accept", _accept)
KEYS = LobbyCommand("keys", lambda rest, lobby, control: list_keys(lobby))
WHO = LobbyCommand("who", lambda rest, lobby, control: list_seats(lobby))
HELP = LobbyCommand("help", lambda rest, lobby, control: describe_commands(lobby))
HELP_SIGN = LobbyCommand("?", HELP.do)
COMMANDS = (
    START, ADD_BOT, REMOVE, MOVE, OPEN_SEATS, NEW_CODE, COPY, NAME, MONSTER, MONSTERS, READY,
    NOT_READY, ACCEPT, KEYS, WHO, HELP, HELP_SIGN,
)  # fmt: skip
_BY_WORD = {command.word: command for command in COMMANDS}


def is_command(word: str) -> bool:
    return word in _BY_WORD


@dataclass(slots=True)
class StartQuestion:
    """A start is no matter of marks alone: the host is asked once about those who are not ready."""

    _asked: set[bytes] = field(default_factory=set)
    """The keys of those about whom the host was asked."""
    _is_open: bool = False
    """It was asked by the last line, so that Enter alone says yes."""

    def close(self) -> bool:
        """A line was typed. Return whether the question stood there."""
        was_open, self._is_open = self._is_open, False
        return was_open

    def ask(self, lobby: LobbyChanged) -> str:
        """The question; empty if there is nobody about whom the host was not asked."""
        unready = list_unready(lobby)
        keys = {seat.key for seat in unready}
        if keys <= self._asked:
            self._asked = set()
            return ""
        self._asked, self._is_open = keys, True
        return describe_unready(unready)


def do_command(
    line: str, lobby: LobbyChanged, control: Control, question: StartQuestion
) -> list[str]:
    """Does what was typed, and returns what is said at once."""
    text = " ".join(ascii_digits(line).split())
    if question.close() and not text:
        text = START.word
    if not text:
        return []
    word, _space, rest = text.partition(" ")
    command = _BY_WORD.get(word.lower())
    if command is None:
        return [_("{text} is not understood here.", text=text), *describe_commands(lobby)]
    if command.by_host_only and not own_seat(lobby).host:
        return [_("Only the host can do that.")]
    if command is START and (asked := question.ask(lobby)):
        return [asked]
    return command.do(rest, lobby, control)
