"""TLS on a connection: who gets through, what a stranger sees, and how a stream ends."""

import os
import random
import ssl
from collections.abc import Awaitable, Callable
from datetime import datetime

import pytest
import trio
import trio.testing

from kotp2p.net import handshake
from kotp2p.net import tls as certificates
from kotp2p.net.entrance import MAX_RECORD_BYTES, is_whole, server_name
from kotp2p.net.links import Link
from kotp2p.net.tls import (
    ALPN_PROTOCOL,
    LEAF_ENTROPY_BYTES,
    MAX_HANDSHAKE_BYTES,
    TlsStream,
    bind_certificates,
    make_authority,
    make_leaf,
)
from kotp2p.seams.world import Connection, NotLetIn, NotTls
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from tests.support.courses import digest_of
from tests.support.tls_links import (
    ANA,
    REX,
    WrappedStream,
    admit_all,
    both,
    hello,
    linked,
    opened,
    pair,
    tls,
)

SECRET = b"0123456789"
EVE = Signer(bytes((3,)) * 32)


async def test_both_sides_have_the_same_binding_and_no_other_link_has_it() -> None:
    here, there = await opened()
    assert here.binding == there.binding != bytes(32)
    assert (await opened())[0].binding != here.binding


@pytest.mark.parametrize("holds_nothing", [False, True], ids=["a network", "full buffers"])
@pytest.mark.virtual_time
async def test_bytes_go_both_ways_and_more_than_a_record(holds_nothing: bool) -> None:
    """Where buffers are full, a side whose words wait hears the other, or both wait for ever."""
    here, there = await opened(holds_nothing=holds_nothing)
    data = os.urandom(300_000)

    async def send(connection: Connection) -> None:
        await connection.stream.send_all(data)
        await connection.stream.send_all(b"")

    async def receive(connection: Connection) -> None:
        got = b""
        while len(got) < len(data):
            got += await connection.stream.receive_some()
        assert got == data

    with trio.fail_after(1):
        async with trio.open_nursery() as nursery:
            for connection in (here, there):
                nursery.start_soon(send, connection)
                nursery.start_soon(receive, connection)


@pytest.mark.virtual_time
async def test_one_direction_may_end_before_the_other() -> None:
    here, there = await opened()
    assert isinstance(here.stream, TlsStream)
    await here.stream.send_all(b"last words")
    await here.stream.send_eof()
    assert await there.stream.receive_some() == b"last words"
    with trio.fail_after(1):
        assert await there.stream.receive_some() == b""
    await there.stream.send_all(b"an answer")
    assert await here.stream.receive_some() == b"an answer"


class Tapped(WrappedStream):
    seen = b""

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.seen += bytes(data)
        await self.stream.send_all(data)


@pytest.mark.virtual_time
async def test_nothing_readable_is_on_the_wire() -> None:
    here, there = pair()
    taps = [Tapped(here.stream), Tapped(there.stream)]
    rex, _ana = await linked(Connection(taps[0], ""), Connection(taps[1], ""))
    assert isinstance(rex, Link)
    for tap in taps:
        assert len(tap.seen) > 500
        assert ANA.key not in tap.seen
        assert REX.key not in tap.seen


@pytest.mark.parametrize(
    ("dials", "listens"),
    [(OPEN_TABLE_SECRET, SECRET), (SECRET, OPEN_TABLE_SECRET), (SECRET, b"x" * 10)],
)
async def test_who_has_no_secret_is_not_let_in_and_can_tell(dials: bytes, listens: bytes) -> None:
    here, there = await both(dials, listens)
    assert isinstance(here, NotLetIn)
    assert isinstance(there, NotTls)


@pytest.mark.parametrize(("first", "last"), [(1951, 1969), (2060, 2070)])
async def test_a_machine_with_any_calendar_clock_is_let_in(
    first: int, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They look to this clock as our certificates look to one that shows 2051 or 1970."""
    monkeypatch.setattr(certificates, "_FROM", datetime(first, 1, 1))
    monkeypatch.setattr(certificates, "_UNTIL", datetime(last, 1, 1))
    here, there = await opened()
    assert here.binding == there.binding


GARBAGE = {
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "zeros": bytes(64),
    "ones": b"\xff" * 64,
    "our own frame": b"\0\0\0\x04" + b"\x91\x40\0\0",
    "end": b"",
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE.keys())
@pytest.mark.parametrize("dialled", [True, False])
async def test_what_is_no_tls_is_cut(data: bytes, dialled: bool) -> None:
    here, there = pair()
    if data:
        await there.stream.send_all(data)
    assert isinstance(there.stream, trio.StapledStream)
    await there.stream.send_eof()
    with pytest.raises(NotTls):
        await tls().wrap(here, OPEN_TABLE_SECRET, dialled)


MAX_PLAIN_BYTES = 16_384
LONG_HELLO_BYTES = 100_000
"""OpenSSL waits for all of a hello that says it is so long, and refuses a longer one at once."""


class Trickle(trio.abc.ReceiveStream):
    """The records of a long hello, a piece at a time."""

    PIECE = 1024

    def __init__(self) -> None:
        self.given = 0
        hello = b"\x01" + LONG_HELLO_BYTES.to_bytes(3, "big") + bytes(LONG_HELLO_BYTES)
        size = MAX_PLAIN_BYTES
        parts = [hello[at : at + size] for at in range(0, len(hello), size)]
        self.data = b"".join(b"\x16\x03\x01" + len(p).to_bytes(2, "big") + p for p in parts)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        await trio.lowlevel.checkpoint()
        piece = self.data[self.given : self.given + self.PIECE]
        self.given += len(piece)
        return piece

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_bytes_before_a_certificate_are_few() -> None:
    here, _ = trio.testing.memory_stream_pair()
    trickle = Trickle()
    connection = Connection(trio.StapledStream(here.send_stream, trickle), "10.0.0.1")
    with pytest.raises(NotTls, match="too many bytes"):
        await tls().wrap(connection, OPEN_TABLE_SECRET, False)
    assert MAX_HANDSHAKE_BYTES < trickle.given <= MAX_HANDSHAKE_BYTES + Trickle.PIECE


def bare_client(**changes: object) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols([ALPN_PROTOCOL])
    for name, value in changes.items():
        setattr(context, name, value)
    return context


@pytest.mark.parametrize(
    "context",
    [bare_client(), bare_client(maximum_version=ssl.TLSVersion.TLSv1_2)],
    ids=["without a certificate", "TLS 1.2"],
)
async def test_a_tls_client_without_a_certificate_is_cut(context: ssl.SSLContext) -> None:
    here, there = pair()
    client = TlsStream(here.stream, context, listens=False)

    async def dial() -> None:
        with pytest.raises((NotTls, trio.BrokenResourceError)):
            await client.shake_hands()
            await client.receive_some()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(dial)
        with pytest.raises(NotTls):
            await tls().wrap(there, OPEN_TABLE_SECRET, False)
        await trio.aclose_forcefully(there.stream)


async def test_after_garbage_nothing_is_taken_as_sent() -> None:
    here, there = await opened()
    assert isinstance(there.stream, TlsStream)
    await there.stream._stream.send_all(b"no TLS at all")
    with pytest.raises(trio.BrokenResourceError):
        await here.stream.receive_some()
    with pytest.raises(trio.BrokenResourceError):
        await here.stream.send_all(b"a frame")


# -- with keys -----------------------------------------------------------------------------


@pytest.mark.virtual_time
async def test_a_closed_table_is_told_from_something_else() -> None:
    rex, ana = await linked(*pair(), secrets=(OPEN_TABLE_SECRET, SECRET))
    assert isinstance(rex, handshake.NotInvited)
    assert isinstance(ana, handshake.LinkFault)


@pytest.mark.virtual_time
async def test_somebody_in_the_middle_cannot_pass_proofs_on() -> None:
    """Eve is invited, too: she makes a link to each side and hands the frames over."""
    rex_end, eve_for_rex = pair()
    eve_for_ana, ana_end = pair()

    async def pump(source: Connection, target: Connection) -> None:
        try:
            while data := await source.stream.receive_some(65_536):
                await target.stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        await trio.aclose_forcefully(target.stream)

    async def eve() -> None:
        between = tls()
        made: list[Connection] = []

        async def wrap(connection: Connection, dialled: bool) -> None:
            made.append(await between.wrap(connection, OPEN_TABLE_SECRET, dialled))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wrap, eve_for_rex, False)
            nursery.start_soon(wrap, eve_for_ana, True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, made[0], made[1])
            nursery.start_soon(pump, made[1], made[0])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(eve)
        rex, ana = await linked(rex_end, ana_end)
        nursery.cancel_scope.cancel()
    assert isinstance(rex, handshake.LinkFault)
    assert isinstance(ana, handshake.LinkFault)
    assert "not its key's" in str(rex) + str(ana)


async def seconds_given_to(stranger: Callable[[Connection], Awaitable[None]]) -> float:
    """How long the handshake with one that never ends it goes on."""
    here, there = pair()
    own = handshake.make_hello(ANA, bytes(8), b"", bytes(32))
    side, start = handshake.OwnSide(tls(), OPEN_TABLE_SECRET, ANA, own), trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stranger, here)
        with pytest.raises(handshake.LinkFault):
            await handshake.shake_hands(there, side, False, 1, admit_all)
        nursery.cancel_scope.cancel()
    return trio.current_time() - start


@pytest.mark.parametrize("silent_after", [0, 1])
@pytest.mark.virtual_time
async def test_a_silent_stranger_is_cut_after_the_time_of_a_handshake(silent_after: int) -> None:
    """Before TLS, or behind it."""

    async def stranger(here: Connection) -> None:
        if silent_after:
            await tls().wrap(here, OPEN_TABLE_SECRET, True)

    assert 9 < await seconds_given_to(stranger) < 12


@pytest.mark.virtual_time
async def test_one_byte_now_and_then_does_not_buy_time() -> None:
    async def slow(here: Connection) -> None:
        for byte in b"\x16\x03\x01\x02\x00\x01\x00\x01":
            await here.stream.send_all(bytes((byte,)))
            await trio.sleep(4)

    assert await seconds_given_to(slow) < 12


# -- certificates -------------------------------------------------------------------------


ENTROPY = bytes(range(LEAF_ENTROPY_BYTES))


def test_processes_that_know_the_secret_have_the_same_authority() -> None:
    recorded = {
        make_authority(b"secret"): "7ad5c9d6a8229174",
        make_leaf(b"secret", ENTROPY).certificate: "445a220deff8c109",
    }
    assert {made: digest_of([made]) for made in recorded} == recorded
    secrets = (b"secret", b"secret2", OPEN_TABLE_SECRET)
    assert len({make_authority(secret) for secret in secrets}) == 3


def test_the_binding_tells_the_sides_apart() -> None:
    assert bind_certificates(b"a", b"b") != bind_certificates(b"b", b"a")
    assert bind_certificates(b"ab", b"") != bind_certificates(b"a", b"b")


def test_nothing_secret_is_in_what_is_logged() -> None:
    assert "PRIVATE" not in repr(make_leaf(OPEN_TABLE_SECRET, ENTROPY))


# -- the first message --------------------------------------------------------------------


NAME = "0123456789abcdef" * 3 + "01234567"


def test_the_name_that_a_dialler_says_is_read() -> None:
    assert server_name(hello(NAME)) == NAME
    assert server_name(hello(NAME) + b"more") == NAME
    assert server_name(hello(None)) == ""


def test_a_hello_is_whole_with_its_last_byte() -> None:
    whole = hello(NAME)
    assert [n for n in range(len(whole) + 1) if is_whole(whole[:n])] == [len(whole)]
    assert is_whole(whole + b"more")


def test_what_is_no_record_of_tls_is_not_waited_for() -> None:
    assert is_whole(b"GET / HTTP/1.1")
    too_long = bytes((22, 3, 1)) + MAX_RECORD_BYTES.to_bytes(2, "big")
    assert not is_whole(too_long[:4])
    assert is_whole(bytes((22, 3, 1)) + (MAX_RECORD_BYTES + 1).to_bytes(2, "big"))


def test_bytes_that_are_cut_off_or_changed_have_a_name_or_none() -> None:
    whole, dice = hello(NAME), random.Random(1)
    assert all(server_name(whole[:n]) == "" for n in range(100))
    for _ in range(5_000):
        changed = bytearray(whole[: dice.randrange(len(whole))] if dice.random() < 0.3 else whole)
        for _ in range(dice.randrange(1, 4)):
            if changed:
                changed[dice.randrange(len(changed))] = dice.randrange(256)
        assert isinstance(server_name(bytes(changed)), str)
