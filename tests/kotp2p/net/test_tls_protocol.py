"""Which protocol is spoken inside TLS: ours, or none at all."""

import contextlib
import os
import ssl

import pytest
import trio
import trio.testing

from kotp2p.net.machine import lend_file
from kotp2p.net.tls import (
    LEAF_ENTROPY_BYTES,
    NO_CHECK_TIME,
    TlsStream,
    make_authority,
    make_contexts,
    make_leaf,
)
from kotp2p.seams.world import Connection, NotTls
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from tests.support.tls_links import tls


@pytest.mark.parametrize("protocols", [[], ["another/1"]])
@pytest.mark.parametrize("dialled", [True, False])
async def test_who_knows_the_secret_but_speaks_another_protocol_is_cut(
    protocols: list[str], dialled: bool
) -> None:
    """Its certificate is right, so both sides come through the handshake."""
    own = make_leaf(OPEN_TABLE_SECRET, os.urandom(LEAF_ENTROPY_BYTES))
    listening, dialling = make_contexts(OPEN_TABLE_SECRET, own, lend_file)
    other = dialling if dialled else listening
    if protocols:
        other.set_alpn_protocols(protocols)
    else:
        other = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT if dialled else ssl.PROTOCOL_TLS_SERVER)
        other.check_hostname = False
        other.load_verify_locations(cadata=make_authority(OPEN_TABLE_SECRET))
        other.verify_flags |= NO_CHECK_TIME
        with lend_file(own.chain) as path:
            other.load_cert_chain(path)
    one, another = trio.testing.memory_stream_pair()
    here, there = Connection(one, "10.0.0.1"), Connection(another, "10.0.0.2")
    stream = TlsStream(here.stream, other, listens=not dialled)

    async def speak() -> None:
        with contextlib.suppress(NotTls, trio.BrokenResourceError):
            await stream.shake_hands()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(speak)
        with pytest.raises(NotTls):
            await tls().wrap(there, OPEN_TABLE_SECRET, not dialled)
        await trio.aclose_forcefully(there.stream)
