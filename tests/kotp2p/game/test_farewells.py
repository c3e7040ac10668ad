"""Farewells of keepers with bots: one body is about all seats of a keeper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.game.history import StandIn
from kotp2p.game.refusals import Cheat, Forged
from kotp2p.game.steps import Gather, Renewal
from kotp2p.wire.crypto import HASH_BYTES
from kotp2p.wire.entries import Opening
from kotp2p.wire.proofs import CheatProof
from tests.support.scribe import Scribe

HOST, GUEST, BOT, OTHER_BOT = range(4)


def table() -> Scribe:
    """A host with two bots, and a guest."""
    return Scribe(4, bots=2)


def take_part(scribe: Scribe, *seats: int) -> None:
    scribe.take(*[scribe.entry(seat) for seat in seats])


def test_a_bot_says_no_farewell() -> None:
    scribe = table()
    with pytest.raises(Forged):
        scribe.ledger.accept_farewell(scribe.farewell(BOT))


def test_a_farewell_of_a_bot_proves_nothing() -> None:
    scribe = table()
    bodies = scribe.farewell(BOT).signed, scribe.farewell(BOT, later=1).signed
    with pytest.raises(Forged):
        scribe.ledger.judge_proof(CheatProof(bodies))


def test_a_keeper_and_its_bots_stand_in_together() -> None:
    scribe = table()
    farewell = scribe.farewell(HOST)
    scribe.take(farewell)
    take_part(scribe, GUEST)
    (first, *_) = scribe.ledger.chain.closed
    stood_in = [item for item in first if isinstance(item, StandIn)]
    assert [item.seat for item in stood_in] == [HOST, BOT, OTHER_BOT]
    assert {item.farewell for item in stood_in} == {farewell}
    assert set(scribe.ledger.game.state.seats_alive()) == {GUEST}


def test_a_part_that_a_bot_holds_back_is_worth_a_new_draw_only_if_its_keeper_leaves_too() -> None:
    """The keeper's own part of the gather stands. It cannot be taken back by a farewell."""
    scribe = table()
    take_part(scribe, HOST, GUEST, OTHER_BOT)
    with pytest.raises(Cheat) as shown:
        scribe.ledger.accept_farewell(scribe.farewell(HOST))
    assert scribe.ledger.judge_proof(shown.value.proof).seat == HOST


def test_an_entry_of_a_bot_behind_the_farewell_of_its_keeper_is_a_proof() -> None:
    scribe = table()
    entry = scribe.entry(BOT)
    scribe.take(scribe.farewell(HOST))
    with pytest.raises(Cheat) as shown:
        scribe.ledger.accept_entry(entry)
    assert scribe.ledger.judge_proof(shown.value.proof).seat == BOT
    assert scribe.ledger.genesis.players[BOT].keeper == HOST


def test_an_entry_of_a_guest_behind_the_farewell_of_the_host_is_none() -> None:
    scribe = table()
    bodies = scribe.farewell(HOST).signed, scribe.entry(GUEST).signed
    with pytest.raises(Forged):
        scribe.ledger.judge_proof(CheatProof(bodies))


def test_seats_that_have_signed_at_a_gather_leave_behind_it() -> None:
    scribe = table()
    take_part(scribe, HOST, BOT, OTHER_BOT)
    assert isinstance(scribe.ledger.step, Gather | Renewal)
    scribe.take(scribe.farewell(HOST, later=1))
    take_part(scribe, GUEST)
    assert scribe.ledger.height > 0
    assert not any(isinstance(item, StandIn) for item in scribe.ledger.chain.closed[0])
    assert {HOST, BOT, OTHER_BOT} <= set(scribe.ledger.farewells)


def test_two_farewells_of_one_keeper_are_a_proof() -> None:
    scribe = table()
    scribe.take(scribe.farewell(GUEST, later=1))
    with pytest.raises(Cheat) as shown:
        scribe.ledger.accept_farewell(scribe.farewell(GUEST, later=2))
    assert scribe.ledger.judge_proof(shown.value.proof).seat == GUEST


def test_two_answers_of_a_bot_are_a_proof_against_the_bot() -> None:
    scribe = table()
    one = scribe.entry(BOT)
    assert isinstance(one.payload, Opening)
    other = scribe.entry(BOT, replace(one.payload, position=bytes(HASH_BYTES)))
    proof = CheatProof((one.signed, other.signed))
    assert scribe.ledger.judge_proof(proof).seat == BOT
