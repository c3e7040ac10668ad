"""One game: inputs come in, events come out.

Scope: `submit` checks an input against the pending node before anything moves, hands it to the
generator of the turn, and stops at the next node. A generator lives no longer than a turn and
cannot be copied: `fork` copies the State kept at the start of the turn and repeats its inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias, assert_never

from kotp2p.referee.box.cards import Card
from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.model import answers, decisions, position
from kotp2p.referee.model.answers import Face, IllegalAction, Item, Reason, Seat
from kotp2p.referee.model.decisions import CARDS, LOOK, Chance, Over, Pending, RollDecision
from kotp2p.referee.model.events import Event, TopLost
from kotp2p.referee.model.state import Monster, State
from kotp2p.referee.rules.holdings import remove_leavers
from kotp2p.referee.rules.monsters import max_hearts
from kotp2p.referee.rules.turn import (
    NextTurn,
    cut_short,
    find_next_turn,
    play_final_dice,
    play_turn,
    set_up,
)
from kotp2p.referee.table.table import Reply, Rules, Table

# -- what may be read of a game, wherever it is kept ---------------------------------------
#
# The seam between a game and those that look at it or ahead of it: screens, bots, advice. `Game`
# is one; what a player has been shown so far may be behind it.


class GameReading(Protocol):
    @property
    def setup(self) -> Setup: ...

    @property
    def pending(self) -> Pending: ...

    @property
    def state(self) -> State: ...

    @property
    def turn_end(self) -> State | None: ...

    def card(self, item: Item) -> Card: ...

    def max_hearts(self, seat: Seat) -> int: ...

    def digest(self) -> bytes: ...

    def fork(self) -> Game: ...

    def at_final_dice(self, dice: tuple[Face, ...]) -> Game: ...

    def at_turn_of(self, state: State) -> Game: ...


# -- the game ------------------------------------------------------------------------------


Begin: TypeAlias = Callable[[Table], Rules[NextTurn | None]]
"""What makes the generator that runs: the set-up, which returns the first turn, or a turn."""

Checked: TypeAlias = Reply | answers.Out | answers.Burnt
"""A legal input: what the rules get for the node, or what happens beside it."""


class Game:
    """A game, which waits at one pending node; `submit` takes it to the next."""

    __slots__ = (
        "_begin", "_inputs", "_start", "_steps", "_table", "pending", "setup", "state",
        "turn_end",
    )  # fmt: skip

    _begin: Begin
    """What made the generator that runs."""
    _inputs: list[Checked]
    _start: State
    """The State at which it began, for forks."""
    _steps: Rules[NextTurn | None]

    def __init__(self, setup: Setup) -> None:
        monsters = [Monster(seat, hearts=setup.rules.hearts) for seat in range(setup.seats)]
        state = State(monsters, undrawn=list(range(len(setup.deck))))
        self._start_from(Table(setup, state, effects_by_item(setup)), set_up)

    @classmethod
    def at_turn_start(cls, setup: Setup, state: State, turn: NextTurn | None = None) -> Game:
        """Return a game at TURN_START of `turn`, by default an ordinary one; State copied."""
        game = cls.__new__(cls)
        table = Table(setup, state.copy(), effects_by_item(setup))
        game._start_from(table, partial(play_turn, turn=turn or NextTurn(state.active)))
        return game

    def at_turn_of(self, state: State) -> Game:
        """Return what `at_turn_start` returns with the set-up of this game, but cheaper."""
        game = Game.__new__(Game)
        turn = NextTurn(state.active)
        game._start_from(self._other_table(state.copy()), partial(play_turn, turn=turn))
        return game

    def at_final_dice(self, dice: tuple[Face, ...]) -> Game:
        """Return a fork in which the active monster, who may roll, rolls these dice and stops."""
        assert isinstance(self.pending, RollDecision), "only a roll has final dice"
        game = Game.__new__(Game)
        begin = partial(play_final_dice, dice=dice)
        game._start_from(self._other_table(self.state.copy()), begin, turn_end=self.turn_end)
        return game

    def _other_table(self, state: State) -> Table:
        """Return a table for `state` that shares the effects, which are never written to."""
        return Table(self.setup, state, self._table.effects)

    def _start_from(
        self,
        table: Table,
        begin: Begin,
        *,
        start: State | None = None,
        turn_end: State | None = None,
    ) -> None:
        """Start at `begin`; another game may lend its `start` if it equals the table's State."""
        self.setup = table.setup
        self.state = table.state
        """Read it, never write to it."""
        self._table = table
        self.pending: Pending = Over(())
        self.turn_end = turn_end
        """The State after the latest TURN_END, before the next turn began. Read it only."""
        self._start_at(begin, start or table.state.copy())
        self._advance_to_next_node(None)

    def card(self, item: Item) -> Card:
        return self.setup.deck[item]

    def max_hearts(self, seat: Seat) -> int:
        return max_hearts(self._table, seat)

    def max_hearts_in(self, state: State, seat: Seat) -> int:
        """Return what `max_hearts` returns, for a State that this game has had."""
        return max_hearts(self._other_table(state), seat)

    def position(self) -> list[tuple[str, int]]:
        return position.label_numbers(self.state, self.pending)

    def digest(self) -> bytes:
        return position.digest_of_position(self.state, self.pending)

    def fork(self) -> Game:
        game = Game.__new__(Game)
        table = self._other_table(self._start.copy())
        game._start_from(table, self._begin, start=self._start, turn_end=self.turn_end)
        # A generator cannot be copied: the inputs of this turn are played again. They need no
        # check, since each was legal when it came.
        for given in self._inputs:
            game._inputs.append(given)
            game._advance_to_next_node(given)
        game._table.events = []
        return game

    # -- inputs ------------------------------------------------------------------------------

    def submit(self, given: answers.Input) -> list[Event]:
        """Put in `given` and return the events; raise IllegalAction, then nothing has changed."""
        checked = self._check_input(given)
        self._inputs.append(checked)
        events: list[Event] = []
        self._table.events = events
        self._advance_to_next_node(checked)
        return events

    def _check_input(self, given: answers.Input) -> Checked:
        """Return what to continue with; raise IllegalAction.

        What fits the node comes first, and by `type`, as an `isinstance` that fails is slow.
        """
        pending = self.pending
        checked: Checked
        reason: Reason | None
        if type(given) is answers.Answered and isinstance(pending, decisions.DecisionBase):
            checked = given.answer
            if pending.seat != given.seat:
                raise IllegalAction(Reason.NOT_ASKED, f"seat {given.seat}")
            reason = pending.why_illegal(checked)
        elif type(given) is answers.Drawn and isinstance(pending, Chance):
            checked = given.values
            reason = pending.why_illegal(checked)
        elif isinstance(pending, Over):
            raise IllegalAction(Reason.OVER)
        elif isinstance(given, answers.Answered):
            raise IllegalAction(Reason.NOT_ASKED, f"seat {given.seat}")
        elif isinstance(given, answers.Drawn):
            raise IllegalAction(Reason.NOT_ASKED, "chance")
        elif isinstance(given, answers.Looked):
            checked = (given.slot,)
            look = isinstance(pending, Chance) and pending.kind is LOOK
            reason = None if look and pending.seat == given.seat else Reason.NOT_ASKED
        elif isinstance(given, answers.Out):
            checked = given
            reason = None if self._may_leave(given.seats) else Reason.NOT_ALIVE
        elif isinstance(given, answers.Burnt):
            checked = given
            reason = None if self.state.seen_by else Reason.NOT_SEEN
        else:
            assert_never(given)
        if reason is not None:
            raise IllegalAction(reason, str(given))
        return checked

    def _may_leave(self, seats: tuple[Seat, ...]) -> bool:
        """Return whether these are seats of the game that are alive, in their order."""
        if not seats or list(seats) != sorted(set(seats)):
            return False
        return set(seats) <= set(self.state.seats_alive())

    def _put_out(self, seats: tuple[int, ...]) -> None:
        """Withdraw the open node or make it anew; the turn of a monster that left ends (A-91)."""
        was_active = self._begin is not set_up and self.state.active in seats
        pending = self.pending
        remove_leavers(self._table, seats)
        if was_active:
            # The rest of the turn falls away, but cards that were being turned up still come.
            refilling = isinstance(pending, Chance) and pending.kind is CARDS
            self._steps.close()
            self._steps = cut_short(self._table, refilling)

    # -- driving the rules -------------------------------------------------------------------

    def _start_at(self, begin: Begin, state: State) -> None:
        """Begin the steps; `state` equals that of the table, and is never written to."""
        self._inputs = []
        self._begin = begin
        self._start = state
        self._steps = begin(self._table)

    def _advance_to_next_node(self, given: Checked) -> None:
        """Run the rules with `given` to the next node, beyond the ends of turns."""
        if type(given) is answers.Out:
            self._put_out(given.seats)
            given = None
        elif type(given) is answers.Burnt:  # the open node is put again
            self._table.record(TopLost())
            given = None
        while True:
            try:
                self.pending = self._steps.send(given)
                return
            except StopIteration as stopped:
                # The set-up returns the first turn; a turn returns None.
                first: NextTurn | None = stopped.value
            state = self.state.copy()
            self.turn_end = state if first is None else None
            if state.winners is not None:
                self.pending = Over(state.winners)
                return
            self._start_at(partial(play_turn, turn=first or find_next_turn(state)), state)
            given = None
