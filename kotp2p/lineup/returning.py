"""Coming back: a process that was restarted, or plays from another machine (PROTOCOL.md 9.5).

Scope: the HERE of this process, what it may sign before the others have named it, and which
processes of others this program does not want back by itself.
Not here: links and files. Two processes of one seat would sign two answers to one question: the
one with the greater instance plays, and the other one stops.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Begun
from kotp2p.lineup.absence import Absence
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import AskedBecause
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import INSTANCE_BYTES, Signed
from kotp2p.wire.lineups import Here, Reason

LISTEN_SECONDS = 3.0
"""A process that comes back signs nothing for this long after another member has its HERE: an
older process has heard of it by then, and what that one has signed last has come here."""
FOLLOW_SECONDS = 10.0
"""A process that asks to come back and is not READY for this long is not waited for."""
MAX_REFUSALS = 2
"""After this many refused rolls a keeper is not let back without a question."""


@dataclass(slots=True)
class Returning:
    """The own process, if it comes back."""

    ledger: Ledger
    facts: Facts
    seat: Seat
    signer: Signer
    instance: bytes
    send: Callable[[Signed], None]
    has_returned: bool
    """This process has not begun the game, so another one may have signed in its place."""
    lost_seed: bool = False
    """The seed of this seat is lost: what it has committed to cannot be opened any more."""
    deadline: float = math.inf
    _heard_at: float = math.inf
    """When another member had the HERE of this process."""

    def begin(self, now: float) -> None:
        """Announce to the others that this process wants to play."""
        if not self.has_returned:
            return
        if not self._others():
            self._heard_at = now - LISTEN_SECONDS
        self.say_here()

    def say_here(self) -> None:
        here = Here.sign(self.signer, self.ledger.genesis.id, self.seat, self.instance)
        if self.facts.accept_here(here):
            self.send(here.signed)

    def note_link(self, keeper: Seat, now: float) -> None:
        """Note that a keeper hears this process from now on."""
        if self.has_returned and keeper in self._others() and self._heard_at == math.inf:
            self._heard_at = now
            self.deadline = now + LISTEN_SECONDS

    def _others(self) -> frozenset[Seat]:
        return self.ledger.roster.members - {self.seat}

    def may_sign(self, now: float) -> bool:
        """Return whether this process may sign at all."""
        if now >= self._heard_at + LISTEN_SECONDS or not self.has_returned:
            self.deadline = math.inf
            return True
        return False

    def may_decide(self) -> bool:
        """Return whether this process may sign decisions: the others have named it."""
        named = self.ledger.roster.instances.get(self.seat, b"")
        return not self.has_returned or named == self.instance

    def take_new_instance(self) -> None:
        """Take a later instance, as the others went on without this process."""
        number = int.from_bytes(self.instance, "big") + (1 << 32)
        self.instance, self.has_returned = number.to_bytes(INSTANCE_BYTES, "big"), True
        self._heard_at = -math.inf

    def is_elsewhere(self, instance: bytes) -> bool:
        """Return whether a process with this instance takes the place of this one."""
        return instance > self.instance


@dataclass(slots=True)
class Welcome:
    """The keepers that this program does not let back by itself."""

    facts: Facts
    attempts: Attempts
    absence: Absence
    refusals: dict[Seat, int] = field(default_factory=dict)
    """By keeper: the rolls that it has refused."""
    _allowed: dict[Seat, bytes] = field(default_factory=dict)
    """The processes that the player wants back."""
    _since: dict[Seat, tuple[bytes, float]] = field(default_factory=dict)
    """Since when a process has asked to come back."""
    deadline: float = math.inf

    def note_begun(self, begun: Begun) -> None:
        for keeper in begun.refused:
            self.refusals[keeper] = self.refusals.get(keeper, 0) + 1

    def let_back(self, keeper: Seat, now: float) -> None:
        """Let a keeper back, as the player wants; its process has time again to follow."""
        here = self.facts.heres.get(keeper)
        if here is not None:
            self._allowed[keeper] = here.instance
            self._since[keeper] = (here.instance, now)
        self.absence.let_back(keeper, now)

    def judge(self, now: float) -> list[tuple[Seat, AskedBecause]]:
        """Refuse the keepers that this program does not want back by itself.

        Return those about which the player has to be asked now.
        """
        self.deadline, found = math.inf, []
        roster = self.facts.ledger.roster
        for keeper, here in self.facts.heres.items():
            is_named = here.instance <= roster.instances.get(keeper, b"")
            if is_named or keeper in roster.members or roster.out.get(keeper) is not Reason.ABSENT:
                self._since.pop(keeper, None)
                continue
            why = self._why_not(keeper, here, now)
            if why is not None and self.absence.refused.get(keeper) != here.instance:
                self.absence.refuse(keeper, here.instance, now)
                found.append((keeper, why))
        return found

    def _why_not(self, keeper: Seat, here: Here, now: float) -> AskedBecause | None:
        is_allowed = self._allowed.get(keeper) == here.instance
        if self.refusals.get(keeper, 0) >= MAX_REFUSALS and not is_allowed:
            return AskedBecause.REFUSED_ROLLS
        if self.absence.has_spent_account(keeper) and not is_allowed:
            return AskedBecause.HELD_UP
        instance, since = self._since.setdefault(keeper, (here.instance, now))
        if instance != here.instance:
            self._since[keeper] = (here.instance, now)
            return None
        if now >= since + FOLLOW_SECONDS:
            return AskedBecause.VANISHED
        self.deadline = min(self.deadline, since + FOLLOW_SECONDS)
        return None
