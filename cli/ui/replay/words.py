"""Typed words at a recorded game: `g 14`, `n Rex`, `/claws`.

Scope: what a line does to the player, and the lines that answer it. The same words hold on the
drawn table and in plain lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cli.text.i18n import _, ascii_digits, list_with_commas
from cli.text.queries import TableQueries
from cli.text.verdicts import describe_verdict
from cli.ui.replay.explaining import explain_place
from cli.ui.replay.player import ReplayPlayer
from kotp2p.seat_view import WATCHER
from kotp2p.wire.names import find_seat
from referee.model.answers import Seat

GLUED_PATTERN = re.compile(r"^g(?=r?[0-9]+$)", re.IGNORECASE)
RECORD_PATTERN = re.compile(r"r(?:ecord)? ?(\d{1,9})")
SPEED_PATTERN = re.compile(r"\d{1,3}(\.\d{1,3})?")
LEAVE_WORDS = ("q", "quit", "exit", "leave")
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
        text = " ".join(ascii_digits(line).split())
        if text[:1] in ("/", "?") and text != "?":
            player.find_text(text[1:].strip(), 1 if text[0] == "/" else -1)
            return []
        text = GLUED_PATTERN.sub("g ", text)
        word, _space, rest = text.partition(" ")
        word = word.lower()
        if text.lower() in self._plain:
            self._plain[text.lower()]()
        elif word in LEAVE_WORDS and not rest:
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
        player = self._player
        if text in ("?", "help"):
            return describe_words()
        if word in ("e", "explain") and word == text.lower():
            return explain_place(player.reel, player.place)
        if text == "where":
            return [player.describe_place(), describe_verdict(player.name, player.report)]
        if word in QUERIES:
            desk = TableQueries()
            desk.view = player.reel.view_at(player.place)
            found = desk.answer_query(text)
            if found is not None:
                return found
        player.remark = _("{text}: no such word here; ? lists them.", text=text)
        return []

    def _go(self, rest: str) -> None:
        record = RECORD_PATTERN.fullmatch(rest.lower())
        if record is not None:
            self._player.go_to_record(int(record[1]))
        elif rest.isdigit() and len(rest) < 10:
            self._player.go_to_turn(int(rest))
        elif rest.lower() in ("home", "start"):
            self._player.go_to_start()
        elif rest.lower() == "end":
            self._player.go_to_end()
        else:
            self._player.remark = _("Say where: g 14 is turn 14, g r96 is record 96.")

    def _choose_speed(self, rest: str) -> None:
        if SPEED_PATTERN.fullmatch(rest):
            self._player.choose_speed(float(rest))
        else:
            self._player.remark = _("Say how fast, from 0.5 to 16: speed 4")

    def _sit(self, rest: str) -> None:
        if rest.lower() == "none":
            self._player.sit_at(WATCHER)
        else:
            self._with_seat(rest, self._player.sit_at)

    def _stop_only(self, rest: str) -> None:
        if rest.lower() == "all":
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
