"""A keeper that objects to a vote and votes there later, because of a proof (PROTOCOL.md 9.2)."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.votes.locks import VoteLocks
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import (
    SIGNERS,
    at_a_decision,
    count,
    drop,
    genesis,
    go_beyond,
    held,
    others,
)
from tests.tools.vector_table import fill


def voted() -> tuple[Ledger, Vote, VoteLocks, Seat, Seat, Seat]:
    """This seat has voted in round 2 without a proof. The seat that it accuses, and two others."""
    ledger, gone = at_a_decision()
    me, other, third, _ = others(gone)
    mine = drop(ledger, me, (gone,), 2)
    count(ledger, mine)
    return ledger, mine, VoteLocks(ledger, me), gone, other, third


def drop_at(height: int, head: bytes, voter: Seat, accused: Seat) -> Vote:
    return Vote.sign(
        SIGNERS[voter], genesis().id, (0, height), head, voter, VoteChoice.DROP, (accused,), 1
    )


@pytest.mark.parametrize("round_", [1, 2])
def test_an_objection_opens_no_lock_once_its_keeper_has_voted_there(round_: int) -> None:
    """It may vote so again."""
    ledger, mine, locks, gone, other, _ = voted()
    locks.shown.note_objection(held(ledger, other, gone))
    assert not locks.shown.may_still_count(mine)
    locks.shown.note_vote(drop(ledger, other, (gone,), round_))
    assert locks.shown.may_still_count(mine)


def test_a_vote_on_another_past_shows_that_its_keeper_has_changed_its_mind() -> None:
    ledger, mine, locks, gone, other, _ = voted()
    locks.shown.note_objection(held(ledger, other, gone))
    locks.shown.note_vote(drop_at(ledger.height, fill(0x77), other, gone))
    assert locks.shown.may_still_count(mine)


def test_an_objection_behind_the_vote_of_its_keeper_opens_a_lock() -> None:
    """Its keeper has gone on since."""
    ledger, mine, locks, gone, other, _ = voted()
    locks.shown.note_vote(drop(ledger, other, (gone,), 1))
    locks.shown.note_objection(held(ledger, other, gone))
    assert not locks.shown.may_still_count(mine)


def test_a_vote_that_is_heard_again_changes_nothing() -> None:
    ledger, mine, locks, gone, other, _ = voted()
    vote = drop(ledger, other, (gone,), 1)
    locks.shown.note_vote(vote)
    locks.shown.note_objection(held(ledger, other, gone))
    locks.shown.note_vote(vote)
    assert not locks.shown.may_still_count(mine)


def test_a_new_objection_behind_a_vote_and_an_objection_opens_a_lock() -> None:
    ledger, mine, locks, gone, other, third = voted()
    locks.shown.note_objection(held(ledger, other, gone))
    locks.shown.note_vote(drop(ledger, other, (gone,), 1))
    both = tuple(sorted((gone, third)))
    place = ledger.place, ledger.head
    wider = Vote.sign(SIGNERS[other], genesis().id, *place, other, VoteChoice.HELD, both)
    locks.shown.note_objection(wider)
    assert not locks.shown.may_still_count(mine)


def test_a_vote_of_a_later_round_leaves_a_lock_open() -> None:
    """The rounds of a keeper ascend."""
    ledger, mine, locks, gone, other, _ = voted()
    locks.shown.note_objection(held(ledger, other, gone))
    locks.shown.note_vote(drop(ledger, other, (gone,), 3))
    assert not locks.shown.may_still_count(mine)


def test_a_vote_against_another_seat_leaves_a_lock_open() -> None:
    ledger, mine, locks, gone, other, third = voted()
    locks.shown.note_objection(held(ledger, other, gone))
    locks.shown.note_vote(drop(ledger, other, (third,), 1))
    assert not locks.shown.may_still_count(mine)


def test_a_vote_at_another_place_leaves_a_lock_open() -> None:
    ledger, mine, locks, gone, other, _ = voted()
    locks.shown.note_objection(held(ledger, other, gone))
    locks.shown.note_vote(drop_at(ledger.height - 1, ledger.heads[ledger.height - 1], other, gone))
    assert not locks.shown.may_still_count(mine)


def test_a_change_of_mind_long_after_binds_nobody_again() -> None:
    """A cheat objected, the others went on, and it voted about that height behind some gathers."""
    ledger, mine, locks, gone, other, _ = voted()
    late = drop(ledger, other, (gone,), 1)
    locks.shown.note_objection(held(ledger, other, gone))
    go_beyond(ledger, mine.height)
    locks.shown.note_vote(late)
    assert not locks.shown.may_still_count(mine)


def test_the_objection_of_a_third_seat_opens_a_lock_all_the_same() -> None:
    ledger, mine, locks, gone, other, third = voted()
    locks.shown.note_objection(held(ledger, other, gone))
    locks.shown.note_vote(drop(ledger, other, (gone,), 1))
    assert locks.shown.may_still_count(mine)
    locks.shown.note_objection(held(ledger, third, gone))
    assert not locks.shown.may_still_count(mine)
