"""A keeper that objects to a vote and votes there later, because of a proof (PROTOCOL.md 9.2)."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.votes.locks import VoteLocks
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import SIGNERS, at_a_decision, count, drop, genesis, held, others
from tests.tools.vector_table import fill


def voted() -> tuple[Ledger, Vote, VoteLocks, Seat, Seat, Seat]:
    """This seat has voted in round 2 without a proof. The seat that it accuses, and two others."""
    ledger, gone = at_a_decision()
    me, other, third, _ = others(gone)
    mine = drop(ledger, me, (gone,), 2)
    count(ledger, mine)
    return ledger, mine, VoteLocks(ledger, me), gone, other, third


@pytest.mark.parametrize("is_counted", [True, False])
@pytest.mark.parametrize("round_", [1, 2])
def test_an_objection_opens_no_lock_once_its_keeper_has_voted_there(
    round_: int, is_counted: bool
) -> None:
    """It may vote so again. Its vote is known although it stands on another past."""
    ledger, mine, locks, gone, other, _ = voted()
    locks.note_objection(held(ledger, other, gone))
    assert not locks.may_still_count(mine)
    if is_counted:
        count(ledger, drop(ledger, other, (gone,), round_))
    else:
        locks.note_vote(
            Vote.sign(
                SIGNERS[other],
                genesis().id,
                ledger.place,
                fill(0x77),
                other,
                VoteChoice.DROP,
                (gone,),
                round_,
            )
        )
    assert locks.may_still_count(mine)


def test_a_vote_of_a_later_round_leaves_a_lock_open() -> None:
    """The rounds of a keeper ascend."""
    ledger, mine, locks, gone, other, _ = voted()
    locks.note_objection(held(ledger, other, gone))
    count(ledger, drop(ledger, other, (gone,), 3))
    assert not locks.may_still_count(mine)


def test_a_vote_against_another_seat_leaves_a_lock_open() -> None:
    ledger, mine, locks, gone, other, third = voted()
    locks.note_objection(held(ledger, other, gone))
    count(ledger, drop(ledger, other, (third,), 1))
    assert not locks.may_still_count(mine)


def test_a_vote_at_another_place_leaves_a_lock_open() -> None:
    ledger, mine, locks, gone, other, _ = voted()
    locks.note_objection(held(ledger, other, gone))
    view, height = ledger.place
    locks.note_vote(
        Vote.sign(
            SIGNERS[other],
            genesis().id,
            (view, height - 1),
            ledger.heads[height - 1],
            other,
            VoteChoice.DROP,
            (gone,),
            1,
        )
    )
    assert not locks.may_still_count(mine)


def test_the_objection_of_a_third_seat_opens_a_lock_all_the_same() -> None:
    ledger, mine, locks, gone, other, third = voted()
    locks.note_objection(held(ledger, other, gone))
    count(ledger, drop(ledger, other, (gone,), 1))
    assert locks.may_still_count(mine)
    locks.note_objection(held(ledger, third, gone))
    assert not locks.may_still_count(mine)
