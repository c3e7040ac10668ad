"""Line-ups, who is in them, and when they are enough (LINEUPS rules 1, 3, 7 and 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

from tests.tools.lineup_model.bodies import Entry, digest
from tests.tools.lineup_model.positions import Gather, Position


class Why(IntEnum):
    """What a plan says of a keeper."""

    CHEATED = 1
    LEFT = 2
    ABSENT = 3
    AGAIN = 4
    BACK = 5


OUT = (Why.CHEATED, Why.LEFT, Why.ABSENT)
FOR_GOOD = (Why.CHEATED, Why.LEFT)


class Named(NamedTuple):
    """One line of a plan. The instance is 0 but for `again` and `back`."""

    keeper: int
    why: Why
    instance: int = 0


Plan = tuple[Named, ...]
"""In ascending order of the keepers."""


class Start(NamedTuple):
    """Where the play of a line-up begins. All of it follows from the line-up and its past."""

    position: Position
    kept: Gather | None
    """The gather that was open at the base, if it is kept."""
    fresh: frozenset[int]
    """Whose ROWS follow, where not all give them: who is back or again, or new as a contributor."""
    origins: tuple[tuple[int, int], ...]
    """The origin of each contributor's values."""
    slot: int
    end_since: int | None = None
    """At the end of the game: the attempt in which it was reached, which each END names."""


@dataclass(frozen=True, eq=False)
class LineUp:
    """Who plays from a place on. Equal content is one object, so `is` compares ids."""

    attempt: int
    pred: LineUp | None
    height: int
    head: int
    plan: Plan
    rows: bool
    """Whether it begins with ROWS of all members."""
    pinned: tuple[Entry, ...]
    """The openings of contributors that are out, in a kept gather."""
    number: int
    members: frozenset[int]
    keepers: tuple[int, ...]
    """The keeper of each seat; -1 for a seat that nobody keeps."""
    instances: tuple[int, ...]
    """The process that plays for each keeper."""
    start: Start
    pred_confirmed: bool
    """Whether the predecessor was confirmed on the line up to the base."""
    refused: frozenset[int]
    """Who was put out while it owed a contribution that others had shown theirs for."""

    def __repr__(self) -> str:
        plan = ", ".join(f"{n.keeper} {n.why.name.lower()}" for n in self.plan)
        return f"<{self.attempt} from {self.pred.attempt if self.pred else '-'}: {plan}>"

    @property
    def rank(self) -> tuple[int, int]:
        """Of two line-ups that have begun the greater rank counts (rule 10)."""
        return self.attempt, self.number

    def content(self, attempt: int) -> tuple[object, ...]:
        assert self.pred is not None
        place = self.pred.number, self.height, self.head
        return attempt, *place, self.plan, self.rows, self.pinned

    def number_in(self, attempt: int) -> int:
        """Return the number of the same line-up of another attempt."""
        return digest(*self.content(attempt))

    def in_attempt(self, attempt: int, archive: Archive) -> LineUp:
        return archive.keep(
            self.content(attempt), lambda number: replace(self, attempt=attempt, number=number)
        )

    def past(self) -> Iterator[LineUp]:
        q: LineUp | None = self
        while q is not None:
            yield q
            q = q.pred

    def named(self, *whys: Why) -> frozenset[int]:
        return frozenset(n.keeper for n in self.plan if n.why in whys)

    def refusals(self, keeper: int) -> int:
        return sum(keeper in q.refused for q in self.past())


@dataclass
class Archive:
    """All line-ups of a walk, each once."""

    found: dict[tuple[object, ...], LineUp] = field(default_factory=dict)

    def keep(self, content: tuple[object, ...], make: Callable[[int], LineUp]) -> LineUp:
        """Return the line-up with this content. Its id is the hash."""
        lineup = self.found.get(content)
        if lineup is None:
            lineup = self.found[content] = make(digest(*content))
        return lineup


def stay(members: frozenset[int], plan: Iterable[Named]) -> frozenset[int]:
    out = {n.keeper for n in plan if n.why in OUT}
    return (members - out) | {n.keeper for n in plan if n.why == Why.BACK}


def pass_on(keepers: tuple[int, ...], plan: Plan, members: frozenset[int]) -> tuple[int, ...]:
    """Say who keeps each seat after the plan (rule 13).

    Seats of a keeper that is out pass to the next member clockwise. `back` returns the own seat.
    """
    out = {n.keeper for n in plan if n.why in OUT}
    back = {n.keeper for n in plan if n.why == Why.BACK}
    found = []
    for seat, keeper in enumerate(keepers):
        if seat in back:
            keeper = seat
        elif keeper in out or keeper < 0:
            rest = (*range(seat + 1, len(keepers)), *range(seat + 1))
            keeper = next((k for k in rest if k in members), -1)
        found.append(keeper)
    return tuple(found)


def is_enough(pred: LineUp, confirmed: bool, gone: frozenset[int], members: frozenset[int]) -> bool:
    """Say whether `members` may go on from `pred` (rule 7).

    They must be more than half of the members of the predecessor that nobody has named `cheated` or
    `left`, and, while the predecessor is not confirmed, likewise of the one before it, and so on
    back to the last confirmed one. A line-up is confirmed when a gather of its own has closed.
    """
    q: LineUp = pred
    while True:
        counted = q.members - gone
        if 2 * len(members & counted) <= len(counted):
            return False
        if confirmed or q.pred is None:
            return True
        gone |= q.named(*FOR_GOOD)
        confirmed, q = q.pred_confirmed, q.pred
