"""A table in virtual time: processes, links, faults. First it is wild, then fair.

In the wild part bodies take from milliseconds to a minute, links part the table, players wish what
they like, processes sleep, restart with lost memory, leave, are copied. In the fair part all is
delivered within a tenth of a second and players do what rule 11 offers them. Hostile keepers never
stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from typing import Protocol

from tests.tools.lineup_model.bodies import Assent, Body, Entry, Here, Leave, Ready, Wish
from tests.tools.lineup_model.book import Book
from tests.tools.lineup_model.keeper import QUIET, Process, above
from tests.tools.lineup_model.laws import Laws
from tests.tools.lineup_model.lineups import Archive, LineUp, Start
from tests.tools.lineup_model.positions import opened
from tests.tools.lineup_model.words import AGAIN, Words


@dataclass(frozen=True)
class Table:
    keepers: int
    hostile: int
    bots: int = 0
    copies: bool = False
    turns: int = 7


class Adversary(Protocol):
    def tick(self, world: World) -> None: ...


@dataclass
class Running:
    process: Process
    asleep: bool = False
    gone: bool = False
    """Its machine is off and does not come back."""
    box: list[Body] = field(default_factory=list)
    """What came while it slept."""
    wakes_at: float = -1.0
    greeted: bool = True
    """Whether another one has had its HERE."""
    words: Words = field(default_factory=Words)

    @property
    def here(self) -> bool:
        p = self.process
        return not (self.gone or p.stopped or p.has_left)


class World:
    def __init__(self, seed: int, table: Table) -> None:
        self.random, self.table = Random(seed), table
        self.now = 0.0
        self.archive = Archive()
        self.bad = frozenset(self.random.sample(range(table.keepers), table.hostile))
        self.good = [k for k in range(table.keepers) if k not in self.bad]
        self.root = self._root()
        self.running = [Running(self._process(k)) for k in self.good]
        self.sent: dict[Body, None] = {}
        self.queue: list[tuple[float, int, Running | None, Body | None]] = []
        self.order = 0
        self.wild = True
        self.fair_at = float("inf")
        self.side: dict[int, bool] = {}
        """The half of the table that an honest keeper is in, while links part it."""
        self.held: list[tuple[Running, Body]] = []
        self.old: list[tuple[Process, float]] = []
        self.copied = False
        self.slow = self.random.choice((0.1, 0.3, 0.6))
        """The share of bodies that take long in the wild part."""
        self.laws = Laws(self)

    def _root(self) -> LineUp:
        t = self.table
        seats = t.keepers + t.bots
        keepers = tuple(
            s if s < t.keepers else self.random.randrange(t.keepers) for s in range(seats)
        )
        origins = tuple((k, 1) for k in range(t.keepers))
        start = Start(opened(seats, t.turns), None, frozenset(), origins, 0)
        members = frozenset(range(t.keepers))
        once, nobody = (1,) * t.keepers, frozenset[int]()
        return self.archive.keep(
            (0, 0, 0, 1),
            lambda number: LineUp(
                0, None, 0, 1, (), False, (), number, members, keepers, once, start, True, nobody
            ),
        )

    def _process(self, keeper: int, instance: int = 1, book: Book | None = None) -> Process:
        p = Process(keeper, instance, self.root, self.archive, book or Book(is_bounded=True))
        p.patience.chance = self.random
        p.patience.answers_after = self.random.choice((1.0, 3.0, 20.0, float("inf")))
        p.now = p.patience.since = p.pace.came = self.now
        return p

    def honest(self) -> list[Process]:
        return [r.process for r in self.running if r.here]

    # -- the network -----------------------------------------------------------------------

    def send(
        self, bodies: Iterable[Body], source: Running | None, to: Iterable[int] | None = None
    ) -> None:
        """Flood bodies. Those of a hostile keeper go to whom it likes, who pass them on."""
        chosen = None if to is None else set(to)
        for body in bodies:
            self.laws.see(body, source)
            self.sent[body] = None
            for r in self.running:
                if r is source or r.gone or body in r.process.book.known:
                    continue
                if chosen is not None and r.process.me not in chosen:
                    continue
                self._carry(body, source, r)

    def _carry(self, body: Body, source: Running | None, target: Running) -> None:
        if source is not None and self._parted(source, target):
            self.held.append((target, body))
            return
        self._post(self.now + self._delay(), target, body)

    def _delay(self) -> float:
        r = self.random
        if self.wild and r.random() < self.slow:
            return r.choice((0.5, 2.0, 8.0, 40.0)) * r.random()
        return 0.005 + 0.08 * r.random()

    def _post(self, when: float, target: Running | None, body: Body | None) -> None:
        self.order += 1
        heappush(self.queue, (when, self.order, target, body))

    def part(self) -> None:
        half = set(self.random.sample(self.good, len(self.good) // 2))
        self.side = {k: k in half for k in self.good}

    def heal(self) -> None:
        self.side = {}
        held, self.held = self.held, []
        for target, body in held:
            self._post(self.now + self._delay(), target, body)

    # -- running ---------------------------------------------------------------------------

    def run_until(self, end: float, adversary: Adversary | None, period: float) -> None:
        """Run all that happens before a time; the adversary has its turn once in a period."""
        next_turn = self.now + period
        while True:
            if not self.queue or self.queue[0][0] > min(end, next_turn):
                if next_turn > end:
                    self.now = end
                    return
                self.now = next_turn
                next_turn += period * (0.5 + self.random.random())
                if adversary is not None:
                    adversary.tick(self)
                if self.is_over():
                    return
                continue
            self.now, _, target, body = heappop(self.queue)
            if target is not None:
                self._deliver(target, body)

    def _deliver(self, r: Running, body: Body | None) -> None:
        if r.gone:
            return
        if r.asleep:
            if body is not None:
                r.box.append(body)
            return
        if body is not None:
            new = r.process.take(body, self.now)
            self._greet(body, r)
            if not new:
                return
            self.pass_on(body, r)
            if isinstance(body, Ready) and body.attempt < r.process.attempt:
                return
        elif r.wakes_at > self.now:
            return
        self.act(r)

    def pass_on(self, body: Body, r: Running) -> None:
        """Pass on what came, now or when the budget of its author allows it."""
        told = r.words.prove(r.process) + r.words.pass_on(body, r.process)
        if told:
            self.send(with_assents(told, r.process), r)

    def _greet(self, body: Body, r: Running) -> None:
        """A member has the HERE of a process that came back; from then on its quiet time runs."""
        if not isinstance(body, Here) or body.keeper == r.process.me:
            return
        for other in self.running:
            p = other.process
            if not other.greeted and p.me == body.keeper and p.instance == body.instance:
                other.greeted = True
                p.quiet_until = self.now + 0.1 + QUIET
                self._post(p.quiet_until, other, None)

    def act(self, r: Running) -> None:
        if not r.greeted and r.process.is_alone:
            r.greeted, r.process.quiet_until = True, self.now
        if r.asleep or not r.here or not r.greeted:
            return
        r.process.patience.gone = set(self.good) - self._reached(r)
        sent = r.process.act(self.now)
        if r.words.kept:
            sent += r.words.tell_some(r.process) + r.words.tell_all(r.process)
        if sent:
            self.send(with_assents(sent, r.process), r)
        self.laws.look(r)
        when = r.process.next_time()
        if r.words.kept:
            when = min(when, self.now + 1.0 / AGAIN)
        if r.wakes_at <= self.now or when < r.wakes_at:
            r.wakes_at = when
            self._post(when, r, None)

    def is_over(self) -> bool:
        return all(p.written is not None for p in self.honest())

    # -- faults ----------------------------------------------------------------------------

    def wake(self, r: Running) -> None:
        r.asleep = False
        box, r.box = r.box, []
        for body in box:
            self._post(self.now, r, body)
        self._post(self.now, r, None)

    def restart(self, r: Running) -> None:
        """End a process and begin it again from its folder.

        The last entries may be lost, but none of its own: those were in the log before they left.
        A folder that has lost some of them counts as an older copy.
        """
        if not r.here or r.process.written is not None:
            return
        bodies = [b for b in r.process.book.known if not isinstance(b, Ready)]
        if self.random.random() < 0.5:
            entries = [b for b in bodies if isinstance(b, Entry)]
            lost = entries[len(entries) - self.random.randrange(6) :]
            if not self.table.copies:
                own = [i for i, b in enumerate(lost) if b.keeper == r.process.me]
                lost = lost[own[-1] + 1 :] if own else lost
            bodies = [b for b in bodies if b not in lost]
        self._begin(r, r.process, bodies)

    def _begin(self, r: Running, old: Process, bodies: Sequence[Body]) -> None:
        book = Book(is_bounded=True)
        for body in bodies:
            book.take(body)
        instance = above(max(old.instance, book.heres.get(old.me, 0)), self.random)
        new = self._process(old.me, instance, book)
        new.bound = max([old.bound, *book.signed[old.me]])
        new.pace.attempt = new.pace.top = new.bound + 1
        new.quiet_until = float("inf")
        r.process, r.greeted, r.box, r.words = new, False, [], Words()
        new.is_reading = True
        new.adopt()
        new.redraw_line()
        new.is_reading = False
        new.raise_floor()
        here = Here(new.me, new.instance)
        new.book.take(here)
        mine = [b for b in old.book.known if isinstance(b, Entry) and b.keeper == new.me]
        if any(b not in book.known for b in mine):
            self.copied = True
        self.laws.count("restart")
        self.send([here], r)
        self._sync(r)

    def _sync(self, r: Running) -> None:
        known: dict[Body, None] = {}
        for other in self.running:
            if other is not r and other.here and not self._parted(other, r):
                known.update(told(other.process.book))
        for body in known:
            if body not in r.process.book.known:
                self._post(self.now + self._delay(), r, body)

    def exchange(self, words: bool = False) -> None:
        """Let processes that are not at one place tell what they know, `words` at new links."""
        here = [r for r in self.running if r.here and not r.asleep]
        known: dict[Body, None] = {}
        for r in here:
            known.update(told(r.process.book))
        for r in here:
            for body in known:
                if isinstance(body, Ready | Wish | Here) and not words:
                    continue
                if body not in r.process.book.known:
                    self._post(self.now + self._delay(), r, body)

    def _parted(self, a: Running, b: Running) -> bool:
        return bool(self.side) and self.side.get(a.process.me) != self.side.get(b.process.me)

    def _reached(self, r: Running) -> set[int]:
        others = (o for o in self.running if o.here and not o.asleep and not self._parted(o, r))
        return {o.process.me for o in others}

    def keep_copy(self, r: Running) -> None:
        p = r.process
        copy = Process(p.me, p.instance, self.root, self.archive, p.book.copy())
        copy.bound, copy.floor, copy.deep = p.bound, p.floor, p.deep
        self.old.append((copy, self.now))

    def begin_copy(self) -> None:
        """Begin an older copy of a folder beside its original, or after it."""
        old, _ = self.old.pop(self.random.randrange(len(self.old)))
        if any(isinstance(b, Leave) and b.keeper == old.me for b in self.sent):
            return
        self.copied = True
        self.laws.count("copy begun")
        r = Running(old)
        self.running.append(r)
        if self.side:
            self.side[old.me] = self.random.random() < 0.5
        self._begin(r, old, list(old.book.known))

    def leave(self, r: Running) -> None:
        if r.here and r.process.is_member and r.greeted and not r.asleep:
            sent = r.process.leave(self.now)
            self.send(sent, r)
            self.laws.count("left the table", bool(sent))

    def assents(self) -> list[LineUp]:
        return list(dict.fromkeys(b.lineup for b in self.sent if isinstance(b, Assent)))


def told(book: Book) -> dict[Body, None]:
    """What a new link is told: all but words that are overtaken."""
    return {body: None for body in book.known if book.counts(body)}


def with_assents(bodies: Sequence[Body], process: Process) -> list[Body]:
    """Add to each assent those of others: a line-up goes with all that are known."""
    found = dict.fromkeys(bodies)
    for body in bodies:
        if isinstance(body, Assent):
            who = sorted(process.book.assents.get(body.lineup, ()))
            found.update({Assent(k, body.lineup): None for k in who})
    return list(found)
