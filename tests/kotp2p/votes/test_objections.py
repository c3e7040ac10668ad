"""Objections: what is answered to a vote against the author of an entry, and what that opens."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Forged, equivocation
from kotp2p.game.vote_tally import MAX_VOTES_PER_VIEW
from kotp2p.mesh.effects import SendFrame
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.reachability import Reachability
from kotp2p.votes.stances import Act
from kotp2p.votes.targets import is_passed_over
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from kotp2p.wishes.clocks import SeatClocks
from tests.support.five_players import (
    SIGNERS,
    accuse,
    answers_of,
    at_a_decision,
    beyond,
    convict,
    count,
    drop,
    genesis,
    go_beyond,
    held,
    intake,
    linked,
    others,
    owes,
    proof_against,
    sitting,
    tell,
    two_answers,
)


def at_a_fork() -> tuple[Voting, Ledger, Cheat]:
    """The first of the others has taken one of the two answers of a cheat; the place where both
    were given; and what they prove."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    answers = two_answers(ledger, cheat)
    ledger.accept_entry(answers[0])
    return sitting(ledger, others(cheat)[0]), there, equivocation(*answers)


def test_an_objection_opens_no_lock_of_a_vote_whose_proof_it_does_not_answer() -> None:
    """Its author may not have known the proof."""
    voting, there, fork = at_a_fork()
    ledger, cheat = voting.ledger, fork.seat
    me, other = others(cheat)[:2]
    tell(voting, other, held(there, other, cheat))
    convict(voting, fork)
    voting.sign_accusation()
    voting.sign_accusation()
    assert [v.height for v in ledger.tally.votes_of(me)] == [there.height]
    for proofs in ((), (proof_against(cheat),)):
        tell(voting, other, held(there, other, cheat, *proofs))
        assert voting.locks.forbids(Act.TAKE_ENTRY)
    tell(voting, other, held(there, other, cheat, fork.proof))
    assert not voting.locks.forbids(Act.TAKE_ENTRY)


def test_an_objection_opens_the_lock_of_a_vote_without_a_proof() -> None:
    ledger, gone = at_a_decision()
    me, other = others(gone)[:2]
    voting = sitting(ledger, me)
    count(ledger, accuse(ledger, me, (gone,), ()))
    assert voting.held_entries.hold_back(owes(ledger, gone))
    tell(voting, other, held(ledger, other, gone))
    assert not voting.held_entries.hold_back(owes(ledger, gone))


def test_after_a_vote_in_vain_at_a_fork_the_next_is_where_the_cheat_is_asked() -> None:
    """A keeper that is needed there has shown that it will not vote so."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, other = others(cheat)[:2]
    answer, forked = two_answers(ledger, cheat)
    fork = equivocation(answer, forked)
    ledger.accept_entry(answer)
    voting = sitting(ledger, me)
    convict(voting, fork)
    voting.sign_accusation()
    assert [v.height for v in ledger.tally.votes_of(me)] == [there.height]
    tell(voting, other, held(there, other, cheat, fork.proof))
    assert not voting.locks.forbids(Act.TAKE_ENTRY)
    voting.sign_accusation()
    assert [v.height for v in ledger.tally.votes_of(me)] == [there.height, ledger.height]


def test_all_vote_at_a_fork_though_each_objected_before_it_knew_the_proof() -> None:
    """A vote without a proof comes just before, and all show what they have of the cheat."""
    copies, (there, cheat) = {}, at_a_decision()
    answers = two_answers(there, cheat)
    fork = equivocation(*answers)
    idle, *voters = others(cheat)
    for n, seat in enumerate(voters):
        ledger, _ = at_a_decision()
        ledger.accept_entry(answers[n % 2])
        copies[seat] = sitting(ledger, seat)
    empty = drop(there, idle, (cheat,), 1)
    for voting in copies.values():
        tell(voting, idle, empty)
        for seat in set(voters) - {voting.seat}:
            tell(voting, seat, held(there, seat, cheat))
        convict(voting, fork)
        voting.sign_accusation()
    votes = {seat: copies[seat].ledger.tally.votes_of(seat)[-1] for seat in voters}
    assert {vote.place for vote in votes.values()} == {there.place}
    votes[idle] = accuse(there, idle, (cheat,), (cheat,))
    for voting in copies.values():
        for seat, vote in votes.items():
            tell(voting, seat, vote)
    assert {voting.ledger.place for voting in copies.values()} == {(1, there.height + 1)}
    assert len({voting.ledger.head for voting in copies.values()}) == 1


def test_a_proof_is_acted_on_before_any_vote_that_names_it_counts() -> None:
    """Others would take the silence of this seat for a refusal."""
    ledger, cheat = at_a_decision()
    other = others(cheat)[1]
    voting = sitting(ledger, others(cheat)[0])
    fault = voting.intake.proofs.receive_proof(other, proof_against(cheat).signed, ())
    assert fault is not None
    assert fault.seat == cheat
    assert ledger.tally.all_votes() == []


@pytest.mark.parametrize("proven", [True, False])
def test_a_voter_that_has_come_further_since_objects_for_the_others(proven: bool) -> None:
    """They have voted in a later round, and need a vote that it will not give."""
    own, asked = at_a_decision()
    there, _ = at_a_decision()
    me, other = others(asked)[:2]
    voting = sitting(own, me)
    mine = accuse(there, me, (asked,), (asked,) if proven else ())
    count(own, mine)
    own.accept_entry(owes(own, asked))
    tell(voting, other, accuse(there, other, (asked,), (asked,), 2))
    assert voting.locks.objected == set()
    go_beyond(own, there.height)
    voting.objections.answer_votes()
    assert voting.locks.objected == {(*there.place, asked)}


def test_a_farewell_is_shown_to_the_voters_against_its_seat() -> None:
    ledger, gone = at_a_decision()
    me, other = others(gone)[:2]
    gossip = Gossip(ledger, Reachability(me))
    gossip.reachability.add_link(other, 0.0)
    voting = Voting(ledger, intake(ledger, gossip), SeatClocks(Clocks()), me, SIGNERS[me], {})
    count(ledger, drop(ledger, other, (gone,), 1))
    voting.objections.answer_votes()
    assert gossip.effects == []
    place = ledger.place
    farewell = Farewell.sign(SIGNERS[gone], genesis().id, gone, *place)
    ledger.accept_farewell(farewell)
    for _ in range(2):
        voting.objections.answer_votes()
    shown, told = gossip.effects
    assert shown == SendFrame(other, farewell.signed)
    assert isinstance(told, SendFrame)
    assert isinstance(told.frame, Signed)
    vote = Vote.parse(told.frame, genesis().id)
    assert (vote.choice, vote.seats, vote.place) == (VoteChoice.HELD, (gone,), place)


def test_a_vote_of_an_earlier_round_is_counted_and_objected_to() -> None:
    """The voter stands at a place that others have left long ago."""
    ledger, gone = at_a_decision()
    before, _ = at_a_decision()
    me, other = others(gone)[:2]
    voting = sitting(ledger, me)
    ledger.accept_entry(owes(ledger, gone))
    count(ledger, drop(ledger, me, (gone,), 2))
    assert tell(voting, other, drop(before, other, (gone,), 1)) is not None
    voting.objections.answer_votes()
    assert voting.locks.objected == {(*before.place, gone)}


def test_an_objection_is_repeated_after_a_restart() -> None:
    """All may have been away, and no log holds objections."""
    (ledger, gone), (before, _) = at_a_decision(), at_a_decision()
    me, other = others(gone)[:2]
    count(ledger, drop(ledger, other, (gone,), 1))
    place = ledger.place
    ledger.accept_entry(owes(ledger, gone))
    back = sitting(ledger, me)
    back.objections.answer_votes()
    (shown,) = [Vote.parse(s, genesis().id) for s in back.bodies_for_new_link()]
    assert (shown.choice, shown.place, shown.seats) == (VoteChoice.HELD, place, (gone,))
    convict(back, equivocation(*two_answers(before, gone)))
    assert back.bodies_for_new_link() == []  # it is about to vote there itself
    back.convicts.clear()
    voter = sitting(ledger, other)
    assert voter.locks.forbids(Act.TAKE_ENTRY)
    assert voter.bodies_for_new_link() == []
    tell(voter, me, shown)
    assert not voter.locks.forbids(Act.TAKE_ENTRY)
    assert voter.bodies_for_new_link() == back.bodies_for_new_link()


def test_a_keeper_that_left_behind_that_place_is_not_waited_for_to_undo_a_fork() -> None:
    """They have objected before the proof came, and cannot answer any more."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, leaver, *rest = others(cheat)
    answers = two_answers(ledger, cheat)
    ledger.accept_entry(answers[0])
    voting = sitting(ledger, me)
    tell(voting, leaver, held(there, leaver, cheat))
    ledger.accept_farewell(Farewell.sign(SIGNERS[leaver], genesis().id, leaver, *ledger.place))
    convict(voting, equivocation(*answers))
    voting.sign_accusation()
    for seat in rest:
        assert ledger.view == 0
        count(ledger, accuse(there, seat, (cheat,), (cheat,)))
    assert ledger.view == 1


def test_a_farewell_at_that_place_is_as_good_as_a_vote() -> None:
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    leaver, *voters = others(cheat)
    ledger.accept_farewell(Farewell.sign(SIGNERS[leaver], genesis().id, leaver, *there.place))
    for voter in voters:
        count(ledger, accuse(there, voter, (cheat,), (cheat,)))
    assert ledger.view == 1


def test_a_seat_that_must_answer_many_votes_answers_ours_all_the_same() -> None:
    """A cheat sends one vote after the other, of another past and with proofs of nothing."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, holder, mallory = others(cheat)[:3]
    answers = two_answers(ledger, cheat)
    ledger.accept_entry(answers[0])
    voter = sitting(ledger, me)
    keeper = linked(beyond(there.height), holder, me)
    told = []
    for n in range(2 * MAX_VOTES_PER_VIEW):
        nothing = CheatProof((Signed(BodyKind.PLAY, bytes((n,)) * 100, bytes(64)),))
        vote = Vote.sign(
            SIGNERS[mallory], genesis().id, there.place, bytes(32), mallory,
            VoteChoice.DROP, (cheat,), n + 1, (nothing.id,),
        )  # fmt: skip
        tell(keeper, mallory, vote)
        told += answers_of(keeper)
    assert len(told) == MAX_VOTES_PER_VIEW
    assert {vote.proofs for vote in told} == {()}
    for n in range(2 * MAX_VOTES_PER_VIEW):  # and one that answers so itself
        tell(
            voter,
            holder,
            held(there, holder, cheat, *(proof_against(s) for s in range(n % 5))),
        )
    convict(voter, equivocation(*answers))
    voter.sign_accusation()
    mine = voter.ledger.tally.votes_of(me)[-1]
    assert voter.locks.forbids(Act.TAKE_ENTRY)
    tell(keeper, me, mine, equivocation(*answers).proof)
    (answer,) = answers_of(keeper)
    assert answer.proofs == mine.proofs
    tell(voter, holder, answer)
    assert not voter.locks.forbids(Act.TAKE_ENTRY)


def test_a_held_counts_for_our_vote_however_many_its_seat_has_sent() -> None:
    voting, there, fork = at_a_fork()
    cheat = fork.seat
    _, holder = others(cheat)[:2]
    for n in range(MAX_VOTES_PER_VIEW):
        nothing = CheatProof((Signed(BodyKind.PLAY, bytes((n,)) * 100, bytes(64)),))
        tell(voting, holder, held(there, holder, cheat, nothing))
    convict(voting, fork)
    voting.sign_accusation()
    late = held(there, holder, cheat, proof_against(cheat))
    tell(voting, holder, late)
    assert late not in voting.locks.shown.heard[holder]
    assert voting.locks.forbids(Act.TAKE_ENTRY)
    tell(voting, holder, held(there, holder, cheat, fork.proof))
    assert not voting.locks.forbids(Act.TAKE_ENTRY)


def test_a_vote_that_cannot_be_counted_is_answered_again_on_a_new_link() -> None:
    there, cheat = at_a_decision()
    me, other = others(cheat)[:2]
    keeper = linked(beyond(there.height, 2), me, other)
    vote = accuse(there, other, (cheat,), (cheat,))
    for _ in range(2):
        tell(keeper, other, vote)
    assert [answer.proofs for answer in answers_of(keeper)] == [vote.proofs]
    keeper.objections.note_new_link(other)
    tell(keeper, other, vote)
    assert [answer.proofs for answer in answers_of(keeper)] == [vote.proofs]


def test_a_keeper_that_was_alive_there_answers_though_its_monster_is_out_since() -> None:
    there, cheat = at_a_decision()
    me, other = others(cheat)[:2]
    far = beyond(there.height)
    far.game.state.monsters[me].alive = False
    voting = linked(far, me, other)
    vote = accuse(there, other, (cheat,), (cheat,))
    tell(voting, other, vote)
    assert [answer.proofs for answer in answers_of(voting)] == [vote.proofs]


def test_a_vote_in_vain_is_repeated_where_another_accuses_more_by_proofs() -> None:
    """In the same round: its own vote could not become part of one certificate with that."""
    voting, there, fork = at_a_fork()
    cheat = fork.seat
    _, other, second = others(cheat)[:3]
    convict(voting, fork)
    voting.sign_accusation()
    tell(voting, second, held(there, second, cheat, fork.proof))
    assert is_passed_over(voting.locks, voting.convicts, (there.height, (cheat,)))
    both = tuple(sorted((cheat, second)))
    tell(voting, other, accuse(there, other, both, both))
    assert not is_passed_over(voting.locks, voting.convicts, (there.height, both))


def test_a_vote_that_names_a_proof_of_nothing_is_not_counted() -> None:
    ledger, cheat = at_a_decision()
    me, other = others(cheat)[:2]
    voting = sitting(ledger, me)
    agreeing = CheatProof((owes(ledger, cheat).signed,) * 2)
    bad = Vote.sign(
        SIGNERS[other], genesis().id, ledger.place, ledger.head, other,
        VoteChoice.DROP, (cheat,), 1, (agreeing.id,),
    )  # fmt: skip
    with pytest.raises(Forged):
        voting.intake.proofs.receive_proof(other, agreeing.signed, ())
    assert tell(voting, other, bad) is None
    assert ledger.tally.all_votes() == []


def test_a_relay_of_more_votes_of_a_cheat_than_are_counted_keeps_its_link() -> None:
    """The cheat has told others other ones. A relay of them has done nothing wrong."""
    ledger, cheat = at_a_decision()
    me, other = others(cheat)[:2]
    voting = sitting(ledger, me)
    for n in range(MAX_VOTES_PER_VIEW + 3):
        tell(voting, other, drop(ledger, cheat, (other,), n + 1))
    assert len(ledger.tally.votes_of(cheat)) == MAX_VOTES_PER_VIEW
