"""Where a game can stand: the closed union `Pending` = a Decision, a Chance node, or Over.

A decision itself says what is legal (`referee.model.decision_base`), and so does a chance node. A
decision with a single legal answer is never asked: the rules go on without it. Rapid Healing,
which its owner may use at every decision, is not counted here (RULES A-86).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from kotp2p.referee.model.answers import Item, Reason, Seat
from kotp2p.referee.model.card_decisions import (
    AgainDecision,
    BuyDecision,
    CopyDecision,
    DepositDecision,
    OpportunistDecision,
    SellDecision,
    TileDecision,
)
from kotp2p.referee.model.damage_decisions import (
    ResponseDecision,
    SwapDecision,
    YieldDecision,
)
from kotp2p.referee.model.dice_decisions import (
    ChangeDecision,
    HeartsDecision,
    OrderDecision,
    ProbeDecision,
    RollDecision,
)

Decision: TypeAlias = (
    RollDecision | ProbeDecision | ChangeDecision | OrderDecision | HeartsDecision
    | ResponseDecision | YieldDecision | SwapDecision | BuyDecision | OpportunistDecision
    | DepositDecision | CopyDecision | TileDecision | SellDecision | AgainDecision
)  # fmt: skip


class ChanceKind(StrEnum):
    DICE = "dice"
    CARDS = "cards"
    SIDES = "sides"
    LOOK = "look"
    """A secret look at the top card; the input is `Looked`, not `Drawn`."""


DICE, CARDS, SIDES, LOOK = ChanceKind
"""The kinds as the rules name them, like the faces."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One value, uniform below `size`."""

    size: int
    pool: int = -1
    """Draws of one pool (>= 0) give different values, as cards out of one pile do. For CARDS a
    value is an index into that pile, sorted by item number, as it stands at this node."""


DIE_VALUES = frozenset(range(6))
"""What a draw can give for a die."""


@dataclass(slots=True)
class Chance:
    """Chance owes an outcome.

    * DICE: one draw of 6 for each die, by ascending position. In the roll-off six draws for each
      tied monster, in seat order.
    * CARDS: one draw for each card. Pool 0 is the undrawn cards; pool 1 is the discard pile, used
      when pool 0 has no card left (RULES 3.10, A-62).
    * SIDES: one draw of 2 for each tile.
    * LOOK: no draw; `seat` sees the top card.
    """

    kind: ChanceKind
    draws: tuple[Draw, ...]
    seat: Seat | None = None
    """The one seat that needs the outcome; if that seat leaves, the node is withdrawn."""
    piles: tuple[tuple[Item, ...], ...] = ()
    """CARDS: the pile of each pool, sorted by item number."""

    def why_illegal(self, values: tuple[int, ...]) -> Reason | None:
        if self.kind is DICE:
            is_legal = len(values) == len(self.draws) and DIE_VALUES.issuperset(values)
        else:
            is_legal = self.kind is not LOOK and self._is_one_of_each(values)
        return None if is_legal else Reason.BAD_OUTCOME

    def _is_one_of_each(self, values: tuple[int, ...]) -> bool:
        """Whether there is one value for each draw, and no value twice for draws of one pool."""
        if len(values) != len(self.draws):
            return False
        taken: set[tuple[int, int]] = set()
        for i, value in enumerate(values):
            draw = self.draws[i]
            card = (draw.pool, value)
            if not 0 <= value < draw.size or card in taken:
                return False
            if draw.pool >= 0:
                taken.add(card)
        return True


@dataclass(slots=True)
class Over:
    """The game has ended; `winners` by seat, empty if no monster is left (A-02, A-05)."""

    winners: tuple[Seat, ...]


Pending: TypeAlias = Decision | Chance | Over


def seat_asked(pending: Pending) -> Seat | None:
    """The seat that owes an answer; None at a chance node and when the game is over."""
    match pending:
        case Chance() | Over():
            return None
        case _:  # every decision has a seat; mypy refuses a node without one
            return pending.seat
