"""Which votes a copy of the game counts where it stands."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Early
from kotp2p.wire.votes import Vote, VoteChoice
from tests.support.five_players import SIGNERS, drop, genesis, others

ACCUSED = 4


def test_votes_of_a_view_that_has_not_begun_here_drop_nobody() -> None:
    """Their signers have seen another drop before, and vote about what has followed it."""
    ledger = Ledger(genesis())
    _, height = ledger.place
    for voter in others(ACCUSED):
        vote = Vote.sign(
            SIGNERS[voter], genesis().id, (1, height), ledger.head, voter,
            VoteChoice.DROP, (ACCUSED,), 1,
        )  # fmt: skip
        with pytest.raises(Early):
            ledger.accept_vote(vote)
    assert ledger.view == 0
    for voter in others(ACCUSED):
        ledger.accept_vote(drop(ledger, voter, (ACCUSED,), 1))
    assert ledger.view == 1
