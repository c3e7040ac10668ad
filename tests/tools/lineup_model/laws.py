"""The laws that every walk keeps: the promises of LINEUPS, each with a name."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from tests.tools.lineup_model.bodies import Assent, Body, Entry, Kind, digest
from tests.tools.lineup_model.book import IDLE, Book
from tests.tools.lineup_model.finding import Finder
from tests.tools.lineup_model.keeper import Process, Written
from tests.tools.lineup_model.line import Closed, Line, Place, what_is_owed
from tests.tools.lineup_model.lineups import FOR_GOOD, OUT, LineUp, Named, Why, is_enough
from tests.tools.lineup_model.positions import DRAWS, GATHERS, Step

if TYPE_CHECKING:
    from tests.tools.lineup_model.world import Running, World


SETTLED = 300.0
"""Seconds of the fair part after which nothing of the wild part holds anybody up any more."""


class Violation(Exception):
    """A law that did not hold."""


@dataclass
class Draw:
    """A gather for a roll or a look, as somebody has reached it, and who has opened it."""

    place: Place
    lineup: LineUp
    result: int
    honest: frozenset[int]
    """Contributors that are honest."""
    opened: set[int] = field(default_factory=set)

    @property
    def contributors(self) -> frozenset[int]:
        assert self.place.gather is not None
        return self.place.gather.contributors

    @property
    def is_foreseen(self) -> bool:
        """Whether the hostile contributors together can compute the result."""
        return self.opened >= self.honest


class Laws:
    def __init__(self, world: World) -> None:
        self.world = world
        self.all = Book()
        """All that anybody has signed."""
        self.counts: dict[str, int] = {}
        self.draws: dict[tuple[int, int, int], Draw] = {}
        self.owing: dict[tuple[LineUp, tuple[int, int, int]], set[int]] = {}
        """Of whom an honest keeper that assented to a line-up had no opening of a draw."""
        self.heard: dict[tuple[LineUp, tuple[int, int, int]], set[bool]] = {}
        """Whether the honest keepers that assented to a line-up with a base before a draw had come
        to it: if not, what led there counts no more, whoever has signed it (E6)."""
        self.shown: dict[tuple[int, int, int], set[tuple[int, int]]] = {}
        self.begun: dict[LineUp, None] = {}
        self.looked: dict[int, tuple[LineUp, int]] = {}
        self.out_since: dict[int, float] = {}

    def count(self, what: str, when: bool = True) -> None:
        if when:
            self.counts[what] = self.counts.get(what, 0) + 1

    @property
    def excused(self) -> bool:
        """Whether an older copy was begun beside its original."""
        return self.world.copied

    # -- while the walk runs -----------------------------------------------------------------

    def see(self, body: Body, source: Running | None) -> None:
        """See a body when it is sent for the first time."""
        if not self.all.take(body) or source is None or body.keeper != source.process.me:
            return
        p = source.process
        if isinstance(body, Entry) and body.kind == Kind.OPENING:
            self._see_opening(p, body)
        elif isinstance(body, Assent):
            for key, draw in self.draws.items():
                missing = {k for k in draw.contributors if (*key, k) not in p.book.entries}
                up = body.lineup
                self.owing.setdefault((up, key), set()).update(missing)
                if up.pred is not None and up.pred.attempt == key[0] and up.height < key[1]:
                    places = [p.at for p in Line(up.pred, p.book).places]
                    self.heard.setdefault((up, key), set()).add(key[1:] in places)

    def _see_opening(self, p: Process, e: Entry) -> None:
        place, lineup = p.signed_at[e]
        key = e.attempt, e.height, e.prev
        draw = self.draws.get(key)
        if draw is None:
            draw = self.draws[key] = self._draw(place, lineup)
        draw.opened.add(e.keeper)
        if len(e.what) == 2 and e.what[0]:
            assert place.gather is not None
            origin, slot = dict(place.gather.origins)[e.keeper], place.gather.slot
            shown = self.shown.setdefault((e.keeper, origin, slot), set())
            shown.add((e.height, e.prev))
            if len(shown) > 1 and not self.excused and not self.all.cheats:
                raise Violation(
                    f"one contribution: {e.keeper} shows that of slot {slot} in two draws"
                )

    def _draw(self, place: Place, lineup: LineUp) -> Draw:
        assert place.gather is not None
        reached = next(q for q in lineup.past() if q.attempt == place.gather.attempt)
        some = sorted(place.gather.contributors)
        values = tuple((k, what_is_owed(place, k, reached)[0]) for k in some)
        result = digest(place.head, values)
        return Draw(place, reached, result, frozenset(some) - self.world.bad)

    def look(self, r: Running) -> None:
        p = r.process
        before = self.looked.get(id(p))
        now = p.lineup, len(p.line.closed)
        if before == now:
            return
        self.looked[id(p)] = now
        new = 0 if before is None or before[0] is not p.lineup else before[1]
        for closed in p.line.closed[new:]:
            if closed.place.step in DRAWS:
                self._one_result(p, closed)
        if p.lineup not in self.begun:
            self.begun[p.lineup] = None
            self._has_begun(p, p.lineup)

    def _one_result(self, p: Process, closed: Closed) -> None:
        """Each draw has one result, unless somebody who owed it was put out or has cheated."""
        position = closed.place.position
        for key, draw in self.draws.items():
            if draw.place.position.draw != position.draw or draw.result == closed.result:
                continue
            if not draw.is_foreseen:
                continue
            excuse = self._excuse(p.lineup, closed.place.key(0)[:3], draw, key)
            if excuse is None:
                if not self.excused:
                    raise Violation(
                        f"one result: {p.me} closes {closed.place.at} of {p.lineup}, and {key} of"
                        f" {draw.lineup} was foreseen"
                    )
                excuse = "copies"
            self.count(f"redraw: {excuse}")

    def _excuse(
        self, lineup: LineUp, here: tuple[int, int, int], draw: Draw, there: tuple[int, int, int]
    ) -> str | None:
        """Say why a draw may be made anew: what has begun on one of the two lines alone."""
        if draw.contributors & self.all.cheats:
            return "a contributor has cheated"
        pasts = set(lineup.past()), set(draw.lineup.past())
        for up in pasts[0] ^ pasts[1]:
            out = up.named(*OUT)
            if up.named(Why.CHEATED):
                return "a cheat is put out"
            key = there if up in pasts[0] else here
            if self.heard.get((up, key)) == {False}:
                return "those that go on have not come to the draw"
            owed = self.owing.get((up, key))
            if owed is None:
                if out and up.members <= self.world.bad:
                    return "hostile members alone"
                # No honest keeper had opened the draw by then.
                owed = set() if up.members <= self.world.bad else set(draw.honest)
            if out & owed:
                return (
                    "a hostile refuser is put out"
                    if out & owed & self.world.bad
                    else "an absent contributor is put out"
                )
            if draw.place.step == Step.LOOK:
                seat = draw.place.position.seat
                if {lineup.keepers[seat], draw.lineup.keepers[seat]} != {up.keepers[seat]}:
                    return "a look of another keeper"
        return None

    def _has_begun(self, p: Process, up: LineUp) -> None:
        if up.pred is None:
            return
        self.count("begun")
        self.count("kept gather", up.start.kept is not None)
        self.count("rows", up.rows)
        self.count("rows of some", bool(up.start.fresh))
        for n in up.plan:
            self.count(n.why.name.lower())
            if n.keeper in self.world.good:
                self._is_right(n, up)
        self._honest_wish(up, up.pred)
        for seat in p.line.places[0].position.alive:
            if up.keepers[seat] not in up.members:
                raise Violation(f"a seat without a keeper: {seat} in {up}")

    def _is_right(self, n: Named, up: LineUp) -> None:
        """No honest keeper is out as a cheat, or for having left if it has not."""
        if n.why == Why.CHEATED and not self.excused:
            raise Violation(f"no honest conviction: {n.keeper} is out by {up}")
        if n.why == Why.LEFT and n.keeper not in self.all.leaves:
            raise Violation(f"no monster lost: {n.keeper} has not left, in {up}")

    def _honest_wish(self, up: LineUp, pred: LineUp) -> None:
        """No honest keeper is out unless an honest one wishes it, nor in the fair part if there."""
        good = frozenset(self.world.good)
        hurt = up.named(Why.ABSENT) & good
        there = {p.me for p in self.world.honest()} & hurt
        is_settled = self.world.now > self.world.fair_at + SETTLED and not self.excused
        if there and is_settled and 2 * len(pred.members & good) > len(pred.members):
            raise Violation(f"no present seat out: {there} in {up}")
        if hurt and not up.members & good:
            counted = pred.members - up.named(*FOR_GOOD)
            if 2 * len(counted & good) > len(counted):
                raise Violation(f"honest wish: {hurt} out by the hostile alone, in {up}")
            self.count("honest out by a hostile majority")

    def _split(self, p: Process) -> None:
        if self.excused:
            self.count("split (copies)")
        elif any(2 * len(self.world.bad & u.members) > len(u.members) for u in p.lineup.past()):
            self.count("split by a hostile majority")
        elif self.all.cheats:
            few = 2 * len(self.world.bad) < self.world.table.keepers
            self.count("split by a proven cheat" + " of a hostile minority" * few)
        else:
            raise Violation(f"no split: {p.me} in {p.lineup} cannot follow {p.splits[-1]}")

    # -- now and then, and at the end --------------------------------------------------------

    def check(self) -> None:
        for r in self.world.running:
            self._keeps_few(r.process)
            for g in self.world.good:
                if g in r.process.book.cheats or g in r.process.line.offenders:
                    if not self.excused:
                        raise Violation(f"no honest conviction: {g} by {r.process.me}")
                    self.counts["an honest keeper convicted (copies)"] = 1
        here = [r.process for r in self.world.running if r.process.is_member]
        for a, b in combinations(here, 2):
            if a.lineup is not b.lineup or self.all.cheats or self.excused:
                continue
            for x, y in zip(a.line.places, b.line.places, strict=False):
                if x.at != y.at:
                    raise Violation(
                        f"one play: {a.me} and {b.me} differ at {x.height} of {a.lineup}"
                    )

    def _keeps_few(self, p: Process) -> None:
        """Nobody can make a process keep assents without end."""
        if len(p.book.assents) <= IDLE:
            return
        idle = (up for up in p.book.assents if not p.book.has_begun(up))
        for who, count in Counter(frozenset(p.book.assents[up]) for up in idle).items():
            if count > IDLE:
                raise Violation(f"bounded: {p.me} keeps {count} line-ups of {sorted(who)}")

    def watch_returns(self, limit: float) -> None:
        """Who is here and has a living monster comes back within a bounded time."""
        for p in self.world.honest():
            out = not p.is_member and p.me in p.line.last.position.alive and p.written is None
            if not out or not self.could_go_on() or p.lineup.refusals(p.me) >= 2:
                self.out_since.pop(p.me, None)
                continue
            since = self.out_since.setdefault(p.me, self.world.now)
            if self.world.now - since > limit and not self.excused and not self.all.cheats & {p.me}:
                raise Violation(
                    f"coming back: {p.me} is out since {since:.0f} in {p.lineup}, at {p.attempt}"
                )

    def top(self) -> LineUp:
        return max((p.lineup for p in self.world.honest()), key=lambda u: u.rank)

    def could_go_on(self) -> bool:
        """Whether the honest ones that are here are enough to go on from the newest line-up."""
        if not self.world.honest():
            return False
        top = self.top()
        inside = [p for p in self.world.honest() if p.lineup is top and p.is_member]
        if self.all.cheats:  # where somebody has forked, who has written the end goes on no more
            inside = [p for p in inside if p.written is None]
        if not inside:
            return False
        p = inside[0]
        books = [q.book for q in self.world.honest()]
        gone = frozenset(
            k for k in top.members if any(k in b.cheats or k in b.leaves for b in books)
        )
        base = Finder(p.line, p.attempt, p.archive, p.holds_back).base(frozenset(p.book.cheats))
        return is_enough(top, p.line.is_confirmed(base), gone, frozenset(q.me for q in inside))

    def finish(self) -> str:
        self.check()
        here = self.world.honest()
        torn = [p for p in here if p.splits]  # one ends where the next line-up comes later
        for p in torn:
            self._split(p)
        if torn:
            return "split"
        self._one_line()
        if not here:
            return "all gone"
        ended = [p for p in here if p.written is not None]
        if len(ended) < len(here):
            if not self.could_go_on():
                return "too few"
            if self.excused:
                return "stuck (copies)"
            raise Violation("to the end: " + "; ".join(self._tell(p) for p in here))
        return self._ends(ended)

    def _tell(self, p: Process) -> str:
        last = p.line.last
        return (
            f"{p.me}: {p.lineup} at {last.height} {last.step.name.lower()} owing {p.line.owing()}"
            f" attempt {p.attempt} bound {p.bound} ready {p.ready is not None} finds {p.find()}"
            f" absent {p.patience.absent}"
        )

    def _ends(self, ended: list[Process]) -> str:
        whole = [p for p in ended if p.written and self._is_of_most(p.written)]
        places = {(p.written.height, p.written.head) for p in whole if p.written}
        inside = [(p.me, p.written) for p in whole if p.written]
        both = [  # not with one that more than half wished away (E2), or by a second cheat (E4)
            (p, q)
            for (i, p), (j, q) in combinations(inside, 2)
            if (p.height, p.head) != (q.height, q.head) and {i, j} <= p.lineup.members
            if {i, j} <= q.lineup.members and p.signers & q.signers & {*self.world.good}
        ]
        if (both or (len(places) > 1 and not self.all.cheats)) and not self.excused:
            raise Violation(f"one end: {places}, {both}")
        if len(places) > 1:  # to one that is out, or by a cheat as only bridge (E4, E6)
            return "two ends beside a proven cheat"
        return "to the end" if len(whole) == len(ended) else "to the end, some alone"

    def _is_of_most(self, end: Written) -> bool:
        """Whether most of the members that have not cheated have signed an end."""
        counted = end.lineup.members - self.all.cheats
        return 2 * len(end.signers & counted) > len(counted)

    def _one_line(self) -> None:
        """The same set of bodies in any order gives the same line (rule 17)."""
        lines = []
        bodies = list(self.all.known)
        for _ in range(2):
            self.world.random.shuffle(bodies)
            book = Book()
            for body in bodies:
                book.take(body)
            begun = [self.world.root, *(up for up in book.assents if book.has_begun(up))]
            top = max(begun, key=lambda u: u.rank)
            line = Line(top, book)
            lines.append((top, [c.place.at for c in line.closed if c.place.step in GATHERS]))
        if lines[0] != lines[1]:
            raise Violation(f"one line: {lines[0]} and {lines[1]}")
