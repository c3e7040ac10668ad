"""The line of play of a line-up: places, what is owed there, how they close (rules 1 and 6)."""

import itertools
from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.tools.lineup_model.bodies import Entry, digest
from tests.tools.lineup_model.book import Book
from tests.tools.lineup_model.lineups import LineUp
from tests.tools.lineup_model.positions import (
    DECISIONS,
    DRAWS,
    GATHERS,
    ILLEGAL,
    KIND_OF,
    VARIANTS,
    Gather,
    Position,
    Step,
    after_step,
    contribution,
)


class Place(NamedTuple):
    """A height and head of a line, and what is owed there."""

    height: int
    head: int
    attempt: int
    """What entries name here: at a kept gather and at the end, where that was reached."""
    step: Step
    position: Position
    askers: tuple[int, ...]
    gather: Gather | None
    """Of a roll or a look."""
    fresh: frozenset[int]
    """Of a step of ROWS: who gives some."""
    pending: tuple[Step, ...]
    """Opening steps of the line-up that come before what the position asks."""
    origins: tuple[tuple[int, int], ...]
    slot: int

    @property
    def at(self) -> tuple[int, int]:
        return self.height, self.head

    def key(self, keeper: int) -> tuple[int, int, int, int]:
        """Under which a book has what this keeper has signed here."""
        return self.attempt, self.height, self.head, keeper


class Closed(NamedTuple):
    """A step that has closed: its place, the entries, and the result of a roll or look."""

    place: Place
    entries: tuple[Entry, ...]
    result: int


def contributors(lineup: LineUp, position: Position) -> frozenset[int]:
    """The members of which a seat lives, their own or one that a bot plays."""
    return frozenset(k for s, k in enumerate(lineup.keepers) if s in position.alive and k >= 0)


def what_is_owed(place: Place, keeper: int, lineup: LineUp, choice: int = 0) -> tuple[int, ...]:
    """Say what the entry of `keeper` holds here. `choice` is a decision, or a variant."""
    if place.step == Step.DECISION:
        return (choice,)
    if place.step == Step.END:
        return (place.position.mark,)
    if place.step == Step.ROWS:
        return (lineup.number,) if keeper in place.fresh else ()
    assert place.gather is not None
    if keeper not in place.gather.contributors:
        return ()
    if place.step == Step.LOOK and keeper == lineup.keepers[place.position.seat]:
        return 0, choice
    return contribution(keeper, dict(place.gather.origins)[keeper], place.gather.slot), choice


def is_legal(entry: Entry, place: Place, lineup: LineUp) -> bool:
    if entry.kind != KIND_OF.get(place.step):
        return False
    if place.step == Step.DECISION:
        return len(entry.what) == 1 and 0 <= entry.what[0] < DECISIONS
    owed = what_is_owed(place, entry.keeper, lineup)
    if len(owed) == 2 and len(entry.what) == 2:
        return entry.what[0] == owed[0] and 0 <= entry.what[1] < VARIANTS
    return entry.what == owed


@dataclass
class Line:
    """The places of one line-up from its base on, as far as the entries in a book reach."""

    lineup: LineUp
    book: Book
    places: list[Place] = field(default_factory=list)
    closed: list[Closed] = field(default_factory=list)
    offenders: dict[int, int] = field(default_factory=dict)
    """Who has signed something illegal on this line, with the index of the first such place."""

    _owing: tuple[tuple[int, int], list[int]] | None = None

    def __post_init__(self) -> None:
        start = self.lineup.start
        pending: tuple[Step, ...] = ()
        if self.lineup.rows:
            pending = (Step.ROWS,)
        elif start.fresh:
            pending = (Step(start.position.phase), Step.ROWS) if start.kept else (Step.ROWS,)
        base = (self.lineup.height, self.lineup.head)
        self.places = [self._place(*base, start.position, pending, start.origins, start.slot, True)]
        self.extend()

    @property
    def last(self) -> Place:
        return self.places[-1]

    def extend(self) -> bool:
        """Close what can be closed. Return whether the line has moved."""
        before = len(self.places)
        while (got := self._signed(self.last)) is not None:
            self._close(got)
        return len(self.places) > before

    def signed(self, place: Place, keeper: int) -> Entry | None:
        """The entry of `keeper` that counts at a place; the first of two."""
        if place.gather is not None:
            for e in place.gather.pinned:
                if e.keeper == keeper:
                    return e
        for e in self.book.entries.get(place.key(keeper), ()):
            if is_legal(e, place, self.lineup):
                return e
            if ILLEGAL in e.what:
                self.offenders.setdefault(keeper, self.places.index(place))
        return None

    def owing(self) -> list[int]:
        key = self.book.facts, len(self.places)
        if self._owing is None or self._owing[0] != key:
            found = [k for k in self.last.askers if self.signed(self.last, k) is None]
            self._owing = key, found
        return self._owing[1]

    def last_gather(self) -> int:
        """The index of the last gather that has closed, 0 if there is none."""
        closed = range(len(self.closed) - 1, -1, -1)
        return next((i for i in closed if self.places[i].step in GATHERS), 0)

    def is_confirmed(self, index: int) -> bool:
        """Whether a gather of this line-up's own has closed before the place with this index."""
        if self.lineup.pred is None:
            return True
        own = self.lineup.attempt
        return any(p.step in GATHERS and p.attempt == own for p in self.places[:index])

    # -- closing -----------------------------------------------------------------------------

    def _signed(self, place: Place) -> list[Entry] | None:
        asked = list(place.askers)
        if place.gather is not None:
            asked += [e.keeper for e in place.gather.pinned]
        if not asked:
            return None
        got = []
        for keeper in asked:
            entry = self.signed(place, keeper)
            if entry is None:
                return None
            got.append(entry)
        if self.book.forks and any(self._is_forked(place, e) for e in got):
            return self._further(place, got)
        return got

    def _is_forked(self, place: Place, entry: Entry) -> bool:
        pinned = place.gather.pinned if place.gather else ()
        return entry not in pinned and len(self.book.entries[place.key(entry.keeper)]) > 1

    def _choices(self, place: Place, entry: Entry) -> list[Entry]:
        """The legal entries of a keeper at a place: more than one where it has forked."""
        if not self._is_forked(place, entry):
            return [entry]
        there = self.book.entries[place.key(entry.keeper)]
        return [other for other in there if is_legal(other, place, self.lineup)]

    def _further(self, place: Place, got: list[Entry]) -> list[Entry]:
        """Of two entries of one keeper take the one before the later closed gather (rule 10).

        Only one branch can have it. If none has one, the first entry that was taken counts.
        """
        best, most = got, -1
        for tried in itertools.product(*(self._choices(place, entry) for entry in got)):
            line = copy(self)
            line.places, line.closed, line.offenders = self.places[:], self.closed[:], {}
            line._close(list(tried))
            line.extend()
            if line.last_gather() > most:
                best, most = list(tried), line.last_gather()
        return best

    def _close(self, got: list[Entry]) -> None:
        place = self.last
        signed = tuple(sorted((e.keeper, *e.what) for e in got if e.what))
        head = digest(place.head, int(place.step), signed)
        values = tuple((e.keeper, e.what[0]) for e in sorted(got) if e.what)
        result = digest(place.head, values) if place.step in DRAWS else 0
        self.closed.append(Closed(place, tuple(got), result))
        position, origins, slot = place.position, place.origins, place.slot
        if place.step == Step.ROWS:
            given = dict(origins) | dict.fromkeys(place.fresh, self.lineup.number)
            origins = tuple(sorted(given.items()))
        elif place.step == Step.END:
            self.places.append(
                place._replace(
                    height=place.height + 1, head=head, step=Step.FINISHED, askers=(), gather=None
                )
            )
            return
        else:
            position = after_step(position, result)
            slot += place.step in DRAWS
            if position.alive != place.position.alive:
                left = contributors(self.lineup, position)
                origins = tuple((k, o) for k, o in origins if k in left)
        self.places.append(
            self._place(place.height + 1, head, position, place.pending, origins, slot, False)
        )

    def _place(
        self,
        height: int,
        head: int,
        position: Position,
        pending: tuple[Step, ...],
        origins: tuple[tuple[int, int], ...],
        slot: int,
        first: bool,
    ) -> Place:
        lineup = self.lineup
        attempt, gather, fresh = lineup.attempt, None, frozenset[int]()
        step, pending = (pending[0], pending[1:]) if pending else (Step(position.phase), ())
        askers = lineup.members
        if step == Step.DECISION:
            askers = frozenset({lineup.keepers[position.seat]})
        elif step == Step.ROWS:
            some = contributors(lineup, position)
            fresh = some if lineup.rows else some & lineup.start.fresh
        elif step in DRAWS and first and lineup.start.kept:
            gather = lineup.start.kept
            attempt, askers = gather.attempt, gather.members & lineup.members
        elif step == Step.END and first and lineup.start.end_since is not None:
            attempt = lineup.start.end_since
        elif step in DRAWS:
            some = contributors(lineup, position)
            gather = Gather(attempt, some, lineup.members, (), origins, slot)
        return Place(
            height,
            head,
            attempt,
            step,
            position,
            tuple(sorted(askers)),
            gather,
            fresh,
            pending,
            origins,
            slot,
        )
