"""Bytes on a link that no program of this version writes. tests/kotp2p/wire/test_encoding.py has
what is wrong in a value by itself; `tests.tools.fuzz` the rest of what chance can make."""

import itertools
import logging
import tracemalloc
from collections.abc import Callable

import pytest

from kotp2p.wire.encoding import MAX_FRAME_BYTES, BadBytes, pack
from kotp2p.wire.entries import BodyKind, Signed, unpack_seals
from kotp2p.wire.frames import MAX_HELLO_BYTES, FrameDecoder, decode
from tests.tools.fuzz import decoders, seeds
from tests.tools.fuzz.mutate import STRANGE, nodes

MIB = 2**20


def peak_of(work: Callable[[], None]) -> int:
    """Bytes that it takes at most, beyond what was there."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [0, MAX_FRAME_BYTES + 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("limit", [MAX_HELLO_BYTES, MAX_FRAME_BYTES])
def test_announces_a_frame_of_no_length_or_of_4_gib(size: int, limit: int) -> None:
    def announce() -> None:
        with pytest.raises(BadBytes):
            list(FrameDecoder(limit).feed(size.to_bytes(4, "big") + bytes(1000)))

    assert peak_of(announce) < MIB


def test_announces_a_long_frame_before_proving_a_key() -> None:
    decoder = FrameDecoder()
    assert list(decoder.feed((MAX_HELLO_BYTES).to_bytes(4, "big"))) == []
    with pytest.raises(BadBytes):
        list(FrameDecoder().feed((MAX_HELLO_BYTES + 1).to_bytes(4, "big")))


def test_sends_every_frame_byte_by_byte() -> None:
    whole = b"".join(len(one).to_bytes(4, "big") + one for one in seeds.frames())
    decoder = FrameDecoder(MAX_FRAME_BYTES)
    got = [body for byte in whole for body in decoder.feed(bytes((byte,)))]
    assert got == list(seeds.frames())


def test_speaks_another_protocol() -> None:
    for greeting in (
        b"GET / HTTP/1.1\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"EHLO example.org\r\n",
        b"\x00\x00\x00\x85\xffSMB",
    ):
        with pytest.raises(BadBytes):
            for body in FrameDecoder().feed(greeting + bytes(600)):
                decode(body)


HEAVY = {
    "empty arrays": b"\xdd" + (65_000).to_bytes(4, "big") + b"\x90" * 65_000,
    "arrays of empty arrays": b"\x9f" + (b"\xdc\x0f\xff" + b"\x90" * 4095) * 15,
    "a tower": b"\x91" * 65_535 + b"\x01",
    "a tower of long promises": b"\xdd\xff\xff\xff\xff" * 13_000,
    "a promise of bytes": b"\xc6\xff\xff\xff\xff" + bytes(60_000),
    "nils in one array": b"\xdc\xff\xff" + b"\xc0" * 65_000,
    "maps": b"\x8f" + b"\x80" * 60_000,
}


@pytest.mark.parametrize("name", sorted(HEAVY))
def test_sends_64_kib_that_swell(name: str, caplog: pytest.LogCaptureFixture) -> None:
    def swell() -> None:
        with pytest.raises(BadBytes) as found:
            decode(HEAVY[name])
        logging.getLogger(__name__).warning("dropped", exc_info=found.value)

    assert len(HEAVY[name]) <= MAX_FRAME_BYTES
    assert peak_of(swell) < 10 * MIB
    assert len(caplog.text) < 20_000


def test_puts_every_wrong_thing_into_every_place_of_every_frame() -> None:
    """Refused, or the same bytes come back; `decoders` asserts it."""
    tried = refused = 0
    for data in seeds.frames():
        for (start, end), strange in itertools.product(nodes(data), STRANGE):
            tried += 1
            refused += not decoders.frame(data[:start] + strange + data[end:])
    assert tried > 10_000
    assert refused > tried * 0.8


def test_puts_every_wrong_thing_into_every_place_of_every_body() -> None:
    tried = refused = 0
    for signed in seeds.bodies():
        data = signed.body
        # the seats of a genesis are alike: its first places will do
        for (start, end), strange in itertools.product(nodes(data)[:40], STRANGE):
            changed = Signed(signed.kind, data[:start] + strange + data[end:], b"")
            tried += 1
            refused += not decoders.body(changed)
    assert tried > 10_000
    assert refused > tried * 0.8


def test_signs_with_more_bytes_than_a_frame_may_carry() -> None:
    with pytest.raises(BadBytes):
        decode(pack((int(BodyKind.PLAY), b"body", bytes(1025))))


@pytest.mark.parametrize(
    "data",
    [b"", bytes(64), bytes(66), bytes(130), (b"\x01" + bytes(64)) + (b"\x00" + bytes(64))],
    ids=["none", "short", "long", "twice", "descending"],
)
def test_sends_seals_out_of_order(data: bytes) -> None:
    with pytest.raises(BadBytes):
        unpack_seals(data)
