"""The place of the reader in a recorded game, and what each command does."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import assert_never

from kotp2p.cli.extras.replay.reel import START, Place, Reel
from kotp2p.cli.text import names, typed_words
from kotp2p.cli.text.files import describe_verdict
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_commas, plural
from kotp2p.cli.text.names import find_players, player_name
from kotp2p.cli.text.queries import TableQueries
from kotp2p.extras.recording import (
    DrawnSlot,
    ExplainedDraw,
    LogRecording,
    NumberStep,
    Recording,
    explain_draws,
)
from kotp2p.game.verify import Report
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.decisions import ChanceKind
from kotp2p.seams import notices
from kotp2p.seams.notices import WATCHER
from kotp2p.wire.crypto import Stream

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
SHORTEST_SECONDS = 0.05


@dataclass
class ReplayPlayer:
    name: str
    log: LogRecording
    recording: Recording
    seat: Seat = WATCHER
    speed: float = 1.0
    is_playing: bool = False
    place: Place = START
    remark: str = ""
    has_left: bool = False
    reel: Reel = field(init=False)

    def __post_init__(self) -> None:
        self.reel = Reel(self.log, self.recording, self.seat)

    @property
    def report(self) -> Report:
        return self.log.report()

    @property
    def is_at_end(self) -> bool:
        return self.place == self.reel.last

    @property
    def seconds_of_frame(self) -> float:
        dwell = self.reel.frames_of(self.place.moment)[self.place.frame].dwell
        return max(SHORTEST_SECONDS, dwell / self.speed)

    def read_on(self, records: int | None = None) -> None:
        """Read more of the log. If a line-up undoes what the reader sees, go to the line-up."""
        seen = self.recording.moments[: self.place.moment + 1]
        self.log.read_on(records)
        number = self.recording.find_change(seen)
        if number is not None:
            self.place = Place(number)
            self.remark = _("What you saw does not count any more: the game goes on from here.")

    def go_to(self, place: Place | None, otherwise: str) -> None:
        self.remark = ""
        if place is None:
            self.remark = otherwise
        else:
            self.place = place

    def step(self, direction: int) -> None:
        self.go_to(self.reel.step(self.place, direction), self._describe_edge(direction))

    def go_to_decision(self, direction: int, seat: Seat | None = None) -> None:
        """Go to the next decision of `seat` (None: of anybody), or to the one before."""
        found = self.reel.find_decision(self.place, direction, seat)
        if seat is None:
            self.go_to(found, self._describe_edge(direction))
            return
        who = player_name(self.reel.view_at(self.place), seat)
        nothing = (
            _("No later decision of {name}.", name=who)
            if direction > 0
            else _("No earlier decision of {name}.", name=who)
        )
        self.go_to(found, nothing)

    def step_turn(self, direction: int) -> None:
        turn = self.reel.turn_at(self.place)
        if direction < 0:
            start = self.reel.place_of_turn(turn)
            if start is not None and start < self.place:
                self.go_to(start, "")
                return
        self.go_to(self.reel.place_of_turn(turn + direction), self._describe_edge(direction))

    def go_to_turn(self, turn: int) -> None:
        last = self.recording.turns
        nothing = plural("This log has {n} turn.", "This log has {n} turns.", last)
        self.go_to(self.reel.place_of_turn(turn), nothing)

    def go_to_record(self, record: int) -> None:
        last = len(self.log.records) - 1
        nothing = _("The records of this log go from 0 to {last}.", last=last)
        self.go_to(self.reel.place_of_record(record) if record <= last else None, nothing)

    def go_to_start(self) -> None:
        self.go_to(START, "")

    def go_to_end(self) -> None:
        self.go_to(self.reel.last, "")

    def _describe_edge(self, direction: int) -> str:
        if direction < 0:
            return _("This is the start.")
        if not self.log.is_whole:
            return _("The rest of the log is still being checked.")
        return _("This is the end.")

    def play_or_pause(self) -> None:
        """Play or pause; from the end it plays from the start."""
        self.remark = ""
        self.is_playing = not self.is_playing
        if self.is_playing and self.is_at_end:
            self.place = START

    def play_next(self) -> None:
        following = self.reel.step(self.place, 1)
        if following is not None:
            self.place, self.remark = following, ""
        elif self.log.is_whole:
            self.is_playing = False

    def change_speed(self, direction: int) -> None:
        at = min(range(len(SPEEDS)), key=lambda n: abs(SPEEDS[n] - self.speed)) + direction
        if 0 <= at < len(SPEEDS):
            self.choose_speed(SPEEDS[at])

    def choose_speed(self, speed: float) -> None:
        self.speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        self.remark = _("It plays at speed {speed}.", speed=f"{self.speed:g}")

    def sit_at(self, seat: Seat) -> None:
        self.seat = seat
        self.reel = Reel(self.log, self.recording, seat)
        self.place = self.reel.clamp(self.place)
        if seat == WATCHER:
            self.remark = _("You look on from no seat.")
        else:
            name = self.recording.genesis.players[seat].name
            self.remark = _("You sit in the seat of {name}.", name=name)

    def sit_at_next(self) -> None:
        seats = len(self.recording.genesis.players)
        self.sit_at(self.seat + 1 if self.seat + 1 < seats else WATCHER)

    def describe_place(self) -> str:
        """Name the turn, the step and the record, each with its total."""
        step, steps = self.reel.step_of_turn(self.place)
        turn = self.reel.turn_at(self.place)
        fields: dict[str, object] = {
            "step": step,
            "steps": steps,
            "record": self.reel.moment_at(self.place).record,
            "records": len(self.log.records) - 1,
        }
        if turn == 0:
            return _(
                "Before the first turn, step {step} of {steps}, record {record} of {records}.",
                **fields,
            )
        return _(
            "Turn {turn} of {turns}, step {step} of {steps}, record {record} of {records}.",
            turn=turn,
            turns=self.recording.turns,
            **fields,
        )

    def describe_verdict(self) -> str:
        if not self.log.is_whole:
            return _("{percent} % checked", percent=int(100 * self.log.share_read))
        return short_verdict(self.report)


def short_verdict(report: Report) -> str:
    if report.wrong_at is not None:
        return _("WRONG at record {record}", record=report.wrong_at.record)
    if report.confirmed_by:
        return _("sound")
    return _("sound so far")


# -- typed words at a recorded game: `g 14`, `n Rex` --------- -----------------------------


PLACE_PATTERN = re.compile(r"(\D*?) ?(\d{1,9})")
SPEED_PATTERN = re.compile(r"\d{1,3}(\.\d{1,3})?")
DECIMAL_SIGNS = "[,\u066b]"
"""The comma, and that of Persian numbers, come before tenths as the point does."""
QUERIES = ("state", "shop", "cards", "card", "tiles", "dice")


def describe_words() -> list[str]:
    return [
        _("Enter: the next event; b: the one before."),
        _("n: the next decision; p: the one before; n NAME, p NAME: of one player."),
        _("t: the next turn; u: the start of this turn, or of the one before."),
        _("g 14: to turn 14; g r96: to record 96 of the log; home, end: to the start, to the end."),
        _("play, stop; speed 4: how fast it plays; + and -: faster, slower."),
        _("seat NAME: look on from that seat; seat none: from no seat."),
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
        player = self._player
        player.remark = ""
        text = " ".join(ascii_digits(line).replace("\u061f", "?").split())
        text = re.sub(r"^([^\W\d_]+?)(?=r?\d)", r"\1 ", text)  # `g14` is `g 14`
        first, _space, rest = text.partition(" ")
        word = typed_words.in_english(first, typed_words.REPLAY)
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
        else:
            return self._answer(word, text)
        return []

    def _answer(self, word: str, text: str) -> list[str]:
        """Return the reply to a line; `word` is its first word in English."""
        player = self._player
        is_alone = " " not in text
        if is_alone and word in ("?", "help"):
            return describe_words()
        if is_alone and word == "e":
            return explain_place(player.reel, player.place)
        if is_alone and word == "where":
            return [player.describe_place(), describe_verdict(player.name, player.report)]
        query = typed_words.words_in_english(text, typed_words.COMMANDS)
        if query.partition(" ")[0].lower() in QUERIES:
            desk = TableQueries()
            desk.view = player.reel.view_at(player.place)
            found = desk.answer_query(query)
            if found is not None:
                return found
        player.remark = _("{text}: no such word here; ? lists them.", text=text)
        return []

    def _go(self, rest: str) -> None:
        player, found = self._player, PLACE_PATTERN.fullmatch(rest)
        place = typed_words.in_english(rest, (typed_words.HOME, typed_words.END))
        if found is not None and typed_words.RECORD.is_typed(found[1]):
            player.go_to_record(int(found[2]))
        elif found is not None and not found[1]:
            player.go_to_turn(int(found[2]))
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
        if typed_words.NOBODY.is_typed(rest):
            self._player.sit_at(WATCHER)
        else:
            self._with_seat(rest, self._player.sit_at)

    def _with_seat(self, wanted: str, do: Callable[[Seat], None]) -> None:
        players = self._player.recording.genesis.players
        found = find_players(players, wanted)
        known = list_with_commas(player.name for player in players)
        if not wanted:
            self._player.remark = _("Say which player; at the table: {known}.", known=known)
        elif len(found) != 1:
            self._player.remark = _(
                "Nobody here is called {name}; at the table: {known}.", name=wanted, known=known
            )
        else:
            do(found[0])


def find_draws(reel: Reel, place: Place) -> list[ExplainedDraw]:
    """Return the draw of the moment at a place, or the last one before it."""
    for turn in range(reel.recording.moments[place.moment].turn, -1, -1):
        first = reel.recording.find_turn(turn)
        found = [] if first is None else explain_draws(reel.log, first, place.moment)
        if found:
            return found[-1:]
    return []


def find_draws_of_turn(reel: Reel, turn: int) -> list[ExplainedDraw]:
    """Return the draws that were due in a turn; turn 0 is before the first."""
    first, next_turn = reel.recording.find_turn(turn), reel.recording.find_turn(turn + 1)
    if first is None:
        return []
    return explain_draws(reel.log, first + 1, next_turn or reel.recording.last)


def words_of_draw(reel: Reel, draw: ExplainedDraw) -> list[str]:
    return describe_draw(draw, reel.view_before(Place(draw.moment.number)))


def explain_place(reel: Reel, place: Place) -> list[str]:
    """Explain the last draw, for a page; say so if nothing has been drawn."""
    lines = [line for draw in find_draws(reel, place) for line in words_of_draw(reel, draw)]
    return lines or [_("Nothing was drawn so far.")]


# -- how dice or cards came about ----------------------------------------------------------
#
# One draw as lines: the seal and the opening of each player with their records, the hash of all
# parts, and the steps from the hash to a face or a card.


INDENT = "    "


def describe_method() -> list[str]:
    return [
        _(
            "Each player had sealed a secret number for each draw: they had signed its hash. "
            "Behind the decision that made the draw necessary, all of them opened their numbers."
        ),
        _(
            "The hash of all opened numbers, and of the head of the log before the draw, is the "
            "result. So nobody could choose it, as long as one player was honest."
        ),
        _(
            "kotp2p verify checks the seals, the hashes and the signatures, and that the records "
            "are in this order."
        ),
    ]


def describe_draw(draw: ExplainedDraw, before: notices.SeatView) -> list[str]:
    turn, record = before.game.state.turn, draw.moment.record
    lines = [_("Turn {turn}, drawn with record {record}:", turn=turn, record=record)]
    if draw.decided_in:
        decided = _("The decision before it stands in record {record}.", record=draw.decided_in)
        lines.append(decided)
    for slot in draw.slots:
        lines += _describe_slot(slot, before, draw.kind)
    return lines


def _describe_slot(slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind) -> list[str]:
    lines = [_name_slot(slot)]
    for part in slot.parts:
        who = names.player_name(before, part.seat)
        where = (
            _("{name} sealed in the signed start of the game:", name=who)
            if part.sealed_in == 0
            else _("{name} sealed in record {record}:", name=who, record=part.sealed_in)
        )
        lines += [
            where,
            INDENT + part.seal.hex(),
            _("{name} opened in record {record}:", name=who, record=part.opened_in),
            INDENT + part.opened.hex(),
        ]
    lines += [
        _("The head of the log before the draw:"),
        INDENT + slot.head.hex(),
        _("The hash of the head and of all opened numbers, in the order of seats:"),
        INDENT + slot.result.hex(),
    ]
    return lines + [_describe_step(step, slot, before, kind) for step in slot.steps]


def _name_slot(slot: DrawnSlot) -> str:
    if slot.stream is Stream.DICE:
        return _("Number {slot} of the dice:", slot=slot.slot)
    return _("Number {slot} of the cards:", slot=slot.slot)


def _describe_step(
    step: NumberStep, slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind
) -> str:
    fields: dict[str, object] = {"number": step.number, "size": step.size}
    if step.is_taken:
        return _("{number} modulo {size} is a card that is gone already: the next one.", **fields)
    if step.value is None:
        return _("{number} is too high to be fair modulo {size}: the next one.", **fields)
    return _(
        "{number} modulo {size} is {value}: {what}.",
        value=step.value,
        what=_name_value(step.value, slot, before, kind),
        **fields,
    )


def _name_value(value: int, slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind) -> str:
    match kind:
        case ChanceKind.DICE:
            return names.face(Face(value))
        case ChanceKind.CARDS | ChanceKind.LOOK:
            return names.item_name(before.game, slot.pile[value])
        case ChanceKind.SIDES:
            return _("green") if value else _("red")
        case _:
            assert_never(kind)
