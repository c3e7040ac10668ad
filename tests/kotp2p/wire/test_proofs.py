"""The bytes of proofs of cheating."""

import json
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from kotp2p.wire.encoding import MAX_INT, BadBytes, Value, pack, unpack
from kotp2p.wire.entries import MAX_ATTEMPT, MAX_HEIGHT, BodyKind, Entry, EntryType, Signed
from kotp2p.wire.lineups import MAX_PROOF_BYTES, CheatProof, Leave, LineUp
from tests.support.paths import VECTORS
from tests.tools.fuzz import seeds
from tests.tools.vector_table import GAME

PROVING = (BodyKind.PLAY, BodyKind.LINE_UP, BodyKind.LEAVE, BodyKind.SHARE)
NUMBERS = (MAX_INT, MAX_HEIGHT, MAX_ATTEMPT, 999, 200, 127)
"""The largest numbers that fields take; what is smaller is one byte long."""
MOST_MEMBERS = 256
"""No list in a body that proves something is longer, or this search would not end at a refusal."""


def parse(signed: Signed) -> None:
    """Raises BadBytes if a reader of such a body refuses its form."""
    match signed.kind:
        case BodyKind.PLAY | BodyKind.SHARE:
            Entry.parse(signed)
        case BodyKind.LEAVE:
            Leave.parse(signed, GAME)
        case _:
            LineUp.parse(signed.body, GAME)


def is_well_formed(kind: BodyKind, value: Value) -> bool:
    try:
        parse(Signed(kind, pack(value), bytes(64)))
    except ValueError:
        return False
    return True


def larger(value: Value) -> Iterator[Value]:
    match value:
        case bool():
            return
        case int():
            yield from (number for number in NUMBERS if len(pack(number)) > len(pack(value)))
        case None:
            yield from (bytes(32), 5, 1)
        case bytes():
            yield value + b"\0"
        case tuple():
            for at, member in enumerate(value):
                if member not in value[:at]:  # what holds for the first of equal ones holds for all
                    for changed in larger(member):
                        yield (*value[:at], changed, *value[at + 1 :])
            if len(value) < MOST_MEMBERS:
                yield from longer(value)


def longer(values: Sequence[Value]) -> Iterator[Value]:
    """The list with more members, like those that it has."""
    if not values:
        yield from ((999,), (bytes(32),), ((0, 0),))
        return
    last = values[-1]
    yield (*values, *values)
    yield (*values, last)
    if isinstance(last, bytes):
        yield (*values, (int.from_bytes(last, "big") + 1).to_bytes(len(last), "big"))
    elif isinstance(last, int):
        yield (*values, last + 1)


def grown(signed: Signed) -> Signed:
    """The largest body that the reader takes and that comes of this one by making fields longer."""
    value = unpack(signed.body)
    while True:
        found = (one for one in larger(value) if is_well_formed(signed.kind, one))
        better = next((one for one in found if len(pack(one)) > len(pack(value))), None)
        if better is None:
            return Signed(signed.kind, pack(value), bytes(64))
        value = better


@cache
def largest_bodies() -> tuple[Signed, ...]:
    """Of each kind, payload and answer that a proof may hold."""
    found = [signed for signed in seeds.bodies() if signed.kind in PROVING]
    first = next(signed for signed in found if signed.kind is BodyKind.PLAY)
    envelope = unpack(first.body)
    assert isinstance(envelope, tuple)
    answers = json.loads((VECTORS / "answers.json").read_text("utf-8")).values()
    for text in answers:
        value = (*envelope[:4], int(EntryType.ANSWER), unpack(bytes.fromhex(text)))
        found.append(Signed(BodyKind.PLAY, pack(value), bytes(64)))
    return tuple(grown(signed) for signed in found)


def test_two_bodies_of_the_greatest_size_are_a_proof_that_is_read() -> None:
    largest = max(largest_bodies(), key=lambda signed: len(signed.body))
    proof = CheatProof((largest, largest))
    assert CheatProof.parse(proof.signed) == proof
    assert len(proof.pack()) <= MAX_PROOF_BYTES
    assert len(largest.body) > 650, "the search has found the long lists"


def test_every_kind_of_body_that_proves_something_was_made_as_large_as_it_can_be() -> None:
    assert {signed.kind for signed in largest_bodies()} == {*PROVING}
    for signed in largest_bodies():
        parse(signed)


@pytest.mark.parametrize("over", [0, 1])
def test_a_proof_is_as_long_as_its_limit_and_no_longer(over: int) -> None:
    short = CheatProof((Signed(BodyKind.PLAY, bytes(3000), bytes(64)),))
    size = 3000 + MAX_PROOF_BYTES - len(short.pack()) + over
    proof = CheatProof((Signed(BodyKind.PLAY, bytes(size), bytes(64)),))
    assert len(proof.pack()) == MAX_PROOF_BYTES + over
    if over:
        with pytest.raises(BadBytes):
            CheatProof.parse(proof.signed)
    else:
        assert CheatProof.parse(proof.signed) == proof


@pytest.mark.parametrize("kind", BodyKind)
def test_a_proof_holds_what_proves_something_and_nothing_else(kind: BodyKind) -> None:
    proof = CheatProof((Signed(kind, b"body", bytes(64)),))
    if kind in PROVING:
        assert CheatProof.parse(proof.signed) == proof
    else:
        with pytest.raises(BadBytes):
            CheatProof.parse(proof.signed)


@pytest.mark.parametrize("size", [0, 63, 65, 130])
def test_each_body_of_a_proof_has_one_signature(size: int) -> None:
    """Also a line-up, which has those of several keepers elsewhere."""
    for kind in PROVING:
        proof = CheatProof((Signed(kind, b"body", bytes(size)),))
        with pytest.raises(BadBytes):
            CheatProof.parse(proof.signed)


@pytest.mark.parametrize("number", [0, 3])
def test_a_proof_is_one_body_or_two(number: int) -> None:
    proof = CheatProof((Signed(BodyKind.PLAY, b"body", bytes(64)),) * number)
    with pytest.raises(BadBytes):
        CheatProof.parse(proof.signed)


def test_a_proof_carries_no_signature_of_its_own() -> None:
    """Else one proof would be two bodies, each of them news to everybody."""
    bodies = (Signed(BodyKind.PLAY, b"body", bytes(64)),)
    signed = CheatProof(bodies).signed
    assert CheatProof.parse(signed).bodies == bodies
    with pytest.raises(BadBytes):
        CheatProof.parse(signed._replace(signature=bytes(64)))
