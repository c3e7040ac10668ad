"""A process that is back with older files votes because of a proof before it has heard all that its
seat has signed: what it takes of that afterwards, and what its vote must not contradict."""

from __future__ import annotations

from kotp2p.endings import EndKind
from kotp2p.game.conviction import find_contradiction
from kotp2p.game.ledger import Ledger
from kotp2p.membership.rejoin import BELIEVE_CLAIM_SECONDS, OLDER_STOPS_SECONDS
from kotp2p.mesh.effects import AppendRecord, EndPeer, SendFrame
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import BodyKind, Entry, Head, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import (
    SEEDS,
    SIGNERS,
    accuse,
    at_a_decision,
    drop,
    genesis,
    others,
    owes,
    proof_against,
)
from tests.support.hearing import hear_frame

FIRST_HEADS = 1.0
MAY_VOTE = FIRST_HEADS + OLDER_STOPS_SECONDS


def later_line() -> tuple[Ledger, list[Entry]]:
    """Where the others stand, beyond the next gather; and all that was signed since the files."""
    ledger, _ = at_a_decision()
    files, signed = ledger.height, list[Entry]()
    while ledger.chain.last_gather <= files:
        for seat in ledger.owing_seats():
            signed.append(owes(ledger, seat))
            ledger.accept_entry(signed[-1])
    return ledger, signed


def back(line: Ledger) -> tuple[Peer, Seat, Seat]:
    """A peer with files from before `line` that has just heard the heads of all; the seat over
    whose link it hears everything; and the seat that is asked at its place."""
    ledger, asked = at_a_decision()
    me, honest = others(asked)[:2]
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.begin(0.0)
    peer.link_up(honest, FIRST_HEADS)
    for seat in others(me):
        told = Head(seat, line.view, line.height, line.head, bytes(8))
        hear_frame(peer, honest, told.sign(SIGNERS[seat], genesis().id), FIRST_HEADS)
    peer.take_effects()
    return peer, honest, asked


def drops_of(peer: Peer) -> list[Vote]:
    """The drop votes that it has sent since its effects were last taken, each once."""
    sent = [e.frame for e in peer.take_effects() if isinstance(e, SendFrame)]
    bodies = dict.fromkeys(f for f in sent if isinstance(f, Signed) and f.kind is BodyKind.VOTE)
    votes = [Vote.parse(signed, genesis().id) for signed in bodies]
    return [v for v in votes if v.seat == peer.seat and v.choice is VoteChoice.DROP]


def votes_by_proof(peer: Peer, honest: Seat, cheat: Seat, due: float = MAY_VOTE) -> Vote:
    """What it signs at `due`, and not before."""
    hear_frame(peer, honest, proof_against(cheat).signed, due - 0.1)
    assert not drops_of(peer)
    peer.tick(due)
    (vote,) = drops_of(peer)
    assert vote.seats == (cheat,)
    return vote


def test_a_process_that_is_back_opens_nothing_before_it_could_know_what_its_seat_has_opened() -> (
    None
):
    """Its seat may have opened its part on another past of a cheat."""
    line, signed = later_line()
    peer, honest, _ = back(line)
    (own,) = [entry for entry in signed if entry.seat == peer.seat]
    for entry in signed:
        if entry is not own:
            hear_frame(peer, honest, entry.signed, FIRST_HEADS)
    due = FIRST_HEADS + BELIEVE_CLAIM_SECONDS
    peer.tick(due - 0.1)
    assert own.signed not in written(peer)
    peer.tick(due)
    assert own.signed in written(peer)


def written(peer: Peer) -> list[Signed]:
    return [e.signed for e in peer.take_effects() if isinstance(e, AppendRecord)]


def test_a_process_votes_by_a_proof_once_it_is_as_far_as_its_seat_has_been() -> None:
    line, signed = later_line()
    peer, honest, cheat = back(line)
    (own,) = [entry for entry in signed if entry.seat == peer.seat]
    for body in (own.signed, proof_against(cheat).signed):
        hear_frame(peer, honest, body, FIRST_HEADS)
    peer.tick(MAY_VOTE)
    assert not drops_of(peer)
    for entry in signed:
        hear_frame(peer, honest, entry.signed, MAY_VOTE)
    assert [vote.height for vote in drops_of(peer)] == [own.height]


def test_a_process_that_votes_by_a_proof_learns_afterwards_what_its_seat_has_signed() -> None:
    """No other process goes on: its older files have lost those entries."""
    line, signed = later_line()
    peer, honest, cheat = back(line)
    vote = votes_by_proof(peer, honest, cheat)
    (own,) = [entry for entry in signed if entry.seat == peer.seat]
    hear_frame(peer, honest, own.signed, MAY_VOTE + 1)
    assert not peer.has_ended
    # A seat that has gone on there objects, so that the vote binds no longer.
    objection = Vote.sign(
        SIGNERS[honest], genesis().id, vote.place, vote.head, honest, VoteChoice.HELD, (cheat,),
        proofs=vote.proofs,
    )  # fmt: skip
    for body in (objection.signed, *(entry.signed for entry in signed)):
        hear_frame(peer, honest, body, MAY_VOTE + 2)
    assert peer.ledger.chain.find_entry(own.height, peer.seat) == own


def test_a_process_that_has_voted_by_a_proof_stops_for_another_entry_of_a_place_of_its_own() -> (
    None
):
    line, signed = later_line()
    peer, honest, cheat = back(line)
    votes_by_proof(peer, honest, cheat)
    ledger = peer.ledger
    known = ledger.chain.find_entry(ledger.chain.last_gather, peer.seat)
    assert known is not None
    (own,) = [entry for entry in signed if entry.seat == peer.seat]
    rival = Entry.sign(
        SIGNERS[peer.seat], genesis().id, *known.place, known.prev, peer.seat, own.payload
    )
    hear_frame(peer, honest, rival.signed, MAY_VOTE + 1)
    assert [e.kind for e in peer.take_effects() if isinstance(e, EndPeer)] == [EndKind.ELSEWHERE]


def test_a_vote_by_a_proof_contradicts_no_vote_that_older_files_have_lost() -> None:
    """Others have shown it. It is about a place that does not come here, so it does not count."""
    line, _ = later_line()
    peer, honest, cheat = back(line)
    lost = drop(line, peer.seat, (cheat,), 3)
    hear_frame(peer, honest, lost.signed, FIRST_HEADS)
    assert not peer.ledger.tally.has_vote(lost)
    vote = votes_by_proof(peer, honest, cheat, FIRST_HEADS + BELIEVE_CLAIM_SECONDS)
    assert vote.round > lost.round


def test_a_vote_by_a_proof_that_older_files_have_lost_is_signed_again_as_it_was() -> None:
    """A proof that it names has not come, so it does not count here yet."""
    line, _ = later_line()
    peer, honest, cheat = back(line)
    lost = accuse(peer.ledger, peer.seat, (cheat,), (cheat,))
    hear_frame(peer, honest, lost.signed, FIRST_HEADS)
    assert not peer.ledger.tally.has_vote(lost)
    assert votes_by_proof(peer, honest, cheat) == lost


def test_a_farewell_contradicts_no_vote_that_older_files_have_lost() -> None:
    line, _ = later_line()
    peer, honest, cheat = back(line)
    lost = drop(line, peer.seat, (cheat,), 3)
    hear_frame(peer, honest, lost.signed, FIRST_HEADS)
    peer.leave_game(FIRST_HEADS + BELIEVE_CLAIM_SECONDS)
    (said,) = [
        Farewell.parse(s, genesis().id) for s in written(peer) if s.kind is BodyKind.STAND_IN
    ]
    assert find_contradiction(said, lost) is None
