"""Where the reader of a recorded game stands, and what each command does.

Scope: the steps, jumps and the speed; all of it without a clock and without a terminal. A command
that leads nowhere says why in `remark` and changes nothing else.
Not here: which key or word gives a command (`words`, `keys`), and when the next frame is due while
it plays by itself (`clockwork`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.names import player_name
from kotp2p.cli.ui.replay.reel import START, Place, Reel
from kotp2p.game.recording import LogRecording, Recording
from kotp2p.game.verify import Report
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.seat_view import WATCHER

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
SHORTEST_SECONDS = 0.05
"""A frame is shown for so long at least, however fast it plays."""


@dataclass
class ReplayPlayer:
    name: str
    """What the log is called."""
    log: LogRecording
    recording: Recording
    seat: Seat = WATCHER
    """From whose seat the table is seen."""
    only: Seat | None = None
    """The player at whose decisions `go_to_decision` stops; None: all."""
    speed: float = 1.0
    is_playing: bool = False
    place: Place = START
    remark: str = ""
    wanted: str = ""
    """The words that were looked for last."""
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
        """How long the frame that stands there is shown."""
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

    # -- steps ---------------------------------------------------------------------------

    def go_to(self, place: Place | None, otherwise: str) -> None:
        """`otherwise` says why there is no such place."""
        self.remark = ""
        if place is None:
            self.remark = otherwise
        else:
            self.place = place

    def step(self, direction: int) -> None:
        """To the next event, or to the one before."""
        self.go_to(self.reel.step(self.place, direction), self._describe_edge(direction))

    def go_to_decision(self, direction: int, seat: Seat | None = None) -> None:
        """`seat`: of this player; None: of `only`."""
        seat = self.only if seat is None else seat
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
        """To the start of the next turn; back to the start of this turn, or of the one before."""
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

    def find_text(self, wanted: str, direction: int = 1) -> None:
        """`wanted` may be empty: the same words as before."""
        self.wanted = wanted or self.wanted
        if not self.wanted:
            self.remark = _("Type what to look for: /claws")
            return
        nothing = (
            _("No later sentence has: {words}", words=self.wanted)
            if direction > 0
            else _("No earlier sentence has: {words}", words=self.wanted)
        )
        self.go_to(self.reel.find_text(self.place, self.wanted, direction), nothing)

    def _describe_edge(self, direction: int) -> str:
        if direction < 0:
            return _("This is the start.")
        if not self.log.is_whole:
            return _("The rest of the log is still being checked.")
        return _("This is the end.")

    # -- playing -------------------------------------------------------------------------

    def play_or_pause(self) -> None:
        """From the end it plays from the start."""
        self.remark = ""
        self.is_playing = not self.is_playing
        if self.is_playing and self.is_at_end:
            self.place = START

    def play_next(self) -> None:
        """A frame has stood for its time."""
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

    # -- who looks -----------------------------------------------------------------------

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
        """Around the table, and then at no seat."""
        seats = len(self.recording.genesis.players)
        self.sit_at(self.seat + 1 if self.seat + 1 < seats else WATCHER)

    def stop_only_at(self, seat: Seat | None) -> None:
        self.only = seat
        if seat is None:
            self.remark = _("The next decision is that of any player.")
        else:
            name = player_name(self.reel.view_at(self.place), seat)
            self.remark = _("The next decision is that of {name}.", name=name)

    # -- where ---------------------------------------------------------------------------

    def describe_place(self) -> str:
        """The turn, the step of the turn and the record, of how many."""
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
        """In a few words, for a title."""
        if not self.log.is_whole:
            return _("{percent} % checked", percent=int(100 * self.log.share_read))
        return short_verdict(self.report)


def short_verdict(report: Report) -> str:
    if report.wrong_at is not None:
        return _("WRONG at record {record}", record=report.wrong_at.record)
    if report.confirmed_by:
        return _("sound")
    return _("sound so far")
