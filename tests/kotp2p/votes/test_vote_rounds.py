"""Votes in rounds: voters that change the accused, and what a vote forbids its signer."""

from __future__ import annotations

import pytest

from kotp2p.game.conviction import find_contradiction
from kotp2p.game.refusals import Cheat, Early, Forged, Stale, equivocation
from kotp2p.game.steps import Renewal
from kotp2p.game.vote_tally import MAX_ROUNDS_AHEAD
from kotp2p.peer.secrets import Secrets
from kotp2p.votes.held_entries import HeldEntries
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act
from kotp2p.votes.targets import calls_for_earlier_vote
from kotp2p.wire.entries import Answering, BodyKind, Entry
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import MAX_ROUND, Vote, VoteChoice
from referee.model.answers import Pass, Reroll
from tests.support.five_players import (
    PEOPLE,
    SEEDS,
    SIGNERS,
    accuse,
    at_a_decision,
    convict,
    count,
    drop,
    genesis,
    held,
    others,
    owes,
    sitting,
    tell,
    two_answers,
)
from tests.tools.vector_table import fill


def test_a_voter_against_two_may_accuse_one_of_them_when_the_other_is_back() -> None:
    ledger, gone = at_a_decision()
    back = (gone + 1) % PEOPLE
    both = tuple(sorted((gone, back)))
    for voter in others(gone, back)[:2]:
        count(ledger, drop(ledger, voter, both, 1))
    for voter in others(gone)[:-1]:
        assert ledger.next_round(voter, ledger.height, (gone,)) in (1, 2)
        moved = count(ledger, drop(ledger, voter, (gone,), 2))
        assert moved is not None
        assert not moved.dropped
    moved = count(ledger, drop(ledger, others(gone)[-1], (gone,), 2))
    assert moved is not None
    assert [c.seats for c in moved.dropped] == [(gone,)]
    assert ledger.view == 2
    assert back in ledger.game.state.seats_alive()


def test_votes_of_different_rounds_are_not_counted_together() -> None:
    ledger, gone = at_a_decision()
    voters = others(gone)
    for voter in voters[:-1]:
        count(ledger, drop(ledger, voter, (gone,), 1))
    moved = count(ledger, drop(ledger, voters[-1], (gone,), 2))
    assert moved is not None
    assert not moved.dropped
    assert ledger.next_round(voters[0], ledger.height, (gone,)) == 2


def test_half_of_the_live_keepers_put_out_nobody() -> None:
    ledger, gone = at_a_decision()
    for voter in others(gone):
        count(ledger, drop(ledger, voter, (gone,), 1))
    first, second, *accused = others(gone)
    for voter in (first, second):
        moved = count(ledger, drop(ledger, voter, tuple(accused), 1))
        assert moved is not None
        assert not moved.dropped
    assert ledger.view == 1


def test_a_voter_that_is_far_ahead_is_followed_step_by_step() -> None:
    ledger, gone = at_a_decision()
    first, second = others(gone)[:2]
    count(ledger, drop(ledger, first, (gone,), 2 * MAX_ROUNDS_AHEAD + 1))
    for round_ in (MAX_ROUNDS_AHEAD, 2 * MAX_ROUNDS_AHEAD, 2 * MAX_ROUNDS_AHEAD + 1):
        assert ledger.next_round(second, ledger.height, (gone,)) == round_
        count(ledger, drop(ledger, second, (gone,), round_))
    assert ledger.next_round(second, ledger.height, (gone,)) is None


def test_two_votes_in_one_round_contradict_each_other() -> None:
    ledger, gone = at_a_decision()
    voter, other = others(gone)[:2]
    one, two = drop(ledger, voter, (gone,), 1), drop(ledger, voter, (other,), 1)
    found = find_contradiction(one, two)
    assert found is not None
    assert found.seat == voter
    assert find_contradiction(one, drop(ledger, voter, (other,), 2)) is None
    assert find_contradiction(one, drop(ledger, voter, (gone,), 1)) is None
    assert find_contradiction(one, held(ledger, voter, gone)) is None  # forgotten at a restart


def test_a_vote_that_contradicts_another_convicts_its_seat_and_counts() -> None:
    """Others may have had it first, and have gone on with it."""
    ledger, gone = at_a_decision()
    me, cheat, other, *rest = others(gone)
    voting = sitting(ledger, me)
    tell(voting, cheat, drop(ledger, cheat, (other,), 1))
    for voter in (me, other, *rest):
        count(ledger, drop(ledger, voter, (gone,), 1))
    moved = tell(voting, cheat, drop(ledger, cheat, (gone,), 1))
    assert moved is not None
    assert [fault.seat for fault in moved.caught] == [cheat]
    assert [c.seats for c in moved.dropped] == [(gone,)]


def test_a_certificate_of_a_later_round_takes_the_place_of_an_earlier_one() -> None:
    """The accused of the later round had the earlier one alone."""
    ledger, gone = at_a_decision()
    slow = (gone + 1) % PEOPLE
    both = tuple(sorted((gone, slow)))
    for voter in others(gone):
        count(ledger, drop(ledger, voter, (gone,), 1))
    assert ledger.view == 1
    before, _ = at_a_decision()
    late = [drop(before, voter, both, 2) for voter in others(gone, slow)]
    for vote in late[:-1]:
        moved = count(ledger, vote)
        assert moved is not None
        assert not moved.dropped
    moved = count(ledger, late[-1])
    assert moved is not None
    assert moved.rewound
    assert [c.seats for c in moved.dropped] == [both]
    assert ledger.view == 2
    assert set(ledger.game.state.seats_alive()) == set(others(gone, slow))


def test_once_the_renewal_has_closed_no_other_certificate_takes_its_place() -> None:
    ledger, gone = at_a_decision()
    both = tuple(sorted((gone, (gone + 1) % PEOPLE)))
    before, _ = at_a_decision()
    for voter in others(gone):
        count(ledger, drop(ledger, voter, (gone,), 1))
    for seat in ledger.owing_seats():
        ledger.accept_entry(owes(ledger, seat))
    assert not isinstance(ledger.step, Renewal)
    with pytest.raises(Stale):
        count(ledger, drop(before, others(*both)[0], both, 2))
    assert ledger.view == 1


def test_an_entry_of_the_accused_is_locked_out_until_another_keeper_shows_that_it_had_it() -> None:
    ledger, gone = at_a_decision()
    me, other = others(gone)[:2]
    locks = VoteLocks(ledger, me)
    waiting = HeldEntries(locks)
    answer = owes(ledger, gone)
    assert not waiting.hold_back(answer)
    count(ledger, drop(ledger, me, (gone,), 1))
    assert waiting.hold_back(answer)
    assert waiting.release() == []
    waiting.hold_back(answer)
    locks.shown.note_objection(held(ledger, other, gone))
    assert waiting.release() == [answer]


def test_a_keeper_that_leaves_after_its_objection_does_not_lock_the_vote_again() -> None:
    ledger, gone = at_a_decision()
    me, other = others(gone)[:2]
    locks = VoteLocks(ledger, me)
    count(ledger, drop(ledger, me, (gone,), 1))
    locks.shown.note_objection(held(ledger, other, gone))
    ledger.accept_entry(owes(ledger, gone))
    assert not locks.forbids(Act.TAKE_ENTRY)
    view, height = ledger.place
    ledger.accept_farewell(Farewell.sign(SIGNERS[other], genesis().id, other, view, height))
    while other in ledger.game.state.seats_alive():
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    assert not locks.forbids(Act.TAKE_ENTRY)


def test_a_vote_against_a_farewell_that_stands_in_blocks_its_signer() -> None:
    """Two farewells: what others have gone on with is not known."""
    ledger, gone = at_a_decision()
    before, _ = at_a_decision()
    me, other = others(gone)[:2]
    view, height = ledger.place
    one, two = (
        Farewell.sign(SIGNERS[gone], genesis().id, gone, view, height + later) for later in (0, 1)
    )
    ledger.accept_farewell(one)
    assert ledger.height > height
    locks = VoteLocks(ledger, me)
    assert not locks.forbids(Act.TAKE_ENTRY)
    proof = CheatProof((one.signed, two.signed))
    vote = Vote.sign(
        SIGNERS[me],
        genesis().id,
        before.place,
        before.head,
        me,
        VoteChoice.DROP,
        (gone,),
        1,
        (proof.id,),
    )
    ledger.accept_proof(proof)
    count(ledger, vote)
    assert locks.forbids(Act.TAKE_ENTRY)
    locks.shown.note_objection(held(before, other, gone, proof))
    assert not locks.forbids(Act.TAKE_ENTRY)


def test_a_blocked_seat_sees_what_contradicts_an_entry_that_it_has() -> None:
    """Others stand where the other entry led, and vote about that place."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me = others(cheat)[0]
    taken, other = two_answers(ledger, cheat)
    ledger.accept_entry(taken)
    locks = VoteLocks(ledger, me)
    waiting = HeldEntries(locks)
    count(ledger, accuse(there, me, (cheat,), (cheat,)))
    assert locks.forbids(Act.TAKE_ENTRY)
    assert not waiting.hold_back(other)
    with pytest.raises(Cheat):
        ledger.accept_entry(other)
    assert waiting.hold_back(owes(ledger, ledger.owing_seats()[0]))


def test_an_entry_of_another_game_is_not_kept_for_later() -> None:
    ledger, gone = at_a_decision()
    me = others(gone)[0]
    locks = VoteLocks(ledger, me)
    waiting = HeldEntries(locks)
    count(ledger, drop(ledger, me, (gone,), 1))
    right = owes(ledger, gone)
    view, height = ledger.place
    other = Entry.sign(SIGNERS[gone], fill(0x77), view, height, ledger.head, gone, right.payload)
    assert waiting.hold_back(other)
    locks.shown.note_objection(held(ledger, others(gone)[1], gone))
    assert waiting.release() == []


def test_a_blocked_seat_keeps_no_entry_of_another_view_back() -> None:
    """The ledger says of it that something is missing, and that is asked for."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, other = others(cheat)[:2]
    ledger.accept_entry(owes(ledger, cheat))
    locks = VoteLocks(ledger, me)
    waiting = HeldEntries(locks)
    count(ledger, accuse(there, me, (cheat,), (cheat,)))
    assert locks.forbids(Act.TAKE_ENTRY)
    right, place = owes(ledger, other), (ledger.height, ledger.head)
    later = Entry.sign(SIGNERS[other], genesis().id, 1, *place, other, right.payload)
    assert waiting.hold_back(right)
    assert not waiting.hold_back(later)


def test_votes_because_of_a_proof_and_of_an_absence_are_about_one_matter() -> None:
    """A seat told two things, another has gone, and all want to go on without both."""
    ledger, cheat = at_a_decision()
    answer, other = two_answers(ledger, cheat)
    fault = equivocation(answer, other)
    height = ledger.height
    ledger.accept_entry(answer)
    me, gone, *rest = others(cheat)
    voting = sitting(ledger, me)
    convict(voting, fault)
    voting.intents.open_vote = tuple(sorted((cheat, gone)))
    for seat in (me, *rest):
        word = Intent.sign(
            SIGNERS[seat],
            genesis().id,
            seat,
            1,
            IntentKind.DROP,
            ledger.place,
            voting.intents.open_vote,
        )
        voting.intents.newest[seat] = word
    for _ in range(3):
        voting.sign_accusation()
        voting.sign_agreed_drop()
    assert [vote.matter for vote in ledger.tally.votes_of(me)] == [
        (height, 1, voting.intents.open_vote)
    ]


def test_of_two_proofs_against_one_seat_that_of_the_earlier_height_counts() -> None:
    """A seat with another proof votes there, too: all must vote about one matter."""
    ledger, cheat = at_a_decision()
    answer, other = two_answers(ledger, cheat)
    fork = equivocation(answer, other)
    height = ledger.height
    ledger.accept_entry(answer)
    later = ledger.height
    hand = Secrets(ledger, cheat, SIGNERS[cheat], SEEDS[cheat])
    with pytest.raises(Cheat) as illegal:
        ledger.accept_entry(hand.sign_entry(Answering(Reroll((0, 17)))))
    assert calls_for_earlier_vote(ledger, fork, illegal.value)
    assert not calls_for_earlier_vote(ledger, illegal.value, fork)
    assert not calls_for_earlier_vote(ledger, fork, fork)
    assert later > height


def test_a_keeper_that_has_voted_so_opens_no_lock() -> None:
    ledger, gone = at_a_decision()
    me, other = others(gone)[:2]
    locks = VoteLocks(ledger, me)
    waiting = HeldEntries(locks)
    count(ledger, drop(ledger, me, (gone,), 1))
    locks.shown.note_objection(held(ledger, other, gone))
    count(ledger, drop(ledger, other, (gone,), 1))
    assert waiting.hold_back(owes(ledger, gone))


def test_a_vote_with_a_proof_that_proves_nothing_is_refused() -> None:
    ledger, gone = at_a_decision()
    voter = others(gone)[0]
    right = owes(ledger, gone)
    nothing = CheatProof((right.signed,))
    with pytest.raises(Forged):
        ledger.accept_proof(nothing)
    vote = Vote.sign(
        SIGNERS[voter], genesis().id, ledger.place, ledger.head, voter, VoteChoice.DROP, (gone,), 1,
        (nothing.id,),
    )  # fmt: skip
    with pytest.raises(Early):
        count(ledger, vote)
    assert ledger.tally.all_votes() == []


@pytest.mark.parametrize("convicted", [1, 3, 4])
def test_proofs_leave_one_honest_seat_enough(convicted: int) -> None:
    """Two answers for one place convict; with the proofs all others must agree, however few."""
    ledger, first = at_a_decision()
    cheats = tuple(sorted((first + n) % PEOPLE for n in range(convicted)))
    proofs = tuple(
        CheatProof(
            tuple(
                Entry.sign(
                    SIGNERS[seat], genesis().id, 0, 0, genesis().id, seat, Answering(answer)
                ).signed
                for answer in (Pass(), Reroll((0,)))
            )
        )
        for seat in cheats
    )
    for proof in proofs:
        ledger.accept_proof(proof)
    voters = others(*cheats)
    for n, voter in enumerate(voters):
        vote = Vote.sign(
            SIGNERS[voter], genesis().id, ledger.place, ledger.head, voter, VoteChoice.DROP, cheats,
            1, [proof.id for proof in proofs],
        )  # fmt: skip
        moved = count(ledger, vote)
        assert moved is not None
        assert {fault.seat for fault in moved.caught} == set(cheats)
        assert bool(moved.dropped) == (n == len(voters) - 1)
    assert set(ledger.game.state.seats_alive()) == set(voters)


def test_a_keeper_follows_no_round_above_the_last() -> None:
    """A cheat raises the rounds as far as others follow at once, again and again."""
    ledger, gone = at_a_decision()
    me, other = others(gone)[:2]
    tally = ledger.tally
    tally.add_vote(drop(ledger, me, (gone,), MAX_ROUND - 1), {})
    tally.add_vote(drop(ledger, other, (gone,), MAX_ROUND), {})
    assert ledger.next_round(me, ledger.height, (gone,)) == MAX_ROUND
    tally.add_vote(drop(ledger, me, (gone,), MAX_ROUND), {})
    assert ledger.next_round(me, ledger.height, (other,)) is None


def test_a_flood_of_votes_hides_no_vote_of_another_from_a_seat_that_asks() -> None:
    """A link gets a bounded number of bodies at once."""
    ledger, gone = at_a_decision()
    cheat, honest, *_ = others(gone)
    for round_ in range(1, 9):
        count(ledger, drop(ledger, cheat, (gone, others(gone)[-1]), round_))
    count(ledger, drop(ledger, honest, (gone,), 1))
    sent = [s for s in ledger.bodies_since(ledger.height) if s.kind is BodyKind.VOTE]
    votes = [Vote.parse(signed, genesis().id) for signed in sent]
    assert [(vote.seat, vote.round) for vote in votes[:3]] == [(cheat, 8), (honest, 1), (cheat, 7)]
    assert len(votes) == 9


def test_a_proof_that_several_votes_name_is_sent_once_before_them() -> None:
    ledger, asked = at_a_decision()
    for voter in others(asked)[:2]:
        count(ledger, accuse(ledger, voter, (asked,), (asked,)))
    kinds = [signed.kind for signed in ledger.bodies_since(ledger.height)]
    assert kinds == [BodyKind.CHEAT_PROOF, BodyKind.VOTE, BodyKind.VOTE]
