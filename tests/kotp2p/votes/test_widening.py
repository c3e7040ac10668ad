"""A vote because of a proof that is about more seats, as all want to go on without those too."""

from __future__ import annotations

from tests.support.five_players import convict, proof_against, sitting
from tests.support.stance_walks import GONE, ME, SLOW, THIRD, ask_for, there, try_to_agree


def test_a_proof_against_a_seat_that_was_kept_lets_the_vote_be_about_all_of_the_open_one() -> None:
    voting = sitting(there(), ME)
    ask_for(voting, THIRD)
    convict(voting, voting.ledger.judge_proof(proof_against(THIRD)))
    assert try_to_agree(voting, GONE, THIRD)


def test_a_seat_that_is_still_kept_stays_out_of_the_vote() -> None:
    voting = sitting(there(), ME)
    ask_for(voting, SLOW)
    convict(voting, voting.ledger.judge_proof(proof_against(THIRD)))
    assert not try_to_agree(voting, SLOW, THIRD)
    assert [vote.seats for vote in voting.ledger.tally.votes_of(ME)] == [(THIRD,)]


def test_no_vote_because_of_a_proof_is_about_seats_that_the_players_have_not_agreed_on() -> None:
    voting = sitting(there(), ME)
    convict(voting, voting.ledger.judge_proof(proof_against(THIRD)))
    voting.intents.open_vote = tuple(sorted((GONE, THIRD)))
    voting.sign_accusation()
    assert [vote.seats for vote in voting.ledger.tally.votes_of(ME)] == [(THIRD,)]


def test_a_proof_is_a_reason_to_vote_at_its_height_alone() -> None:
    """At any other one this seat goes on objecting to votes against the cheat."""
    voting = sitting(there(), ME)
    convict(voting, voting.ledger.judge_proof(proof_against(THIRD)))
    found = voting.targets.find()
    assert found is not None
    height, accused = found
    assert voting.objections._seats_due(height) == set(accused) == {THIRD}
    assert voting.objections._seats_due(height + 1) == set()
