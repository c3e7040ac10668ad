"""Typed words at a recorded game: `g 14`, `n Rex`, `/claws`.

Scope: what a line does to the player, and the lines that answer it. The same words hold on the
drawn table and in plain lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_commas
from kotp2p.cli.text.queries import TableQueries
from kotp2p.cli.text.typed_words import (
    COMMANDS,
    END,
    EVERYBODY,
    GO,
    HOME,
    NOBODY,
    RECORD,
    REPLAY,
    in_english,
    words_in_english,
)
from kotp2p.cli.ui.replay.explaining import explain_place
from kotp2p.cli.ui.replay.player import ReplayPlayer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.seat_view import WATCHER
from kotp2p.wire.names import find_seat

GLUED_PATTERN = re.compile(r"([^\W\d_]+)(\d{1,9})")
SPEED_PATTERN = re.compile(r"\d{1,3}(\.\d{1,3})?")
DECIMAL_SIGNS = "[,\u066b]"
"""The comma, and that of Persian numbers, stand in front of tenths as the point does."""
WORD_SIGN = ":"
"""In front of any word. On the drawn table it makes a word of what begins with a key."""
QUERIES = ("state", "shop", "cards", "card", "tiles", "dice")


def describe_words() -> list[str]:
    return [
        _("Enter: the next event; b: the one before."),
        _("n: the next decision; p: the one before; n NAME, p NAME: of one player."),
        _("t: the next turn; u: the start of this turn, or of the one before."),
        _("g 14: to turn 14; g r96: to record 96 of the log; home, end: to the start, to the end."),
        _("/words: to the next sentence with these words; ?words: the one before; /: once more."),
        _("play, stop; speed 4: how fast it plays; + and -: faster, slower."),
        _("seat NAME: look on from that seat; seat none: from no seat."),
        _("only NAME: n and p stop at this player's decisions; only all: at everybody's."),
        _("state, shop, cards, dice, card NAME: about the table; where: place and verdict."),
        _("explain: how these dice or cards were drawn, to be checked by hand; q: leave."),
    ]


class ReplayWords:
    def __init__(self, player: ReplayPlayer) -> None:
        self._player = player
        self._plain: dict[str, Callable[[], None]] = {
            "": lambda: player.step(1),
            "b": lambda: player.step(-1),
            "n": lambda: player.go_to_decision(1),
            "p": lambda: player.go_to_decision(-1),
            "t": lambda: player.step_turn(1),
            "u": lambda: player.step_turn(-1),
            "home": player.go_to_start,
            "end": player.go_to_end,
            "+": lambda: player.change_speed(1),
            "-": lambda: player.change_speed(-1),
        }

    def read_line(self, line: str) -> list[str]:
        """Does what the line says. Returns the lines that answer it, if any; why it leads nowhere
        stands in the player's remark."""
        player = self._player
        player.remark = ""
        text = " ".join(ascii_digits(line).replace("\u061f", "?").split())
        text = text.removeprefix(WORD_SIGN).lstrip()
        if text[:1] in ("/", "?") and text != "?":
            player.find_text(text[1:].strip(), 1 if text[0] == "/" else -1)
            return []
        first, _space, rest = _parted(text).partition(" ")
        word = in_english(first, REPLAY)
        if word in self._plain and not rest:
            self._plain[word]()
        elif word == "q" and not rest:
            player.has_left = True
        elif word in ("n", "p"):
            direction = 1 if word == "n" else -1
            self._with_seat(rest, lambda seat: player.go_to_decision(direction, seat))
        elif word == "g":
            self._go(rest)
        elif word in ("play", "stop") and not rest:
            player.is_playing = word == "play"
        elif word == "speed":
            self._choose_speed(rest)
        elif word == "seat":
            self._sit(rest)
        elif word == "only":
            self._stop_only(rest)
        else:
            return self._answer(word, text)
        return []

    def _answer(self, word: str, text: str) -> list[str]:
        """`word`: the first one of `text`, in English."""
        player = self._player
        is_alone = " " not in text
        if is_alone and word in ("?", "help"):
            return describe_words()
        if is_alone and word == "e":
            return explain_place(player.reel, player.place, player.name)
        if is_alone and word == "where":
            return [player.describe_place(), describe_verdict(player.name, player.report)]
        query = words_in_english(text, COMMANDS)
        if query.partition(" ")[0].lower() in QUERIES:
            desk = TableQueries()
            desk.view = player.reel.view_at(player.place)
            found = desk.answer_query(query)
            if found is not None:
                return found
        player.remark = _("{text}: no such word here; ? lists them.", text=text)
        return []

    def _go(self, rest: str) -> None:
        player, what = self._player, rest.split()
        place = in_english(rest, (HOME, END))
        if len(what) == 2 and RECORD.is_typed(what[0]) and _is_number(what[1]):
            player.go_to_record(int(what[1]))
        elif _is_number(rest):
            player.go_to_turn(int(rest))
        elif place == "home":
            player.go_to_start()
        elif place == "end":
            player.go_to_end()
        else:
            player.remark = _("Say where: g 14 is turn 14, g r96 is record 96.")

    def _choose_speed(self, rest: str) -> None:
        speed = re.sub(DECIMAL_SIGNS, ".", rest)
        if SPEED_PATTERN.fullmatch(speed):
            self._player.choose_speed(float(speed))
        else:
            self._player.remark = _("Say how fast, from 0.5 to 16: speed 4")

    def _sit(self, rest: str) -> None:
        if NOBODY.is_typed(rest):
            self._player.sit_at(WATCHER)
        else:
            self._with_seat(rest, self._player.sit_at)

    def _stop_only(self, rest: str) -> None:
        if EVERYBODY.is_typed(rest):
            self._player.stop_only_at(None)
        else:
            self._with_seat(rest, self._player.stop_only_at)

    def _with_seat(self, wanted: str, do: Callable[[Seat], None]) -> None:
        seat = find_player(wanted, self._player)
        names = list_with_commas(p.name for p in self._player.recording.genesis.players)
        if not wanted:
            self._player.remark = _("Say which player; at the table: {known}.", known=names)
        elif seat is None:
            self._player.remark = _(
                "Nobody here is called {name}; at the table: {known}.", name=wanted, known=names
            )
        else:
            do(seat)


def _parted(text: str) -> str:
    """A place with a space between letters and numbers: `g 14`, `g r 96`. Other lines stay as they
    are: a player may be called R2."""
    words = text.split(" ")
    if not words[0].lower().startswith((*GO.spellings, *GO.translations)):
        return text
    return " ".join(part for word in words for part in _parts_of_place(word))


def _parts_of_place(word: str) -> list[str]:
    glued = GLUED_PATTERN.fullmatch(word)
    if glued is None:
        return [word]
    letters, number = glued[1], glued[2]
    if GO.is_typed(letters) or RECORD.is_typed(letters):
        return [letters, number]
    for at in range(1, len(letters)):
        if GO.is_typed(letters[:at]) and RECORD.is_typed(letters[at:]):
            return [letters[:at], letters[at:], number]
    return [word]


def _is_number(text: str) -> bool:
    return text.isdigit() and len(text) < 10


def find_player(wanted: str, player: ReplayPlayer) -> Seat | None:
    """The seat that is meant by its number, a name or the beginning of one."""
    players = player.recording.genesis.players
    seat = find_seat(wanted, [p.name for p in players])
    if seat is not None or not wanted:
        return seat
    begun = wanted.casefold()
    fitting = [
        n
        for n, p in enumerate(players)
        if p.name.casefold().startswith(begun) or p.monster.casefold().startswith(begun)
    ]
    return fitting[0] if len(fitting) == 1 else None
