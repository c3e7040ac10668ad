"""A recording: the closed steps of a game as moments, and positions at any of them.

Scope: what is told of a game once its ledger has taken a body, one behind the other; what votes
undo, and what a later certificate brings back. Positions come from a copy of the game at the start
of each turn, so that going back costs what going forward does.
Not here: reading a log (`kotp2p.recording.log_recording`), and the dice and cards of a moment
(`kotp2p.recording.draws`).

A moment is told by its number, which is the height behind it: moment 0 is the start, and moment n
has closed height n - 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.report import Caught
from kotp2p.game.steps import ClosedStep, Moved
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.votes import Certificate
from referee.game import Game
from referee.model.answers import Seat
from referee.model.events import CardBought, Eliminated, Event, MarketFilled, TopLost, TurnStarted
from referee.model.kinds import Source

MAX_KEPT_GAMES = 1024
"""Copies of the game at starts of turns. When they are that many, every second one goes, and the
next ones are twice as far apart."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The start of the game, or one step that counts."""

    number: int
    turn: int
    """The turn in which the game stands behind it; 0 before the first one."""
    record: int
    """The record of the log that has closed the step. Where several were needed, the last one."""
    closed: ClosedStep | None
    """None for the start."""
    caught: tuple[Caught, ...] = ()
    """What is proven against seats that votes have put out with this step."""

    @property
    def events(self) -> tuple[Event, ...]:
        return () if self.closed is None else self.closed.events

    @property
    def begins_turn(self) -> bool:
        return any(isinstance(event, TurnStarted) for event in self.events)


@dataclass(frozen=True, slots=True)
class _KeptGame:
    moment: int
    game: Game
    """Stands behind that moment. Nobody submits anything to it."""


class Recording:
    """The moments that count so far. It grows, and shrinks where votes have undone something."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.moments: list[Moment] = [Moment(0, 0, 0, None)]
        self.top_moves: list[int] = []
        """The moments, ascending, in which the top card of the deck has gone elsewhere."""
        self.falls: list[int] = []
        """The moments, ascending, in which a monster has fallen."""
        self._undone: dict[bytes, Moment] = {}
        """By the head behind it: what a later certificate of the former view may bring back."""
        self._caught: dict[Seat, Caught] = {}
        """By seat, what was proven first."""
        self._kept = [_KeptGame(0, Game(genesis.charter.setup()))]
        self._moments_between_games = 1

    # -- what happened -------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.moments) - 1

    @property
    def turns(self) -> int:
        """The turns that have begun."""
        return self.moments[-1].turn

    def find_turn(self, turn: int) -> int | None:
        """The first moment of a turn; None if it has not begun. Turn 0 is the start."""
        low, high = 0, len(self.moments)
        while low < high:
            middle = (low + high) // 2
            if self.moments[middle].turn < turn:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self.moments) else None

    # -- positions -----------------------------------------------------------------------

    def game_behind(self, number: int) -> Game:
        """An independent game as it stands behind a moment. 0 <= number <= last."""
        kept = next(kept for kept in reversed(self._kept) if kept.moment <= number)
        game = kept.game.fork()
        for moment in self.moments[kept.moment + 1 : number + 1]:
            replay_moment(game, moment)
        return game

    # -- growing -------------------------------------------------------------------------

    def add(self, record: int, moved: Moved, game: Game) -> None:
        """Takes in what a record has done. `game` stands behind it."""
        for cheat in moved.caught:
            caught = Caught(cheat.height, cheat.seat, cheat.kind, cheat.detail)
            self._caught.setdefault(cheat.seat, caught)
        for closed in moved.steps:
            self._go_back_to(closed.height, closed.head_before)
            turn = self.moments[-1].turn
            turn += sum(isinstance(event, TurnStarted) for event in closed.events)
            convicted = self._convicted_by(closed)
            self._append(Moment(closed.height + 1, turn, record, closed, convicted))
        if moved.steps and self.moments[-1].begins_turn:
            self._keep_game(game)

    def _append(self, moment: Moment) -> None:
        self.moments.append(moment)
        if any(map(moves_top, moment.events)):
            self.top_moves.append(moment.number)
        if any(isinstance(event, Eliminated) for event in moment.events):
            self.falls.append(moment.number)

    def _convicted_by(self, closed: ClosedStep) -> tuple[Caught, ...]:
        seats = [
            seat for item in closed.done if isinstance(item, Certificate) for seat in item.seats
        ]
        return tuple(self._caught[seat] for seat in seats if seat in self._caught)

    def _go_back_to(self, number: int, head: bytes) -> None:
        """The last moment is `number`, with this head behind it. Moments behind it are undone, and
        some that were undone before may count again."""
        returning = []
        while self._head_behind(number) != head:
            moment = self._undone.pop(head)
            assert moment.closed is not None  # the start is never undone
            returning.append(moment)
            head = moment.closed.head_before
            number -= 1
        for moment in self.moments[number + 1 :]:
            assert moment.closed is not None  # likewise
            self._undone[moment.closed.head] = moment
        del self.moments[number + 1 :]
        for kept in (self.top_moves, self.falls):
            while kept and kept[-1] > number:
                kept.pop()
        for moment in reversed(returning):
            self._append(moment)
        while self._kept[-1].moment > number:
            self._kept.pop()

    def _head_behind(self, number: int) -> bytes | None:
        if number >= len(self.moments):
            return None
        closed = self.moments[number].closed
        return self.genesis.id if closed is None else closed.head

    def _keep_game(self, game: Game) -> None:
        if self.last < self._kept[-1].moment + self._moments_between_games:
            return
        self._kept.append(_KeptGame(self.last, game.fork()))
        if len(self._kept) == MAX_KEPT_GAMES:
            del self._kept[1::2]
            self._moments_between_games *= 2


def moves_top(event: Event) -> bool:
    """Whether the top card of the deck does not lie there any more."""
    match event:
        case MarketFilled(cards=cards):
            return bool(cards)
        case CardBought(source=Source.TOP) | TopLost():
            return True
        case _:  # every other event leaves it where it is
            return False


def replay_moment(game: Game, moment: Moment) -> None:
    """Takes a game that stands before a moment to the position behind it."""
    if moment.closed is not None and moment.closed.given is not None:
        game.submit(moment.closed.given)
