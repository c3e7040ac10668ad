"""Bodies that name a seat which the table does not have, or no table: in whatever field.

Mallory has rightly signed each of them. It costs her link, and nothing else happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from kotp2p.game.verify import Result, verify_log
from kotp2p.mesh.gossip import CloseLink, EndPeer, ShowNotice
from kotp2p.referee.model.answers import Seat, Stop
from kotp2p.wire.addresses import AddressBook
from kotp2p.wire.crypto import Tag
from kotp2p.wire.encoding import BadBytes, Value, pack
from kotp2p.wire.entries import Answering, Blame, BodyKind, Signed, pack_seals
from kotp2p.wire.frames import Links
from kotp2p.wire.lineups import CheatProof, Reason
from tests.support.forged_bodies import read_body, seal_anything, sign_anything
from tests.support.hostile_seats import MALLORY, NOW, dropped, genesis, hears, peer
from tests.support.scribe import written
from tests.tools.vector_table import SEATS

GAME, HEAD = genesis().id, bytes(32)
TABLE = len(genesis().players)
NOT_HERE = (TABLE, 5)
"""Seats of a larger table."""
NOWHERE = (6, 255, 2**53 - 1)
"""Seats of no table."""
NUMBERS = (*NOT_HERE, *NOWHERE)
RECORDS = (BodyKind.PLAY, BodyKind.SHARE, BodyKind.LINE_UP, BodyKind.LEAVE)


def entry(seat: Seat, kind: BodyKind) -> Value:
    load = Answering(Stop()) if kind is BodyKind.PLAY else Blame(bytes(32))
    return (0, 0, GAME, seat, int(load.TYPE), load.value())


def line_up(*changes: tuple[Seat, Reason]) -> Value:
    plan = tuple(
        (seat, int(reason), None if reason.puts_out else bytes(8)) for seat, reason in changes
    )
    return (GAME, 1, GAME, 0, GAME, HEAD, plan, ())


def address(seat: Seat) -> Value:
    return (GAME, seat, 1, (("10.0.0.9", 4242),), "", b"")


def bodies(seat: Seat) -> Iterator[tuple[str, BodyKind, Value]]:
    """Each field of each body that has a seat in it, with this one there."""
    yield "answer of", BodyKind.PLAY, entry(seat, BodyKind.PLAY)
    yield "blame of", BodyKind.SHARE, entry(seat, BodyKind.SHARE)
    for reason in Reason:
        yield f"line-up: {reason.name}", BodyKind.LINE_UP, line_up((seat, reason))
    also = line_up((0, Reason.ABSENT), (seat, Reason.ABSENT))
    yield "line-up also without", BodyKind.LINE_UP, also
    yield "farewell of", BodyKind.LEAVE, (GAME, seat, 0, 0)
    yield "readiness of", BodyKind.READY, (GAME, seat, 1, HEAD, bytes(8))
    yield "wish of", BodyKind.WISH, (GAME, seat, 1, (), (), 0)
    yield "wish without", BodyKind.WISH, (GAME, MALLORY, 1, (seat,), (), 0)
    refused = ((seat, bytes(8)),)
    yield "wish not to let back", BodyKind.WISH, (GAME, MALLORY, 1, (), refused, 0)
    yield "return of", BodyKind.HERE, (GAME, seat, bytes(8))
    yield "head of", BodyKind.HEAD, (GAME, 0, 0, GAME, seat, bytes(8), 0)
    yield "line of", BodyKind.CHAT, (GAME, seat, 1, "hello")
    yield "address of", BodyKind.ADDRESS, address(seat)


def signed_by_mallory(kind: BodyKind, value: Value) -> Signed:
    if kind is BodyKind.LINE_UP:
        return seal_anything(SEATS[MALLORY], MALLORY, value)
    return sign_anything(SEATS[MALLORY], kind, value)


BODIES = {
    f"{name} {seat}": signed_by_mallory(kind, value)
    for seat in NUMBERS
    for name, kind, value in bodies(seat)
}
MEANT = {
    name: signed
    for name, signed in BODIES.items()
    if int(name.split()[-1]) in NOWHERE or signed.kind is not BodyKind.LINE_UP
}
"""Those that cost a link. A line-up with such a plan just cannot begin (PROTOCOL.md 2)."""
IN_LOGS = {name: signed for name, signed in MEANT.items() if signed.kind in RECORDS}


@pytest.mark.parametrize("name", BODIES)
def test_a_seat_of_no_table_is_a_fault_of_form(name: str) -> None:
    signed, seat = BODIES[name], int(name.split()[-1])
    with pytest.raises(BadBytes) if seat in NOWHERE else nullcontext():
        read_body(signed, GAME)


@pytest.mark.parametrize("name", [n for n in MEANT if MEANT[n].kind is not BodyKind.ADDRESS])
def test_a_body_with_a_seat_that_is_not_there_costs_its_link(name: str) -> None:
    found = peer()
    before = found.ledger.revision
    assert dropped(hears(found, BODIES[name]))
    assert found.ledger.revision == before
    assert not found.has_ended


@pytest.mark.parametrize("name", [n for n in BODIES if n not in MEANT])
def test_a_line_up_about_a_seat_that_is_not_there_cannot_begin(name: str) -> None:
    found, body = peer(), BODIES[name].body
    seals = {seat: signer.sign(Tag.LINE_UP, body) for seat, signer in enumerate(SEATS)}
    signed = Signed(BodyKind.LINE_UP, body, pack_seals(seals))
    effects = hears(found, signed)
    assert not [e for e in effects if isinstance(e, CloseLink | EndPeer | ShowNotice)]
    found.tick(NOW + 1)
    assert found.ledger.attempt == 0
    assert len(found.ledger.chains) == 1
    report = verify_log(written(GAME, [begun(), signed]))
    assert report.result is Result.UNFINISHED
    assert report.changes == ()


@pytest.mark.parametrize("name", IN_LOGS)
def test_a_log_with_a_seat_that_is_not_there_is_wrong_and_accuses_nobody(name: str) -> None:
    report = verify_log(written(GAME, [begun(), IN_LOGS[name]]))
    assert report.result is Result.WRONG
    assert report.wrong_at is not None
    assert (report.wrong_at.record, report.wrong_at.seat) == (1, None)


def begun() -> Signed:
    return genesis().signed


def test_the_log_is_right_without_it() -> None:
    assert verify_log(written(GAME, [begun()])).result is Result.UNFINISHED


@pytest.mark.parametrize("seat", NUMBERS)
def test_a_proof_about_a_seat_that_is_not_there_costs_its_link(seat: Seat) -> None:
    left = [sign_anything(SEATS[MALLORY], BodyKind.LEAVE, (GAME, seat, 0, n)) for n in range(2)]
    assert dropped(hears(peer(), CheatProof((left[0], left[1])).signed))
    plans = (line_up(), line_up((seat, Reason.ABSENT)))
    found = peer()
    one, other = (
        Signed(BodyKind.LINE_UP, pack(value), SEATS[MALLORY].sign(Tag.LINE_UP, pack(value)))
        for value in plans
    )
    told = hears(found, CheatProof((one, other)).signed)
    if seat in NOWHERE:
        assert dropped(told)
    else:
        assert set(found.ledger.convicts) == {MALLORY}  # to have signed two convicts by itself


@pytest.mark.parametrize("seat", [*NOT_HERE, 6, 255])
def test_an_assent_of_a_seat_that_is_not_there_costs_its_link(seat: Seat) -> None:
    body = pack(line_up((0, Reason.ABSENT)))
    seal = SEATS[MALLORY].sign(Tag.LINE_UP, body)
    alone = Signed(BodyKind.LINE_UP, body, bytes((seat,)) + seal)
    beside = Signed(BodyKind.LINE_UP, body, bytes((MALLORY,)) + seal + bytes((seat,)) + seal)
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
    assert seat not in found.reachability.reachable_seats()
