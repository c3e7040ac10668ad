"""Where a seat votes because of proofs: where others can join it, and no seat is waited for."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Early, equivocation
from kotp2p.game.steps import Gather
from kotp2p.game.vote_tally import MAX_LEADS, MAX_VOTES_PER_VIEW
from kotp2p.mesh.early_entries import EarlyEntries
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act
from kotp2p.votes.targets import MAX_VOTES_AT_HEIGHT, calls_for_earlier_vote, find_target
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.farewells import Farewell
from referee.model.answers import Pass, Reroll, Seat
from tests.support.five_players import (
    SIGNERS,
    accuse,
    at_a_decision,
    convict,
    count,
    drop,
    genesis,
    held,
    offence,
    others,
    out_of_turn,
    owes,
    proof_against,
    sitting,
    tell,
    two_answers,
)


def gone_on() -> tuple[Voting, Ledger, Seat]:
    """The first of the others has voted against a cheat, and has gone on since, as the second has
    left in a later view; a copy that stands there, and the cheat."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, leaver, *_ = others(cheat)
    voting = sitting(ledger, me)
    convict(voting, ledger.judge_proof(proof_against(cheat)))
    count(ledger, accuse(there, me, (cheat,), (cheat,)))
    view, height = ledger.place
    ledger.accept_farewell(Farewell.sign(SIGNERS[leaver], genesis().id, leaver, view + 1, height))
    ledger.accept_entry(owes(ledger, cheat))
    return voting, there, cheat


def standing() -> tuple[Voting, Ledger, Seat]:
    """The first of the others stands still behind one of the two answers of a cheat."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    answers = two_answers(ledger, cheat)
    ledger.accept_entry(answers[0])
    voting = sitting(ledger, others(cheat)[0])
    convict(voting, equivocation(*answers))
    voting.sign_accusation()
    assert voting.locks.forbids(Act.TAKE_ENTRY)
    return voting, there, cheat


def test_a_proof_at_the_lowest_height_that_votes_may_undo_is_not_left_for_a_later_one() -> None:
    """Seats that had heard of different proofs first would vote at different heights."""
    ledger, cheat = at_a_decision()
    floor = ledger.undo_floor
    assert floor < ledger.height
    place = genesis().id, ledger.view, floor, ledger.heads[floor]
    one, other = (
        Entry.sign(SIGNERS[cheat], *place, cheat, Answering(answer))
        for answer in (Pass(), Reroll((0,)))
    )
    known, new = equivocation(one, other), equivocation(*two_answers(ledger, cheat))
    assert calls_for_earlier_vote(ledger, known, new)
    assert not calls_for_earlier_vote(ledger, new, known)


@pytest.mark.parametrize(("theirs", "mine"), [(1, 1), (2, 1), (1, 2)])
def test_a_voter_that_has_gone_on_joins_a_wider_accusation_where_it_has_voted(
    theirs: int, mine: int
) -> None:
    """A farewell has opened its lock. A seat that is blocked there does not take it."""
    voting, there, cheat = gone_on()
    ledger, (me, leaver, other, _) = voting.ledger, others(cheat)
    both = tuple(sorted((cheat, leaver)))
    convict(voting, ledger.judge_proof(proof_against(leaver)))
    if mine > 1:
        count(ledger, accuse(there, me, (cheat,), (cheat,), mine))
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)
    tell(voting, leaver, accuse(there, leaver, (cheat,), (cheat,), 3))
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)
    tell(voting, other, accuse(there, other, both, both, theirs))
    assert find_target(voting.locks, voting.convicts) == (there.height, both)


def test_a_voter_that_has_gone_on_joins_the_same_accusation_in_a_later_round() -> None:
    voting, there, cheat = gone_on()
    _, _, other, _ = others(cheat)
    assert find_target(voting.locks, voting.convicts) == (voting.ledger.height, (cheat,))
    tell(voting, other, accuse(there, other, (cheat,), (cheat,), 3))
    assert find_target(voting.locks, voting.convicts) == (there.height, (cheat,))
    voting.sign_accusation()
    assert voting.ledger.tally.votes_of(voting.seat)[-1].matter == (there.height, 3, (cheat,))


@pytest.mark.parametrize("against_one", range(1, MAX_VOTES_AT_HEIGHT + 1))
def test_votes_against_one_cheat_leave_a_seat_its_votes_against_two(against_one: int) -> None:
    """The second has called for votes against the first, in round after round."""
    voting, there, cheat = gone_on()
    ledger, (me, second, other, last) = voting.ledger, others(cheat)
    both = tuple(sorted((cheat, second)))
    for round_ in range(2, against_one + 1):
        count(ledger, accuse(there, me, (cheat,), (cheat,), round_))
    convict(voting, ledger.judge_proof(proof_against(second)))
    proofs = [proof_against(seat) for seat in both]
    tell(voting, last, held(there, last, cheat, *proofs), *proofs)
    for round_ in range(10, 10 + MAX_VOTES_AT_HEIGHT):
        tell(voting, other, accuse(there, other, both, both, round_))
        assert find_target(voting.locks, voting.convicts) == (there.height, both)
        voting.sign_accusation()
        assert ledger.tally.votes_of(me)[-1].matter == (there.height, round_, both)
    tell(voting, other, accuse(there, other, both, both, 20))
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)


def test_with_nothing_left_to_say_at_a_height_the_vote_is_at_the_present_one() -> None:
    """A vote in a late round accuses a seat against which nothing is proven there."""
    voting, there, cheat = gone_on()
    ledger, (_, _, other, last) = voting.ledger, others(cheat)
    convict(voting, offence(ledger, last))
    both = tuple(sorted((cheat, last)))
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)
    tell(voting, other, accuse(there, other, both, (cheat,), 900))
    for _ in range(2 * MAX_VOTES_AT_HEIGHT):
        voting.sign_accusation()
    assert ledger.tally.votes_of(voting.seat)[-1].seats == both
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)


def test_with_only_convicts_missing_the_next_vote_is_where_they_are_convicted() -> None:
    """What the last of them has done, behind that place, proves nothing there."""
    voting, there, cheat = standing()
    ledger, (_, helper, *rest) = voting.ledger, others(cheat)
    for voter in rest:
        count(ledger, accuse(there, voter, (cheat,), (cheat,)))
    assert find_target(voting.locks, voting.convicts) == (there.height, (cheat,))
    convict(voting, offence(ledger, helper))
    both = tuple(sorted((cheat, helper)))
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)


def test_with_a_convict_missing_the_next_vote_is_against_it_too_where_it_is_convicted_there() -> (
    None
):
    """Elsewhere seats that stand on two pasts could not meet."""
    voting, there, cheat = standing()
    ledger, (me, second, *rest) = voting.ledger, others(cheat)
    for voter in rest:
        count(ledger, accuse(there, voter, (cheat,), (cheat,)))
    convict(voting, ledger.judge_proof(proof_against(second)))
    both = tuple(sorted((cheat, second)))
    assert find_target(voting.locks, voting.convicts) == (there.height, both)
    voting.sign_accusation()
    assert ledger.tally.votes_of(me)[-1].matter == (there.height, 2, both)


def test_a_seat_that_has_left_there_is_not_waited_for_beside_a_convict() -> None:
    voting, there, cheat = standing()
    ledger, (_, helper, leaver, last) = voting.ledger, others(cheat)
    ledger.accept_farewell(Farewell.sign(SIGNERS[leaver], genesis().id, leaver, *there.place))
    count(ledger, accuse(there, last, (cheat,), (cheat,)))
    convict(voting, offence(ledger, helper))
    both = tuple(sorted((cheat, helper)))
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)


def test_two_bodies_for_a_place_that_asked_another_call_for_no_vote_there() -> None:
    """Both came before that place was reached. Their author is out where it is asked."""
    ledger, asked = at_a_decision()
    me, rogue, *_ = others(asked)
    ahead = EarlyEntries(ledger)
    found = None
    for answer in (Pass(), Reroll((0,))):
        entry = out_of_turn(ledger, rogue, 1, answer)
        with pytest.raises(Early):
            ledger.accept_entry(entry)
        found = ahead.keep_entry(entry) or found
    assert found is not None
    forked = ledger.height + 1
    while not isinstance(ledger.step, Gather) or ledger.height <= forked:
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    assert ledger.undo_floor <= forked
    assert find_target(VoteLocks(ledger, me), {rogue: found}) == (ledger.height, (rogue,))


def test_no_seat_is_led_to_use_up_its_votes_about_one_matter() -> None:
    """Somebody votes about it in round after round; then all the others are convicted."""
    voting, there, cheat = standing()
    ledger, (me, other, *rest) = voting.ledger, others(cheat)
    for round_ in range(2, MAX_VOTES_PER_VIEW + 2):
        tell(voting, other, accuse(there, other, (cheat,), (cheat,), round_))
        voting.sign_accusation()
    assert len(ledger.tally.votes_of(me)) == 1 + MAX_LEADS
    for seat in (other, *rest):
        convict(voting, offence(ledger, seat))
    voting.sign_accusation()
    assert ledger.view > 0
    assert set(ledger.game.state.seats_alive()) == {me}


def test_a_late_vote_of_a_convict_without_a_proof_keeps_no_seat_at_a_height() -> None:
    voting, there, cheat = standing()
    ledger, (me, other, third, last) = voting.ledger, others(cheat)
    fork = voting.convicts[cheat].proof
    tell(voting, other, held(there, other, cheat, fork))
    voting.sign_accusation()
    assert ledger.tally.votes_of(me)[-1].height == ledger.height
    tell(voting, cheat, drop(there, cheat, (third,), 900))
    voting.sign_accusation()
    convict(voting, offence(ledger, last))
    both = tuple(sorted((cheat, last)))
    assert find_target(voting.locks, voting.convicts) == (ledger.height, both)


def gone_on_without_a_vote() -> tuple[Voting, Ledger, Seat]:
    """The first of the others has gone on behind a place, and learns of a proof; a copy that stands
    there, and the cheat."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    voting = sitting(ledger, others(cheat)[0])
    ledger.accept_entry(owes(ledger, cheat))
    convict(voting, ledger.judge_proof(proof_against(cheat)))
    return voting, there, cheat


def test_a_seat_votes_at_an_earlier_height_where_another_has_voted_with_proofs() -> None:
    """That one may see a fork there. It cannot count votes about a later height. The seat stays
    there until its vote has failed, or several would vote here and there in turn."""
    voting, there, cheat = gone_on_without_a_vote()
    assert find_target(voting.locks, voting.convicts) == (voting.ledger.height, (cheat,))
    other = others(cheat)[1]
    tell(voting, other, accuse(there, other, (cheat,), (cheat,)))
    assert find_target(voting.locks, voting.convicts) == (there.height, (cheat,))
    voting.sign_accusation()
    assert voting.ledger.tally.votes_of(voting.seat)[-1].matter == (there.height, 1, (cheat,))
    assert find_target(voting.locks, voting.convicts) == (there.height, (cheat,))
    third = others(cheat)[2]
    tell(voting, third, held(there, third, cheat, proof_against(cheat)))
    assert find_target(voting.locks, voting.convicts) == (voting.ledger.height, (cheat,))


def test_no_seat_goes_back_for_a_convict_or_for_a_vote_without_proofs() -> None:
    voting, there, cheat = gone_on_without_a_vote()
    _, other, convicted, _ = others(cheat)
    tell(voting, other, drop(there, other, (cheat,), 1))
    convict(voting, voting.ledger.judge_proof(proof_against(convicted)))
    tell(voting, convicted, accuse(there, convicted, (cheat,), (cheat,)))
    found = find_target(voting.locks, voting.convicts)
    assert found == (voting.ledger.height, tuple(sorted((cheat, convicted))))
