"""Whom a program would go on without: the accounts of time (rule 11), and a player's answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from tests.tools.lineup_model.book import stays_enough
from tests.tools.lineup_model.lineups import LineUp, Why
from tests.tools.lineup_model.positions import Step

if TYPE_CHECKING:
    from tests.tools.lineup_model.keeper import Process

OFFER_AFTER, ALONE_AFTER = 60.0, 120.0
LATE, ACCOUNT = 10.0, 300.0
ENDS_AFTER = 60.0
"""Seconds after which a wish that has come to nothing ends. Ten more, and it is made anew."""
GIVE_UP = 10.0
"""Seconds after which a program refuses a HERE whose process is not READY like it."""
MOMENT = 0.01
"""Seconds after a time at which a program looks again."""
ANY = 1 << 64
"""A refusal of all processes."""
ROLLS = 2
"""Refused rolls after which a program refuses a HERE by itself."""


@dataclass
class Patience:
    """The accounts of one program, and its player."""

    chance: Random = field(default_factory=lambda: Random(0))
    answers_after: float = 2.0
    """Seconds that the player takes to answer an offer; a player who never answers goes along."""
    absent: set[int] = field(default_factory=set)
    whim: set[int] = field(default_factory=set)
    """Whom the player wishes away without a reason."""
    refused: set[tuple[int, int]] = field(default_factory=set)
    owed: dict[int, float] = field(default_factory=dict)
    """Seconds for which each keeper has held up the game since a gather closed."""
    stalled: dict[int, float] = field(default_factory=dict)
    """Likewise while this process stood still for a change of line-up."""
    unshared: dict[int, float] = field(default_factory=dict)
    """Likewise for not wishing away whom more than half wish away."""
    total: dict[int, float] = field(default_factory=dict)
    """What of that, beyond ten seconds each, counts for the whole game."""
    vanished: dict[tuple[int, int], float] = field(default_factory=dict)
    """Seconds for which a process that said HERE was not READY like this one."""
    offered: dict[int, float] = field(default_factory=dict)
    wished: dict[int, float] = field(default_factory=dict)
    """Since when a keeper is wished away."""
    late_at: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Where in the game each keeper was late."""
    forgiven: set[int] = field(default_factory=set)
    """Who was late at a change of line-up and gave what it owed, since a gather closed: once is
    enough."""
    holding: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    """Whom this process does not reach at present."""
    asking: set[int] = field(default_factory=set)
    """Who is out, says HERE, and is not READY like this process."""
    since: float = 0.0
    _stands_still: bool = False
    _unshared: set[int] = field(default_factory=set)
    _vanished: set[tuple[int, int]] = field(default_factory=set)

    def thinks(self) -> float:
        return self.chance.choice((0.0, 1.0, 5.0)) * self.chance.random()

    def chooses(self) -> int:
        return self.chance.randrange(3)

    def clear(self) -> None:
        for account in (self.owed, self.stalled, self.unshared, self.late_at):
            account.clear()
        self.offered.clear()
        self.forgiven.clear()

    def begin(self, up: LineUp) -> None:
        """A line-up has begun: its members have given all that they owed, the others are out."""
        here = self.absent & up.members
        for keeper in here - self.forgiven:
            self.give_time(keeper)
        self.absent = here & self.forgiven
        self.forgiven |= here
        self.whim &= up.members
        for n in up.plan:
            if n.why == Why.BACK:
                self.vanished.pop((n.keeper, n.instance), None)

    # -- the accounts ----------------------------------------------------------------------

    def look(self, process: Process, now: float) -> None:
        """Book the time since the last look, and see who holds up the game now."""
        self._book(now - self.since)
        self.since = now
        self.see(process)
        if not process.is_member:
            self.absent.clear()
            return
        self._wish(process, now)
        for keeper in process.book.heres:
            used_up = self.total.get(keeper, 0.0) >= ACCOUNT
            if keeper in process.lineup.members:
                continue
            if used_up or process.lineup.refusals(keeper) >= ROLLS:
                self.refused.add((keeper, ANY))
        self.refused |= {h for h in self._vanished if self.vanished.get(h, 0.0) >= GIVE_UP}

    def see(self, process: Process) -> None:
        """See who holds up the game from now on."""
        self.holding, self.asking, self._unshared, self._vanished = set(), set(), set(), set()
        self._stands_still = process.stands_still
        if process.is_member:
            disturbs = disturbing(process)
            self.holding = holding_up(process) | disturbs & process.lineup.members
            if process.line.last.step == Step.END and not process.stays_at_end():
                is_still = process.stands_still
                self.holding = self.holding - process.confirming() if is_still else set()
            self.asking = disturbs - process.lineup.members
            self._unshared = not_sharing(process) - self.holding
            self._vanished = vanished(process)

    def _book(self, seconds: float) -> None:
        for keeper in self.holding | self._unshared:
            account = self.stalled if self._stands_still else self.owed
            account = account if keeper in self.holding else self.unshared
            before = account.get(keeper, 0.0)
            account[keeper] = before + seconds
            late = max(0.0, before + seconds - max(before, LATE))
            self.total[keeper] = self.total.get(keeper, 0.0) + late
        for keeper in self.asking:  # it is not waited for again and again, some seconds each time
            self.total[keeper] = self.total.get(keeper, 0.0) + seconds
        for here in self._vanished:
            self.vanished[here] = self.vanished.get(here, 0.0) + seconds

    def limit(self, keeper: int, limit: float) -> float:
        return LATE if self.total.get(keeper, 0.0) >= ACCOUNT else limit

    def give_time(self, keeper: int) -> None:
        accounts = (
            (self.owed, OFFER_AFTER),
            (self.stalled, OFFER_AFTER),
            (self.unshared, ALONE_AFTER),
        )
        for account, limit in accounts:
            most = self.limit(keeper, limit) - LATE
            account[keeper] = min(account.get(keeper, 0.0), most)
        self.late_at.pop(keeper, None)

    def late(self) -> set[int]:
        """Whom the program offers to go on without: the accounts alone say so."""
        return self._owing_too_long() | {
            k for k, t in self.unshared.items() if t >= self.limit(k, ALONE_AFTER)
        }

    def _owing_too_long(self) -> set[int]:
        owed = [*self.owed.items(), *self.stalled.items()]
        return {k for k, t in owed if t >= self.limit(k, OFFER_AFTER)}

    def _wish(self, process: Process, now: float) -> None:
        members = process.lineup.members
        late = (self.late() & members) - {process.me}
        given, ended = set[int](), set[int]()
        if self.absent or late:
            given = self._giving(process, late)
            ended = {k for k, t in self.wished.items() if now >= t + ENDS_AFTER}
        if process.stands_still:
            self.forgiven |= given & (late | self.absent - self.whim)
        for keeper in (ended & self.absent) | (given & late):
            self.give_time(keeper)
            if keeper not in given:
                self.unshared.pop(keeper, None)
        late -= given
        self.absent -= ended | given - self.holding - self._unshared
        self.absent |= self.whim
        alive = process.line.last.position.alive
        for keeper in late - self.absent - ended:
            asked = self.offered.setdefault(keeper, now)
            goes_along = process.stays_at_end() or (
                now >= asked + ALONE_AFTER and _others_agree(process, keeper, late)
            )
            is_witness = keeper not in alive and keeper in self._owing_too_long()
            if now >= asked + self.answers_after or goes_along or is_witness:
                self.absent.add(keeper)
        for keeper in members - {process.me}:
            wish = process.book.wishes.get(keeper)
            if wish is not None and keeper in wish.absent:
                self.absent.add(keeper)
        self.wished = {k: self.wished.get(k, now) for k in self.absent}

    def _giving(self, process: Process, late: set[int]) -> set[int]:
        """Return the members that have given what they owed."""
        slow, at = not_sharing(process), process.line.last.at
        for keeper in late:
            self.late_at.setdefault(keeper, at)
        owing = owing_entries(process) | disturbing(process)
        if not process.stands_still:
            return {
                k
                for k in process.lineup.members - slow
                if self.late_at.get(k, at) != at or (k not in owing and has_given(process, k))
            }
        # Who is READY where it is late, and never assents, is not asked about again and again.
        staying = process.lineup.members - slow - owing - self.forgiven
        return {k for k in staying if has_given(process, k)}

    def next_time(self, now: float) -> float:
        account = self.stalled if self._stands_still else self.owed
        times = [
            self.since + self.limit(k, OFFER_AFTER) - account.get(k, 0.0) for k in self.holding
        ]
        limits = [(k, self.limit(k, ALONE_AFTER)) for k in self._unshared]
        times += [self.since + most - self.unshared.get(k, 0.0) for k, most in limits]
        times += [self.since + GIVE_UP - self.vanished.get(h, 0.0) for h in self._vanished]
        times += [t + self.answers_after for t in self.offered.values()]
        times += [t + ALONE_AFTER for t in self.offered.values()]
        times += [t + ENDS_AFTER for t in self.wished.values()]
        return min((t + MOMENT for t in times if t + MOMENT > now), default=float("inf"))


def _others_agree(process: Process, keeper: int, late: set[int]) -> bool:
    """Whether all that are there, and would stay, wish a keeper away."""
    book, wishes = process.book, process.book.wishes
    staying = process.lineup.members - late - {keeper, process.me} - book.cheats - set(book.leaves)
    agreeing = {k for k in staying if k in wishes and keeper in wishes[k].absent}
    return bool(agreeing) and staying - agreeing <= process.patience.gone


def owing_entries(process: Process) -> set[int]:
    """Who owes an entry: nobody where a member is bound; who stays in a line-up owes READY."""
    owing, found = process.line.owing(), process.found
    if not owing or process.calling():
        return set()
    if found is None or not found.plan:
        return set(owing)
    return {k for k in owing if k not in found.members}


def holding_up(process: Process) -> set[int]:
    """Who owes an entry, or is not READY or has not assented as more than half have (rule 11)."""
    found, owing = owing_entries(process), owing_assents(process)
    mine, lineup = process.ready, process.found
    if mine is not None and lineup is not None and lineup.number == mine.number:
        inside = lineup.members & process.lineup.members
        ready = {k for k in lineup.members if _is_like(process, k, mine.number)}
        if 2 * len(ready) > len(lineup.members):
            found |= inside - ready
        owing -= ready  # perhaps unable to follow to an older one any more
        assented = process.book.assents.get(lineup, set()) & lineup.members
        if 2 * len(assented) > len(lineup.members):  # where one is not READY, others may be unable
            found |= inside - assented - (ready if lineup.members - ready else set())
    return (found | owing) - {process.me}


def owing_assents(process: Process) -> set[int]:
    """Who has not assented as this process and most have, in any attempt, nor above it.

    Or one keeper could always begin the lower one of two that all others have signed.
    """
    book, found = process.book, set[int]()
    top = {k: max((a for a, ups in book.signed[k].items() if ups), default=0) for k in book.signed}
    for up, who in book.assents.items():
        if up.attempt <= process.lineup.attempt or process.me not in who or not stays_enough(up):
            continue
        if 2 * len(who & up.members) > len(up.members):
            found |= {k for k in up.members - who if top.get(k, 0) < up.attempt}
    return found & process.lineup.members


def has_given(process: Process, keeper: int) -> bool:
    """Whether a keeper that owes no entry is READY and has assented as this process is and has."""
    found, mine = process.found, process.ready
    if mine is None or found is None or found.number != mine.number:
        is_called = found is not None and bool(found.plan)
        return mine is None and not is_called and not process.calling()
    if keeper not in found.members:
        return False
    assents = process.book.assents.get(found, set())
    return _is_like(process, keeper, mine.number) and (
        process.me not in assents or keeper in assents
    )


def _is_like(process: Process, keeper: int, number: int) -> bool:
    found, assents = process.found, process.book.assents
    if found is not None and found.number == number and keeper in assents.get(found, ()):
        return True
    ready = process.book.ready(keeper, process.attempt)
    return ready is not None and ready.number == number


def disturbing(process: Process) -> set[int]:
    """Who is out and says HERE, and is not READY like this process, or is restless."""
    # Of members that come again most are READY alike, or are no hindrance to the others: those
    # among which somebody restless sows other findings must not blame each other.
    found = process.found
    if process.ready is None or found is None:
        return set()
    disturbs = {k for k in found.members if process.is_restless(k)}
    disturbs |= {
        n.keeper
        for n in found.plan
        if n.why == Why.BACK and not _is_like(process, n.keeper, process.ready.number)
    }
    return disturbs - {process.me}


def not_sharing(process: Process) -> set[int]:
    """Who does not wish away whom more than half do, of those that have not cheated or left."""
    book = process.book
    members = process.lineup.members - book.cheats - book.leaves.keys()
    if not any(w.absent for w in book.wishes.values()):
        return set()
    wishes = {k: book.wishes[k].absent if k in book.wishes else frozenset() for k in members}
    every = [k for absent in wishes.values() for k in absent]
    away = {k for k in members if k in wishes[k]}
    """Who lets a bot play: all go without it."""
    unwanted = {k for k in members - away if 2 * every.count(k) > len(members)}
    return {k for k in members if not unwanted - {k} <= wishes[k]} - {process.me}


def vanished(process: Process) -> set[tuple[int, int]]:
    """Processes that said HERE and are not READY like this one."""
    mine, lineup = process.ready, process.found
    if mine is None or lineup is None or lineup.number != mine.number:
        return set()
    assents = process.book.assents.get(lineup, set())
    found = set()
    for n in lineup.plan:
        like = _is_like(process, n.keeper, mine.number)
        if n.why == Why.BACK and (not like or (process.me in assents and n.keeper not in assents)):
            found.add((n.keeper, n.instance))
    return found
