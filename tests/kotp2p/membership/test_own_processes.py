"""What a process hears under its own key, and which of it only another process can have signed."""

from __future__ import annotations

import pytest

from kotp2p.endings import EndKind
from kotp2p.game.ledger import Ledger
from kotp2p.membership.own_processes import NOWHERE
from kotp2p.mesh.effects import AppendRecord, EndPeer, SendFrame
from kotp2p.mesh.heartbeat import MIN_HEARTBEAT_SECONDS
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import Answering, BodyKind, Entry, Head, Signed
from kotp2p.wire.votes import Vote
from referee.model.answers import Reroll
from tests.support.five_players import (
    PEOPLE,
    SEEDS,
    SIGNERS,
    at_a_decision,
    drop,
    genesis,
    others,
    owes,
)
from tests.support.hearing import hear_frame

OLD, NEW, NEWER, NEWEST = (bytes((0, 0, 0, n, 5, 5, 5, 5)) for n in (1, 2, 3, 4))


def playing(*, resumed: bool = False) -> tuple[Peer, int]:
    """A peer that is asked, in a process that has played from the start on, and another seat."""
    ledger, me = at_a_decision()
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.own.instance, peer.own.has_decided = NEW, not resumed
    peer.begin(0.0)
    other = others(me)[0]
    peer.link_up(other, 0.0)
    peer.take_effects()
    return peer, other


def head_of(peer: Peer, seat: int, instance: bytes) -> Signed:
    ledger = peer.ledger
    head = Head(seat, ledger.view, ledger.height, ledger.head, instance)
    return head.sign(SIGNERS[seat], genesis().id)


def stops(peer: Peer, source: int, signed: Signed) -> bool:
    hear_frame(peer, source, signed, 1.0)
    effects = peer.take_effects()
    ended = [e.kind for e in effects if isinstance(e, EndPeer)]
    assert peer.has_ended == bool(ended)
    assert not ended or not [e for e in effects if isinstance(e, AppendRecord | SendFrame)]
    return ended == [EndKind.ELSEWHERE]


def test_a_process_stops_when_it_hears_of_a_newer_one_and_signs_nothing_more() -> None:
    peer, other = playing()
    assert stops(peer, other, head_of(peer, peer.seat, NEWER))
    assert peer.own.newer == NEWER
    peer.tick(100.0)
    peer.leave_game(100.0)
    assert peer.take_effects() == []


@pytest.mark.parametrize("instance", [OLD, NEW])
def test_a_process_plays_on_when_it_hears_of_an_older_one_or_of_itself(instance: bytes) -> None:
    peer, other = playing()
    assert not stops(peer, other, head_of(peer, peer.seat, instance))


def test_nobody_else_can_stop_a_process() -> None:
    """A head of this seat that this seat has not signed ends nothing."""
    peer, other = playing()
    forged = head_of(peer, peer.seat, NEWER)._replace(signature=bytes(64))
    assert not stops(peer, other, forged)
    assert not stops(peer, other, head_of(peer, other, NEWER))


def another_answer(peer: Peer) -> Entry:
    view, height = peer.ledger.place
    answer, before = Answering(Reroll((0,))), peer.ledger.head
    signer = SIGNERS[peer.seat]
    return Entry.sign(signer, genesis().id, view, height, before, peer.seat, answer)


def test_a_decision_of_its_own_that_it_has_not_signed_stops_a_process() -> None:
    peer, other = playing()
    assert stops(peer, other, another_answer(peer).signed)


def test_before_its_first_decision_a_process_that_is_back_learns_its_own_ones_again() -> None:
    peer, other = playing(resumed=True)
    height = peer.ledger.height
    assert not stops(peer, other, another_answer(peer).signed)
    assert peer.ledger.height > height


def test_a_process_that_is_back_knows_all_once_it_has_decided() -> None:
    peer, other = playing(resumed=True)
    answer = owes(peer.ledger, peer.seat).payload
    assert isinstance(answer, Answering)
    rival = another_answer(peer)
    peer.accept_answer(peer.ledger.place, answer.answer, 0.5)
    peer.take_effects()
    assert stops(peer, other, rival.signed)


@pytest.mark.parametrize(("game", "is_ahead"), [(genesis().id, True), (bytes(32), False)])
def test_only_what_it_has_signed_in_this_game_says_what_its_files_have_lost(
    game: bytes, is_ahead: bool
) -> None:
    peer, _ = playing(resumed=True)
    ahead = peer.ledger.view, peer.ledger.height + 5
    entry = Entry.sign(
        SIGNERS[peer.seat], game, *ahead, bytes(32), peer.seat, Answering(Reroll((0,)))
    )
    assert not peer.own.is_from_elsewhere(entry.signed)
    assert peer.own.furthest == (ahead if is_ahead else NOWHERE)


def test_its_own_entries_that_others_pass_on_stop_nothing() -> None:
    peer, other = playing()
    ledger = peer.ledger
    own = ledger.chain.find_entry(ledger.chain.last_gather, peer.seat)
    assert own is not None
    assert not stops(peer, other, own.signed)


def test_a_vote_of_its_own_that_it_has_not_signed_stops_a_process() -> None:
    peer, other = playing()
    accused = others(peer.seat, other)[0]
    vote: Vote = drop(peer.ledger, peer.seat, (accused,), 1)
    assert stops(peer, other, vote.signed)


def test_a_vote_of_its_own_in_its_own_log_stops_nothing() -> None:
    peer, other = playing()
    vote = drop(peer.ledger, peer.seat, (others(peer.seat, other)[0],), 1)
    peer.ledger.accept_vote(vote)
    assert not stops(peer, other, vote.signed)


def in_a_view_behind_a_drop() -> tuple[Peer, list[Entry], list[Vote]]:
    """A peer of seat 0, what each seat had signed before seat 2 was voted out, and the votes."""
    me, other, accused = 0, 1, 2
    ledger = Ledger(genesis())
    entries = [owes(ledger, seat) for seat in range(PEOPLE)]
    votes = [drop(ledger, voter, (accused,), 1) for voter in others(accused)]
    for vote in votes:
        ledger.accept_vote(vote)
    assert ledger.view == 1
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.own.instance, peer.own.has_decided = NEW, True
    peer.begin(0.0)
    peer.link_up(other, 0.0)
    peer.take_effects()
    return peer, entries, votes


def test_a_vote_of_its_own_in_a_view_that_has_ended_stops_nothing() -> None:
    peer, _, votes = in_a_view_behind_a_drop()
    assert not stops(peer, 1, votes[peer.seat].signed)


def test_an_entry_of_its_own_in_a_view_that_has_ended_stops_nothing() -> None:
    peer, entries, _ = in_a_view_behind_a_drop()
    assert not stops(peer, 1, entries[peer.seat].signed)


# -- what all others do ----------------------------------------------------------------------


def sent(peer: Peer, to: int) -> list[Signed]:
    found = [e.frame for e in peer.take_effects() if isinstance(e, SendFrame) and e.seat == to]
    return [frame for frame in found if isinstance(frame, Signed)]


def test_a_head_of_a_new_process_goes_to_all_and_to_its_own_seat() -> None:
    peer, twice = playing()
    third = others(peer.seat, twice)[0]
    peer.link_up(third, 0.0)
    hear_frame(peer, twice, head_of(peer, twice, OLD), 1.0)
    peer.take_effects()
    newer = head_of(peer, twice, NEWER)
    hear_frame(peer, third, newer, 2.0)
    assert newer in sent(peer, twice)
    hear_frame(peer, third, newer, 3.0)
    assert newer not in sent(peer, twice)


def test_a_peer_tells_at_once_how_far_it_is_when_a_seat_has_a_newer_process() -> None:
    """The older process may have decided last over its link alone."""
    peer, twice = playing()
    hear_frame(peer, twice, head_of(peer, twice, OLD), 1.0)
    assert BodyKind.HEAD not in [body.kind for body in sent(peer, twice)]
    hear_frame(peer, twice, head_of(peer, twice, NEWER), 2.0)
    assert BodyKind.HEAD in [body.kind for body in sent(peer, twice)]
    hear_frame(peer, twice, head_of(peer, twice, NEWEST), 2.2)
    assert peer.deadline == 2.0 + MIN_HEARTBEAT_SECONDS


def test_a_head_of_an_older_process_is_answered_with_that_of_the_newer_one() -> None:
    peer, twice = playing()
    newer = head_of(peer, twice, NEWER)
    hear_frame(peer, twice, newer, 1.0)
    peer.take_effects()
    hear_frame(peer, twice, head_of(peer, twice, OLD), 2.0)
    assert newer in sent(peer, twice)


def test_a_new_link_gets_the_head_of_the_newest_process_of_its_seat() -> None:
    peer, twice = playing()
    newer = head_of(peer, twice, NEWER)
    hear_frame(peer, twice, newer, 1.0)
    peer.link_down(twice, 2.0)
    peer.take_effects()
    peer.link_up(twice, 3.0)
    assert newer in sent(peer, twice)


def test_the_head_comes_last_on_a_new_link() -> None:
    """A seat that has come back decides once it has all heads, so the bodies come before."""
    ledger, _ = at_a_decision()
    me, other = 0, 1
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.follower.begin(0.0)
    peer.take_effects()
    peer.link_up(other, 0.0)
    frames = sent(peer, other)
    assert len(frames) > 1
    assert Head.parse(frames[-1], genesis().id).seat == me
