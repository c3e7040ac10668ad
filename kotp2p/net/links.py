"""A link: one proved byte stream to another peer, with its frames in both directions.

Scope: the handshake, reading and writing frames, the limits for an untrusted listener.
Not here: what the frames mean. One task reads, one writes; `send` never waits, so a
peer that does not read cannot hold up the game: its link is closed when its queue is full.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import trio

from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.encoding import MAX_FRAME_BYTES, BadBytes, pack
from kotp2p.wire.frame_codec import (
    MAX_HELLO_BYTES,
    FrameDecoder,
    decode,
    encode,
)
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_link import Hello, LinkProof, Refusal, RefusalCode
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.world import Connection, HungUp, NotLetIn, NotTls, Security
from referee.box.rulesets import RULES_VERSION

HANDSHAKE_SECONDS = 10.0
"""Seconds from the first byte to a proved key."""
MAX_QUEUED_FRAMES = 4096
"""Frames that may wait for a peer that does not read."""
FLUSH_SECONDS = 5.0
"""Seconds that a closing link may take to send what is queued."""


class LinkFault(Exception):
    """The other side does not speak this protocol, or broke off."""


class ClosedSilently(LinkFault):
    """The other side has closed without a word: a table that many have come to in this second
    does so, and so does much else."""


class NotInvited(LinkFault):
    """The other side is a table, and not one to which our secret opens the door."""


@dataclass(frozen=True, slots=True)
class Door:
    """What a connection must pass before anything is said on it."""

    security: Security | None
    """None: nothing."""
    secret: bytes

    async def passed(self, connection: Connection, dialled: bool) -> Connection:
        """Raises NotTls, NotLetIn, or what the stream raises."""
        if self.security is None:
            return connection
        return await self.security.wrap(connection, self.secret, dialled)


class Refused(Exception):
    """The other side, or this one, will not go on."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class _Frames:
    """Frames off a stream, one at a time."""

    def __init__(self, stream: trio.abc.Stream, limit: int) -> None:
        self._stream = stream
        self.decoder = FrameDecoder(limit)
        self._ready: list[bytes] = []

    async def next(self) -> bytes | None:
        """The next frame body; None at the end of the stream."""
        while not self._ready:
            data = await self._stream.receive_some(65_536)
            if not data:
                return None
            self._ready = list(self.decoder.feed(data))
        return self._ready.pop(0)


@dataclass(slots=True)
class Link:
    """A link whose other side has proved its key."""

    number: int
    their_hello: Hello
    dialled: bool
    """This side has dialled."""
    address: str
    _stream: trio.abc.Stream
    _frames: _Frames
    _outbox: trio.MemorySendChannel[bytes] = field(init=False)
    _queue: trio.MemoryReceiveChannel[bytes] = field(init=False)
    _scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    is_closing: bool = False

    def __post_init__(self) -> None:
        self._outbox, self._queue = trio.open_memory_channel[bytes](MAX_QUEUED_FRAMES)

    @property
    def key(self) -> bytes:
        return self.their_hello.key

    def send(self, frame: Frame) -> None:
        """Queues the frame; a link whose queue is full is cut."""
        if self.is_closing:
            return
        try:
            self._outbox.send_nowait(encode(frame))
        except trio.WouldBlock:
            self.cut()
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            pass

    def close(self) -> None:
        """Sends what is queued, then closes."""
        self.is_closing = True
        self._outbox.close()
        self._scope.deadline = trio.current_time() + FLUSH_SECONDS

    def cut(self) -> None:
        """Closes at once."""
        self.is_closing = True
        self._scope.cancel()

    async def run(self, receive: Callable[[Frame], None]) -> str:
        """Moves frames until either side ends the link; says why it ended."""
        why = "closed"
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write)
                why = await self._read(receive)
                if not self.is_closing:
                    nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self._stream)
        return why

    async def _read(self, receive: Callable[[Frame], None]) -> str:
        try:
            while True:
                body = await self._frames.next()
                if body is None:
                    return "closed"
                frame = decode(body)
                if frame is not None:
                    receive(frame)
        except BadBytes as fault:
            return f"sent no frame of this protocol: {fault}"
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return "broken"

    async def _write(self) -> None:
        """Ends our direction when the queue is closed; the reader then waits for their end."""
        try:
            async for data in self._queue:
                await self._stream.send_all(data)
            if isinstance(self._stream, trio.abc.HalfCloseableStream):
                await self._stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._scope.cancel()


def make_hello(signer: Signer, instance: bytes, table: bytes, nonce: bytes) -> Hello:
    return Hello(PROTOCOL_VERSION, RULES_VERSION, 0, instance, table, signer.key, nonce)


def make_refusal(why: RefusalCode, words: str) -> Refusal:
    return Refusal(int(why), PROTOCOL_VERSION, RULES_VERSION, words)


async def shake_hands(
    connection: Connection,
    door: Door,
    signer: Signer,
    own: Hello,
    dialled: bool,
    number: int,
    admit: Callable[[Hello], Refusal | None],
) -> Link:
    """Proves both keys over a new connection (PROTOCOL.md 4).

    `admit` may refuse what the other side says of itself before anything is proved. Raises
    LinkFault or Refused; the stream is closed then.
    """
    proved = False
    try:
        with trio.fail_after(HANDSHAKE_SECONDS):
            connection = await door.passed(connection, dialled)
            frames = _Frames(connection.stream, MAX_HELLO_BYTES)
            theirs = await _exchange(connection, frames, signer, own, dialled, admit)
        frames.decoder.limit = MAX_FRAME_BYTES
        proved = True
        return Link(number, theirs, dialled, connection.address, connection.stream, frames)
    except Refused as fault:
        if not dialled:
            with trio.move_on_after(1, shield=True):
                await _try_sending(connection.stream, encode(fault.refusal))
        raise
    except NotLetIn as fault:
        raise NotInvited(str(fault)) from fault
    except HungUp as fault:
        raise ClosedSilently(str(fault)) from fault
    except (NotTls, BadBytes, trio.TooSlowError, trio.BrokenResourceError) as fault:
        raise LinkFault(str(fault)) from fault
    finally:
        if not proved:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(connection.stream)


async def _try_sending(stream: trio.abc.Stream, data: bytes) -> None:
    try:
        await stream.send_all(data)
        if isinstance(stream, trio.abc.HalfCloseableStream):
            await stream.send_eof()
        await stream.receive_some(1)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass


async def _exchange(
    connection: Connection,
    frames: _Frames,
    signer: Signer,
    own: Hello,
    dialled: bool,
    admit: Callable[[Hello], Refusal | None],
) -> Hello:
    stream = connection.stream
    if dialled:
        await stream.send_all(encode(own))
    theirs = await _expect(frames, Hello)
    no = make_refusal(RefusalCode.VERSION, "another version") if _differs(theirs) else admit(theirs)
    if no is not None:
        raise Refused(no)
    if not dialled:
        await stream.send_all(encode(own))
    dialler, listener = (own, theirs) if dialled else (theirs, own)
    said, heard = (
        pack((by_dialler, connection.binding, dialler.value(), listener.value()))
        for by_dialler in (dialled, not dialled)
    )
    await stream.send_all(encode(LinkProof(signer.sign(Tag.HELLO, said))))
    proof = await _expect(frames, LinkProof)
    if not is_valid_signature(theirs.key, Tag.HELLO, heard, proof.signature):
        raise BadBytes("a proof that is not its key's")
    return theirs


def _differs(theirs: Hello) -> bool:
    return (theirs.protocol, theirs.rules) != (PROTOCOL_VERSION, RULES_VERSION)


_H = TypeVar("_H", Hello, LinkProof)


async def _expect(frames: _Frames, kind: type[_H]) -> _H:
    body = await frames.next()
    if body is None:
        raise BadBytes("broke off in the handshake")
    frame = decode(body)
    if isinstance(frame, Refusal):
        raise Refused(frame)
    if not isinstance(frame, kind):
        raise BadBytes("not the frame that is due in the handshake")
    return frame
