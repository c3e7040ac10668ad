"""A keeper's process: what it signs, and when (LINEUPS rules 4, 5, 10, 12 and 16).

`take` and `act` are all that it does. `act` returns what it signs; nothing else leaves.
"""

import math
from dataclasses import dataclass, field
from random import Random

from tests.tools.lineup_model.bodies import (
    Assent,
    Body,
    Entry,
    Here,
    Kind,
    Leave,
    Proof,
    Ready,
    Wish,
)  # fmt: skip
from tests.tools.lineup_model.book import Book
from tests.tools.lineup_model.finding import Finder, refuses
from tests.tools.lineup_model.line import Line, Place, what_is_owed
from tests.tools.lineup_model.lineups import Archive, LineUp, Why
from tests.tools.lineup_model.pace import FEW, Pace
from tests.tools.lineup_model.patience import Patience
from tests.tools.lineup_model.positions import DRAWS, GATHERS, KIND_OF, Step

QUIET = 3.0
"""Seconds for which a process that came back signs nothing (rule 12)."""
END_AFTER, END_AT_LAST = 60.0, 300.0
WAITED = 60.0
"""Seconds after which the end is written with the signatures that are there (rule 16).

The first while no line-up is called for, the second by everybody, also by who is bound.
"""
AGAIN_AFTER, AGAIN_AT_MOST = 8.0, 32.0
MAX_WISHES = 6
"""How many wishes a process makes within a minute, or others could make it restless."""
MAX_WORDS, WORDS_SECONDS = 8, 60.0
"""A keeper of which more HEREs and WISHes than this come within a minute is *restless*: each may
make another plan, so that no two others find the same one."""


def above(instance: int, chance: Random) -> int:
    """An instance above another one that no other process takes (rule 2)."""
    return ((instance >> 32) + 1 << 32) + chance.getrandbits(32)


@dataclass
class Written:
    """The end, as a process has written it."""

    height: int
    head: int
    winners: frozenset[int]
    signers: frozenset[int]
    lineup: LineUp


@dataclass
class Process:
    me: int
    instance: int
    lineup: LineUp
    archive: Archive
    book: Book = field(default_factory=Book)
    bound: int = 0
    """The greatest attempt that it has assented to. It is on disk."""
    serial: int = 0
    pace: Pace = field(default_factory=Pace)
    patience: Patience = field(default_factory=Patience)
    own: Ready | None = None
    """What it has last been READY to since a line-up has begun, in memory only."""
    said: dict[int, Ready] = field(default_factory=dict)
    said_at: dict[int, float] = field(default_factory=dict)
    """What it has been READY to, by attempt, in memory only."""
    has_left: bool = False
    stopped: bool = False
    """Whether it has heard of a later process of its keeper."""
    quiet_until: float = 0.0
    written: Written | None = None
    last_end: Entry | None = None
    splits: list[LineUp] = field(default_factory=list)
    """Line-ups that it refused to follow."""
    here_after: float = 0.0
    """When it may say HERE once more, if it is refused."""
    here_wait: float = 15.0
    decides_at: float | None = None
    """When its player will have decided, where it owes a decision."""
    ended_at: float | None = None
    """When it came to the place of the end."""

    def __post_init__(self) -> None:
        self.line = Line(self.lineup, self.book)
        self.is_reading = False
        """Whether it reads its log: then no gather is the floor yet."""
        self.floor = self.deep = 0
        """The last gather that has closed while it was not bound, and the one before."""
        self.named: dict[int, tuple[int, float]] = {}
        self.now = 0.0
        self.seen_closed = 0
        self.gathers: list[int] = []
        self.signed_at: dict[Entry, tuple[Place, LineUp]] = {}
        """Where the entries of this process stand, for the laws."""
        self.found: LineUp | None = None
        self.found_key: tuple[object, ...] = ()
        self.found_line: Line | None = None
        self.found_now: LineUp | None = None
        self.nothing = True
        self.wished_at: list[float] = []
        self.words: dict[int, list[float]] = {}
        """By keeper: when its last HEREs and WISHes have come."""
        self.bound_key: tuple[object, ...] = ()
        self.bound_now: set[int] = set()

    # -- what it is ------------------------------------------------------------------------

    @property
    def is_member(self) -> bool:
        return self.me in self.lineup.members

    @property
    def is_alone(self) -> bool:
        gone = self.book.leaves.keys() | self.book.cheats
        return self.is_member and self.lineup.members - gone == {self.me}

    @property
    def is_bound(self) -> bool:
        return self.bound > self.lineup.attempt

    @property
    def attempt(self) -> int:
        return self.pace.attempt

    @property
    def ready(self) -> Ready | None:
        own = self.own
        return own if own is not None and own.attempt == self.attempt else None

    @property
    def can_sign(self) -> bool:
        done = self.has_left or self.stopped or self.written is not None
        return not done and self.now >= self.quiet_until

    def note_word(self, body: Body) -> None:
        if isinstance(body, Wish | Here) and body.keeper != self.me and self.book.counts(body):
            heard = self.words.get(body.keeper, [])
            self.words[body.keeper] = [*heard, self.now][-MAX_WORDS - 1 :]

    def is_restless(self, keeper: int) -> bool:
        heard = self.words.get(keeper, [])
        return len(heard) > MAX_WORDS and heard[0] > self.now - WORDS_SECONDS

    def holds_back(self, keeper: int) -> bool:
        count, last = self.named.get(keeper, (0, 0.0))
        return count > 0 and self.now < last + min(AGAIN_AFTER * 2 ** (count - 1), AGAIN_AT_MOST)

    def find(self) -> LineUp | None:
        """Find the line-up of this attempt; none if nothing calls for one."""
        found = None if self.line.last.step == Step.FINISHED else self.find_any()
        return found if not self.is_end(found) or self.calling() else None

    def find_any(self) -> LineUp | None:
        book, line = self.book, self.line
        key = (
            self.attempt,
            book.facts,
            len(book.cheats),
            len(line.places),
            len(line.offenders),
            id(line),
            tuple(k for k in self.named if self.holds_back(k)),
        )
        if key != self.found_key or line is not self.found_line:
            finder = Finder(line, self.attempt, self.archive, self.holds_back)
            self.nothing = finder.is_empty()
            self.found_now = None if self.nothing else finder.find()
            self.found_key, self.found_line = key, line
        if self.nothing and self.calling():
            return Finder(line, self.attempt, self.archive, self.holds_back).find()
        return self.found_now

    def is_end(self, found: LineUp | None) -> bool:
        """Whether a line-up has its base at the end, so that it undoes nothing."""
        place = self.line.last
        if found is None or place.step != Step.END or (found.height, found.head) != place.at:
            return False
        # The game may be over there by the plan of another line-up alone.
        return found.start.end_since == place.attempt

    @property
    def may_be_undone(self) -> bool:
        """Whether it has assented to what would undo what it signs now."""
        above = (u for u, who in self.book.assents.items() if self.me in who)
        return any(u.attempt > self.lineup.attempt and not self.is_end(u) for u in above)

    @property
    def stands_still(self) -> bool:
        return self.may_be_undone or self.ready is not None

    def stays_at_end(self) -> bool:
        """Whether it is READY to what frees the bound at the end, and undoes nothing."""
        return self.ready is not None and self.is_end(self.found)

    def may_lose_end(self) -> bool:
        own = self.book.wishes.get(self.me)
        is_away = own is not None and self.me in own.absent
        return self.may_be_undone or is_away or (self.ready is not None and not self.stays_at_end())

    def confirming(self) -> set[int]:
        """Who has signed the end, if most have: each may have written it already."""
        last, at, members = self.last_end, self.line.last.at, self.lineup.members
        signers = members - set(self.line.owing())
        signers |= {e.keeper for e in (last,) if e and (e.height, e.prev) == at}
        counted = members - self.book.cheats - self.line.offenders.keys()
        return set(signers) if 2 * len(signers & counted) > len(counted) else set()

    def wants_line_up(self) -> bool:
        found = self.find()
        return found is not None and (bool(found.plan) or self.calling())

    def calling(self) -> bool:
        """Whether a member is bound above, to a line-up under which all its members were READY."""
        return self.may_be_undone or self.warned()

    def warned(self) -> bool:
        """Whether another member is bound above this line-up."""
        return bool(self.bound_members() - {self.me})

    def bound_members(self) -> set[int]:
        """The members that have assented above this line-up, where all members were READY."""
        key = len(self.book.known) - self.book.facts, self.lineup, self.line.last.at
        if key != self.bound_key:
            self.bound_key, self.bound_now = key, set()
            for up, who in self.book.assents.items():
                new = up.attempt > self.lineup.attempt and not who <= self.bound_now
                if new and not self.is_end(up) and self.book.is_binding(up):
                    self.bound_now |= who & self.lineup.members
        return self.bound_now

    # -- taking ----------------------------------------------------------------------------

    def take(self, body: Body, now: float) -> bool:
        """Take a body. Return whether it is new and to be passed on."""
        self.now = now
        if self.keeps_end(body) or not self.book.take(body):
            return False
        self.note_word(body)
        match body:
            case Entry():
                self.note_entry(body)
            case Assent():
                if body.keeper == self.me:
                    self.bound = max(self.bound, body.lineup.attempt)
                self.adopt()
            case Leave() | Wish():
                self.adopt()
            case Proof():
                self.redraw_line()
            case Here():
                if body.keeper == self.me and body.instance > self.instance:
                    self.stopped = True
            case Ready():
                pass
        if self.book.cheats or self.line.offenders:
            self.adopt()
        return True

    def note_entry(self, body: Entry) -> None:
        if len(self.book.entries[body.attempt, body.height, body.prev, body.keeper]) > 1:
            self.redraw_line()
        elif (body.height, body.prev) == self.line.last.at:
            self.move()

    def keeps_end(self, body: Body) -> bool:
        """Whether it is the one END that is missing while the end may be undone (rule 16)."""
        place, owing = self.line.last, self.line.owing()
        if place.step != Step.END or not self.may_lose_end():
            return False
        if not isinstance(body, Entry) or (body.height, body.prev) != place.at:
            return False
        self.last_end = body if owing == [body.keeper] else self.last_end
        return self.last_end is body

    def redraw_line(self) -> None:
        self.line = Line(self.lineup, self.book)
        self.seen_closed = 0
        self.move()

    def move(self) -> None:
        if self.line.extend():
            closed = self.line.closed[self.seen_closed :]
            self.seen_closed = len(self.line.closed)
            self.decides_at = None
            self.raise_floor()
            if any(c.place.step in GATHERS for c in closed):
                self.pace.reset()
                self.patience.clear()
                self.named.clear()

    # -- which counts ----------------------------------------------------------------------

    def adopt(self) -> None:
        """Follow the begun line-up of the greatest rank (rule 10)."""
        ups = [up for up in self.book.assents if up.rank > self.lineup.rank]
        for up in sorted(ups, key=lambda u: u.rank):
            is_over = self.line.last.step == Step.FINISHED  # then one that undoes nothing is late
            if is_over and up.height >= self.line.places[-2].height:
                continue
            if up.rank > self.lineup.rank and self.book.has_begun(up):
                if self.refuses(up):
                    if up not in self.splits:
                        self.splits.append(up)
                    continue
                self.follow(up)
        self.splits = [up for up in self.splits if up.rank > self.lineup.rank]

    def follow(self, up: LineUp) -> None:
        lowest, cheat = self.parting(up)
        if cheat:
            self.floor = min(self.floor, lowest)
            self.deep = min(self.deep, lowest)
        self.gathers = [h for h in self.closed_gathers() if h < lowest]
        self.lineup, self.own = up, None
        self.line = Line(up, self.book)
        self.seen_closed = 0
        self.said = {attempt: said for attempt, said in self.said.items() if attempt > up.attempt}
        if self.attempt <= up.attempt or self.attempt < self.bound:
            self.pace.come_to(max(up.attempt, self.bound) + 1, self)
        self.ended_at = self.decides_at = None
        self.patience.begin(up)
        for n in up.plan:
            if n.why in (Why.AGAIN, Why.BACK):
                count, _ = self.named.get(n.keeper, (0, 0.0))
                self.named[n.keeper] = count + 1, self.now
        if up.instances[self.me] > self.instance:
            self.stopped = True
        self.move()
        self.raise_floor()

    def raise_floor(self) -> None:
        closed = self.closed_gathers()
        if closed and closed[-1] > self.floor and not (self.is_bound or self.is_reading):
            self.floor, self.deep = closed[-1], closed[-2] if len(closed) > 1 else 0

    def refuses(self, up: LineUp) -> bool:
        """Whether following it would undo more than rule 10 allows."""
        lowest, cheat = self.parting(up)
        if any(c.place.step == Step.END and lowest < c.place.height for c in self.line.closed):
            return True
        return lowest < (self.deep if cheat else self.floor)

    def parting(self, up: LineUp) -> tuple[int, bool]:
        """The lowest height that it would undo, and whether a cheat is put out on the way."""
        mine = list(self.lineup.past())
        lowest, cheat, q = up.height, False, up
        while q not in mine:
            cheat |= bool(q.named(Why.CHEATED))
            assert q.pred is not None
            lowest, q = q.height, q.pred
        return min([lowest, *(p.height for p in mine[: mine.index(q)])]), cheat

    def closed_gathers(self) -> list[int]:
        """The heights of all gathers that have closed on its whole line."""
        own = [c.place.height for c in self.line.closed if c.place.step in GATHERS]
        return self.gathers + own

    # -- acting ----------------------------------------------------------------------------

    def act(self, now: float) -> list[Body]:
        self.now = now
        sent: list[Body] = []
        if not self.can_sign:
            return sent
        self.say_here(sent)
        self.pace.poll(self)
        self.found = self.find()
        self.patience.look(self, now)
        self.tell_wish(sent)
        for _ in range(4):
            before = len(sent)
            found = self.found = self.find()
            if found is not None and self.wants_line_up() and self.me in found.members:
                self.be_ready(found, sent)
                found, mine = self.found, self.ready
                if found is not None and mine is not None and mine.number == found.number:
                    self.assent(self.meet(found, sent), sent)
            elif self.ready is not None and self.pace.may_jump(now):
                # what it was READY for is wanted no more
                self.pace.go_along(self, with_one=False)
                continue
            else:
                self.sign_entries(sent)
            if len(sent) == before:
                break
        self.patience.see(self)
        self.write_end()
        return sent

    def say(self, body: Body, sent: list[Body]) -> None:
        if self.take(body, self.now):
            sent.append(body)

    def say_here(self, sent: list[Body]) -> None:
        """Say HERE where this process does not play, or was refused (rules 2 and 12)."""
        plays = self.is_member and self.lineup.instances[self.me] == self.instance
        if plays or (self.me not in self.line.last.position.alive and not self.is_member):
            return
        said, known = self.book.heres.get(self.me, 0), self.lineup.instances[self.me]
        if said < self.instance:
            self.say(Here(self.me, self.instance), sent)
            return
        again = said <= known or self.is_refused(said)
        if not self.is_member and again and self.now >= self.here_after:
            self.instance = above(max(said, known), self.patience.chance)
            self.here_after, self.here_wait = self.now + self.here_wait, self.here_wait * 2
            self.say(Here(self.me, self.instance), sent)

    def is_refused(self, instance: int) -> bool:
        wishes = (self.book.wishes.get(k) for k in self.lineup.members)
        return any(w is not None and refuses(w, self.me, instance) for w in wishes)

    def tell_wish(self, sent: list[Body]) -> None:
        old = self.book.wishes.get(self.me)
        absent, refused = frozenset(self.patience.absent), frozenset(self.patience.refused)
        self.wished_at = [at for at in self.wished_at if at > self.now - WORDS_SECONDS]
        said = (old.absent, old.refused) if old else (frozenset(), frozenset())
        if (absent, refused) != said and len(self.wished_at) < MAX_WISHES:
            self.wished_at.append(self.now)
            self.serial = max(self.serial, old.serial if old else 0) + 1
            self.say(Wish(self.me, self.serial, absent, refused), sent)

    def be_ready(self, found: LineUp, sent: list[Body]) -> None:
        """Be READY, once in an attempt; where it finds another line-up, go up (rules 4 and 5)."""
        mine = self.ready
        is_other = mine is not None and mine.number != found.number
        if is_other and (self.pace.may_jump(self.now) or self.is_found_by_most(found)):
            self.pace.go_along(self, with_one=False)
            new = self.find()
            if new is None or self.me not in new.members:
                return
            found = self.found = new
            mine = None
        if mine is None and self.attempt > self.bound and found.instances[self.me] == self.instance:
            self.own = self.say_ready(found, sent)

    def say_ready(self, found: LineUp, sent: list[Body]) -> Ready:
        self.said[found.attempt] = Ready(self.me, found.attempt, found.number, self.instance)
        self.said_at[found.attempt] = self.now
        self.say(self.said[found.attempt], sent)
        return self.said[found.attempt]

    def ready_elsewhere(self, found: LineUp) -> dict[int, set[int]]:
        """By attempt: who is READY to a line-up, but for the attempt, where this one may follow."""
        least, most = max(self.lineup.attempt, self.bound), self.pace.top + FEW
        like = dict[int, set[int]]()
        for attempt, said in self.book.readies.items():
            if least < attempt <= most:
                number = found.number_in(attempt)
                like[attempt] = {k for k, rs in said.items() if any(r.number == number for r in rs)}
        return {attempt: who for attempt, who in like.items() if who}

    def is_found_by_most(self, found: LineUp) -> bool:
        is_new = all(found.number_in(at) != ready.number for at, ready in self.said.items())
        like = set[int]().union(*self.ready_elsewhere(found).values()) - {self.me}
        return is_new and 2 * len(like & found.members) > len(found.members)

    def meet(self, found: LineUp, sent: list[Body]) -> LineUp:
        """Be READY wherever another one is to the same, and go where most are (rule 5)."""
        alike = {found.attempt: found}
        for attempt in self.ready_elsewhere(found):
            if attempt == found.attempt:
                continue
            if any(
                (v.attempt < attempt) != (v.attempt < found.attempt)
                for v in self.book.leaves.values()
            ):
                continue
            other = found.in_attempt(attempt, self.archive)
            if attempt not in self.said:
                self.say_ready(other, sent)
            if self.said[attempt].number == other.number:
                alike[attempt] = other

        bound = self.bound_above()

        def many(attempt: int) -> tuple[int, bool, int]:
            up = alike[attempt]  # who is bound above it comes there no more
            ready = sum(self.is_ready(k, up) and bound.get(k, 0) <= attempt for k in up.members)
            is_free = ready == len(up.members) and not self.book.assents.get(up)
            return ready, not is_free, -attempt if is_free else attempt

        def counts(attempt: int) -> bool:
            is_new = self.now < self.said_at.get(attempt, self.now) + WAITED
            return attempt == found.attempt or is_new or many(attempt)[0] == len(found.members)

        best = max(filter(counts, alike), key=many)
        if best != found.attempt:
            self.pace.attempt, self.pace.came, self.own = best, self.now, self.said[best]
            self.found = self.find()
        return alike[best]

    def bound_above(self) -> dict[int, int]:
        """By bound member: the last attempt by which it is."""
        bound: dict[int, int] = {}
        for up, who in self.book.assents.items():
            if up.attempt > self.lineup.attempt and self.book.is_binding(up):
                bound |= {k: max(up.attempt, bound.get(k, 0)) for k in who}
        return bound

    def is_ready(self, keeper: int, up: LineUp) -> bool:
        if keeper in self.book.assents.get(up, ()):  # held to that, whatever else it says
            return True
        r = self.said.get(up.attempt) if keeper == self.me else self.book.ready(keeper, up.attempt)
        return r is not None and r.number == up.number and r.instance == up.instances[keeper]

    def assent(self, found: LineUp, sent: list[Body]) -> None:
        """Assent to what this keeper finds and all future members are READY under (rule 5)."""
        mine = self.ready
        if self.attempt <= self.bound or mine is None or found.attempt != self.attempt:
            return
        if all(self.is_ready(k, found) for k in found.members):
            self.say(Assent(self.me, found), sent)

    # -- entries ---------------------------------------------------------------------------

    def sign_entries(self, sent: list[Body]) -> None:
        while self.may_sign_entry():
            place = self.line.last
            choice = 0
            if place.step == Step.DECISION:
                if self.decides_at is None:
                    self.decides_at = self.now + self.patience.thinks()
                if self.now < self.decides_at:
                    return
                choice = self.patience.chooses()
            what = what_is_owed(place, self.me, self.lineup, choice)
            kind = KIND_OF[place.step]
            under = place.attempt if kind == Kind.END else self.lineup.attempt
            entry = Entry(self.me, place.attempt, *place.at, kind, what, under)
            self.signed_at[entry] = place, self.lineup
            self.say(entry, sent)

    def may_sign_entry(self) -> bool:
        """The formula of rules 4, 5 and 12."""
        place = self.line.last
        is_end = place.step == Step.END
        is_still = self.may_lose_end() if is_end else self.is_bound or self.ready is not None
        if is_still or self.me not in place.askers:
            return False
        if place.key(self.me) in self.book.entries:
            return False
        if place.step == Step.DECISION and self.lineup.instances[self.me] != self.instance:
            return False
        return not (place.step in DRAWS and self.warned())

    def leave(self, now: float) -> list[Body]:
        self.now = now
        if not self.can_sign:
            return []
        sent: list[Body] = []
        self.say(Leave(self.me, self.lineup, self.bound), sent)
        self.has_left = True
        return sent

    def write_end(self) -> None:
        place = self.line.last
        if place.step not in (Step.END, Step.FINISHED):
            return
        end = place if place.step == Step.END else self.line.places[-2]
        if self.ended_at is None:
            self.ended_at = self.now
        most = 2 * len(self.lineup.members - set(self.line.owing())) > len(self.lineup.members)
        waits = self.may_lose_end() or (self.ready is not None and not most)
        late = self.now >= self.ended_at + (END_AT_LAST if waits else END_AFTER)
        if late or place.step == Step.FINISHED:
            signers = frozenset(k for k in self.lineup.members if self.line.signed(end, k))
            self.written = Written(*end.at, end.position.alive, signers, self.lineup)

    def next_time(self) -> float:
        """When it has something to do without hearing anything."""
        if not self.can_sign:
            return self.quiet_until if self.now < self.quiet_until else math.inf
        times = [self.pace.next_time(self, self.now), self.patience.next_time(self.now)]
        if self.decides_at is not None:
            times.append(self.decides_at)
        if len(self.wished_at) == MAX_WISHES:
            times.append(self.wished_at[0] + WORDS_SECONDS)
        if self.ended_at is not None:
            times += [self.ended_at + END_AFTER, self.ended_at + END_AT_LAST]
        if not self.is_member:
            times.append(self.here_after)
        times += [
            last + min(AGAIN_AFTER * 2 ** (n - 1), AGAIN_AT_MOST) for n, last in self.named.values()
        ]
        return min((t for t in times if t > self.now), default=self.now + 3600.0)
