"""The table of stances, walked on real ledgers: each transition, and what each stance forbids."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kotp2p.game.chain import Chain
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import equivocation
from kotp2p.game.steps import Finished
from kotp2p.membership.closing import GameClosing
from kotp2p.mesh.effects import AppendRecord, AskDecision, WithdrawQuestion
from kotp2p.mesh.newest_heads import NewestHeads
from kotp2p.peer.peer import Peer
from kotp2p.seat_view import SeatView
from kotp2p.votes.stances import FORBIDDEN, STANCES, Act, Stance, VoteEvent
from kotp2p.votes.voting import Voting
from kotp2p.wire.closings import End
from kotp2p.wire.entries import Answering, BodyKind, Entry
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Pass
from tests.support.five_players import (
    PEOPLE,
    SEEDS,
    SIGNERS,
    at_a_decision,
    convict,
    drop,
    genesis,
    held,
    others,
    owes,
    proof_against,
    sitting,
    tell,
)
from tests.support.hearing import hear_frame
from tests.support.stance_walks import (
    GONE,
    HEIGHT,
    ME,
    OTHER,
    SLOW,
    STATES,
    THIRD,
    Way,
    agree,
    all_vote,
    ask_for,
    blocked,
    blocked_and_locked,
    blocked_twice,
    blocked_with_both_taken,
    free,
    freed_of_its_pledge,
    holding,
    learn_proof,
    leave,
    locked,
    locked_by_two,
    locked_twice,
    pledged,
    pledged_twice,
    released,
    stance,
    take,
    there,
    try_to_agree,
)
from tests.support.state_walks import transitions

# -- the transitions -----------------------------------------------------------------------


def object_for_slow(voting: Voting) -> None:
    ask_for(voting, SLOW, GONE)


def object_beside_a_vote(voting: Voting) -> None:
    ask_for(voting, THIRD, SLOW)


def vote_against_gone(voting: Voting) -> None:
    agree(voting, GONE)


def vote_against_slow(voting: Voting) -> None:
    agree(voting, SLOW)


def vote_against_both(voting: Voting) -> None:
    agree(voting, GONE, SLOW)


def undo_gone(voting: Voting) -> None:
    learn_proof(voting, GONE)


def undo_slow(voting: Voting) -> None:
    learn_proof(voting, SLOW)


def gone_leaves(voting: Voting) -> None:
    leave(voting, GONE)


def gone_answers(voting: Voting) -> None:
    """Of all that have not voted yet nothing is heard."""
    for seat in voting.locks.shown.keepers_waited_for(voting.ledger.tally.votes_of(ME)[-1]):
        voting.clocks.gone_since[seat] = 0.0
    take(voting, GONE)


def other_objects(voting: Voting) -> None:
    tell(voting, OTHER, held(there(), OTHER, GONE))


def other_objects_to_the_proof(voting: Voting) -> None:
    tell(voting, OTHER, held(there(), OTHER, GONE, proof_against(GONE)))


def other_objects_for_slow(voting: Voting) -> None:
    tell(voting, OTHER, held(there(), OTHER, SLOW))


def certificate(voting: Voting) -> None:
    all_vote(voting, 1, GONE)
    assert voting.ledger.view == 1


def later_certificate(voting: Voting) -> None:
    all_vote(voting, 2, GONE, SLOW)
    assert voting.ledger.view == 2


def voted_out(voting: Voting) -> None:
    """A certificate can come without a vote of this seat only if this seat is among the accused."""
    all_vote(voting, 4, ME)
    assert voting.ledger.view == 4


def other_votes_after_all(voting: Voting) -> None:
    tell(voting, OTHER, drop(there(), OTHER, (GONE,), 1))


def gone_is_heard_and_other_votes_after_all(voting: Voting) -> None:
    take(voting, GONE)
    other_votes_after_all(voting)


def other_votes_for_the_later_round(voting: Voting) -> None:
    tell(voting, OTHER, drop(there(), OTHER, (GONE, SLOW), 2))


def slow_objects_to_the_proof(voting: Voting) -> None:
    """The first vote needs this keeper; the second accuses it."""
    tell(voting, SLOW, held(there(), SLOW, GONE, proof_against(GONE)))


S, E = Stance, VoteEvent
WALKS: dict[tuple[Stance, VoteEvent], tuple[Way, Way]] = {
    (S.FREE, E.SIGNS_OBJECTION): (free, object_for_slow),
    (S.FREE, E.SIGNS_DROP): (free, vote_against_gone),
    (S.FREE, E.SIGNS_DROP_TO_UNDO): (free, undo_gone),
    (S.FREE, E.VIEW_ENDS): (free, voted_out),
    (S.FREE, E.VOTE_COUNTS_AGAIN): (freed_of_its_pledge, other_votes_for_the_later_round),
    (S.HOLDING, E.SIGNS_OBJECTION): (holding, object_for_slow),
    (S.HOLDING, E.SIGNS_DROP): (holding, vote_against_gone),
    (S.HOLDING, E.SIGNS_DROP_TO_UNDO): (holding, undo_gone),
    (S.HOLDING, E.VIEW_ENDS): (holding, voted_out),
    (S.LOCKED, E.SIGNS_OBJECTION): (locked, object_for_slow),
    (S.LOCKED, E.SIGNS_DROP): (locked, vote_against_both),
    (S.LOCKED, E.SIGNS_DROP_TO_UNDO): (locked, undo_slow),
    (S.LOCKED, E.ACCUSED_LEAVE): (locked_by_two, gone_leaves),
    (S.LOCKED, E.ACCUSED_ANSWER): (locked, gone_answers),
    (S.LOCKED, E.VOTE_FAILS): (locked, other_objects),
    (S.LOCKED, E.VIEW_ENDS): (locked, certificate),
    (S.LOCKED, E.EARLIER_ROUND_WINS): (locked_twice, certificate),
    (S.BLOCKED, E.SIGNS_OBJECTION): (blocked, object_beside_a_vote),
    (S.BLOCKED, E.SIGNS_DROP): (blocked, vote_against_both),
    (S.BLOCKED, E.SIGNS_DROP_TO_UNDO): (blocked_with_both_taken, undo_slow),
    (S.BLOCKED, E.VOTE_FAILS): (blocked, other_objects_to_the_proof),
    (S.BLOCKED, E.VOTE_TO_UNDO_FAILS): (blocked_and_locked, slow_objects_to_the_proof),
    (S.BLOCKED, E.VIEW_ENDS): (blocked, certificate),
    (S.BLOCKED, E.EARLIER_ROUND_WINS): (blocked_twice, certificate),
    (S.RELEASED, E.SIGNS_OBJECTION): (released, object_beside_a_vote),
    (S.RELEASED, E.SIGNS_DROP): (released, vote_against_slow),
    (S.RELEASED, E.SIGNS_DROP_TO_UNDO): (released, undo_slow),
    (S.RELEASED, E.VOTE_COUNTS_AGAIN): (released, other_votes_after_all),
    (S.RELEASED, E.VOTE_UNDOES_AGAIN): (released, gone_is_heard_and_other_votes_after_all),
    (S.RELEASED, E.VIEW_ENDS): (released, voted_out),
    (S.PLEDGED, E.VOTE_FAILS): (pledged, other_objects_for_slow),
    (S.PLEDGED, E.EARLIER_ROUND_WINS): (pledged_twice, later_certificate),
    (S.PLEDGED, E.VIEW_ENDS): (pledged, later_certificate),
}


@pytest.mark.parametrize(("before", "event"), WALKS)
def test_each_event_leads_from_stance_to_stance_as_the_table_says(
    before: Stance, event: VoteEvent
) -> None:
    lead_there, happen = WALKS[before, event]
    voting = sitting(there(), ME)
    lead_there(voting)
    assert stance(voting) is before
    happen(voting)
    assert stance(voting) is STANCES.transitions[before][event]


def test_these_walks_are_all_transitions_of_the_table() -> None:
    assert set(WALKS) == transitions(STANCES)


# -- what each stance forbids ----------------------------------------------------------------


def may_vote_for_the_player(voting: Voting) -> bool:
    """Against a seat for which this one has objected there, unless it is free."""
    if stance(voting) is Stance.FREE:
        return try_to_agree(voting, THIRD)
    if stance(voting) is not Stance.HOLDING:
        ask_for(voting, THIRD, SLOW)
    # A blocked seat votes because of a proof: about more seats if all want that.
    convicts = tuple(voting.convicts)
    return try_to_agree(voting, *sorted({*convicts, THIRD}))


def may_take_entry_of_accused(voting: Voting) -> bool:
    if stance(voting) is Stance.BLOCKED:
        agree(voting, GONE, SLOW)
    mine = [v for v in voting.ledger.tally.votes_of(ME) if v.height == HEIGHT]
    accused = mine[-1].seats[-1] if mine else SLOW
    return not voting.held_entries.hold_back(owes(voting.ledger, accused))


def may_take_entry(voting: Voting) -> bool:
    return not voting.held_entries.hold_back(owes(voting.ledger, OTHER))


def may_take_farewell_from_behind(voting: Voting) -> bool:
    """Of a keeper that may have voted so."""
    rounds = {vote.round for vote in voting.ledger.tally.votes_of(ME)}
    behind = Farewell.sign(SIGNERS[OTHER], genesis().id, OTHER, 0, HEIGHT + 1, sorted(rounds))
    return not voting.locks.hold_back_farewell(behind)


def may_sign_drop(voting: Voting) -> bool:
    return try_to_agree(voting, *sorted({*voting.convicts, SLOW}))


def may_sign_end(voting: Voting) -> bool:
    ledger = voting.ledger
    view = SeatView(ME, genesis().players, ledger.game, "")
    closing = GameClosing.for_seat(NewestHeads(voting.intake.gossip), view, voting)
    ledger.chain.step = Finished((ME,))
    with pytest.MonkeyPatch.context() as patch:
        end = End(ledger.height, ledger.head, (ME,), bytes(32))
        patch.setattr(Chain, "build_end", lambda _: end)
        patch.setattr(Ledger, "electorates", lambda _: [set(range(PEOPLE))])
        assert closing.close_game(0.0) is None
    return closing.confirmation() is not None


PROBES: dict[Act, Callable[[Voting], bool]] = {
    Act.VOTE_FOR_THE_PLAYER: may_vote_for_the_player,
    Act.TAKE_ENTRY_OF_ACCUSED: may_take_entry_of_accused,
    Act.TAKE_ENTRY: may_take_entry,
    Act.TAKE_FAREWELL_FROM_BEHIND: may_take_farewell_from_behind,
    Act.SIGN_DROP: may_sign_drop,
    Act.SIGN_END: may_sign_end,
}


CASES = [
    (held_stance, act)
    for held_stance in Stance
    for act in PROBES
    # A pledged seat signs no vote at all: `SIGN_DROP`.
    if (held_stance, act) != (Stance.PLEDGED, Act.VOTE_FOR_THE_PLAYER)
]


@pytest.mark.parametrize(("held_stance", "act"), CASES)
def test_a_stance_forbids_what_the_table_says_and_nothing_else(
    held_stance: Stance, act: Act
) -> None:
    voting = sitting(there(), ME)
    STATES[held_stance](voting)
    assert stance(voting) is held_stance
    assert PROBES[act](voting) == (act not in FORBIDDEN[held_stance])


@pytest.mark.parametrize("held_stance", Stance)
def test_a_peer_signs_what_it_owes_where_its_stance_does_not_forbid_it(held_stance: Stance) -> None:
    peer = Peer(genesis(), ME, SIGNERS[ME], SEEDS[ME])
    peer.follower.begin(0.0)
    STATES[held_stance](peer._voting)
    assert stance(peer._voting) is held_stance
    peer.take_effects()
    peer.tick(1.0)
    records = [e.signed for e in peer.take_effects() if isinstance(e, AppendRecord)]
    entries = [signed for signed in records if signed.kind is BodyKind.PLAY]
    assert bool(entries) == (Act.SIGN_ENTRY not in FORBIDDEN[held_stance])


def test_every_act_of_the_table_is_tried_here() -> None:
    assert set(PROBES) | {Act.SIGN_ENTRY} == set(Act)


def test_a_pledged_seat_signs_no_accusation() -> None:
    voting = sitting(there(), ME)
    pledged(voting)
    convict(voting, voting.ledger.judge_proof(proof_against(OTHER)))
    assert voting.sign_accusation() is None
    other_objects_for_slow(voting)
    assert stance(voting) is Stance.FREE
    assert voting.sign_accusation() is not None


def test_a_reply_of_the_front_is_dropped_where_a_vote_has_blocked_its_seat_meanwhile() -> None:
    """Once the vote has come to nothing, the front is asked anew."""
    ledger, me = at_a_decision()
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.follower.begin(0.0)
    cheat, other = others(me)[:2]
    peer.link_up(other, 0.0)
    place, gather = ledger.place, ledger.chain.last_gather
    taken = ledger.chain.find_entry(gather, cheat)
    assert taken is not None
    head = ledger.heads[gather]
    forked = Entry.sign(SIGNERS[cheat], genesis().id, 0, gather, head, cheat, Answering(Pass()))
    proof = equivocation(taken, forked).proof
    (asked,) = [e for e in peer.take_effects() if isinstance(e, AskDecision)]
    hear_frame(peer, other, proof.signed, 1.0)
    assert WithdrawQuestion() in peer.take_effects()
    peer.accept_answer(place, asked.decision.default, 1.0)
    assert ledger.place == place
    refusal = Vote.sign(
        SIGNERS[other], genesis().id, (0, gather), head, other, VoteChoice.HELD, (cheat,),
        proofs=[proof.id],
    )  # fmt: skip
    hear_frame(peer, other, refusal.signed, 1.0)
    assert asked in peer.take_effects()
    peer.accept_answer(place, asked.decision.default, 1.0)
    assert ledger.height > place[1]
