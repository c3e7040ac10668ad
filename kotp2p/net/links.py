"""A link: one proved byte stream to another peer, with its frames in both directions.

Scope: the states of a link, and its frames once both keys are proved. One task reads, one writes.
`send` never waits, so a peer that does not read cannot hold up the game: its link is cut when its
queue is full. A peer that sends too much holds up only itself: its link is not read while its
budget is spent, or while too much of what it has sent waits for the owner of the link.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

import trio

from kotp2p.rendezvous.exchange import PLACE_OF_RELAYED
from kotp2p.seams.cores import PART_UNITS, Budget, Phase, StateTable, units_of_frame
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frames import Frame, FrameDecoder, Hello, HelloRole, decode, encode

# -- what happens on links -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LinkOpened:
    link: Link


@dataclass(frozen=True, slots=True)
class FrameReceived:
    link: Link
    frame: Frame


@dataclass(frozen=True, slots=True)
class LinkClosed:
    link: Link


LinkEvent: TypeAlias = LinkOpened | FrameReceived | LinkClosed


# -- links ---------------------------------------------------------------------------------


MAX_QUEUED_FRAMES = 4096
"""Frames that may wait for a peer that does not read."""
MAX_QUEUED_BYTES = 4 * 2**20
"""The same in bytes: twice as much as the longest answer to WANT, 512 proofs."""
MAX_WAITING_FRAMES = 64
"""Frames of one link that may wait to be looked at."""
MAX_WAITING_BYTES = 262_144
"""The same in bytes: four of the longest frames."""
FLUSH_SECONDS = 5.0
"""How long a closing link may take to send what is queued."""
READ_BYTES = 65_536
JOINED_BYTES = 16_384
"""Frames that wait together go out as one record of TLS, which is this long at most."""


class LinkState(StrEnum):
    SECURING = "securing"
    """TLS is being set up; a stranger to a closed table gets no further."""
    GREETING = "greeting"
    PROVING = "proving"
    OPEN = "open"
    CLOSING = "closing"
    """What is queued still goes out; then this side ends its direction."""
    CUT = "cut"
    """Nothing goes out any more."""
    CLOSED = "closed"


class LinkStep(StrEnum):
    SECURED = "TLS stands"
    GREETED = "hellos accepted"
    PROVED = "keys proved"
    CLOSE = "this side closes"
    CUT = "this side cuts"
    ENDED = "the stream is closed"


LINK = StateTable(
    "link",
    LinkState.SECURING,
    {
        LinkState.SECURING: {
            LinkStep.SECURED: LinkState.GREETING,
            LinkStep.ENDED: LinkState.CLOSED,
        },
        LinkState.GREETING: {LinkStep.GREETED: LinkState.PROVING, LinkStep.ENDED: LinkState.CLOSED},
        LinkState.PROVING: {LinkStep.PROVED: LinkState.OPEN, LinkStep.ENDED: LinkState.CLOSED},
        LinkState.OPEN: {
            LinkStep.CLOSE: LinkState.CLOSING,
            LinkStep.CUT: LinkState.CUT,
            LinkStep.ENDED: LinkState.CLOSED,
        },
        LinkState.CLOSING: {
            LinkStep.CLOSE: LinkState.CLOSING,
            LinkStep.CUT: LinkState.CUT,
            LinkStep.ENDED: LinkState.CLOSED,
        },
        LinkState.CUT: {
            LinkStep.CLOSE: LinkState.CUT,
            LinkStep.CUT: LinkState.CUT,
            LinkStep.ENDED: LinkState.CLOSED,
        },
        # A stage may still hold a link that has ended in its own time.
        LinkState.CLOSED: {LinkStep.CLOSE: LinkState.CLOSED, LinkStep.CUT: LinkState.CLOSED},
    },
)


class FrameReader:
    def __init__(self, stream: trio.abc.Stream, limit: int) -> None:
        self._stream = stream
        self.decoder = FrameDecoder(limit)
        self.after_part: Callable[[], Awaitable[None]] | None = None
        """Called for what was read and completes no frame."""
        self._ready: list[bytes] = []

    async def next_body(self) -> bytes | None:
        """Return the next frame body, None at the end; raise BadBytes or the stream's errors."""
        while not self._ready:
            data = await self._stream.receive_some(READ_BYTES)
            if not data:
                return None
            self._ready = list(self.decoder.feed(data))
            if not self._ready and self.after_part is not None:
                await self.after_part()
        return self._ready.pop(0)


@dataclass(slots=True)
class Link:
    number: int
    their_hello: Hello
    dialled: bool
    address: str
    _stream: trio.abc.Stream
    _reader: FrameReader
    _phase: Phase[LinkState, LinkStep]
    local: str = ""
    """The address of this side; empty if it is not known."""
    budget: Budget = field(default_factory=Budget.for_stranger)
    """What the other side may cost. A game puts the budget of its seat here."""
    was_shut: bool = False
    """This side has closed or cut it. What had come before is thrown away."""
    _waiting: deque[int] = field(default_factory=deque)
    """The sizes of the frames that wait to be looked at, oldest first."""
    _taken: trio.Event = field(default_factory=trio.Event)
    _queued_bytes: int = 0
    """What waits to be sent, with what is being sent."""
    _outbox: trio.MemorySendChannel[bytes] = field(init=False)
    _queue: trio.MemoryReceiveChannel[bytes] = field(init=False)
    _scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    def __post_init__(self) -> None:
        self._outbox, self._queue = trio.open_memory_channel[bytes](MAX_QUEUED_FRAMES)

    @property
    def key(self) -> bytes:
        return self.their_hello.key

    @property
    def is_relayed(self) -> bool:
        return self.address == PLACE_OF_RELAYED

    @property
    def is_watcher(self) -> bool:
        return not self.dialled and self.their_hello.role == HelloRole.WATCHER

    @property
    def is_closing(self) -> bool:
        """Return whether this side has closed or cut it, and the stream is not closed yet."""
        return self._phase.state in (LinkState.CLOSING, LinkState.CUT)

    def send(self, frame: Frame) -> None:
        """Queue the frame; cut a link whose queue is full, as it is linked anew and asks then."""
        if self.is_closing:
            return
        data = encode(frame)
        if self._queued_bytes + len(data) > MAX_QUEUED_BYTES:
            self.cut()
            return
        try:
            self._outbox.send_nowait(data)
            self._queued_bytes += len(data)
        except trio.WouldBlock:
            self.cut()
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            pass

    def close(self) -> None:
        """Send what is queued, for FLUSH_SECONDS at most, then close."""
        self._phase.move(LinkStep.CLOSE)
        self.was_shut = True
        self._taken.set()
        self._outbox.close()
        self._scope.deadline = trio.current_time() + FLUSH_SECONDS

    def cut(self) -> None:
        self._phase.move(LinkStep.CUT)
        self.was_shut = True
        self._queue.close()
        self._scope.cancel()

    async def run(self, receive: Callable[[Frame], None]) -> str:
        """Move frames until either side ends the link; return why it ended."""
        why = "closed"
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    why = await self._read(receive)
                    # Their end has come. If we are closing, too, the writer still sends what is
                    # queued; otherwise it would wait for frames of a link that is over.
                    if not self.is_closing:
                        nursery.cancel_scope.cancel()
        finally:
            # Shielded: who is cancelled must not leave the other side with a link that looks
            # alive. Forcefully: a close in good order would wait for a peer that does not read.
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(self._stream)
        self._phase.move(LinkStep.ENDED)
        return why

    async def _read(self, receive: Callable[[Frame], None]) -> str:
        self._reader.after_part = self._charge_part
        try:
            while True:
                await self._rest()
                body = await self._reader.next_body()
                if body is None:
                    return "closed"
                frame = decode(body)
                self.budget.work.charge(units_of_frame(len(body)), trio.current_time())
                if frame is not None:
                    self._waiting.append(len(body))
                    receive(frame)
        except BadBytes as fault:
            return f"sent no frame of this protocol: {fault}"
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return "broken"

    def note_taken(self) -> None:
        """Note that the owner looks at the oldest frame that waits, perhaps for a second time."""
        if self._waiting:
            self._waiting.popleft()
        self._taken.set()

    async def _rest(self) -> None:
        """Wait until the other side may cost more. A link that closes is read to its end."""
        while not self.was_shut and (
            len(self._waiting) >= MAX_WAITING_FRAMES or sum(self._waiting) >= MAX_WAITING_BYTES
        ):
            self._taken = trio.Event()
            await self._taken.wait()
        now = trio.current_time()
        if not self.was_shut and not self.budget.work.has(1, now):
            await trio.sleep_until(self.budget.work.next_time(1, now))

    async def _charge_part(self) -> None:
        self.budget.work.charge(PART_UNITS, trio.current_time())
        await self._rest()

    async def _write(self) -> None:
        """Send what is queued; once the queue is closed, end our direction only."""
        # What the other side has still to send comes in until it ends its own.
        try:
            async for data in self._queue:
                while len(data) < min(self._queued_bytes, JOINED_BYTES):
                    data += self._queue.receive_nowait()
                await self._stream.send_all(data)
                self._queued_bytes -= len(data)
            if isinstance(self._stream, trio.abc.HalfCloseableStream):
                await self._stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._scope.cancel()
