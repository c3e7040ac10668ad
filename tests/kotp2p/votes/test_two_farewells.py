"""A keeper that is convicted already leaves at two places: the seats go on from each of them, and
only the proof of both calls for a vote where they part (PROTOCOL.md 9.1 R7, 9.6 R4)."""

from __future__ import annotations

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import Effect, SendFrame
from kotp2p.mesh.proof_intake import MAX_UNUSED_PROOFS
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from referee.model.damage_decisions import YieldDecision
from tests.support.five_players import (
    SEEDS,
    SIGNERS,
    at_a_decision,
    genesis,
    hear_all,
    others,
    out_of_turn,
    owes,
    proof_against,
)
from tests.support.hearing import hear_frame


def leaves(ledger: Ledger, cheat: Seat, later: int) -> Farewell:
    view, height = ledger.place
    return Farewell.sign(SIGNERS[cheat], genesis().id, cheat, view, height + later, ())


def before_a_yield() -> tuple[Ledger, Seat, Seat]:
    """One seat decides, and behind that another one is asked whether it yields."""
    ahead, last = at_a_decision()
    entries = list[Entry]()
    while not isinstance(ahead.game.pending, YieldDecision):
        for last in ahead.owing_seats():
            entries.append(owes(ahead, last))
            ahead.accept_entry(entries[-1])
    ledger, _ = at_a_decision()
    for entry in entries[:-1]:
        ledger.accept_entry(entry)
    return ledger, last, ahead.owing_seats()[0]


def at_the_table() -> tuple[Peer, Seat, Seat, Seat]:
    """A peer, an honest seat with a link, the seat that is asked, and a convict that is asked
    next."""
    ledger, asked, cheat = before_a_yield()
    me, honest = others(asked, cheat)[:2]
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    hear_all(peer, SIGNERS)
    for seat in (honest, asked):
        peer.link_up(seat, 0.0)
    hear_frame(peer, honest, proof_against(cheat).signed, 0.0)
    peer.take_effects()
    return peer, honest, asked, cheat


def sent(effects: list[Effect], kind: BodyKind, link: Seat) -> list[Signed]:
    frames = [e.frame for e in effects if isinstance(e, SendFrame) and e.seat == link]
    return [frame for frame in frames if isinstance(frame, Signed) and frame.kind is kind]


def test_two_farewells_of_a_convict_are_shown_to_all_once_and_to_each_new_link() -> None:
    peer, honest, asked, cheat = at_the_table()
    one, other, third = (leaves(peer.ledger, cheat, later) for later in (1, 3, 4))
    both = CheatProof((one.signed, other.signed)).signed
    for farewell in (one, other, other, third):
        hear_frame(peer, honest, farewell.signed, 1.0)
    effects = peer.take_effects()
    assert sent(effects, BodyKind.CHEAT_PROOF, honest) == [both]
    assert sent(effects, BodyKind.CHEAT_PROOF, asked) == [both]
    new = others(cheat, peer.seat, honest, asked)[0]
    peer.link_up(new, 2.0)
    assert both in sent(peer.take_effects(), BodyKind.CHEAT_PROOF, new)


def test_the_proof_of_two_farewells_calls_for_a_vote_where_one_of_them_has_stood_in_since() -> None:
    peer, honest, asked, cheat = at_the_table()
    one, other = leaves(peer.ledger, cheat, 1), leaves(peer.ledger, cheat, 3)
    for farewell in (one, other):
        hear_frame(peer, honest, farewell.signed, 1.0)
    assert not sent(peer.take_effects(), BodyKind.VOTE, honest)
    hear_frame(peer, honest, owes(peer.ledger, asked).signed, 2.0)
    assert peer.ledger.height > one.height
    signed = sent(peer.take_effects(), BodyKind.VOTE, honest)
    (drop,) = [vote for vote in map(read, signed) if vote.choice is VoteChoice.DROP]
    both = CheatProof((one.signed, other.signed))
    assert (drop.height, drop.seats, drop.proofs) == (one.height, (cheat,), (both.id,))


def test_a_flood_of_other_proofs_by_that_convict_does_not_push_out_the_two_farewells() -> None:
    peer, honest, asked, cheat = at_the_table()
    peer.link_up(cheat, 0.0)
    for later in (1, 3):
        hear_frame(peer, honest, leaves(peer.ledger, cheat, later).signed, 1.0)
    for later in range(5, 5 + MAX_UNUSED_PROOFS + 1):
        offence = CheatProof((out_of_turn(peer.ledger, cheat, later).signed,))
        hear_frame(peer, cheat, offence.signed, 1.0)
    peer.take_effects()
    hear_frame(peer, honest, owes(peer.ledger, asked).signed, 2.0)
    assert sent(peer.take_effects(), BodyKind.VOTE, honest)


def read(signed: Signed) -> Vote:
    return Vote.parse(signed, genesis().id)
