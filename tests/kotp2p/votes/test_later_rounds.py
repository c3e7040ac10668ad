"""A vote that others begin again in a later round, when the open vote has ended (PROTOCOL.md 9.2
R15). The entry of the accused has come, and is held back by the vote."""

from __future__ import annotations

import pytest

from kotp2p.votes.voting import Voting
from tests.support.five_players import convict, drop, held, offence, sitting, tell
from tests.support.stance_walks import GONE, ME, OTHER, SLOW, THIRD, agree, there


@pytest.fixture
def voting() -> Voting:
    """This seat has voted against the one that was gone, and no vote is open any more."""
    voting = sitting(there(), ME)
    agree(voting, GONE)
    assert not voting.intents.open_vote
    return voting


def rounds(voting: Voting) -> list[int]:
    """The rounds of the votes of this seat once it has done what the players agree on."""
    voting.sign_agreed_drop()
    return [vote.round for vote in voting.ledger.tally.votes_of(ME)]


def test_a_seat_follows_a_vote_that_binds_it_into_a_later_round_once(voting: Voting) -> None:
    assert rounds(voting) == [1]
    tell(voting, OTHER, drop(there(), OTHER, (GONE,), 2))
    assert rounds(voting) == [1, 2]
    assert rounds(voting) == [1, 2]


def test_a_seat_that_has_not_voted_follows_nobody() -> None:
    voting = sitting(there(), ME)
    tell(voting, OTHER, drop(there(), OTHER, (GONE,), 2))
    assert rounds(voting) == []


def test_a_vote_that_has_come_to_nothing_is_not_followed(voting: Voting) -> None:
    tell(voting, THIRD, held(there(), THIRD, GONE))
    tell(voting, OTHER, drop(there(), OTHER, (GONE,), 2))
    assert rounds(voting) == [1]


def test_a_seat_follows_its_last_vote_alone(voting: Voting) -> None:
    agree(voting, GONE, SLOW)
    tell(voting, OTHER, drop(there(), OTHER, (GONE,), 3))
    assert rounds(voting) == [1, 2]


def test_a_proof_comes_before_a_vote_for_the_players(voting: Voting) -> None:
    convict(voting, offence(voting.ledger, THIRD))
    tell(voting, OTHER, drop(there(), OTHER, (GONE,), 2))
    assert rounds(voting) == [1]
