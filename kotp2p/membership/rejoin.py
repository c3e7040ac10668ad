"""After a restart: which seats are back, and when this seat may sign again (PROTOCOL.md 10.6).

Scope: what the seats have told of how far they are, and how long this seat waits for it.
Not here: fetching what is missing (`kotp2p.mesh.gossip`), links, absence (`presence`).

How it works: the log on this disk may be older than what this seat has signed, after a power cut
or on a restored disk. What is signed again might be another body for the same place, and
two bodies for one place convict their seat. So this seat asks before it signs. It waits without
end for a first head from another process, up to `WAIT_FOR_HEADS_SECONDS` for the others, and up to
`BELIEVE_CLAIM_SECONDS` for each seat that claims to be further.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.membership.own_processes import NOWHERE
from kotp2p.state_table import Phase, StateTable
from referee.model.answers import Seat

REPORT_MISSING_AFTER_SECONDS = 3.0
"""How long a seat may take to link anew before it is reported as missing."""

WAIT_FOR_HEADS_SECONDS = 30.0
"""How long after its restart this seat waits for the heads of all seats. It needs one at least."""

BELIEVE_CLAIM_SECONDS = 60.0
"""How long this seat waits for a peer to deliver the entries that it claims to have. A claim
proves nothing, so nobody may stop the game by one."""


OLDER_STOPS_SECONDS = 3.0
"""How long after its first head from another process this seat waits. Meanwhile the others tell an
older process of this seat, if there is one, and what that has signed last comes here."""


OWN: Seat = -1
"""Stands among the claims for what this seat itself has signed and its files have lost."""


class RejoinState(StrEnum):
    NEVER_AWAY = "never away"
    """This process has played from the start on: it knows what it has signed."""
    ALONE = "alone"
    """No other process has told its head yet."""
    LISTENING = "listening"
    """Some have told their heads, others have not."""
    INFORMED = "informed"
    """All needed seats have told their heads."""


class RejoinEvent(StrEnum):
    RESUMES = "this process resumes the game"
    HEARS_FIRST = "the first head of another process comes, or only cheats could send one"
    HEARS_LAST = "the last head comes"


REJOIN = StateTable(
    "rejoin",
    RejoinState.NEVER_AWAY,
    {
        RejoinState.NEVER_AWAY: {RejoinEvent.RESUMES: RejoinState.ALONE},
        RejoinState.ALONE: {RejoinEvent.HEARS_FIRST: RejoinState.LISTENING},
        RejoinState.LISTENING: {RejoinEvent.HEARS_LAST: RejoinState.INFORMED},
        RejoinState.INFORMED: {},
    },
)


@dataclass(slots=True)
class Rejoin:
    missing: set[Seat] = field(default_factory=set)
    """Seats that the game needs and that have not been there since the restart."""
    _phase: Phase[RejoinState, RejoinEvent] = field(default_factory=lambda: Phase.at_start(REJOIN))
    _report_at: float = math.inf
    """When the missing seats may be reported."""
    _reported: tuple[Seat, ...] | None = None
    """The missing seats of the last report."""
    _unheard: set[Seat] = field(default_factory=set)
    """Seats that have not told yet how far they are."""
    _foreign: frozenset[Seat] = frozenset()
    """The seats that another process plays. Our own bots have the same log as we."""
    _fallen: frozenset[Seat] = frozenset()
    """Where no other process plays on: the seats of others that are out. Their processes may hold
    what these files have lost."""
    _claims: dict[Seat, tuple[int, int]] = field(default_factory=dict)
    """The greatest view and height that each seat has told."""
    _believed_until: dict[Seat, float] = field(default_factory=dict)
    """Until when each claim is waited for, counted from the first claim of its seat."""
    _resumed_at: float = -math.inf
    _older_stopped_at: float = -math.inf
    """When an older process of this seat must have heard of this one."""

    def begin(
        self,
        needed: Iterable[Seat],
        foreign: Iterable[Seat],
        now: float,
        fallen: Iterable[Seat] = (),
    ) -> None:
        """This process has resumed the game. `foreign`: the needed seats of other processes.
        `fallen`: their seats that are out."""
        self.missing = set(needed)
        self._unheard = set(self.missing)
        self._foreign = frozenset(foreign)
        self._fallen = frozenset() if self._foreign else frozenset(fallen)
        self._resumed_at = now
        self._report_at = now + REPORT_MISSING_AFTER_SECONDS if self.missing else math.inf
        self._phase.move(RejoinEvent.RESUMES)
        if not self._foreign:  # no other process is needed: there is no first head to wait for
            self._hear_first()
        self._check_last_heard()

    @property
    def lacks_heads(self) -> bool:
        """Whether heads of others are still waited for. Only then `excuse` and `release` change
        anything."""
        return self._phase.state in (RejoinState.ALONE, RejoinState.LISTENING)

    def excuse(self, convicts: Collection[Seat]) -> None:
        """These seats are proven to cheat. Where they are all that other processes play, nobody is
        there whose word is worth waiting for without end."""
        if self._foreign and self._foreign <= set(convicts):
            self._hear_first()

    def release(self, needless: Collection[Seat]) -> None:
        """These seats are out by now, so the game goes on without them. They may never come back,
        and no head of theirs is waited for."""
        self._unheard.difference_update(needless)
        self.excuse(needless)
        self._check_last_heard()

    def note_head(self, seat: Seat, place: tuple[int, int], now: float) -> None:
        """`seat` has told how far it is."""
        if self._phase.state is RejoinState.NEVER_AWAY:
            return
        self._unheard.discard(seat)
        if seat in self._fallen:
            self._fallen = frozenset()  # each of them has heard all
        if seat in self._foreign and self._older_stopped_at == -math.inf:
            self._older_stopped_at = now + OLDER_STOPS_SECONDS
            self._hear_first()
        self._check_last_heard()
        self._note_claim(seat, place, now)

    def note_own(self, place: tuple[int, int], now: float) -> None:
        """From `place` something of this seat has come that its files have lost."""
        is_back = self._phase.state is not RejoinState.NEVER_AWAY
        if is_back and place > self._claims.get(OWN, NOWHERE):
            self._note_claim(OWN, place, now)

    def _note_claim(self, seat: Seat, place: tuple[int, int], now: float) -> None:
        self._claims[seat] = max(self._claims.get(seat, place), place)
        self._believed_until.setdefault(seat, now + BELIEVE_CLAIM_SECONDS)

    def _hear_first(self) -> None:
        if self._phase.allows(RejoinEvent.HEARS_FIRST):
            self._phase.move(RejoinEvent.HEARS_FIRST)

    def _check_last_heard(self) -> None:
        if not self._unheard and self._phase.allows(RejoinEvent.HEARS_LAST):
            self._phase.move(RejoinEvent.HEARS_LAST)

    def may_sign(self, place: tuple[int, int], now: float) -> bool:
        """Whether this seat has heard the others, and is as far (`place`) as they claim to be."""
        if self._phase.state is RejoinState.NEVER_AWAY:
            return True
        return self.has_heard_others(now) and all(
            self._has_reached(seat, place, now) for seat in self._claims
        )

    def may_accuse(self, place: tuple[int, int], now: float) -> bool:
        """Whether this seat may vote because of proofs. It need not be as far as the others claim
        to be, which may be unable to go on without its vote, but as far as it has been itself: it
        may have voted there, and where the others have gone on its votes are used up for nothing.
        """
        return self.has_heard_others(now) and self._has_reached(OWN, place, now)

    def _has_reached(self, seat: Seat, place: tuple[int, int], now: float) -> bool:
        return place >= self._claims.get(seat, NOWHERE) or now >= self._believed_until[seat]

    def has_heard_others(self, now: float) -> bool:
        """Whether all have told how far they are, or some have and the time for the rest is up;
        and whether an older process of this seat must have stopped."""
        if self._fallen and now < self._resumed_at + WAIT_FOR_HEADS_SECONDS:
            return False
        match self._phase.state:
            case RejoinState.NEVER_AWAY:
                return True
            case RejoinState.INFORMED:
                return now >= self._older_stopped_at
            case RejoinState.LISTENING:
                heads_due = self._resumed_at + WAIT_FOR_HEADS_SECONDS
                return now >= max(heads_due, self._older_stopped_at)
            case RejoinState.ALONE:
                return False

    def next_report(self, now: float) -> float:
        """When `report_missing` has news by time alone; it is not asked once the game is over."""
        return self._report_at if self._report_at > now else math.inf

    def next_decision_change(self, now: float) -> float:
        """When `may_sign` changes by time alone."""
        if self._phase.state is RejoinState.NEVER_AWAY:
            return math.inf
        times = [*self._believed_until.values(), self._older_stopped_at]
        if self._unheard or self._fallen:
            times.append(self._resumed_at + WAIT_FOR_HEADS_SECONDS)
        return min((due for due in times if due > now), default=math.inf)

    def report_missing(self, there: Iterable[Seat], now: float) -> tuple[Seat, ...] | None:
        """The seats that are still missing, if that is news; empty once all are back."""
        self.missing -= set(there)
        still = tuple(sorted(self.missing))
        is_too_early = self._reported is None and bool(still) and now < self._report_at
        if still == self._reported or is_too_early:
            return None
        self._reported, self._report_at = still, math.inf
        return still
