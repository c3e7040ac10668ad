"""A recording as a reel of frames: what is shown together, in order, both ways."""

import functools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from kotp2p.cli.extras.forms.text import describe_cause
from kotp2p.cli.text.story import LineKind, Story, ToldLine
from kotp2p.cli.ui.shown_game import EventStep, ShownGame, split_events
from kotp2p.extras.recording import LogRecording, Moment, Recording, replay_moment
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Answered, Seat
from kotp2p.referee.model.events import Eliminated, Event, TurnStarted
from kotp2p.seams.notices import WATCHER, SeatView

KEPT_CHAPTERS = 512
QUIET_SECONDS = 0.5
"""The time of a frame that shows no change of the table."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    moment: int
    frame: int = 0


START = Place(0)


Told: TypeAlias = tuple[Place, tuple[str, ...]]
"""A place and its sentences."""


class Reel:
    def __init__(self, log: LogRecording, recording: Recording, seat: Seat = WATCHER) -> None:
        self.log = log
        self.recording = recording
        self.seat = seat
        self._chapter = functools.lru_cache(KEPT_CHAPTERS)(self._tell_chapter)

    @property
    def last(self) -> Place:
        moment = self.recording.last
        return Place(moment, len(self.frames_of(moment)) - 1)

    def moment_at(self, place: Place) -> Moment:
        return self.recording.moments[place.moment]

    def frames_of(self, moment: int) -> list[EventStep]:
        """Return the frames of a moment, at least one."""
        events = self.recording.moments[moment].events
        return split_events(events, self.seat) if events else [EventStep((), QUIET_SECONDS)]

    def clamp(self, place: Place) -> Place:
        """Return the place, or the last frame of its moment if this seat sees fewer frames."""
        return Place(place.moment, min(place.frame, len(self.frames_of(place.moment)) - 1))

    def step(self, place: Place, direction: int) -> Place | None:
        frame = place.frame + direction
        if 0 <= frame < len(self.frames_of(place.moment)):
            return replace(place, frame=frame)
        moment = place.moment + direction
        if not 0 <= moment <= self.recording.last:
            return None
        return Place(moment, 0 if direction > 0 else len(self.frames_of(moment)) - 1)

    def find_decision(self, place: Place, direction: int, seat: Seat | None = None) -> Place | None:
        """Return the next answer, or the one before; with `seat`, that of this player."""
        at = place.moment + direction
        while 0 <= at <= self.recording.last:
            closed = self.recording.moments[at].closed
            given = None if closed is None else closed.given
            if isinstance(given, Answered) and seat in (None, given.seat):
                return Place(at)
            at += direction
        return None

    def turn_at(self, place: Place) -> int:
        before = self.recording.moments[place.moment - 1].turn if place.moment else 0
        return before + sum(isinstance(event, TurnStarted) for event in self._events_at(place))

    def step_of_turn(self, place: Place) -> tuple[int, int]:
        """Return the number of the moment in its turn, from 1, and their count so far."""
        turn = self.turn_at(place)
        first = self.recording.find_turn(turn)
        assert first is not None  # one of its moments is that of `place`
        behind = self.recording.find_turn(turn + 1)
        last = self.recording.last if behind is None else behind
        return place.moment - first + 1, last - first + 1

    def place_of_turn(self, turn: int) -> Place | None:
        """Return the place at which a turn begins, or None if there is no such turn."""
        if turn <= 0:
            return START if turn == 0 else None
        moment = self.recording.find_turn(turn)
        if moment is None:
            return None
        frames = range(len(self.frames_of(moment)))
        return next(p for f in frames if self.turn_at(p := Place(moment, f)) == turn)

    def place_of_record(self, record: int) -> Place:
        """Return the place after a record, or after the next one that closes a step."""
        moments = self.recording.moments
        at = bisect_left(moments, record, key=lambda moment: moment.record)
        return Place(min(at, self.recording.last))

    def view_at(self, place: Place) -> SeatView:
        return self._view(place.moment, self._game_at(place))

    def view_before(self, place: Place) -> SeatView:
        number = max(0, place.moment - 1)
        return self._view(number, self.recording.game_behind(number))

    def _game_at(self, place: Place) -> GameReading:
        frames = self.frames_of(place.moment)
        if place.frame == len(frames) - 1:
            return self.recording.game_behind(place.moment)
        before = self.recording.game_behind(place.moment - 1)
        shown = ShownGame(before.setup, before.state)
        for event in self._events_at(place):
            event.apply(shown.state)
        return shown

    def _view(self, number: int, game: GameReading) -> SeatView:
        genesis = self.recording.genesis
        keepers = self.recording.keepers_after(number, game.state)
        return SeatView(self.seat, genesis.players, game, genesis.phrase, keepers)

    def _events_at(self, place: Place) -> list[Event]:
        frames = self.frames_of(place.moment)[: place.frame + 1]
        return [event for frame in frames for event in frame.events]

    def frames_of_turn(self, place: Place) -> Iterator[EventStep]:
        first = self.recording.find_turn(self._chapter_of(place.moment)) or 0
        for moment in range(first, place.moment):
            yield from self.frames_of(moment)
        yield from self.frames_of(place.moment)[: place.frame + 1]

    def fallen_by(self, place: Place) -> dict[Seat, int]:
        """Return the monsters that are out, each with the turn in which it fell."""
        found: dict[Seat, int] = {}
        moments, falls = self.recording.moments, self.recording.falls
        for number in falls[: bisect_right(falls, place.moment)]:
            turn = moments[number - 1].turn
            is_last = number == place.moment
            for event in self._events_at(place) if is_last else moments[number].events:
                if isinstance(event, TurnStarted):
                    turn += 1
                elif isinstance(event, Eliminated):
                    found[event.seat] = turn
        return found

    def describe_cause(self, place: Place) -> str:
        return describe_cause(self.moment_at(place), self.view_before(place))

    def lines_at(self, place: Place) -> tuple[str, ...]:
        chapter = self.tell_chapter(self._chapter_of(place.moment))
        return next(lines for told, lines in chapter if told == place)

    def lines_until(self, place: Place, most: int) -> list[str]:
        found: list[str] = []
        turn = self._chapter_of(place.moment)
        while turn >= 0 and len(found) < most:
            told = [lines for at, lines in self.tell_chapter(turn) if at <= place]
            found = [*(line for lines in told for line in lines), *found]
            turn -= 1
        return found[-most:]

    def _chapter_of(self, moment: int) -> int:
        """Return the chapter of a moment; it begins with the moment in which its turn begins."""
        return self.recording.moments[moment].turn

    def tell_chapter(self, turn: int) -> tuple[Told, ...]:
        """Return the sentences between the moments in which this turn and the next begin."""
        moments = self.recording.moments
        first = self.recording.find_turn(turn)
        if first is None or moments[first].turn != turn:
            return ()
        behind = self.recording.find_turn(turn + 1) or len(moments)
        # What a line-up undoes changes the last moment: another one is another chapter.
        return self._chapter(first, behind, self.seat, _name_of(moments[behind - 1]))

    def _tell_chapter(self, first: int, behind: int, seat: Seat, head: bytes) -> tuple[Told, ...]:
        # From a chapter earlier on: a card may be bought in one and come into play in the next.
        begin = max(1, self.recording.find_turn(self._chapter_of(first) - 1) or 0)
        game = self.recording.game_behind(min(begin, first) - 1 if first else 0)
        story = Story(game.state, asked=False)
        found = []
        for moment in self.recording.moments[min(begin, first) : behind]:
            before = self._view(moment.number, game)
            cause = describe_cause(moment, before)
            replay_moment(game, moment)
            frames = self.frames_of(moment.number)
            told = [story.describe_events(frame.events, before) for frame in frames]
            if not any(told) or moment.begun is not None:
                told[0] = [_as_line(moment, cause), *told[0]]
            found += [
                (Place(moment.number, frame), tuple(lines)) for frame, lines in enumerate(told)
            ]
        return tuple((place, lines) for place, lines in found if place.moment >= first)


def _name_of(moment: Moment) -> bytes:
    """Return what tells the moment from another one with the same number."""
    if moment.begun is not None:
        return moment.begun.lineup.id
    return b"" if moment.closed is None else moment.closed.head


def _as_line(moment: Moment, cause: str) -> str:
    """Return what closed a step, or who plays from here, as a line of the story."""
    given = None if moment.closed is None else moment.closed.given
    kind = LineKind.FACT if moment.begun is None else LineKind.INCIDENT
    return ToldLine(cause, kind, given.seat if isinstance(given, Answered) else None)
