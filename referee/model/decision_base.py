"""What all decisions share: the seat that is asked, what it can use, what is legal.

Scope: prompt, bot and the check of a peer's move share one source. `why_illegal` gives the reason
against an answer, `legal_answers` lists the legal ones, and `default` is a legal answer that
stands for silence in a scenario. Every field is filled when the node is reached, from public
facts alone. All that a prompt has to show is in the fields or in the State.

The decisions themselves are in `dice_decisions`, `damage_decisions` and `card_decisions`; a new
one joins the union in `referee.model.decisions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar

from kotp2p.referee.model.answers import Answer, Face, Item, Reason, Seat, Use


@dataclass(frozen=True, slots=True)
class Usable:
    """An effect that the asked seat can use at this decision."""

    item: Item
    """The card or tile in front of the seat."""
    effect: str
    """Key of the card with this effect; for a copying card it is not the key of `item`."""
    cost: int = 0
    """The price in energy."""
    dice: tuple[int, ...] = ()
    """The positions that an answer may name; empty: it names no die."""
    faces: tuple[Face, ...] = ()
    """The faces that an answer may name; empty: it names no face."""

    def legal_answers(self) -> Iterator[Use]:
        for die in self.dice or (None,):
            for face in self.faces or (None,):
                yield Use(self.item, die, face)

    def why_illegal(self, use: Use) -> Reason | None:
        if use.die not in (self.dice or (None,)):
            return Reason.NO_SUCH_DIE
        if use.face not in (self.faces or (None,)):
            return Reason.NO_SUCH_FACE
        return None


@dataclass(slots=True)
class DecisionBase:
    """What all decisions share."""

    kind: ClassVar[str]
    seat: Seat
    uses: tuple[Usable, ...] = field(default=(), kw_only=True)

    def legal_answers(self) -> Iterator[Answer]:
        """Every legal answer: first those of this kind of decision, then the uses of cards."""
        own = self._own_answers()
        return chain(own, *[u.legal_answers() for u in self.uses]) if self.uses else own

    def is_legal(self, answer: Answer) -> bool:
        return self.why_illegal(answer) is None

    def why_illegal(self, answer: Answer) -> Reason | None:
        """Why `answer` is illegal here; None if it is legal."""
        if isinstance(answer, Use):
            fitting = [u for u in self.uses if u.item == answer.item]
            if not fitting:
                return Reason.NOT_USABLE
            refusals = [u.why_illegal(answer) for u in fitting]
            return None if None in refusals else refusals[0]
        return self._why_own_illegal(answer)

    def _own_answers(self) -> Iterator[Answer]:
        raise NotImplementedError

    def _why_own_illegal(self, answer: Answer) -> Reason | None:
        """Good enough for a kind with few answers of its own; the other kinds override it."""
        return None if answer in self._own_answers() else Reason.WRONG_KIND
