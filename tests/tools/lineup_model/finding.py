"""The line-up that a keeper finds: plan, base, kept gather (LINEUPS rules 3, 6, 7 and 9).

All of it is a function of what the keeper has taken, of its line, and of the attempt. Two things
alone are its own: which HEREs it holds back for a while, and nothing else.
"""

from collections.abc import Callable, Collection, Container, Iterator
from dataclasses import dataclass
from itertools import combinations

from tests.tools.lineup_model import lineups
from tests.tools.lineup_model.bodies import Entry, Wish
from tests.tools.lineup_model.line import Line, Place, contributors
from tests.tools.lineup_model.positions import DRAWS, Gather, Phase, Step, without

AHEAD = 64
"""An attempt further above counts for less (rules 3 and 5)."""


@dataclass
class Finder:
    """What one keeper would be READY for in an attempt."""

    line: Line
    attempt: int
    archive: lineups.Archive
    holds_back: Callable[[int], bool]
    """Whether a keeper was named `again` or `back` too short a while ago."""

    def __post_init__(self) -> None:
        self.lineup, self.book = self.line.lineup, self.line.book
        self.index = len(self.line.places) - 1

    def find(self) -> lineups.LineUp | None:
        """Find the line-up of this attempt, or none if nobody would be left or too few."""
        named = dict(self._for_good())
        self.index = self.base(frozenset(k for k, y in named.items() if y == lineups.Why.CHEATED))
        for keeper, index in self.line.offenders.items():
            if index <= self.index and self._concerns(keeper):
                named[keeper] = lineups.Why.CHEATED
        gone = frozenset(named)
        confirmed = self.line.is_confirmed(self.index)
        for keeper in self._absent(gone, confirmed):
            named[keeper] = lineups.Why.ABSENT
        plan = self._with_returns(named)
        members = lineups.stay(self.lineup.members, plan)
        if not members or not lineups.is_enough(self.lineup, confirmed, gone, members):
            return None
        return build(self.line, self.index, plan, self.attempt, self.archive)

    def is_empty(self) -> bool:
        """Whether there is nothing to look at. Most steps of a game end here."""
        book, members, instances = self.book, self.lineup.members, self.lineup.instances
        return not (
            self.line.offenders
            or any(self._concerns(k) for k in (*book.leaves, *book.cheats))
            or any(w.absent for k, w in book.wishes.items() if k in members)
            or any(i > instances[k] for k, i in book.heres.items())
        )

    # -- the plan --------------------------------------------------------------------------

    def _concerns(self, keeper: int) -> bool:
        """A member, or somebody that is out and whose monster lives."""
        return keeper in self.lineup.members or keeper in self.line.last.position.alive

    def _for_good(self) -> Iterator[tuple[int, lineups.Why]]:
        for keeper in self.book.cheats:
            if self._concerns(keeper):
                yield keeper, lineups.Why.CHEATED
        for keeper, leave in self.book.leaves.items():
            if (
                keeper not in self.book.cheats
                and self.attempt > leave.attempt
                and self._concerns(keeper)
            ):
                yield keeper, lineups.Why.LEFT

    def goes_without(self, keeper: int, other: int) -> bool:
        """Whether a keeper would go on without another one, by the word of either."""
        own, theirs = self.book.wishes.get(keeper), self.book.wishes.get(other)
        leave = self.book.leaves.get(other)
        if leave is not None and leave.attempt > self.lineup.attempt + AHEAD:
            return True  # it names no attempt that comes
        lets_a_bot_play = theirs is not None and other in theirs.absent
        return lets_a_bot_play or (own is not None and other in own.absent)

    def _absent(self, gone: frozenset[int], confirmed: bool) -> tuple[int, ...]:
        """The largest set that all who would stay wish away and that leaves enough."""
        here = sorted(self.lineup.members - gone)
        anybody = {k for k in here if any(self.goes_without(j, k) for j in here)}
        for size in range(len(anybody), 0, -1):
            for some in combinations(sorted(anybody), size):
                rest = frozenset(here) - frozenset(some)
                with_those_back = rest | {k for k, _ in self._back(gone | set(some))}
                if not rest or not lineups.is_enough(self.lineup, confirmed, gone, with_those_back):
                    continue
                if all(self.goes_without(k, other) for k in rest for other in some):
                    return some
        return ()

    def _with_returns(self, named: dict[int, lineups.Why]) -> lineups.Plan:
        lines = [lineups.Named(k, y) for k, y in named.items()]
        for keeper, instance in self._heard(named):
            if keeper in self.lineup.members:
                lines.append(lineups.Named(keeper, lineups.Why.AGAIN, instance))
        lines += [lineups.Named(k, lineups.Why.BACK, i) for k, i in self._back(named)]
        return tuple(sorted(lines))

    def _heard(self, out: Container[int]) -> Iterator[tuple[int, int]]:
        for keeper, instance in self.book.heres.items():
            is_new = instance > self.lineup.instances[keeper]
            if is_new and keeper not in out and not self.holds_back(keeper):
                yield keeper, instance

    def _back(self, out: Collection[int]) -> Iterator[tuple[int, int]]:
        """Who is back where these are out."""
        members, alive = self.lineup.members, self.line.places[self.index].position.alive
        staying = members - frozenset(out)
        for keeper, instance in self._heard(out):
            is_out = keeper in alive and keeper not in members
            is_out &= not self.goes_without(keeper, keeper)  # it would be out again at once
            if is_out and not self._is_refused(keeper, instance, staying):
                yield keeper, instance

    def _is_refused(self, keeper: int, instance: int, staying: frozenset[int]) -> bool:
        wishes = [self.book.wishes.get(k) for k in staying]
        refusing = [w for w in wishes if w is not None and refuses(w, keeper, instance)]
        return 2 * len(refusing) > len(staying)

    # -- the base --------------------------------------------------------------------------

    def base(self, cheated: frozenset[int]) -> int:
        """The present place, or the lowest contradiction from the last closed gather on."""
        line = self.line
        floor, lowest = line.last_gather(), len(line.places) - 1
        for keeper in cheated:
            for spot in self.book.forks.get(keeper, ()):
                for i in range(floor, lowest):
                    place = line.places[i]
                    if spot == (place.attempt, place.height, place.head):
                        lowest = i
        return lowest


def refuses(wish: Wish, keeper: int, instance: int) -> bool:
    """Whether a wish refuses this process. A refusal is of all earlier processes, too."""
    return any(k == keeper and instance <= last for k, last in wish.refused)


def build(
    line: Line, index: int, plan: lineups.Plan, attempt: int, archive: lineups.Archive
) -> lineups.LineUp:
    pred, base = line.lineup, line.places[index]
    members = lineups.stay(pred.members, plan)
    keepers = lineups.pass_on(pred.keepers, plan, members)
    position = without(
        base.position, frozenset(n.keeper for n in plan if n.why in lineups.FOR_GOOD)
    )
    out = frozenset(n.keeper for n in plan if n.why in lineups.OUT)
    lowered = index < len(line.places) - 1
    kept = None if lowered else keep_gather(line, base, out, keepers, position.draw)
    unfinished = base.step in DRAWS or base.step == Step.ROWS
    rows = position.phase != Phase.END and (
        (lowered and base.step != Step.END) or (kept is None and unfinished)
    )
    play = frozenset(k for s, k in enumerate(keepers) if s in position.alive and k >= 0)
    before = contributors(pred, base.position)
    again = {n.keeper for n in plan if n.why == lineups.Why.AGAIN}
    same = (before & play & pred.members) - again
    origins = tuple((k, o) for k, o in base.origins if k in same)
    fresh = play - {k for k, _ in origins}
    if rows or position.phase == Phase.END:
        fresh = frozenset()
    instances = list(pred.instances)
    for n in plan:
        if n.instance:
            instances[n.keeper] = n.instance
    pinned = kept.pinned if kept else ()
    end_since = base.attempt if base.step == Step.END else None
    content = (attempt, pred.number, *base.at, plan, rows, pinned)
    return archive.keep(
        content,
        lambda number: lineups.LineUp(
            attempt,
            pred,
            *base.at,
            plan,
            rows,
            pinned,
            number,
            members,
            keepers,
            tuple(instances),
            lineups.Start(position, kept, fresh, origins, base.slot, end_since),
            line.is_confirmed(index),
            refusers(line, base, out),
        ),
    )


def keep_gather(
    line: Line,
    base: Place,
    out: frozenset[int],
    keepers: tuple[int, ...],
    draw: tuple[int, int, int],
) -> Gather | None:
    """Keep the gather that is open at the base (rule 6), if nobody goes who owes it or forks it."""
    gather = base.gather
    if gather is None or draw != base.position.draw:
        return None
    seat = base.position.seat
    if base.step == Step.LOOK and keepers[seat] != line.lineup.keepers[seat]:
        return None
    pinned: list[Entry] = list(gather.pinned)
    already = {e.keeper for e in pinned}
    for keeper in sorted((gather.contributors & out) - already):
        entry = line.signed(base, keeper)
        if entry is None or base.key(keeper)[:3] in line.book.forks.get(keeper, ()):
            return None
        pinned.append(entry)
    return gather._replace(members=gather.members - out, pinned=tuple(pinned))


def refusers(line: Line, base: Place, out: frozenset[int]) -> frozenset[int]:
    """Who goes while it owes a contribution that others have shown theirs for."""
    if base.gather is None:
        return frozenset()
    owing = frozenset(k for k in base.gather.contributors if line.signed(base, k) is None)
    return owing & out if owing != base.gather.contributors else frozenset()
