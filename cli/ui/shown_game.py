"""The game as far as its player has seen it, which may lag behind the peer's game."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Generic, TypeAlias, TypeVar

from kotp2p.cli.system.options import Speed
from kotp2p.referee.box.cards import Card
from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.game import Game
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.decisions import Chance, ChanceKind, Pending
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.position import digest_of_position
from kotp2p.referee.model.state import DamageKind, State
from kotp2p.referee.rules.monsters import max_hearts
from kotp2p.referee.table.table import Table
from kotp2p.seams import notices as told
from kotp2p.seams.notices import Notice, SeatView

# -- steps ---------------------------------------------------------------------------------


TURN_SECONDS = 0.4
ROLL_SECONDS = 0.6
OWN_ROLL_SECONDS = 1.2
"""The time of the last roll, about which nothing is asked: an answer ends the dwell time."""
RESULT_SECONDS = 0.5
MOVE_SECONDS = 0.5
MOMENT_SECONDS = 1.0
"""The time of an event with which the drawn table fills itself (`cli.ui.screen.panels`)."""
HEAVY_HIT = 3
"""The hearts lost at once that make such an event."""
DAMAGE_SECONDS = 0.8
CARD_SECONDS = 0.8
FALL_SECONDS = 1.2


class Handling(Enum):
    """How a notice reaches a player who may not have seen what came before it."""

    AT_ONCE = auto()
    """It is about people or clocks; no sentence about it depends on the state of the game."""
    IN_ORDER = auto()
    """It belongs to the course of the game."""
    BREAKS_IN = auto()
    """From here on the game is another one. Earlier events are shown at once."""


def handling_of(notice: told.Notice) -> Handling:
    match notice:
        case (
            told.Happened() | told.Waiting() | told.GameFinished() | told.TopRevealed()
            | told.LinkChanged() | told.Missing() | told.PlayedForYou() | told.CardBurnt()
        ):  # fmt: skip
            return Handling.IN_ORDER
        case told.Said(yours=yours):
            # What another says may be about a roll that this player has not seen yet.
            return Handling.AT_ONCE if yours else Handling.IN_ORDER
        case (
            told.GameStarted() | told.LineUpBegun() | told.Split() | told.Cheated()
            | told.EvidenceKept() | told.Diverged() | told.ProgramFault()
        ):  # fmt: skip
            return Handling.BREAKS_IN
        case _:  # all others change nothing on the table
            return Handling.AT_ONCE


@dataclass(frozen=True, slots=True)
class EventStep:
    events: tuple[Event, ...]
    dwell: float


def split_events(events: Sequence[Event], seat: Seat) -> list[EventStep]:
    """Split the events of a notice for the player of this seat."""
    steps: list[EventStep] = []
    group: list[Event] = []
    dwell = 0.0
    for event in events:
        seconds = _seconds_of(event, seat)
        if group and seconds and not _belong_together(group[-1], event):
            steps.append(EventStep(tuple(group), dwell))
            group, dwell = [], 0.0
        group.append(event)
        dwell = max(dwell, seconds)
    return [*steps, EventStep(tuple(group), dwell)]


def _seconds_of(event: Event, seat: Seat) -> float:
    """Return the time of an event; 0 if it is shown with the one before."""
    match event:
        case ev.DiceRolled(seat=roller) if roller == seat:
            return OWN_ROLL_SECONDS
        case ev.HeartsLost(amount=amount) if amount >= HEAVY_HIT:
            return MOMENT_SECONDS
        case _:  # the time of any other event is the same for all seats
            return _SECONDS.get(type(event), 0.0)


def _belong_together(before: Event, event: Event) -> bool:
    """Return whether two losses are of one attack, and share a sentence."""
    return (
        isinstance(before, ev.HeartsLost)
        and isinstance(event, ev.HeartsLost)
        and before.packet is event.packet is DamageKind.CLAWS
        and before.dealer == event.dealer
    )


_SECONDS: dict[type, float] = {
    ev.FirstRolled: FALL_SECONDS,
    ev.TurnStarted: TURN_SECONDS,
    ev.DiceRolled: ROLL_SECONDS,
    ev.DieChanged: ROLL_SECONDS,
    ev.CardRolled: ROLL_SECONDS,
    ev.DiceResolved: RESULT_SECONDS,
    ev.HeartsLost: DAMAGE_SECONDS,
    ev.HeartsReachedZero: DAMAGE_SECONDS,
    ev.DamagePrevented: DAMAGE_SECONDS,
    ev.Eliminated: FALL_SECONDS,
    ev.Resurrected: FALL_SECONDS,
    ev.Zombified: FALL_SECONDS,
    ev.YieldAnswered: MOVE_SECONDS,
    ev.EnteredTokyo: MOMENT_SECONDS,
    ev.MovedToCity: MOVE_SECONDS,
    ev.CardBought: CARD_SECONDS,
    ev.CardUsed: MOVE_SECONDS,
    ev.CardSold: MOVE_SECONDS,
    ev.TileTaken: CARD_SECONDS,
    ev.MarketSwept: MOVE_SECONDS,
    ev.TokensGained: MOVE_SECONDS,
    ev.ExtraTurnGained: MOVE_SECONDS,
    ev.GameEnded: MOMENT_SECONDS,
}
"""Other events are shown together with the event before them."""


# -- shown game ----------------------------------------------------------------------------


BETWEEN_NODES = Chance(ChanceKind.DICE, ())
"""The pending node between two events, at which no question is open."""


@dataclass(frozen=True, slots=True)
class Progress:
    step: EventStep
    pending: Pending | None
    """What comes after them, if it is known."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of the time of what was shown last."""


Shown: TypeAlias = Notice | Progress | End


class ShownGame:
    """The game of the peer at an earlier moment, as a `GameReading`."""

    __slots__ = ("_effects", "pending", "setup", "state")

    turn_end: State | None = None
    """Not needed, as the display does not look back."""

    def __init__(self, setup: Setup, state: State) -> None:
        """Keep `state`, which changes with what is shown."""
        self.setup = setup
        self.state = state
        self._effects = effects_by_item(setup)
        self.pending: Pending = BETWEEN_NODES

    def card(self, item: Item) -> Card:
        return self.setup.deck[item]

    def max_hearts(self, seat: Seat) -> int:
        return max_hearts(Table(self.setup, self.state, self._effects), seat)

    def digest(self) -> bytes:
        return digest_of_position(self.state, self.pending)

    def fork(self) -> Game:
        raise AssertionError("nobody looks ahead here")

    def at_final_dice(self, dice: tuple[Face, ...]) -> Game:
        return self.fork()

    def at_turn_of(self, state: State) -> Game:
        return self.fork()


class ShownTable:
    """The view of one seat as far as its player has seen it."""

    def __init__(self, live: SeatView, state: State) -> None:
        self._live = live
        self._arrived = state.copy()
        self._game = ShownGame(live.game.setup, state.copy())
        self.view = SeatView(
            live.seat, live.players, self._game, live.phrase, live.keepers, live.top
        )

    def sit_before(self, live: SeatView) -> None:
        self._live = live
        self.view.seat, self.view.top = live.seat, live.top

    def note_arrived(self, events: Sequence[Event]) -> Pending | None:
        """Take in events that will be shown later; return what comes after them, if known."""
        for event in events:
            event.apply(self._arrived)
        live = self._live.game
        return live.pending if self._arrived == live.state else None

    def show_events(self, events: Sequence[Event], pending: Pending | None) -> None:
        for event in events:
            event.apply(self._game.state)
        self._game.pending = BETWEEN_NODES if pending is None else pending
        if self._live.seat not in self._game.state.seen_by:
            self.view.top = None


# -- presentation queue --------------------------------------------------------------------
#
# What has happened and has not been shown yet: which of it is due, by a clock that is handed in. A
# queue of steps, each of which is shown for a moment (its dwell time) before the next one. The
# queue is at most `MAX_SECONDS_BEHIND` late (more in a lesson, which keeps no one waiting), and at
# most `MAX_SECONDS_OF_OWN_CLOCK` from the moment at which a clock of the player's own runs. What
# does not fit is shown at once, the oldest first.


T = TypeVar("T")
MAX_SECONDS_BEHIND = 10.0
MAX_SECONDS_BEHIND_IN_LESSON = 40.0
"""Enough for the turns of three bots at the slow speed."""
MAX_SECONDS_OF_OWN_CLOCK = 2.0
DWELL_FACTORS = {Speed.SLOW: 1.8, Speed.NORMAL: 1.0, Speed.FAST: 0.4, Speed.INSTANT: 0.0}


class RunningClock(StrEnum):
    QUESTION = "question"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class _Queued(Generic[T]):
    what: T
    dwell: float
    arrived_at: float


class PresentationQueue(Generic[T]):
    def __init__(self, speed: Speed = Speed.INSTANT) -> None:
        self.speed = speed
        self.on_change: Callable[[], None] = lambda: None
        self.is_lesson = False
        """Whether only bots play with this player, who is learning the game."""
        self.has_ended = False
        """Whether the game is over, while the rest may still be shown."""
        self._waiting: deque[_Queued[T]] = deque()
        self._dwell_waiting = 0.0
        self._free_at = -math.inf
        """The time until which what was shown last is shown."""
        self._jumps = False
        self._clocks: dict[RunningClock, float] = {}

    @property
    def is_behind(self) -> bool:
        return bool(self._waiting)

    def put(self, what: T, dwell: float, now: float) -> None:
        """Queue something for `dwell` seconds; with 0 it is shown with what comes before it."""
        self._waiting.append(_Queued(what, dwell, now))
        self._dwell_waiting += dwell

    def take_due(self, now: float) -> list[T]:
        due: list[T] = []
        while self._waiting and now >= self._due_at(self._waiting[0]):
            due.append(self._take_first(now))
        if not self._waiting:
            self._jumps, self._dwell_waiting = False, 0.0
        return due

    def next_due(self) -> float:
        """Return the time at which `take_due` has something; infinite if none waits."""
        return self._due_at(self._waiting[0]) if self._waiting else math.inf

    def jump(self) -> None:
        self._jumps = self.is_behind
        self.on_change()

    def begin_lesson(self) -> None:
        """Slow down until the player chooses a speed."""
        self.is_lesson = True
        self.choose_speed(Speed.SLOW)

    def choose_speed(self, speed: Speed) -> None:
        self.speed = speed
        self.on_change()

    def end_dwell(self) -> None:
        """End the time of what was shown last, as the player has answered it."""
        self._free_at = -math.inf

    def start_clock(self, clock: RunningClock, now: float) -> None:
        self._clocks.setdefault(clock, now)
        self.on_change()

    def stop_clock(self, clock: RunningClock) -> None:
        self._clocks.pop(clock, None)

    def _due_at(self, first: _Queued[T]) -> float:
        if self._jumps or self.speed is Speed.INSTANT or not first.dwell:
            return -math.inf
        return min(self._free_at, self._latest(first))

    def _latest(self, queued: _Queued[T]) -> float:
        ends = [started + MAX_SECONDS_OF_OWN_CLOCK for started in self._clocks.values()]
        return min([queued.arrived_at + self._max_seconds_behind, *ends])

    @property
    def _max_seconds_behind(self) -> float:
        is_unhurried = self.is_lesson and self.speed is Speed.SLOW
        return MAX_SECONDS_BEHIND_IN_LESSON if is_unhurried else MAX_SECONDS_BEHIND

    def _take_first(self, now: float) -> T:
        taken = self._waiting.popleft()
        self._dwell_waiting -= taken.dwell
        if taken.dwell:
            self._free_at = now + self._seconds_to_stand(taken, now)
        return taken.what

    def _seconds_to_stand(self, taken: _Queued[T], now: float) -> float:
        """Return how long this is shown before the next."""
        seconds = taken.dwell * DWELL_FACTORS[self.speed]
        if self._jumps:
            return 0.0
        if not self._waiting:
            return seconds
        last = self._waiting[-1]
        needed = seconds + (self._dwell_waiting - last.dwell) * DWELL_FACTORS[self.speed]
        left = max(0.0, self._latest(last) - now)
        return seconds if needed <= left else 0.0
