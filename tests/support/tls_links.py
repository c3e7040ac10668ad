"""Two ends of a connection under TLS, with proved keys."""

from __future__ import annotations

import contextlib
import os
import ssl
from collections.abc import Callable

import trio
import trio.testing

from kotp2p.net.handshake import Door, LinkFault, OwnSide, Refused, make_hello, shake_hands
from kotp2p.net.links import Link
from kotp2p.net.machine import lend_file
from kotp2p.net.tls import Tls
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames_link import Refusal
from kotp2p.world import Connection

ANA, REX = (Signer(bytes((n,)) * 32) for n in (1, 2))


def tls() -> Tls:
    return Tls(os.urandom, lend_file)


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
    """Rex dials Ana."""
    found: dict[bool, Link | Exception] = {}

    async def side(connection: Connection, signer: Signer, dialled: bool) -> None:
        own = make_hello(signer, bytes(8), b"", os.urandom(32))
        door = Door(tls(), secrets[not dialled])
        try:
            found[dialled] = await shake_hands(
                connection, OwnSide(door, signer, own), dialled, 1, admit_all if dialled else judge
            )
        except (LinkFault, Refused) as fault:
            found[dialled] = fault

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(side, here, REX, True)
            nursery.start_soon(side, there, ANA, False)
    return found[True], found[False]
