"""Pledges: a voter of a later round follows an earlier one, and signs nothing there yet."""

from __future__ import annotations

from kotp2p.membership.rejoin import OLDER_STOPS_SECONDS
from kotp2p.peer.peer import Peer
from kotp2p.votes.stances import Act
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Head
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import (
    PEOPLE,
    SEEDS,
    SIGNERS,
    accuse,
    at_a_decision,
    count,
    drop,
    genesis,
    held,
    others,
    owes,
    proof_against,
    sitting,
    tell,
    two_answers,
)
from tests.support.hearing import hear_frame


def pledged() -> tuple[Voting, Seat, Seat, Seat]:
    """A seat has voted against two in round 2, and follows the certificate of round 1 against the
    first of them. The others that round 2 needs, and the second accused seat."""
    ledger, gone = at_a_decision()
    slow = (gone + 1) % PEOPLE
    me, other, third = others(gone, slow)
    voting = sitting(ledger, me)
    before, _ = at_a_decision()
    count(ledger, drop(before, me, (gone,), 1))
    count(ledger, drop(before, me, tuple(sorted((gone, slow))), 2))
    for voter in (other, third, slow):
        tell(voting, voter, drop(before, voter, (gone,), 1))
    assert ledger.place == (1, before.height + 1)
    return voting, other, third, slow


def test_a_voter_of_a_later_round_follows_an_earlier_one_and_signs_nothing_there() -> None:
    voting, *_ = pledged()
    for act in (Act.SIGN_ENTRY, Act.SIGN_DROP, Act.SIGN_END):
        assert voting.locks.forbids(act)
    assert not voting.locks.forbids(Act.TAKE_ENTRY)


def test_a_pledge_binds_nobody_whose_others_are_all_proven_cheats() -> None:
    """One of them can withhold its vote for ever, and no honest seat is there to be misled."""
    voting, other, third, slow = pledged()
    for cheat in (other, third):
        voting.convicts[cheat] = voting.ledger.judge_proof(proof_against(cheat))
        assert voting.locks.forbids(Act.SIGN_ENTRY)
    voting.convicts[slow] = voting.ledger.judge_proof(proof_against(slow))
    assert not voting.locks.forbids(Act.SIGN_ENTRY)


def test_a_pledge_ends_when_a_needed_keeper_signs_in_the_new_view() -> None:
    voting, _, third, slow = pledged()
    ledger = voting.ledger
    ledger.accept_entry(owes(ledger, slow))  # nobody needs the vote of the accused
    assert voting.locks.forbids(Act.SIGN_ENTRY)
    ledger.accept_entry(owes(ledger, third))
    assert not voting.locks.forbids(Act.SIGN_ENTRY)


def test_a_pledge_ends_when_a_needed_keeper_votes_in_the_new_view() -> None:
    """It may vote there at once, against a cheat, and sign no entry before."""
    voting, other, third, _ = pledged()
    tell(voting, third, drop(voting.ledger, third, (other,), 1))
    assert not voting.locks.forbids(Act.SIGN_ENTRY)


def test_a_pledge_ends_when_a_needed_keeper_votes_about_something_else_in_that_round() -> None:
    voting, other, _, slow = pledged()
    before, gone = at_a_decision()
    tell(voting, slow, drop(before, slow, (gone,), 2))
    assert voting.locks.forbids(Act.SIGN_ENTRY)
    tell(voting, other, drop(before, other, (slow,), 2))
    assert not voting.locks.forbids(Act.SIGN_ENTRY)


def test_a_pledge_ends_when_a_needed_keeper_objects() -> None:
    voting, other, _, slow = pledged()
    before, _ = at_a_decision()
    tell(voting, other, held(before, other, slow))
    assert not voting.locks.forbids(Act.SIGN_ENTRY)


def test_a_pledge_is_kept_when_the_later_round_is_voted_for() -> None:
    voting, other, third, slow = pledged()
    before, gone = at_a_decision()
    both = tuple(sorted((gone, slow)))
    tell(voting, other, drop(before, other, both, 2))
    assert voting.locks.forbids(Act.SIGN_ENTRY)
    moved = tell(voting, third, drop(before, third, both, 2))
    assert moved is not None
    assert [c.seats for c in moved.dropped] == [both]
    assert voting.ledger.view == 2
    assert not voting.locks.forbids(Act.SIGN_ENTRY)


def test_a_later_round_at_a_later_height_than_the_certificate_is_followed() -> None:
    """The line of the former view is kept as it stood, behind the height of the certificate too."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    ledger.accept_entry(two_answers(there, cheat)[0])
    assert ledger.height > there.height
    me, *rest = others(cheat)
    late = [accuse(ledger, voter, (cheat,), (cheat,), 2) for voter in (me, *rest)]
    voting = sitting(ledger, me)
    for voter in (me, *rest):
        count(ledger, accuse(there, voter, (cheat,), (cheat,)))
    assert ledger.place == (1, there.height + 1)
    for voter, vote in zip((me, *rest), late, strict=True):
        moved = tell(voting, voter, vote)
    assert moved is not None
    assert [(c.round, c.height) for c in moved.dropped] == [(2, there.height + 1)]
    assert ledger.place == (2, there.height + 2)


def test_a_pledge_ends_when_a_needed_keeper_votes_so_on_another_past() -> None:
    """Such a vote cannot be counted here: the lines of the former view differ."""
    voting, other, _, slow = pledged()
    before, gone = at_a_decision()
    there = before.genesis.id, (0, before.height), bytes(32)
    vote = Vote.sign(SIGNERS[other], *there, other, VoteChoice.DROP, tuple(sorted((gone, slow))), 2)
    assert tell(voting, other, vote) is None
    assert not voting.locks.forbids(Act.SIGN_ENTRY)


def test_after_a_restart_a_seat_votes_because_of_a_proof_only_when_it_has_heard_the_others() -> (
    None
):
    """It may have voted already, or promised otherwise."""
    ledger, cheat = at_a_decision()
    me, *rest = others(cheat)
    ledger.accept_proof(proof_against(cheat))
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.begin(0.0)
    for seat in (*rest, cheat):
        assert ledger.tally.votes_of(me) == ()
        peer.link_up(seat, 1.0)
        head = Head(seat, *ledger.place, ledger.head).sign(SIGNERS[seat], genesis().id)
        hear_frame(peer, seat, head, 1.0)
    peer.tick(1.0 + OLDER_STOPS_SECONDS)
    assert [vote.seats for vote in ledger.tally.votes_of(me)] == [(cheat,)]
