"""A recording: the parts of a game as moments, and positions at any of them.

Scope: what is told of a game once its ledger has taken a body, one part after the other; what a
line-up undoes. Positions come from a copy of the game at the start of each turn, so that going back
costs what going forward does.
Not here: reading a log (`kotp2p.recording.log_recording`), and the dice and cards of a moment
(`kotp2p.recording.draws`).

Moment 0 is the start. Each closed step and each line-up is one more.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from kotp2p.game.report import Caught
from kotp2p.game.steps import Begun, ClosedStep, Moved
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import (
    CardBought,
    Eliminated,
    Event,
    MarketFilled,
    TopLost,
    TurnStarted,
)
from kotp2p.referee.model.state import Source, State
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lineups import Reason

MAX_KEPT_GAMES = 1024
"""Copies of the game at starts of turns. When they are that many, every second one goes, and the
next ones are twice as far apart."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The start of the game, or one part of it that counts."""

    number: int
    height: int
    """The height of the game after it."""
    turn: int
    """The turn in which the game stands after it; 0 before the first one."""
    record: int
    """The record of the log that has made it. Where several were needed, the last one."""
    part: ClosedStep | Begun | None
    """None for the start."""
    caught: tuple[Caught, ...] = ()
    """What is proven against keepers that this line-up has put out."""

    @property
    def closed(self) -> ClosedStep | None:
        return self.part if isinstance(self.part, ClosedStep) else None

    @property
    def begun(self) -> Begun | None:
        return self.part if isinstance(self.part, Begun) else None

    @property
    def events(self) -> tuple[Event, ...]:
        return () if self.part is None else self.part.events

    @property
    def begins_turn(self) -> bool:
        return any(isinstance(event, TurnStarted) for event in self.events)


@dataclass(frozen=True, slots=True)
class _KeptGame:
    moment: int
    game: Game
    """Stands after that moment. Nobody submits anything to it."""


class Recording:
    """The moments that count so far. It grows, and shrinks where a line-up undoes something."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.moments: list[Moment] = [Moment(0, 0, 0, 0, None)]
        self.top_moves: list[int] = []
        """The moments, ascending, in which the top card of the deck has gone elsewhere."""
        self.falls: list[int] = []
        """The moments, ascending, in which a monster has fallen."""
        self.line_ups: list[int] = []
        """The moments, ascending, in which a line-up has begun."""
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

    def find_change(self, seen: Sequence[Moment]) -> int | None:
        """Return the first moment that differs from those `seen` earlier; None if all still count.

        `seen` begins with the start. Where its last one still counts, so do those before it.
        """
        last = len(seen) - 1
        if last <= self.last and self.moments[last].part == seen[last].part:
            return None
        pairs = zip(seen, self.moments, strict=False)
        changed = (now.number for was, now in pairs if was.part != now.part)
        return next(changed, self.last)

    def keepers_after(self, number: int, state: State) -> dict[Seat, Seat]:
        """Return by living seat who answers for it after a moment, in which `state` stands."""
        players = self.genesis.players
        keepers: Sequence[Seat | None] = [player.keeper for player in players]
        at = bisect(self.line_ups, number)
        if at:
            begun = self.moments[self.line_ups[at - 1]].begun
            assert begun is not None  # it is in the list
            keepers = begun.after.keepers
        alive = state.seats_alive()
        return {seat: keeper for seat in alive if (keeper := keepers[seat]) is not None}

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
        """Take in what a record has done. `game` stands after it."""
        for cheat in moved.caught:
            caught = Caught(cheat.height, cheat.seat, cheat.kind, cheat.detail)
            self._caught.setdefault(cheat.seat, caught)
        if moved.kept is not None:
            self._go_back_to(moved.kept)
        for part in moved.parts:
            turn = self.moments[-1].turn
            turn += sum(isinstance(event, TurnStarted) for event in part.events)
            height = part.height + isinstance(part, ClosedStep)
            caught_now = self._convicted_by(part)
            self._append(Moment(self.last + 1, height, turn, record, part, caught_now))
        if moved.parts and self.moments[-1].begins_turn:
            self._keep_game(game)

    def _append(self, moment: Moment) -> None:
        self.moments.append(moment)
        if any(map(moves_top, moment.events)):
            self.top_moves.append(moment.number)
        if any(isinstance(event, Eliminated) for event in moment.events):
            self.falls.append(moment.number)
        if moment.begun is not None:
            self.line_ups.append(moment.number)

    def _convicted_by(self, part: ClosedStep | Begun) -> tuple[Caught, ...]:
        if isinstance(part, ClosedStep):
            return ()
        seats = part.lineup.names(Reason.CHEATED)
        return tuple(self._caught[seat] for seat in seats if seat in self._caught)

    def _go_back_to(self, number: int) -> None:
        """Forget the moments after `number`, which do not count any more."""
        del self.moments[number + 1 :]
        for kept in (self.top_moves, self.falls, self.line_ups):
            while kept and kept[-1] > number:
                kept.pop()
        while self._kept[-1].moment > number:
            self._kept.pop()

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
    """Take a game that stands before a moment to the position after it."""
    match moment.part:
        case ClosedStep(given=given):
            if given is not None:
                game.submit(given)
        case Begun(given=inputs):
            for part in inputs:
                game.submit(part)
        case None:
            pass
