"""What a player is told of their own vote while it stands: which votes it needs, or that it failed.

Scope: the sentence for each stance in which this seat waits for others.
Not here: the stances themselves (`stances`, `locks`).

Most votes are over in a moment, as all programs sign at once. Only one that stands for some
seconds is told, and then also how it ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kotp2p.absence_notices import VoteFailed, VoteStands
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act

TELL_AFTER_SECONDS = 3.0


@dataclass(slots=True)
class VoteStanding:
    locks: VoteLocks
    gossip: Gossip
    due: float = math.inf
    """When a vote that stands is to be told."""
    _told: VoteStands | None = None
    _told_in: int = 0
    """The view in which it was told."""

    def report(self, now: float) -> None:
        """Tells what has changed about the votes of this seat."""
        standing = self._find_standing()
        if standing is None:
            self.due = math.inf
            if self._told is not None and self._told_in == self.locks.ledger.view:
                self._show(VoteFailed(self._told.accused))
            self._told = None
        elif standing == self._told:
            self.due = math.inf
        else:
            self.due = min(self.due, now + TELL_AFTER_SECONDS)
            if now >= self.due:
                self.due, self._told, self._told_in = math.inf, standing, self.locks.ledger.view
                self._show(standing)

    def _find_standing(self) -> VoteStands | None:
        found = self.locks.find_standing_vote()
        if found is None:
            return None
        vote, waited = found
        return VoteStands(vote.seats, tuple(sorted(waited)), self.locks.forbids(Act.SIGN_ENTRY))

    def _show(self, notice: VoteStands | VoteFailed) -> None:
        self.gossip.effects.append(ShowNotice(notice))
