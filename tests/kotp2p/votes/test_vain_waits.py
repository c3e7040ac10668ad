"""A seat that is blocked by its vote about a fork, and lacks the votes of cheats alone."""

from __future__ import annotations

import pytest

from kotp2p.game.steps import Gather, Solo
from kotp2p.votes.stances import Act, Stance
from kotp2p.votes.voting import Voting
from kotp2p.wire.farewells import Farewell
from tests.support.five_players import SIGNERS, at_a_decision, genesis, owes, sitting, tell
from tests.support.held_up import (
    ANA,
    ASKED,
    FORK,
    FORKER,
    KEEPS_BACK,
    OTTO,
    fork,
    learn_of_fork,
    learn_of_offence,
    there,
    vote_at_fork,
)

GOING_ON = (Act.SIGN_ENTRY, Act.TAKE_ENTRY, Act.TAKE_FAREWELL_FROM_BEHIND)


def sits() -> Voting:
    """At the decision that this seat is asked for behind the fork."""
    voting = sitting(at_a_decision()[0], ASKED)
    assert voting.ledger.step == Solo(ASKED)
    return voting


def may_go_on(voting: Voting) -> bool:
    forbidden = {voting.locks.forbids(act) for act in GOING_ON}
    assert len(forbidden) == 1
    return forbidden == {False}


def go_on_to_gather(voting: Voting) -> None:
    while not isinstance(voting.ledger.step, Gather):
        assert may_go_on(voting)
        voting.ledger.accept_entry(owes(voting.ledger, voting.ledger.owing_seats()[0]))


def test_a_blocked_seat_that_lacks_the_vote_of_a_cheat_alone_answers_what_it_is_asked() -> None:
    """That cheat cannot be voted out before it is asked, and may never vote."""
    voting = sits()
    learn_of_fork(voting)
    assert not may_go_on(voting)
    learn_of_offence(voting)
    assert may_go_on(voting)
    assert voting.locks.stance_at(FORK) is Stance.BLOCKED


def test_a_blocked_seat_goes_on_when_the_last_honest_vote_has_come() -> None:
    voting = sits()
    learn_of_fork(voting, voters=[ANA])
    learn_of_offence(voting)
    assert not may_go_on(voting)
    tell(voting, OTTO, vote_at_fork(OTTO), fork())
    assert may_go_on(voting)


def test_a_blocked_seat_does_not_wait_for_one_that_has_left() -> None:
    """Its farewell names the round, and the vote has not come."""
    voting = sits()
    height = voting.ledger.height
    said = Farewell.sign(SIGNERS[OTTO], genesis().id, OTTO, 0, height, (1,))
    voting.ledger.accept_farewell(said)
    learn_of_fork(voting, voters=[ANA])
    assert not may_go_on(voting)
    learn_of_offence(voting)
    assert may_go_on(voting)


def test_what_counts_is_the_last_vote_of_a_seat_about_the_fork() -> None:
    """The others have passed the earlier round over."""
    voting = sits()
    learn_of_fork(voting, voters=())
    learn_of_offence(voting)
    for voter in (ANA, OTTO):
        tell(voting, voter, vote_at_fork(voter, 4), fork())
    assert not may_go_on(voting)
    assert voting.sign_accusation() is not None
    assert voting.ledger.tally.votes_of(ASKED)[-1].matter == (FORK, 4, (FORKER,))
    assert may_go_on(voting)


def test_a_blocked_seat_closes_no_gather_though_it_lacks_the_vote_of_a_cheat_alone() -> None:
    """The vote may still come, and undo all up to the gather before."""
    voting = sits()
    learn_of_fork(voting)
    learn_of_offence(voting)
    go_on_to_gather(voting)
    assert not may_go_on(voting)


def test_at_the_next_gather_it_votes_out_both_cheats() -> None:
    voting = sits()
    learn_of_fork(voting)
    learn_of_offence(voting)
    go_on_to_gather(voting)
    assert voting.sign_accusation() is not None
    vote = voting.ledger.tally.votes_of(ASKED)[-1]
    assert vote.matter == (voting.ledger.height, 2, (FORKER, KEEPS_BACK))
    assert len(vote.proofs) == 2


@pytest.mark.parametrize("is_at_gather", [False, True])
def test_a_vote_of_the_cheat_that_comes_after_all_undoes_what_was_signed_since(
    is_at_gather: bool,
) -> None:
    voting = sits()
    learn_of_fork(voting)
    learn_of_offence(voting)
    if is_at_gather:
        go_on_to_gather(voting)
    else:
        voting.ledger.accept_entry(owes(voting.ledger, ASKED))
    tell(voting, KEEPS_BACK, vote_at_fork(KEEPS_BACK), fork())
    assert voting.ledger.place == (1, FORK + 1)
    assert voting.ledger.heads[: FORK + 1] == there().heads
