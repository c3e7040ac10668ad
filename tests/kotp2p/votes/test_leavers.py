"""A keeper that leaves from behind a vote: whether it may have voted so, and what follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.game.steps import Gather
from kotp2p.votes.stances import Act, Stance
from kotp2p.votes.voting import Voting
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import (
    SIGNERS,
    accuse,
    convict,
    count,
    drop,
    genesis,
    owes,
    proof_against,
    sitting,
    tell,
)
from tests.support.stance_walks import (
    GONE,
    HEIGHT,
    ME,
    OTHER,
    SLOW,
    THIRD,
    blocked,
    leave,
    locked,
    locked_by_two,
    stance,
    there,
)


def says(rounds: tuple[int, ...] = (), view: int = 0, height: int = HEIGHT + 1) -> Farewell:
    return Farewell.sign(SIGNERS[OTHER], genesis().id, OTHER, view, height, rounds)


def has_bot(ledger: Ledger, bot: Seat, keeper: Seat) -> None:
    """One of the five is played by the program of another one."""
    charter = ledger.genesis.charter
    seated = [
        replace(player, bot=True, keeper=keeper) if seat == bot else player
        for seat, player in enumerate(charter.players)
    ]
    charter = replace(charter, players=tuple(seated))
    ledger.genesis = ledger.chain.genesis = replace(ledger.genesis, charter=charter)


def hears(voting: Voting, farewell: Farewell) -> bool:
    """Whether the farewell is taken at once."""
    held = voting.locks.hold_back_farewell(farewell)
    if not held:
        voting.ledger.accept_farewell(farewell)
    return not held


def sits_blocked() -> Voting:
    """It has voted in round 1 without a proof. One of the accused has left since, so that its vote
    is to undo what it has taken of the other."""
    voting = sitting(there(), ME)
    locked_by_two(voting)
    leave(voting, GONE)
    assert stance(voting) is Stance.BLOCKED
    return voting


def sits_blocked_by_a_proof() -> Voting:
    voting = sitting(there(), ME)
    blocked(voting)
    assert stance(voting) is Stance.BLOCKED
    return voting


@pytest.mark.parametrize("rounds", [(), (2,), (3, 7)])
def test_a_leaver_that_names_no_vote_of_that_round_ends_a_block_and_is_taken(
    rounds: tuple[int, ...],
) -> None:
    voting = sits_blocked()
    assert hears(voting, says(rounds))
    assert stance(voting) is Stance.RELEASED


def test_a_leaver_of_a_later_view_ends_a_block_and_is_taken() -> None:
    voting = sits_blocked()
    assert hears(voting, says((1,), view=1, height=HEIGHT))
    assert stance(voting) is Stance.RELEASED


def test_a_leaver_that_names_that_round_is_not_taken_by_a_blocked_seat() -> None:
    voting = sits_blocked()
    assert not hears(voting, says((1, 2)))
    assert stance(voting) is Stance.BLOCKED
    assert voting.locks.release_farewells() == []


def test_a_farewell_that_is_signed_for_a_bot_is_refused_at_once_and_not_kept() -> None:
    """Taken later, it would be refused where nobody answers for it."""
    voting = sits_blocked()
    has_bot(voting.ledger, OTHER, keeper=THIRD)
    assert stance(voting) is Stance.BLOCKED
    with pytest.raises(Forged):
        hears(voting, says((1, 2)))
    assert voting.locks.release_farewells() == []


def test_a_leaver_is_taken_once_its_vote_of_that_round_is_known_and_another_one() -> None:
    voting = sits_blocked()
    farewell = says((1,))
    assert not hears(voting, farewell)
    tell(voting, OTHER, drop(there(), OTHER, (THIRD,), 1))
    assert stance(voting) is Stance.RELEASED
    assert voting.locks.release_farewells() == [farewell]


def test_a_vote_of_a_leaver_that_cannot_be_counted_shows_that_round_too() -> None:
    """It is on another past."""
    voting = sits_blocked()
    assert not hears(voting, says((1,)))
    head, choice = bytes(32), VoteChoice.DROP
    place = 0, HEIGHT
    tell(
        voting,
        OTHER,
        Vote.sign(SIGNERS[OTHER], genesis().id, place, head, OTHER, choice, (GONE,), 1),
    )
    assert stance(voting) is Stance.RELEASED


def test_the_same_vote_of_a_leaver_keeps_its_farewell_held_back() -> None:
    voting = sits_blocked()
    mine = voting.ledger.tally.votes_of(ME)[0]
    assert not hears(voting, says((1,)))
    tell(voting, OTHER, drop(there(), OTHER, mine.seats, 1))
    assert stance(voting) is Stance.BLOCKED


def test_a_leaver_ends_one_of_two_blocks_and_waits_for_the_other() -> None:
    voting = sits_blocked()
    voting.ledger.accept_vote(drop(there(), ME, (SLOW,), 2))
    farewell = says((2,))
    assert not hears(voting, farewell)
    assert voting.locks.forbids(Act.TAKE_ENTRY)
    tell(voting, OTHER, drop(there(), OTHER, (THIRD,), 2))
    assert not voting.locks.forbids(Act.TAKE_ENTRY)
    assert voting.locks.release_farewells() == [farewell]


def test_a_leaver_that_names_that_round_leaves_a_lock_as_it_is() -> None:
    voting = sitting(there(), ME)
    locked(voting)
    assert hears(voting, says((1,)))
    assert stance(voting) is Stance.LOCKED
    tell(voting, OTHER, drop(there(), OTHER, (THIRD,), 1))
    assert stance(voting) is Stance.RELEASED


# -- as good as a vote -----------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [(), (1,), (2,)])
def test_a_leaver_from_behind_does_not_end_a_block_of_votes_that_name_proofs(
    rounds: tuple[int, ...],
) -> None:
    voting = sits_blocked_by_a_proof()
    assert not hears(voting, says(rounds))
    assert stance(voting) is Stance.BLOCKED
    assert voting.locks.release_farewells() == []


def test_a_leaver_of_a_later_view_ends_a_block_of_votes_that_name_proofs() -> None:
    voting = sits_blocked_by_a_proof()
    assert hears(voting, says((1,), view=1, height=HEIGHT))
    assert stance(voting) is Stance.RELEASED


def test_a_blocked_seat_takes_the_farewell_that_its_certificate_lacks_alone() -> None:
    voting = sits_blocked_by_a_proof()
    farewell = says()
    assert not hears(voting, farewell)
    for voter in (SLOW, THIRD):
        assert voting.locks.release_farewells() == []
        count(voting.ledger, accuse(there(), voter, (GONE,), (GONE,)))
    assert voting.ledger.view == 0
    assert voting.locks.release_farewells() == [farewell]
    voting.ledger.accept_farewell(farewell)
    assert voting.ledger.view == 1


def test_a_blocked_seat_takes_the_farewell_that_a_vote_lacks_which_does_not_block_it() -> None:
    """Its vote against one cheat blocks it, and lacks the other cheat. Of that one something is
    missing here, so that the vote against both undoes nothing."""
    voting = sits_blocked_by_a_proof()
    convict(voting, voting.ledger.judge_proof(proof_against(SLOW)))
    assert voting.sign_accusation() is not None
    farewell = says()
    assert not hears(voting, farewell)
    assert stance(voting) is Stance.BLOCKED
    both = (GONE, SLOW)
    count(voting.ledger, accuse(there(), THIRD, both, both, 2))
    assert voting.locks.release_farewells() == [farewell]
    voting.ledger.accept_farewell(farewell)
    assert voting.ledger.view == 2


def proven(*voters: Seat) -> Ledger:
    """A copy with the votes of these against a cheat, each with the proof."""
    ledger = there()
    for voter in voters:
        count(ledger, accuse(there(), voter, (GONE,), (GONE,)))
    assert ledger.view == 0
    return ledger


def test_with_proofs_in_all_votes_a_leaver_from_behind_has_as_good_as_voted() -> None:
    ledger = proven(ME, SLOW, THIRD)
    ledger.accept_farewell(says())
    assert ledger.view == 1
    ledger = there()
    ledger.accept_farewell(says())
    for voter in (ME, SLOW, THIRD):
        assert ledger.view == 0
        count(ledger, accuse(there(), voter, (GONE,), (GONE,)))
    assert ledger.view == 1


def test_with_one_vote_that_names_no_proof_a_leaver_from_behind_has_not_voted() -> None:
    ledger = proven(ME, SLOW)
    ledger.accept_vote(drop(there(), THIRD, (GONE,), 1))
    ledger.accept_farewell(says())
    assert ledger.view == 0


def test_a_leaver_of_a_later_view_has_not_voted() -> None:
    ledger = proven(ME, SLOW, THIRD)
    ledger.accept_farewell(says(view=1, height=HEIGHT))
    assert ledger.view == 0


def test_a_certificate_that_a_farewell_completes_comes_before_its_stand_in() -> None:
    """The stand-in would close the third gather, and with it the way back to the first."""
    ledger = there()
    while ledger.chain.last_gather == HEIGHT or not isinstance(ledger.step, Gather):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    assert ledger.chain.gather_before_last == HEIGHT
    farewell = says(height=ledger.height)
    for seat in set(ledger.owing_seats()) - {OTHER}:
        ledger.accept_entry(owes(ledger, seat))
    for voter in (ME, SLOW, THIRD):
        count(ledger, accuse(there(), voter, (GONE,), (GONE,)))
    moved = ledger.accept_farewell(farewell)
    assert moved is not None
    assert [found.height for found in moved.dropped] == [HEIGHT]


# -- the proof -------------------------------------------------------------------------------


def pair(farewell: Farewell, vote: Vote) -> CheatProof:
    return CheatProof((farewell.signed, vote.signed))


def vote_of(view: int, round_: int) -> Vote:
    ledger = there()
    place, choice = (view, HEIGHT), VoteChoice.DROP
    return Vote.sign(
        SIGNERS[OTHER], genesis().id, place, ledger.head, OTHER, choice, (GONE,), round_
    )


@pytest.mark.parametrize(("view", "round_"), [(1, 1), (1, 3), (2, 2)])
def test_a_vote_that_a_farewell_does_not_name_is_a_proof_against_its_keeper(
    view: int, round_: int
) -> None:
    proof = pair(says((2,), view=1), vote_of(view, round_))
    assert there().judge_proof(proof).seat == OTHER


@pytest.mark.parametrize(("view", "round_"), [(1, 2), (0, 1), (0, 3)])
def test_a_vote_that_a_farewell_names_or_of_an_earlier_view_proves_nothing(
    view: int, round_: int
) -> None:
    with pytest.raises(Forged):
        there().judge_proof(pair(says((2,), view=1), vote_of(view, round_)))


def test_the_bodies_of_that_proof_have_one_order() -> None:
    proof = CheatProof((vote_of(0, 1).signed, says().signed))
    with pytest.raises(Forged):
        there().judge_proof(proof)


@pytest.mark.parametrize("comes_first", ["farewell", "vote"])
def test_whichever_comes_first_both_count_and_the_keeper_is_convicted(comes_first: str) -> None:
    """Copies that took one of them alone would find different certificates."""
    farewell, vote = says(), drop(there(), OTHER, (GONE,), 1)
    ledger: Ledger = there()
    voting = sitting(ledger, ME)
    if comes_first == "vote":
        tell(voting, OTHER, vote)
        assert hears(voting, farewell)
    else:
        assert hears(voting, farewell)
        moved = tell(voting, OTHER, vote)
        assert moved is not None
        assert [fault.seat for fault in moved.caught] == [OTHER]
    assert ledger.farewells[OTHER] == farewell
    assert ledger.tally.has_vote(vote)
