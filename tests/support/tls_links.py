"""Two ends of a connection under TLS, with proved keys."""

import contextlib
import os
import ssl
from collections.abc import Callable

import trio
import trio.testing

from kotp2p.net.handshake import LinkFault, OwnSide, Refused, make_hello, shake_hands
from kotp2p.net.links import Link
from kotp2p.net.machine import lend_file
from kotp2p.net.tls import Tls
from kotp2p.seams.world import Connection, NotLetIn, NotTls
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames import Refusal

ANA, REX = (Signer(bytes((n,)) * 32) for n in (1, 2))


class WrappedStream(trio.abc.Stream):
    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self.stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self.stream.aclose()


def tls() -> Tls:
    return Tls(os.urandom, lend_file)


def pair(*, holds_nothing: bool = False) -> tuple[Connection, Connection]:
    """`holds_nothing`: what one side sends waits until the other one reads it."""
    make = trio.testing.lockstep_stream_pair if holds_nothing else trio.testing.memory_stream_pair
    one, other = make()
    return Connection(one, "10.0.0.1"), Connection(other, "10.0.0.2")


async def both(
    dials: bytes = OPEN_TABLE_SECRET,
    listens: bytes = OPEN_TABLE_SECRET,
    *,
    holds_nothing: bool = False,
) -> tuple[Connection | Exception, Connection | Exception]:
    """What dialler and listener come to, each in a process of its own."""
    found: dict[bool, Connection | Exception] = {}

    async def side(connection: Connection, secret: bytes, dialled: bool) -> None:
        try:
            found[dialled] = await tls().wrap(connection, secret, dialled)
        except (NotTls, NotLetIn) as fault:
            found[dialled] = fault
            await trio.aclose_forcefully(connection.stream)
        except trio.BrokenResourceError as fault:
            found[dialled] = fault

    here, there = pair(holds_nothing=holds_nothing)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(side, here, dials, True)
        nursery.start_soon(side, there, listens, False)
    return found[True], found[False]


async def opened(*, holds_nothing: bool = False) -> tuple[Connection, Connection]:
    here, there = await both(holds_nothing=holds_nothing)
    assert isinstance(here, Connection)
    assert isinstance(there, Connection)
    return here, there


def hello(name: str | None) -> bytes:
    """The first bytes of a side that dials."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.set_alpn_protocols(["kotp2p/1"])
    out = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), out, server_hostname=name).do_handshake()
    return out.read()


def admit_all(_theirs: object) -> None:
    return None


async def linked(
    here: Connection,
    there: Connection,
    judge: Callable[[object], Refusal | None] = admit_all,
    secrets: tuple[bytes, bytes] = (OPEN_TABLE_SECRET, OPEN_TABLE_SECRET),
) -> tuple[Link | Exception, Link | Exception]:
    found: dict[bool, Link | Exception] = {}

    async def side(connection: Connection, signer: Signer, dialled: bool) -> None:
        own = make_hello(signer, bytes(8), b"", os.urandom(32))
        side = OwnSide(tls(), secrets[not dialled], signer, own)
        try:
            found[dialled] = await shake_hands(
                connection, side, dialled, 1, admit_all if dialled else judge
            )
        except (LinkFault, Refused) as fault:
            found[dialled] = fault

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(side, here, REX, True)
            nursery.start_soon(side, there, ANA, False)
    return found[True], found[False]
