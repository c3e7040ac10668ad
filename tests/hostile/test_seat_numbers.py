"""Bodies that name a seat which the table does not have, or no table: in whatever field.

Mallory has rightly signed each of them. It costs her link, and nothing else happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from kotp2p.game.report import Result
from kotp2p.game.verify import verify_log
from kotp2p.wire.addresses import AddressBook
from kotp2p.wire.closings import BREAK_MARK
from kotp2p.wire.crypto import Tag
from kotp2p.wire.encoding import BadBytes, Value, pack
from kotp2p.wire.entries import Answering, Blame, BodyKind, Signed
from kotp2p.wire.frames_game import Links
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import VoteChoice
from referee.model.answers import Seat, Stop
from tests.support.forged_bodies import read_body, sign_anything
from tests.support.hostile_seats import MALLORY, dropped, genesis, hears, peer
from tests.support.scribe import written
from tests.tools.vector_table import SEATS

GAME, HEAD = genesis().id, bytes(32)
TABLE = len(genesis().players)
NOT_HERE = (TABLE, 5)
"""Seats of a larger table."""
NOWHERE = (6, 255, 2**53 - 1)
"""Seats of no table."""
NUMBERS = (*NOT_HERE, *NOWHERE)
RECORDS = (BodyKind.PLAY, BodyKind.SHARE, BodyKind.VOTE, BodyKind.STAND_IN, BodyKind.CLOSE)


def entry(seat: Seat, kind: BodyKind) -> Value:
    load = Answering(Stop()) if kind is BodyKind.PLAY else Blame(0, bytes(32))
    return (1, GAME, 0, 0, GAME, seat, int(load.TYPE), load.value())


def vote(seat: Seat, choice: VoteChoice, *accused: Seat) -> Value:
    round_ = int(choice is VoteChoice.DROP)
    return (GAME, 0, round_, 0, GAME, seat, int(choice), accused, ())


def address(seat: Seat) -> Value:
    return (GAME, seat, 1, (("10.0.0.9", 4242),))


def bodies(seat: Seat) -> Iterator[tuple[str, BodyKind, Value]]:
    """Each field of each body that has a seat in it, with this one there."""
    drop, held = VoteChoice.DROP, VoteChoice.HELD
    yield "answer of", BodyKind.PLAY, entry(seat, BodyKind.PLAY)
    yield "blame of", BodyKind.SHARE, entry(seat, BodyKind.SHARE)
    yield "drop of", BodyKind.VOTE, vote(seat, drop, 0)
    yield "drop against", BodyKind.VOTE, vote(MALLORY, drop, seat)
    yield "drop also against", BodyKind.VOTE, vote(MALLORY, drop, 0, seat)
    yield "objection of", BodyKind.VOTE, vote(seat, held, 0)
    yield "objection for", BodyKind.VOTE, vote(MALLORY, held, seat)
    yield "farewell of", BodyKind.STAND_IN, (GAME, seat, 0, 0, ())
    yield "wish of", BodyKind.WORD, (GAME, seat, 1, int(IntentKind.WAIT), 0, 0, ())
    yield "pause of", BodyKind.WORD, (GAME, seat, 1, int(IntentKind.PAUSE), 0, 0, ())
    yield "wish without", BodyKind.WORD, (GAME, MALLORY, 1, int(IntentKind.DROP), 0, 0, (seat,))
    yield "head of", BodyKind.HEAD, (GAME, 0, 0, GAME, seat, bytes(8), 0)
    yield "line of", BodyKind.CHAT, (GAME, seat, 1, "hello")
    yield "address of", BodyKind.ADDRESS, address(seat)
    yield "break without", BodyKind.CLOSE, (GAME, BREAK_MARK, 0, 0, GAME, (seat,))


def signed_by_mallory(kind: BodyKind, value: Value) -> Signed:
    if kind is not BodyKind.CLOSE:
        return sign_anything(SEATS[MALLORY], kind, value)
    body = pack(value)
    return Signed(kind, body, bytes((MALLORY,)) + SEATS[MALLORY].sign(Tag.CLOSE, body))


BODIES = {
    f"{name} {seat}": signed_by_mallory(kind, value)
    for seat in NUMBERS
    for name, kind, value in bodies(seat)
}
IN_LOGS = {name: signed for name, signed in BODIES.items() if signed.kind in RECORDS}


@pytest.mark.parametrize("name", BODIES)
def test_a_seat_of_no_table_is_a_fault_of_form(name: str) -> None:
    signed, seat = BODIES[name], int(name.split()[-1])
    with pytest.raises(BadBytes) if seat in NOWHERE else nullcontext():
        read_body(signed, GAME)


def test_a_vote_against_its_own_author_is_a_fault_of_form() -> None:
    for accused in ((MALLORY,), (0, MALLORY)):
        value = vote(MALLORY, VoteChoice.DROP, *accused)
        with pytest.raises(BadBytes):
            read_body(signed_by_mallory(BodyKind.VOTE, value), GAME)


@pytest.mark.parametrize("name", [n for n in BODIES if BODIES[n].kind is not BodyKind.ADDRESS])
def test_a_body_with_a_seat_that_is_not_there_costs_its_link(name: str) -> None:
    found = peer()
    before = found.ledger.revision
    assert dropped(hears(found, BODIES[name]))
    assert found.ledger.revision == before
    assert not found.has_ended


@pytest.mark.parametrize("name", IN_LOGS)
def test_a_log_with_a_seat_that_is_not_there_is_wrong_and_accuses_nobody(name: str) -> None:
    report = verify_log(written(GAME, [begun(), IN_LOGS[name]]))
    assert report.result is Result.WRONG
    assert report.wrong_at is not None
    assert (report.wrong_at.record, report.wrong_at.seat) == (1, None)


def begun() -> Signed:
    signatures = [signer.sign(Tag.GENESIS, genesis().body) for signer in SEATS]
    return Signed(BodyKind.GENESIS, genesis().body, b"".join(signatures))


def test_the_log_is_right_without_it() -> None:
    assert verify_log(written(GAME, [begun()])).result is Result.UNFINISHED


@pytest.mark.parametrize("seat", NUMBERS)
def test_a_proof_about_a_seat_that_is_not_there_costs_its_link(seat: Seat) -> None:
    kind, value = BodyKind.VOTE, vote(seat, VoteChoice.DROP, 0)
    one = signed_by_mallory(kind, value)
    other = signed_by_mallory(kind, vote(seat, VoteChoice.DROP, MALLORY))
    assert dropped(hears(peer(), CheatProof((one, other)).signed))
    mine = signed_by_mallory(kind, vote(MALLORY, VoteChoice.DROP, 0))
    against = signed_by_mallory(kind, vote(MALLORY, VoteChoice.DROP, seat))
    assert dropped(hears(peer(), CheatProof((mine, against)).signed))


BREAK, END = (GAME, BREAK_MARK, 0, 0, GAME, ()), (GAME, 0, GAME, (), HEAD)


@pytest.mark.parametrize("seat", [*NOT_HERE, 6, 255])
@pytest.mark.parametrize("value", [BREAK, END], ids=["break", "end"])
def test_a_seal_of_a_seat_that_is_not_there_costs_its_link(seat: Seat, value: Value) -> None:
    body = pack(value)
    seal = SEATS[MALLORY].sign(Tag.CLOSE, body)
    alone = Signed(BodyKind.CLOSE, body, bytes((seat,)) + seal)
    beside = Signed(BodyKind.CLOSE, body, bytes((MALLORY,)) + seal + bytes((seat,)) + seal)
    for signed in (alone, beside):
        assert dropped(hears(peer(), signed))
        assert verify_log(written(GAME, [begun(), signed])).result is Result.WRONG


@pytest.mark.parametrize("seat", NUMBERS)
def test_an_address_of_a_seat_that_is_not_there_is_not_kept(seat: Seat) -> None:
    book = AddressBook(GAME, genesis().players)
    with pytest.raises(BadBytes):
        book.accept(BODIES[f"address of {seat}"])
    assert book.newest_of_seat == {}


@pytest.mark.parametrize("seat", NOT_HERE)
def test_links_to_a_seat_that_is_not_there_reach_nobody(seat: Seat) -> None:
    found = peer()
    hears(found, Links((0, seat)))
    assert seat not in found.follower.gossip.reachability.reachable_seats()
