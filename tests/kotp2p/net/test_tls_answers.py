"""TLS answers messages of its own, and a peer cannot make it keep such answers in memory."""

import ssl

import pytest
import trio
import trio.testing

from kotp2p.net.tls import TlsStream
from tests.support.tls_links import opened

pytestmark = pytest.mark.virtual_time


class AskedForAnswers:
    """TLS as if whatever comes called for an answer, like the key updates of RFC 8446, 4.6.3."""

    def __init__(self, out: ssl.MemoryBIO) -> None:
        self.out = out

    def read(self, _size: int) -> bytes:
        self.out.write(b"answer")
        raise ssl.SSLWantReadError

    def write(self, data: bytes) -> int:
        return self.out.write(data)


async def test_answers_of_tls_do_not_pile_up_for_a_side_that_does_not_read() -> None:
    here, there = await opened(holds_nothing=True)
    assert isinstance(here.stream, TlsStream)
    assert isinstance(there.stream, TlsStream)
    out = here.stream._out
    here.stream._tls = AskedForAnswers(out)  # type: ignore[assignment]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(here.stream.send_all, b"words")
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(here.stream.receive_some)
        with trio.move_on_after(1):
            for _ in range(10):
                await there.stream._stream.send_all(b"a key update")
        assert out.pending == len(b"answer")
        nursery.cancel_scope.cancel()
