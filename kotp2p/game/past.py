"""The past of a chain: the chain as it was at an earlier height.

Scope: making it again from the last snapshot before that height (`kotp2p.game.snapshots`).
Not here: which chain counts (`kotp2p.game.ledger`).
"""

from __future__ import annotations

from kotp2p.game.chain import Chain
from kotp2p.game.history import StandIn


def chain_at(chain: Chain, height: int) -> Chain:
    """An independent chain, as `chain` was when `height` began. What closed the steps was checked
    when it came, and is not checked again. 0 <= height <= chain.height."""
    snapshot = chain.snapshots.last_before(height)
    assert snapshot is not None  # there is always that of the first step
    past = Chain(chain.genesis)
    past.restore(chain, snapshot)
    past.snapshots = chain.snapshots.fork_until(height)
    # Farewells are known from the start, as the steps before theirs ignore them.
    past.farewells = {
        item.seat: item.farewell
        for done in chain.closed[:height]
        for item in done
        if isinstance(item, StandIn)
    }
    past.close_by_farewells()  # no entry will come for the step of the snapshot, if all have left
    while past.height < height:
        past.close_again(chain.closed[past.height])
    assert past.heads == chain.heads[: height + 1]
    return past
