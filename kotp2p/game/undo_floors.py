"""How far back the votes of a view may undo a chain (PROTOCOL.md 9.2).

Scope: the lowest heights that votes may be about.
Not here: what else makes a vote count, and what a certificate does (`kotp2p.game.ledger`).

Lowest first:

* Not below the height at which the view of the votes began: the seats that an earlier certificate
  has put out would vote again, and others than they could come back by it.
* With proofs that convict all of the accused: to `Chain.gather_before_last`. A seat signs in a
  gather only after its own copy has closed the one before, so the copies of seats differ by one
  gather at most: this one may have closed a gather whose last entry the voters lack.
* Without: to `Chain.last_gather`.
"""

from __future__ import annotations

from kotp2p.game.chain import Chain
from kotp2p.game.vote_tally import VoteTally
from kotp2p.wire.votes import Vote


def undo_floor(tally: VoteTally, chain: Chain) -> int:
    """Below this height no vote of that view undoes anything, except about convicts."""
    # Before the first gather of a view, `last_gather` is still that of the former view.
    return max(chain.last_gather, tally.begins_at)


def convict_floor(tally: VoteTally, chain: Chain) -> int:
    """Below this height not even convicts are voted out in that view."""
    return max(chain.gather_before_last, tally.begins_at)


def is_too_late(vote: Vote, tally: VoteTally, chain: Chain) -> bool:
    """Whether a vote of that view undoes nothing any more, as gathers have closed behind it."""
    floor = convict_floor(tally, chain) if vote.proofs else undo_floor(tally, chain)
    return vote.height < floor
