"""Every limit that a reader has, the writer has: what is written is read back as it was meant, and
what would not be read back cannot be written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace

import pytest

from kotp2p.wire.addresses import SignedAddress
from kotp2p.wire.closings import Break, End, pack_seals, parse_closing, unpack_seals
from kotp2p.wire.encoding import MAX_FRAME_BYTES, MAX_INT, BadBytes, Value, pack, unpack
from kotp2p.wire.entries import MAX_HEIGHT, MAX_SEAT, MAX_VIEW, BodyKind, Entry, Head, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.frame_codec import decode, encode
from kotp2p.wire.frames import Frame
from kotp2p.wire.intents import Intent, IntentKind
from tests.support.paths import VECTORS
from tests.tools.vector_table import GAME, HEAD_BYTES, SEATS, fill
from tests.tools.vectors import _payloads

STRANGE: tuple[object, ...] = (
    -1, 0, 5, 6, 127, 128, 1000, MAX_VIEW, MAX_VIEW + 1, MAX_HEIGHT, MAX_HEIGHT + 1, 65_535,
    65_536, MAX_INT, MAX_INT + 1, 2**64, True, None, 1.5, "", "x" * 24, "x" * 25, "x" * 32,
    "x" * 33, "x" * 200, "x" * 201, "a\nb", "\u200b", "\ud800", b"", bytes(31), bytes(32),
    bytes(33), bytes(64), bytes(1024), bytes(1025), bytes(MAX_FRAME_BYTES), (), (0,), (1, 0),
    (0, 0), (0, 1), (6,), tuple(range(6)), tuple(range(7)), (bytes(32),) * 2, (bytes(32),) * 9,
    ("x" * 65,), ("",) * 9, (None,) * 7, (0,) * 4096, (0,) * 4097, [0, 1], {}, ((((((0,),),),),),),
)  # fmt: skip
"""Values that are in bounds in some places and out of them in others."""
REFUSALS = (ValueError, TypeError, AttributeError, OverflowError, KeyError)
"""BadBytes, or what a value of a type that no annotation allows comes to."""


def frames() -> dict[str, Frame]:
    texts = json.loads((VECTORS / "frames.json").read_text("utf-8"))
    found = {name: decode(bytes.fromhex(text)[4:]) for name, text in texts.items()}
    return {name: frame for name, frame in found.items() if frame is not None}


def changed(one: object) -> Iterator[object]:
    """`one` with every strange thing in every field, the fields of its parts included."""
    if isinstance(one, Signed):
        for name in one._fields:
            for strange in STRANGE:
                yield one._replace(**{name: strange})  # type: ignore[arg-type]
        return
    assert is_dataclass(one)
    assert not isinstance(one, type)
    for part in fields(one):
        if not part.init:
            continue
        value = getattr(one, part.name)
        for strange in STRANGE:
            yield replace(one, **{part.name: strange})
        if is_dataclass(value) and not isinstance(value, type):
            for inner in changed(value):
                yield replace(one, **{part.name: inner})
        elif isinstance(value, tuple) and value and is_dataclass(value[0]):
            for inner in changed(value[0]):
                yield replace(one, **{part.name: (inner, *value[1:])})


@pytest.mark.parametrize("name", frames())
def test_a_frame_is_read_back_as_it_was_or_cannot_be_written(name: str) -> None:
    for frame in changed(frames()[name]):
        try:
            data = encode(frame)  # type: ignore[arg-type]
        except REFUSALS:
            continue
        assert decode(data[4:]) == frame


@pytest.mark.parametrize("name", _payloads())
def test_an_entry_is_read_back_as_it_was_or_cannot_be_signed(name: str) -> None:
    for load in changed(_payloads()[name]):
        try:
            entry = Entry.sign(SEATS[1], GAME, 0, 17, HEAD_BYTES, 1, load)  # type: ignore[arg-type]
        except REFUSALS:
            continue
        assert Entry.parse(entry.signed) == entry
        assert entry.payload == load


def entry_of(view: int = 0, height: int = 17, prev: bytes = HEAD_BYTES, seat: int = 1) -> Signed:
    load = _payloads()["done"]
    return Entry.sign(SEATS[1], GAME, view, height, prev, seat, load).signed  # type: ignore[arg-type]


def farewell_of(seat: int = 1, view: int = 0, height: int = 17) -> Signed:
    return Farewell.sign(SEATS[1], GAME, seat, view, height).signed


def head_of(seat: int = 1, view: int = 0, height: int = 17, head: bytes = HEAD_BYTES) -> Signed:
    return Head(seat, view, height, head).sign(SEATS[1], GAME)


def intent_of(
    seat: int = 1, serial: int = 1, view: int = 0, height: int = 17, seats: tuple[int, ...] = (0,)
) -> Signed:
    kind = IntentKind.DROP
    return Intent.sign(SEATS[1], GAME, seat, serial, kind, (view, height), seats).signed


def address_of(
    seat: int = 1, sequence: int = 1, targets: tuple[tuple[str, int], ...] = (("10.0.0.1", 1),)
) -> Signed:
    return SignedAddress.sign(SEATS[1], GAME, seat, sequence, targets).signed


def end_of(
    height: int = 17, head: bytes = HEAD_BYTES, winners: tuple[int, ...] = (0, 2),
    position: bytes = HEAD_BYTES,
) -> Signed:  # fmt: skip
    body = End(height, head, winners, position).body(GAME)
    return Signed(BodyKind.CLOSE, body, pack_seals({0: fill(1, 64)}))


def break_of(
    view: int = 0, height: int = 17, head: bytes = HEAD_BYTES, absent: tuple[int, ...] = (1,)
) -> Signed:
    body = Break(view, height, head, absent).body(GAME)
    return Signed(BodyKind.CLOSE, body, pack_seals({0: fill(1, 64)}))


WRITERS: dict[Callable[..., Signed], Callable[[Signed], object]] = {
    entry_of: Entry.parse,
    farewell_of: lambda signed: Farewell.parse(signed, GAME),
    head_of: lambda signed: Head.parse(signed, GAME),
    intent_of: lambda signed: Intent.parse(signed, GAME),
    address_of: lambda signed: SignedAddress.parse(signed, GAME),
    end_of: lambda signed: parse_closing(signed.body, GAME),
    break_of: lambda signed: parse_closing(signed.body, GAME),
}
"""A writer of each body with names for its fields, and the reader."""


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_a_body_is_read_or_cannot_be_signed(write: Callable[..., Signed]) -> None:
    refused = 0
    names = write.__code__.co_varnames[: write.__code__.co_argcount]
    for name in names:
        for strange in STRANGE:
            try:
                signed = write(**{name: strange})
            except REFUSALS:
                refused += 1
                continue
            WRITERS[write](signed)
            assert decode(encode(signed)[4:]) == signed
    assert refused > len(names) * len(STRANGE) / 2


@pytest.mark.parametrize(
    ("field", "within", "beyond"),
    [
        ("view", MAX_VIEW, MAX_VIEW + 1),
        ("height", MAX_HEIGHT, MAX_HEIGHT + 1),
        ("seat", MAX_SEAT, MAX_SEAT + 1),
    ],
)
@pytest.mark.parametrize("write", [entry_of, farewell_of, head_of, intent_of])
def test_the_last_number_in_bounds_is_signed_and_the_next_one_is_not(
    write: Callable[..., Signed], field: str, within: int, beyond: int
) -> None:
    write(**{field: within})
    with pytest.raises(BadBytes):
        write(**{field: beyond})


@pytest.mark.parametrize(
    "seals", [{}, {6: bytes(64)}, {0: bytes(63)}, {0: bytes(65)}, {0: bytes(64), 1: b""}]
)
def test_seals_that_nobody_reads_are_not_joined(seals: dict[int, bytes]) -> None:
    with pytest.raises(BadBytes):
        pack_seals(seals)


def test_seals_of_all_seats_are_read_back() -> None:
    seals = {seat: fill(seat, 64) for seat in range(MAX_SEAT + 1)}
    assert unpack_seals(pack_seals(seals)) == seals


NESTED_5, NESTED_6 = ((((((),),),),),), (((((((),),),),),),)


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        (MAX_INT, MAX_INT + 1),
        (0, -1),
        (bytes(MAX_FRAME_BYTES - 3), bytes(MAX_FRAME_BYTES - 2)),
        ((0,) * 4096, (0,) * 4097),
        (NESTED_5, NESTED_6),
        ("x", 1.5),
    ],
    ids=["great", "negative", "long", "many", "deep", "another type"],
)
def test_a_value_that_nobody_reads_is_not_packed(within: Value, beyond: Value) -> None:
    assert unpack(pack(within)) == within
    with pytest.raises(BadBytes):
        pack(beyond)
