"""What may be read of a game, wherever it is kept.

Scope: the seam between a game and those that look at it or ahead of it: screens, bots, advice. The
referee's own `Game` is one; what a player has been shown so far may be behind it.
Not here: `Game.submit`. An input goes to a `Game`, or to a fork of it.
"""

from __future__ import annotations

from typing import Protocol

from kotp2p.referee.box.printed import Card
from kotp2p.referee.box.setup import Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.decisions import Pending
from kotp2p.referee.model.state import State


class GameReading(Protocol):
    @property
    def setup(self) -> Setup: ...

    @property
    def pending(self) -> Pending: ...

    @property
    def state(self) -> State:
        """Read it, never write to it."""
        ...

    @property
    def turn_end(self) -> State | None:
        """The State after the latest TURN_END, before the next turn began. Read it only."""
        ...

    def card(self, item: Item) -> Card: ...

    def max_hearts(self, seat: Seat) -> int:
        """The most hearts that this monster can have now."""
        ...

    def digest(self) -> bytes: ...

    def fork(self) -> Game:
        """An independent game at the same node."""
        ...

    def at_final_dice(self, dice: tuple[Face, ...]) -> Game:
        """A fork of a game that stands at a RollDecision: its seat rolls these dice and stops."""
        ...

    def at_turn_of(self, state: State) -> Game:
        """A game at TURN_START of an ordinary turn of `state.active`. The State is copied."""
        ...
