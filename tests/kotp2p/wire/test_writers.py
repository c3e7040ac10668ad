"""Every limit that a reader has, the writer has: what is written is read back as it was meant, and
what would not be read back cannot be written."""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace

import pytest

from kotp2p.wire import entries
from kotp2p.wire.addresses import SignedAddress
from kotp2p.wire.encoding import MAX_FRAME_BYTES, MAX_INT, BadBytes
from kotp2p.wire.frames import Frame, decode, encode
from kotp2p.wire.lineups import Change, Here, Leave, LineUp, Plan, Ready, Reason, Wish, sign_wish
from kotp2p.wire.records import ProgramNamed
from tests.support.paths import VECTORS
from tests.tools.vector_table import GAME, HEAD_BYTES, SEATS, fill
from tests.tools.vectors import _payloads

STRANGE: tuple[object, ...] = (
    -1, 0, 5, 6, 127, 128, 1000, 10_000, entries.MAX_ATTEMPT, entries.MAX_ATTEMPT + 1, 65_535,
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
    if isinstance(one, entries.Signed):
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
            entry = entries.Entry.sign(SEATS[1], 0, 17, HEAD_BYTES, 1, load)  # type: ignore[arg-type]
        except REFUSALS:
            continue
        assert entries.Entry.parse(entry.signed) == entry
        assert entry.payload == load


def entry_of(
    attempt: int = 0, height: int = 17, prev: bytes = HEAD_BYTES, seat: int = 1
) -> entries.Signed:
    load = _payloads()["done"]
    return entries.Entry.sign(SEATS[1], attempt, height, prev, seat, load).signed  # type: ignore[arg-type]


def line_up_of(
    attempt: int = 1, predecessor: bytes = HEAD_BYTES, height: int = 17, head: bytes = HEAD_BYTES,
    position: bytes = HEAD_BYTES, openings: tuple[bytes, ...] | None = (HEAD_BYTES,),
) -> entries.Signed:  # fmt: skip
    plan = (Change(1, Reason.ABSENT),)
    base = (height, head)
    lineup = LineUp.build(GAME, attempt, predecessor, base, position, plan, openings)
    return lineup.signed({0: lineup.assent(SEATS[0])})


def plan_of(
    keeper: int = 1, reason: Reason = Reason.BACK, instance: bytes = bytes(8)
) -> entries.Signed:
    plan: Plan = (Change(keeper, reason, instance),)
    lineup = LineUp.build(GAME, 1, HEAD_BYTES, (17, HEAD_BYTES), HEAD_BYTES, plan, None)
    return lineup.signed({0: lineup.assent(SEATS[0])})


def leave_of(seat: int = 1, line_up: int = 0, attempt: int = entries.MAX_ATTEMPT) -> entries.Signed:
    return Leave.sign(SEATS[1], GAME, seat, line_up, attempt).signed


def ready_of(
    seat: int = 1, attempt: int = 1, lineup: bytes = HEAD_BYTES, instance: bytes = bytes(8)
) -> entries.Signed:
    return Ready.sign(SEATS[1], GAME, seat, attempt, lineup, instance).signed


def head_of(
    seat: int = 1, attempt: int = 0, height: int = 17, head: bytes = HEAD_BYTES,
    instance: bytes = bytes(8), beat: int = 0,
) -> entries.Signed:  # fmt: skip
    return entries.sign_head(SEATS[1], GAME, seat, attempt, height, head, instance, beat)


def wish_of(
    seat: int = 1, serial: int = 1, without: tuple[int, ...] = (0,),
    refused: tuple[tuple[int, bytes], ...] = ((0, bytes(8)),),
) -> entries.Signed:  # fmt: skip
    return sign_wish(SEATS[1], GAME, seat, serial, without=without, refused=refused).signed


def here_of(seat: int = 1, instance: bytes = bytes(8)) -> entries.Signed:
    return Here.sign(SEATS[1], GAME, seat, instance).signed


def address_of(
    seat: int = 1, sequence: int = 1, targets: tuple[tuple[str, int], ...] = (("10.0.0.1", 1),)
) -> entries.Signed:
    return SignedAddress.sign(SEATS[1], GAME, seat, sequence, targets).signed


WRITERS: dict[Callable[..., entries.Signed], Callable[[entries.Signed], object]] = {
    entry_of: entries.Entry.parse,
    line_up_of: lambda signed: LineUp.parse(signed.body, GAME),
    plan_of: lambda signed: LineUp.parse(signed.body, GAME),
    leave_of: lambda signed: Leave.parse(signed, GAME),
    ready_of: lambda signed: Ready.parse(signed, GAME),
    head_of: lambda signed: entries.Head.parse(signed, GAME),
    wish_of: lambda signed: Wish.parse(signed, GAME),
    here_of: lambda signed: Here.parse(signed, GAME),
    address_of: lambda signed: SignedAddress.parse(signed, GAME),
}
"""A writer of each body with names for its fields, and the reader."""


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_a_body_is_read_or_cannot_be_signed(write: Callable[..., entries.Signed]) -> None:
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
    "seals", [{}, {6: bytes(64)}, {0: bytes(63)}, {0: bytes(65)}, {0: bytes(64), 1: b""}]
)
def test_seals_that_nobody_reads_are_not_joined(seals: dict[int, bytes]) -> None:
    with pytest.raises(BadBytes):
        entries.pack_seals(seals)


def test_seals_of_all_seats_are_read_back() -> None:
    seals = {seat: fill(seat, 64) for seat in range(entries.MAX_SEAT + 1)}
    assert entries.unpack_seals(entries.pack_seals(seals)) == seals


NESTED_5, NESTED_6 = ((((((),),),),),), (((((((),),),),),),)


def test_the_names_of_a_program_are_written_as_far_as_they_are_read() -> None:
    named = ProgramNamed("x" * 64, "y" * 64)
    assert ProgramNamed.parse(named.signed) == named
    for wrong in (ProgramNamed("x" * 65, ""), ProgramNamed("", "y" * 65)):
        with pytest.raises(BadBytes):
            _ = wrong.signed
