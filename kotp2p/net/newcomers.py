"""A connection that has proved nothing yet: its first bytes, and how it is turned away.

Scope: what is read of a stranger before its handshake begins, and the one line that a listener says
to a connection that it has no room for (PROTOCOL.md 4.1).
Not here: which one is turned away (`kotp2p.net.entrance`), and the handshake itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import trio

from kotp2p.net.client_hello import MAX_RECORD_BYTES, is_whole
from kotp2p.seams.world import Connection

BUSY_LINE = b"kotp2p busy\n"
"""What a listener says in the clear, in place of TLS or of its rest, to a connection that it has no
room for."""
GOODBYE_SECONDS = 0.5
"""How long a connection that is turned away may take to read so. If it were closed with bytes of
its own unread, its machine could throw the line away."""

GOODBYE_READS = 8
"""How often something is read of it meanwhile."""


class NoRoom(Exception):
    """The listener has no room for this connection, and says so."""


class _Wrapped(trio.abc.HalfCloseableStream):
    """Another stream, but for what it receives."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        if isinstance(self._stream, trio.abc.HalfCloseableStream):
            await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


class SplitStream(_Wrapped):
    """A stream whose first bytes have been read already."""

    def __init__(self, stream: trio.abc.Stream, first: bytes) -> None:
        super().__init__(stream)
        self._first = first

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if self._first:
            size = len(self._first) if max_bytes is None else max_bytes
            data, self._first = self._first[:size], self._first[size:]
            await trio.lowlevel.checkpoint()
            return data
        return await self._stream.receive_some(max_bytes)


class DialledStream(_Wrapped):
    """A stream to a listener, which may have no room: at once, or when others come that have shown
    more. Raises NoRoom then."""

    is_let_in = False
    """Both keys are proved: what comes from now on is never such a line."""

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._stream.receive_some(max_bytes)
        if not self.is_let_in and data.endswith(BUSY_LINE):
            raise NoRoom("the listener has no room")
        return data


async def say_no_room(stream: trio.abc.Stream) -> None:
    """The last words to a connection; also where this task has been cancelled for them."""
    with trio.move_on_after(GOODBYE_SECONDS, shield=True):
        try:
            await stream.send_all(BUSY_LINE)
            if isinstance(stream, trio.abc.HalfCloseableStream):
                await stream.send_eof()
            for _ in range(GOODBYE_READS):
                if not await stream.receive_some(MAX_RECORD_BYTES):
                    break
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass


@dataclass(eq=False, slots=True)
class Newcomer:
    connection: Connection
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    first_bytes: bytes = b""
    """What it has said, once a whole record has come: one that says nothing costs no handshake."""
    has_begun: bool = False
    """Its handshake has begun."""
    is_invited_watcher: bool = False
    """It has shown that it has the invitation for watchers."""

    @property
    def address(self) -> str:
        return self.connection.address

    @property
    def has_spoken(self) -> bool:
        return bool(self.first_bytes)

    async def hear_first_bytes(self) -> Connection | None:
        """The connection, once its first record has come; None if it has ended. No byte is
        lost."""
        stream, first = self.connection.stream, b""
        while not is_whole(first):
            try:
                data = bytes(await stream.receive_some(MAX_RECORD_BYTES))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return None
            if not data:
                return None
            first += data
        self.first_bytes = first
        return replace(self.connection, stream=SplitStream(stream, first))

    async def turn_away(self, *, with_words: bool = True) -> None:
        """Says that there is no room, and closes."""
        if with_words:
            await say_no_room(self.connection.stream)
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self.connection.stream)
