"""The game as far as it has been shown to its player, which may be behind the game of the peer.

Scope: the view that everything behind the presentation sees. Its State is folded from the events
that were shown, so each position on the screen is one that the game has had.
Not here: which events are shown when (`presentation_queue`, `paced_front`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.cli.ui.steps import EventStep
from kotp2p.referee.box.cards import Card
from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.apply import apply
from kotp2p.referee.model.decisions import Chance, ChanceKind, Pending, RollDecision
from kotp2p.referee.model.events import DiceRolled, DieChanged, Event
from kotp2p.referee.model.position import digest_of_position
from kotp2p.referee.model.state import State
from kotp2p.referee.rules.monsters import max_hearts
from kotp2p.referee.table.table import Table
from kotp2p.seams.notices import Notice
from kotp2p.seams.seat_view import SeatView

BETWEEN_NODES = Chance(ChanceKind.DICE, ())
"""Stands for the pending node between two events: nobody is asked anything."""


@dataclass(frozen=True, slots=True)
class Node:
    """Where the game stands when the events before it have been shown."""

    pending: Pending
    game: Game | None = None
    """The game there, if somebody may want to look further ahead."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Events that are shown together, and where the game stands behind them if that is known."""

    step: EventStep
    node: Node | None


@dataclass(frozen=True, slots=True)
class End:
    """What was shown last has stood for its time."""


Shown: TypeAlias = Notice | Progress | End


class ShownGame:
    """The game of the peer at an earlier moment, as a `GameReading`."""

    __slots__ = ("_effects", "_node", "setup", "state")

    turn_end: State | None = None
    """Nobody looks back from what is shown."""

    def __init__(self, setup: Setup, state: State) -> None:
        """The given State is kept, and changes with what is shown."""
        self.setup = setup
        self.state = state
        self._effects = effects_by_item(setup)
        self._node: Node | None = None

    def stand_at(self, node: Node | None) -> None:
        self._node = node

    @property
    def pending(self) -> Pending:
        return BETWEEN_NODES if self._node is None else self._node.pending

    def card(self, item: Item) -> Card:
        return self.setup.deck[item]

    def max_hearts(self, seat: Seat) -> int:
        return max_hearts(Table(self.setup, self.state, self._effects), seat)

    def digest(self) -> bytes:
        return digest_of_position(self.state, self.pending)

    def fork(self) -> Game:
        return self._live.fork()

    def at_final_dice(self, dice: tuple[Face, ...]) -> Game:
        return self._live.at_final_dice(dice)

    def at_turn_of(self, state: State) -> Game:
        return self._live.at_turn_of(state)

    @property
    def _live(self) -> Game:
        assert self._node is not None and self._node.game is not None, "nobody looks ahead here"
        return self._node.game


class ShownTable:
    """The view of one seat as its player knows it."""

    def __init__(self, live: SeatView, state: State) -> None:
        self._live = live
        self._arrived = state.copy()
        self._game = ShownGame(live.game.setup, state.copy())
        self.view = SeatView(
            live.seat, live.players, self._game, live.phrase, live.keepers, live.top
        )

    def sit_before(self, live: SeatView) -> None:
        """Let it be the view of this seat, whose player is asked now."""
        self._live = live
        self.view.seat, self.view.top = live.seat, live.top

    def note_arrived(self, events: Sequence[Event]) -> Node | None:
        """Takes in events that will be shown later. Returns the node behind them; None if the game
        has gone further since."""
        for event in events:
            apply(self._arrived, event)
        live = self._live.game
        if self._arrived != live.state:
            return None
        pending = live.pending
        is_thrown = any(isinstance(event, DiceRolled | DieChanged) for event in events)
        is_others = isinstance(pending, RollDecision) and pending.seat != self.view.seat
        return Node(pending, live.fork() if is_thrown and is_others else None)

    def show_events(self, events: Sequence[Event], node: Node | None) -> None:
        """`node`: where the game stands behind these events, if it is known."""
        for event in events:
            apply(self._game.state, event)
        self._game.stand_at(node)
        if self._live.seat not in self._game.state.seen_by:
            self.view.top = None
