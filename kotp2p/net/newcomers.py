"""A connection that has proved nothing yet: its first bytes, and how it is turned away.

Scope: what is read of a stranger before its handshake begins, and the one line that a listener says
to a connection that it has no room for (PROTOCOL.md 4.1).
Not here: which one is turned away (`kotp2p.net.handshake_limit`), and the handshake itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from kotp2p.world import Connection

BUSY_LINE = b"kotp2p busy\n"
"""What a listener says, in place of its side of TLS, to a connection that it has no room for."""
FIRST_BYTES = 4096
"""Bytes that are read before the handshake begins."""
GOODBYE_SECONDS = 0.5
"""How long a connection that is turned away may take to read so. If it were closed with bytes of
its own unread, its machine could throw the line away."""


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
    """A stream to a listener, which may have no room. Raises NoRoom then."""

    _has_answered = False

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._stream.receive_some(max_bytes)
        if not self._has_answered and data == BUSY_LINE:
            raise NoRoom("the listener has no room")
        self._has_answered = True
        return data


@dataclass(eq=False, slots=True)
class Newcomer:
    connection: Connection
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    has_spoken: bool = False
    """Its first bytes have come: one that says nothing costs no handshake."""
    has_begun: bool = False
    """Its handshake has begun."""

    @property
    def address(self) -> str:
        return self.connection.address

    async def hear_first_bytes(self) -> Connection | None:
        """The connection, once it has said something; None if it has ended. No byte is lost."""
        stream = self.connection.stream
        try:
            first = bytes(await stream.receive_some(FIRST_BYTES))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            first = b""
        if not first:
            return None
        self.has_spoken = True
        return Connection(SplitStream(stream, first), self.address, self.connection.binding)

    async def turn_away(self) -> None:
        """Says that there is no room, and closes."""
        stream = self.connection.stream
        with trio.move_on_after(GOODBYE_SECONDS, shield=True):
            try:
                await stream.send_all(BUSY_LINE)
                if isinstance(stream, trio.abc.HalfCloseableStream):
                    await stream.send_eof()
                await stream.receive_some(FIRST_BYTES)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                pass
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(stream)
