"""How the keepers come to one line-up: READY, assent, and the pace of attempts (PROTOCOL.md 9.3).

Scope: what this keeper says and signs about a change of line-up, and when. Without I/O: bodies and
times in, bodies to sign and to send out.

How it works: nobody proposes. A keeper that has a reason says READY to the line-up that it finds.
Equal READYs of all future members in one attempt are the line-up: each of them assents. From then
on it is *bound*: it signs nothing in a line-up of a lower attempt. Where the READYs differ, facts
and entries are exchanged until they do not, and the keepers meet in a later attempt. Attempts only
go up, and each is of one keeper's choosing as little as of another's.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger, forked_place
from kotp2p.game.steps import Finished, Moved, require_keeper, require_signed_by_keeper
from kotp2p.lineup.plan import MAX_ATTEMPTS_AHEAD, Facts, find_base, find_line_up
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.cores import Allowance
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import MAX_ATTEMPT, Entry, Signed
from kotp2p.wire.lineups import LineUp, Plan, Ready, Reason

FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS = 1.0, 16.0
"""T: how long a keeper waits in an attempt. It doubles with each one that came to nothing."""
WAITED_SECONDS = 60.0
"""An attempt in which it has been READY for this long counts no more, unless all are."""
MAX_QUICK_MOVES = 3
"""A keeper whose findings change goes up at once at most this often within `FIRST_WAIT_SECONDS`,
and beyond that only after most others: else one that hears more than they do would wait alone."""
FEW_ATTEMPTS = 8
PULLS_AT_ONCE, PULLS_PER_SECOND = 16, 0.01
"""How often each keeper may pull this one up by more than `FEW_ATTEMPTS`. Without this budget a
hostile one could keep two others apart without end; without end to it, honest ones that have used
up theirs could not meet."""
READIES_KEPT = 2
"""Of each keeper the READYs of this many of its latest attempts are kept, all of the attempts that
this keeper may soon be in, and those to line-ups with assents, by which others are bound: an author
cannot take back what it has shown to others."""


@dataclass(slots=True)
class Attempts:
    ledger: Ledger
    facts: Facts
    seat: Seat
    signer: Signer
    instance: bytes
    send: Callable[[Signed], None]
    record: Callable[[LineUp], None]
    """Writes a line-up with its assents to disk, before all that is sent later."""
    attempt: int = 1
    deadline: float = math.inf
    own: Ready | None = None
    last_end: Entry | None = None
    """The END that would close an end which may be undone: it is not taken."""
    _readies: dict[Seat, dict[int, dict[bytes, Ready]]] = field(default_factory=dict)
    """By keeper and attempt: all that it has said, by the id of the line-up."""
    _ready_for: dict[bytes, Ready] = field(default_factory=dict)
    """What this keeper has said above the line-up that counts, by the id of the line-up."""
    _named: set[bytes] = field(default_factory=set)
    """The same by what line-ups of all attempts have in common."""
    _top: int = 1
    """The greatest attempt to which it has moved. To be READY like others above does not raise it,
    or a hostile one could use up all attempts."""
    _ready_since: dict[int, float] = field(default_factory=dict)
    _came_at: float = 0.0
    _wait: float = FIRST_WAIT_SECONDS
    _moves: list[float] = field(default_factory=list)
    _pulls: dict[Seat, Allowance] = field(default_factory=dict)
    _gather: int = 0
    _found: tuple[object, LineUp | None] = (None, None)

    # -- what binds this keeper ------------------------------------------------------------

    @property
    def bound(self) -> int:
        return self.ledger.greatest_assent(self.seat)

    @property
    def is_bound(self) -> bool:
        """Return whether it has assented to a line-up that has not begun: it signs none below."""
        return self.bound > self.ledger.attempt

    def stands_still(self) -> bool:
        return self.own is not None or self._may_be_undone()

    def _may_be_undone(self) -> bool:
        return any(self.seat in self.ledger.seals[lineup.id] for lineup in self._undoing())

    def _undoing(self) -> list[LineUp]:
        """Return the line-ups with assents that have not begun; at the end those that undo it."""
        ledger = self.ledger
        return [up for up in ledger.assents_above(ledger.attempt) if not ledger.is_at_end(up)]

    def may_lose_end(self) -> bool:
        """Return whether others may go on from before the end, so that it is not closed."""
        own, is_ready = self.facts.wishes.get(self.seat), self.own is not None
        is_away = own is not None and own.is_away
        return is_away or self._may_be_undone() or (is_ready and not self.stays_at_end())

    def confirming(self) -> set[Seat]:
        """Return who has signed the end, if most have: each may have written it already."""
        last, chain, convicts = self.last_end, self.ledger.chain, self.ledger.convicts
        signers = {*chain.gathered, *(e.seat for e in (last,) if e and e.prev == chain.head)}
        return signers if chain.roster.are_most(signers, convicts) else set()

    def bound_members(self) -> list[Seat]:
        """Return the members that are bound by an assent to a line-up that could begin."""
        return sorted(self._binding(self._undoing()))

    def _binding(self, assents: list[LineUp]) -> dict[Seat, LineUp]:
        """Return the members that some of these bind, each with the last one that does."""
        # A line-up that too few have found binds nobody: it may be far above all that can begin, or
        # have been shown to this keeper alone, so that the others would not follow to another one.
        ledger, found = self.ledger, dict[Seat, LineUp]()
        members = ledger.roster.members
        for lineup in sorted(assents, key=lambda known: known.rank, reverse=True):
            new = (ledger.seals[lineup.id].keys() & members) - found.keys()
            if new and (self.seat in ledger.seals[lineup.id] or self._was_found_by_all(lineup)):
                found |= dict.fromkeys(new, lineup)
        return found

    def _was_found_by_all(self, lineup: LineUp) -> bool:
        before = self.ledger.chains.get(lineup.predecessor)
        if before is None or not self.ledger.may_begin(lineup, before):
            return False
        seals = self.ledger.seals[lineup.id]
        return all(
            keeper in seals or lineup.id in self._readies.get(keeper, {}).get(lineup.attempt, {})
            for keeper in before.roster.members_after(lineup.plan)
        )

    # -- what others say -------------------------------------------------------------------

    def accept_ready(self, ready: Ready) -> bool:
        players = self.ledger.genesis.players
        require_keeper(players, ready.seat)
        said = self._readies.setdefault(ready.seat, {})
        known, name = said.get(ready.attempt, {}), ready.lineup
        if len(known) == 1 and name in known and known[name].instance != ready.instance:
            name += ready.instance  # from two processes they are two
        if ready.attempt <= self.ledger.attempt or name in known:
            return False
        is_assented = self._is_assented(ready)
        far = self._far(said)
        is_old = len(far) >= READIES_KEPT and ready.attempt < far[0]
        if is_old and not (is_assented or self._is_near(ready.attempt)):
            return False
        require_signed_by_keeper(players, ready.seat, ready.signed)
        in_attempt = said.setdefault(ready.attempt, {})
        if len(in_attempt) < 2 or is_assented:  # a keeper with two has none: more tell nothing
            in_attempt[name] = ready
        for name in [n for n in [*in_attempt][2:] if n not in self.ledger.line_ups]:
            del in_attempt[name]
        for attempt in self._far(said)[:-READIES_KEPT]:
            del said[attempt]
        self.ledger.is_stirred = True
        return True

    def _far(self, said: dict[int, dict[bytes, Ready]]) -> list[int]:
        """Return the attempts that are kept only as the latest: without a line-up with assents."""
        far = (attempt for attempt in said if not self._is_near(attempt))
        return sorted(a for a in far if not any(map(self._is_assented, said[a].values())))

    def _is_assented(self, ready: Ready) -> bool:
        known = self.ledger.line_ups.get(ready.lineup)
        return known is not None and known.attempt == ready.attempt

    def _is_near(self, attempt: int) -> bool:
        return self.attempt <= attempt <= self.attempt + FEW_ATTEMPTS

    def keeps(self, ready: Ready) -> bool:
        return ready.lineup in self._readies.get(ready.seat, {}).get(ready.attempt, {})

    def _all_readies(self) -> list[Ready]:
        said = self._readies.values()
        return [r for attempts in said for readies in attempts.values() for r in readies.values()]

    def bodies_for_new_link(self) -> list[Signed]:
        ledger = self.ledger
        assents = [lu.signed(ledger.seals[lu.id]) for lu in ledger.assents_above(ledger.attempt)]
        return [*assents, *(ready.signed for ready in self._all_readies())]

    def reasons(self) -> list[Signed]:
        """Return what shows others without it that they must find what this keeper is READY for."""
        if (found := self._found[1]) is None:
            return []
        said = list[Signed]()
        if not found.plan or self.stays_at_end():  # what frees who is bound
            # Not of all line-ups: they are more and more where one never assents.
            names = {lineup.id for lineup in self._binding(self._undoing()).values()}
            said = [ready.signed for ready in self._all_readies() if ready.lineup in names]
        # Of the proofs against each cheat that of the base, else the first.
        base, cheats = (found.height, found.head), found.names(Reason.CHEATED)
        known = ([cheat.proof for cheat in self.ledger.convicts[keeper]] for keeper in cheats)
        best = (min(proofs, key=lambda one: forked_place(one) != base) for proofs in known)
        return [*said, *(proof.signed for proof in best)]

    def ready_like_this(self) -> set[Seat]:
        """Return the keepers that are READY like this one: while they are, they sign no entries."""
        found, own = self._found[1], self.own
        if own is None or found is None or found.id != own.lineup:
            return set()
        members = self.ledger.roster.members_after(found.plan)
        return {keeper for keeper in members if self._is_ready(keeper, found)}

    def has_done_its_part(self, keeper: Seat) -> bool:
        """Return whether a keeper is READY like this one, and has assented if any member has."""
        found = self._found[1]
        if found is None or keeper not in self.ledger.roster.members_after(found.plan):
            return False
        return keeper in (self.ledger.seals.get(found.id) or self.ready_like_this())

    def disturbing(self, now: float) -> set[Seat]:
        """Return who is to come back and is not READY like this one, or is restless."""
        # Members that say HERE again are waited for where most are READY alike. Where somebody
        # restless keeps those apart that have all come back, they must not blame each other.
        found = self._found[1]
        if self.own is None or found is None:
            return set()
        disturbing = {keeper for keeper in self.staying() if self.facts.is_restless(keeper, now)}
        disturbing |= set(found.names(Reason.BACK)) - self.ready_like_this()
        return disturbing - {self.seat}

    def staying(self) -> frozenset[Seat]:
        """Return the keepers that stay by the plan for which this one is READY, if it is."""
        found = self._found[1]
        if self.own is None or found is None:
            return frozenset()
        return self.ledger.roster.members_after(found.plan)

    def waited_for(self) -> tuple[Seat, ...]:
        """Return who is not READY like this one or has not assented, if most are and have."""
        ledger, like, found = self.ledger, self.ready_like_this(), self._found[1]
        late = set[Seat]()
        if like and found is not None:
            members = ledger.roster.members_after(found.plan)
            seals = ledger.seals.get(found.id, {})
            if 2 * len(like) > len(members):
                late |= members - like
            if 2 * len(members & seals.keys()) > len(members):
                # Where one is not READY, the others may be unable to assent.
                late |= members - seals.keys() - (like if members - like else set())
        for lineup in ledger.assents_above(ledger.attempt):
            before, signers = ledger.chains.get(lineup.predecessor), ledger.seals[lineup.id].keys()
            if before is None or self.seat not in signers:
                continue
            # Or one keeper could always begin the lower one of two that all others have signed. Who
            # is READY like this one may be unable to follow to an older one any more.
            members = before.roster.members_after(lineup.plan)
            owing = members - signers - late - like
            is_most = 2 * len(members & signers) > len(members)
            if is_most and owing and ledger.may_begin(lineup, before):
                late |= {k for k in owing if ledger.greatest_assent(k) < lineup.attempt}
        return tuple(sorted(late - {self.seat}))

    def _is_ready(self, keeper: Seat, lineup: LineUp) -> bool:
        # A keeper that has assented is held to that: another READY, or none, which only some have
        # heard, must not keep the others from following.
        if keeper in self.ledger.seals.get(lineup.id, {}):
            return True
        said = self._readies.get(keeper, {}).get(lineup.attempt, {})
        if keeper == self.seat:
            said = self._ready_for
        elif len(said) != 1:
            return False
        if lineup.id not in said:
            return False
        change = lineup.find(keeper)
        named = b"" if change is None or change.reason is Reason.ABSENT else change.instance
        return not named or said[lineup.id].instance == named

    # -- going on --------------------------------------------------------------------------

    def advance(self, now: float) -> Moved | None:
        """Send and sign what is due. Return what a line-up that has begun has done to the game."""
        ledger = self.ledger
        self._keep_time(now)
        is_used = self.own is None and self.attempt in self._used()  # of two READYs none counts
        if self.attempt <= ledger.attempt or self.attempt < self.bound or is_used:
            self._come_to(max(ledger.attempt + 1, self.bound + 1, self.attempt), now)
        for leave in ledger.leaves.values():
            is_here = leave.seat in ledger.roster.members
            if is_here and self.attempt <= leave.attempt <= self.attempt + MAX_ATTEMPTS_AHEAD:
                self._come_to(leave.attempt + 1, now)
        self._keep_pace(now)
        found = self._find(now)
        if self.own is not None and (found is None or found.id != self.own.lineup):
            if not (self._may_move(now) or self._is_found_by_most(found)):
                return None
            self._go_up(now, with_one=False)
            found = self._find(now)
        if found is None:
            # Who is bound, or knows of a member that is, may not sign as if nothing had come.
            ledger.is_stirred = self.is_bound or bool(self.bound_members())
            return None
        if self.own is None:
            self.own, self._came_at = self._say_ready(found, now), now
            self.deadline = min(self.deadline, now + 2 * self._wait)
        return self._assent(self._meet(found, now))

    def _keep_time(self, now: float) -> None:
        self.deadline = math.inf
        if self.ledger.chain.last_gather != self._gather:
            self._gather, self._wait = self.ledger.chain.last_gather, FIRST_WAIT_SECONDS
            self._pulls.clear()
        self._moves = [at for at in self._moves if at > now - FIRST_WAIT_SECONDS]

    def _may_move(self, now: float) -> bool:
        if len(self._moves) < MAX_QUICK_MOVES:
            self._moves.append(now)
            return True
        self.deadline = min(self.deadline, self._moves[0] + FIRST_WAIT_SECONDS)
        return False

    def _is_found_by_most(self, found: LineUp | None) -> bool:
        """Return whether most of its members are READY to a line-up that is new to this keeper."""
        # Between two that it has found in turn, a hostile member could drive all without end.
        if found is None or self._name(found) in self._named:
            return False
        members = self.ledger.roster.members_after(found.plan)
        like = {ready.seat for ready in self._ready_elsewhere(found)} & members
        return 2 * len(like - {self.seat}) > len(members)

    def _name(self, found: LineUp) -> bytes:
        """Return what a line-up has in common with those of other attempts: its id in the first."""
        return found.in_attempt(1, self.ledger.genesis.id).id

    def _ready_elsewhere(self, found: LineUp) -> list[Ready]:
        """Return the READYs to a line-up, but for the attempt, where this keeper may follow."""
        least, most = max(self.ledger.attempt, self.bound), self._top + FEW_ATTEMPTS
        game, known, ids = self.ledger.genesis.id, self.ledger.line_ups, dict[int, bytes]()

        def is_alike(ready: Ready) -> bool:
            lineup, at = known.get(ready.lineup), ready.attempt
            if lineup is not None and lineup.plan != found.plan:
                return False  # there may be many, and ids take time
            if at not in ids:
                ids[at] = found.in_attempt(at, game).id
            return ready.lineup == ids[at]

        return [r for r in self._all_readies() if least < r.attempt <= most and is_alike(r)]

    def _go_up(self, now: float, *, with_one: bool = True) -> None:
        # With a long T it would stay behind those with a short one, if it went up by one alone.
        # But where only one hostile keeper is ahead, the others may not follow for T.
        ahead = [(at, k) for at, k in self._said_ahead(now) if with_one or k == self.seat]
        attempt, keeper = next(iter(ahead), (self.attempt + 1, self.seat))
        if keeper != self.seat:
            self._pulls_of(keeper).charge(1.0, now)
        self._come_to(attempt, now)

    def _come_to(self, attempt: int, now: float) -> None:
        used = self._used()
        self.attempt = max(used) + 1 if attempt in used else attempt
        self._top = max(self._top, self.attempt)
        self._came_at, self.own = now, None

    def _used(self) -> set[int]:
        """Return the attempts above the one that counts in which it has been READY."""
        return {ready.attempt for ready in self._ready_for.values()}

    def _pulls_of(self, keeper: Seat) -> Allowance:
        return self._pulls.setdefault(keeper, Allowance(PULLS_AT_ONCE, PULLS_PER_SECOND))

    def _said_ahead(self, now: float) -> list[tuple[int, Seat]]:
        """Return the newest attempts far above this one in which others are READY, by keeper."""
        members = self.ledger.roster.members - {self.seat}
        newest = {k: max(said) for k, said in self._readies.items() if k != self.seat and said
                  and (k in members or k in self.facts.heres)}  # fmt: skip
        few, most = self._top + FEW_ATTEMPTS, self._top + MAX_ATTEMPTS_AHEAD
        # It may know the assents of others, and not the READYs that went before.
        signed = [max(newest.get(k, 0), self.ledger.greatest_assent(k)) for k in members]
        shared = sorted(signed, reverse=True)[len(members) // 2 :]
        goal = min([*shared[:1], MAX_ATTEMPT * (9 if len(members) > 1 else 5) // 10])
        if shared and few < goal:
            return [(goal, self.seat)]
        # One alone may be hostile: it must not use up all attempts, or keep who is out above most.
        is_here = self.seat in self.ledger.roster.members
        return sorted(
            (min(attempt, most if keeper in members else few), keeper)
            for keeper, attempt in newest.items()
            if attempt > few and is_here and self._pulls_of(keeper).has(1.0, now)
        )

    def _keep_pace(self, now: float) -> None:
        """Go up to others that are far above, and on to the next attempt after 2 T."""
        # A keeper that finds nothing stays: one READY far ahead would use up attempts all evening.
        if self.own is None and self._find(now) is None:
            return
        if ahead := self._said_ahead(now):
            # At once with most, but not as often as others like: attempts would be used up.
            due = self._came_at + self._wait
            if now >= due and self.own is not None:
                self._wait = min(2 * self._wait, MAX_WAIT_SECONDS)
            if now >= due or (ahead[0][1] == self.seat and self._may_move(now)):
                self._go_up(now)
            else:
                self.deadline = min(self.deadline, due)
        if self.own is None:
            return
        if now >= self._came_at + 2 * self._wait:
            self._wait = min(2 * self._wait, MAX_WAIT_SECONDS)
            self._go_up(now)
        else:
            self.deadline = min(self.deadline, self._came_at + 2 * self._wait)

    def _find(self, now: float) -> LineUp | None:
        ledger = self.ledger
        plan = self.facts.find_plan(self.attempt, now)
        key = (ledger.revision, self.attempt, plan, *self.bound_members())
        if self._found[0] != key:
            self._found = (key, self._find_anew(plan))
        for keeper in self.facts.heres:  # a return that is put off comes later by itself
            if not self.facts.may_return(keeper, now):
                self.deadline = min(self.deadline, now + FIRST_WAIT_SECONDS)
        return self._found[1]

    def _find_anew(self, plan: Plan) -> LineUp | None:
        ledger = self.ledger
        if self.seat not in ledger.roster.members_after(plan):
            return None
        own = next((change for change in plan if change.keeper == self.seat), None)
        if own is not None and own.instance != self.instance:
            return None  # another process of this keeper is to play
        base, _ = find_base(ledger, plan)
        is_end = isinstance(ledger.step, Finished) and base == ledger.height
        if not (self.bound_members() or (plan and not is_end)):
            return None  # at the end nobody is put out for its own sake
        if not ledger.chain.are_enough(plan, base) or ledger.chain.is_over:
            return None
        return find_line_up(ledger, plan, self.attempt)

    def stays_at_end(self) -> bool:
        """Return whether it is READY to what frees the bound at the end, and undoes nothing."""
        found = self._found[1]
        return self.own is not None and found is not None and self.ledger.is_at_end(found)

    def _say_ready(self, found: LineUp, now: float) -> Ready:
        self._ready_since[found.attempt] = now
        said = (self.ledger.genesis.id, self.seat, found.attempt, found.id, self.instance)
        self._ready_for[found.id] = ready = Ready.sign(self.signer, *said)
        self._named.add(self._name(found))
        self.accept_ready(ready)
        self.send(ready.signed)
        return ready

    def _meet(self, found: LineUp, now: float) -> LineUp:
        """Be READY wherever another one is to the same, and go to the attempt in which most are."""
        # So a READY that one alone has heard, and that made it go up, keeps nobody apart.
        ledger, alike, used = self.ledger, {found.attempt: found}, self._used()
        for said in self._ready_elsewhere(found):
            other = found.in_attempt(said.attempt, ledger.genesis.id)
            if self._has_same_plan(other, found):
                if said.attempt not in used:
                    used.add(said.attempt)
                    self._say_ready(other, now)
                if other.id in self._ready_for:
                    alike[said.attempt] = other
        members = ledger.roster.members_after(found.plan)
        bound = self._binding(ledger.assents_above(ledger.attempt))

        def many(attempt: int) -> tuple[int, bool, int]:
            # Where all are, some may be bound by the last one already: else it is the first.
            found = alike[attempt]
            here = members - {k for k, lineup in bound.items() if lineup.attempt > attempt}
            ready = sum(self._is_ready(keeper, found) for keeper in here)
            is_free = ready == len(members) and not ledger.seals.get(found.id)
            return ready, not is_free, -attempt if is_free else attempt

        def counts(attempt: int) -> bool:
            # Who was waited for there in vain may be READY elsewhere all the time.
            is_new = now < self._ready_since[attempt] + WAITED_SECONDS
            return attempt == found.attempt or is_new or many(attempt)[0] == len(members)

        best = alike[max(filter(counts, alike), key=many)]
        if best is not found:
            self.attempt, self.own, self._came_at = best.attempt, self._ready_for[best.id], now
            self._find(now)
        return best

    def _has_same_plan(self, one: LineUp, other: LineUp) -> bool:
        """Return whether no LEAVE counts in one of two attempts alone."""
        has_left, attempts = self.ledger.has_left, (one.attempt, other.attempt)
        return all(has_left(k, attempts[0]) == has_left(k, attempts[1]) for k in self.ledger.leaves)

    def _assent(self, found: LineUp) -> Moved | None:
        """Assent, if all future members find the same line-up in this attempt."""
        ledger = self.ledger
        members = ledger.roster.members_after(found.plan)
        if not all(self._is_ready(keeper, found) for keeper in members):
            return None
        if self.attempt <= self.bound:
            return None
        signed = found.signed({self.seat: found.assent(self.signer)})
        moved = ledger.accept_line_up(signed)
        self.record(found)
        ledger.is_bound = self.is_bound
        self.send(found.signed(ledger.seals[found.id]))
        return moved

    def note_begun(self, moved: Moved, now: float) -> None:
        """Note that line-ups have begun: what was said for lower attempts is over."""
        for begun in moved.begun:
            self.facts.note_begun(begun.lineup, now)
        self.own = None
        self._named.clear()
        for said in self._readies.values():
            for attempt in [a for a in said if a <= self.ledger.attempt]:
                del said[attempt]
        for name in [n for n, r in self._ready_for.items() if r.attempt <= self.ledger.attempt]:
            self._ready_since.pop(self._ready_for.pop(name).attempt, None)
        if not self.is_bound:
            self.ledger.note_free()
        self.ledger.is_stirred = True
