"""A network in memory: late, slow, one-way deaf, or gone, as the faults of a seed want it.

Law: per direction one queue of segments, each with the time at which it arrives; never out of
order within a connection, as with TCP. A window holds the sender back. What is cut off waits and
arrives when the way is open again; what runs into a hole is lost without a word to anybody.
"""

from __future__ import annotations

import operator
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

import trio

from kotp2p.wire.frame_types import FrameType
from kotp2p.world import CannotReach, Connection, PortTaken
from tests.tools.sim.clock import SimClock
from tests.tools.sim.life import FOR_WATCHER, Life
from tests.tools.sim.pipes import Pipe
from tests.tools.sim.trace import Trace

WINDOW = 16_384
"""Bytes on the way or unread before a sender waits."""
DIAL_TIMEOUT = 10.0
END = b""
"""In a queue of segments: the sender will send no more."""
ABOUT_WATCHERS = (bytes([0x92, FrameType.WATCHED]), bytes([0x93, FrameType.REMARK]))
"""How frames begin that players send each other only if somebody watches."""
FIRST_OF_WATCHERS = 1_000_000
"""The number of the first stream of somebody who watches."""


class Tap(Protocol):
    """Sees every byte before it leaves; raises what is wrong with it."""

    def sent(self, life: Life, stream: int, data: bytes) -> None: ...


class SimStream(trio.abc.HalfCloseableStream):
    """One end of a connection."""

    def __init__(self, net: SimNet, life: Life, number: int, out: Pipe, into: Pipe) -> None:
        self.net, self.life, self.number, self.out, self.into = net, life, number, out, into
        self.closed = self.ended = False
        self._sending = self._receiving = False

    def _check_sending(self) -> None:
        self.life.check()
        if self.closed or self.ended:
            raise trio.ClosedResourceError
        if self.out.broken or self.out.unread:
            raise trio.BrokenResourceError

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self._sending:
            raise trio.BusyResourceError("another task is sending")
        self._sending = True
        try:
            await trio.lowlevel.checkpoint()
            await self.life.runs()
            self._check_sending()
            rest = bytes(data)
            self.net.tap.sent(self.life, self.number, rest)
            while rest:
                self._check_sending()
                if self.out.rebooted:
                    self.net.refuse(self)
                if self.out.size >= WINDOW:
                    await self.out.lot.park()
                    continue
                rest = self.net.post(self.out, rest)
                if self.life.alive and self.net.blow is self.life:
                    self.net.strike()
        finally:
            self._sending = False

    async def wait_send_all_might_not_block(self) -> None:
        if self._sending:
            raise trio.BusyResourceError("another task is sending")
        self._sending = True
        try:
            await trio.lowlevel.checkpoint()
            while True:
                if self.closed or self.ended:
                    raise trio.ClosedResourceError
                if self.out.broken or self.out.unread or self.out.size < WINDOW:
                    return
                await self.out.lot.park()
        finally:
            self._sending = False

    async def send_eof(self) -> None:
        await trio.lowlevel.checkpoint()
        self.life.check()
        if self._sending:
            raise trio.BusyResourceError("another task is sending")
        if self.closed:
            raise trio.ClosedResourceError
        self._end()

    def _end(self) -> None:
        if not self.ended:
            self.ended = True
            self.net.post(self.out, END)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if max_bytes is not None and operator.index(max_bytes) < 1:
            raise ValueError("max_bytes must be positive")
        if self._receiving:
            raise trio.BusyResourceError("another task is receiving")
        self._receiving = True
        try:
            if self.net.has_arrived(self.into):
                await trio.lowlevel.checkpoint()
            while True:
                await self.life.runs()
                if self.closed:
                    raise trio.ClosedResourceError
                if self.into.broken:
                    raise trio.BrokenResourceError
                if self.net.has_arrived(self.into):
                    return await self._take(max_bytes or 65_536)
                await self.into.lot.park()
        finally:
            self._receiving = False

    async def _take(self, most: int) -> bytes:
        if self.life.slow:
            await self.net.clock.sleep(0.05)
            most = min(most, 100)
        pipe = self.into
        if not pipe.waiting:  # broken while it was slow
            return b""
        data = pipe.waiting[0][1]
        if data == END:
            return data
        pipe.waiting.popleft()
        now = self.net.clock.now
        while pipe.waiting and pipe.waiting[0][0] <= now and pipe.waiting[0][1] != END:
            data += pipe.waiting.popleft()[1]
        if len(data) > most:
            pipe.waiting.appendleft((now, data[most:]))
            data = data[:most]
        pipe.size -= len(data)
        pipe.wake()
        self.net.trace.note("arrives", self.life.name, self.number, data=data)
        return data

    def breaks(self) -> None:
        """A reset, at both ends."""
        self.net.trace.note("breaks", self.life.name, self.number)
        for pipe in (self.out, self.into):
            pipe.broken = True
            pipe.wake()
        self.forget()

    def forget(self) -> None:
        for streams in (self.life.streams, self.life.watch_streams):
            if self in streams:
                streams.remove(self)

    async def aclose(self) -> None:
        if not self.closed and self.life.alive:
            self.shut()
        await trio.lowlevel.checkpoint()

    def shut(self) -> None:
        """What this process sent still arrives; what comes for it does not."""
        self.net.trace.note("closes", self.life.name, self.number)
        self.closed = True
        self._end()
        self.into.unread = True
        self.into.wake()
        self.out.wake()
        self.forget()


class SimAcceptor:
    def __init__(self, net: SimNet, life: Life, address: str, port: int) -> None:
        self.net, self.life, self.place = net, life, (address, port)
        self.port = port
        self._arrived: deque[Connection] = deque()
        self._lot = trio.lowlevel.ParkingLot()

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        while True:
            await self.life.runs()
            while self._arrived:
                connection = self._arrived.popleft()
                stream = connection.stream
                is_watched = isinstance(stream, SimStream) and stream.out.is_watched
                before = FOR_WATCHER.set(is_watched)
                admit(connection)  # in a task that inherits it
                FOR_WATCHER.reset(before)
            await self._lot.park()

    def arrive(self, connection: Connection) -> None:
        self._arrived.append(connection)
        self._lot.unpark_all()

    async def aclose(self) -> None:
        if self.life.alive and self.net.listening.get(self.place) is self:
            del self.net.listening[self.place]
        await trio.lowlevel.checkpoint()


@dataclass
class SimNet:
    """All machines and what runs between them."""

    trace: Trace
    chance: Random
    tap: Tap
    latency: float = 0.04
    """Mean seconds of a segment on its way; the least is a millisecond."""
    pieces: float = 0.2
    """Share of what is sent that is cut to pieces."""
    clock: SimClock = field(default_factory=SimClock.current)
    listening: dict[tuple[str, int], SimAcceptor] = field(default_factory=dict)
    dark: set[str] = field(default_factory=set)
    """Machines without power."""
    streams: list[SimStream] = field(default_factory=list)
    watch_streams: list[SimStream] = field(default_factory=list)
    """Those of watchers are apart, and so is what they do by chance."""
    watch_chance: Random = field(default_factory=lambda: Random("watchers"))
    blow: Life | None = None
    """The process that is to be struck in the middle of its next send."""
    strike: Callable[[], None] = lambda: None
    _cuts: Counter[tuple[str, str]] = field(default_factory=Counter)
    _changed: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)
    _ports: int = 40_000

    # -- what faults do --------------------------------------------------------------------

    def cut(self, source: str, target: str) -> None:
        """Nothing arrives from `source` at `target` until `mend`."""
        self._cuts[source, target] += 1

    def mend(self, source: str, target: str) -> None:
        if self._cuts[source, target] > 0:
            self._cuts[source, target] -= 1
        self.wake_all()

    def mend_all(self) -> None:
        self._cuts.clear()
        self.wake_all()

    def wake_all(self) -> None:
        for stream in (*self.streams, *self.watch_streams):
            stream.into.wake()
            stream.out.wake()
        self._changed.unpark_all()

    def is_cut(self, source: str, target: str) -> bool:
        return self._cuts[source, target] > 0

    def loses_power(self, life: Life) -> None:
        """Its connections are holes from now on; nobody is told."""
        self.loses_players(life)
        for stream in life.watch_streams:
            stream.out.hole = stream.into.hole = True

    def loses_players(self, life: Life) -> None:
        """The same, but for those with watchers, who sit in the same house."""
        for stream in life.streams:
            stream.out.hole = stream.into.hole = True

    def dies(self, life: Life) -> None:
        """The system closes what a killed process had open."""
        for stream in (*life.streams, *life.watch_streams):
            if stream.into.waiting:
                stream.breaks()
            else:
                stream.shut()

    def reboots(self, address: str) -> None:
        for stream in (*self.streams, *self.watch_streams):
            if stream.out.target == address and stream.out.hole:
                stream.out.rebooted = True
        self.dark.discard(address)

    def close_doors(self, life: Life) -> None:
        for place in [p for p, acceptor in self.listening.items() if acceptor.life is life]:
            del self.listening[place]

    # -- what streams ask ------------------------------------------------------------------

    def post(self, pipe: Pipe, data: bytes) -> bytes:
        """Sends a first segment of `data`; gives what is left of it."""
        size, chance = len(data), self.watch_chance if pipe.is_watched else self.chance
        if not pipe.is_watched and self.watch_streams and data[4:6] in ABOUT_WATCHERS:
            due = max(pipe.latest, self.clock.now + 0.001)  # it delays nothing
        else:
            if size > 1 and chance.random() < self.pieces:
                size = chance.randint(1, size)
            due = self.clock.now + 0.001 + chance.expovariate(1 / self.latency)
            pipe.latest = due = max(pipe.latest, due)
        if pipe.hole:
            pipe.size += size  # never acknowledged: the window fills
        else:
            pipe.waiting.append((due, data[:size]))
            pipe.size += size
            self.clock.set_alarm(due, pipe.lot.unpark_all)
        return data[size:]

    def has_arrived(self, pipe: Pipe) -> bool:
        """Whether there is something to read."""
        return (
            bool(pipe.waiting)
            and pipe.waiting[0][0] <= self.clock.now
            and not self._cuts[pipe.source, pipe.target]
        )

    def refuse(self, stream: SimStream) -> None:
        """The far end was started anew and knows nothing of this connection."""
        self.trace.note("reset", stream.life.name, stream.number)
        stream.breaks()
        raise trio.BrokenResourceError

    async def connect(self, life: Life, target: str, port: int) -> Connection:
        await life.runs()
        here, chance = life.address, self.watch_chance if FOR_WATCHER.get() else self.chance
        with trio.move_on_after(DIAL_TIMEOUT):
            await self.clock.sleep(0.002 + chance.expovariate(1 / self.latency))
            while self.is_cut(here, target) or self.is_cut(target, here) or target in self.dark:
                await self._changed.park()
            await life.runs()
            acceptor = self.listening.get((target, port))
            if acceptor is None:
                raise CannotReach("refused", f"{target}:{port}")
            return self._join(life, acceptor)
        raise CannotReach("no-answer", f"{target}:{port}")

    def _join(self, life: Life, acceptor: SimAcceptor) -> Connection:
        watched, far = FOR_WATCHER.get(), acceptor.place[0]
        there, back = Pipe(life.address, far, watched), Pipe(far, life.address, watched)
        streams = self.watch_streams if watched else self.streams
        number = len(streams) + (FIRST_OF_WATCHERS if watched else 0)
        ours = SimStream(self, life, number, there, back)
        theirs = SimStream(self, acceptor.life, number + 1, back, there)
        streams += (ours, theirs)
        for end in (ours, theirs):
            (end.life.watch_streams if watched else end.life.streams).append(end)
        self.trace.note("connects", life.name, acceptor.life.name, number)
        local = life.address == acceptor.place[0]
        acceptor.arrive(Connection(theirs, "" if local else life.address, acceptor.place[0]))
        return Connection(ours, "" if local else acceptor.place[0], life.address)


@dataclass
class SimHost:
    """The network as one process sees it."""

    net: SimNet
    life: Life

    async def dial(self, address: str, port: int) -> Connection:
        target = self.life.address if address in ("", "127.0.0.1") else address
        return await self.net.connect(self.life, target, port)

    async def listen(self, bind: str | None, port: int, tries: int) -> SimAcceptor:
        await trio.lowlevel.checkpoint()
        self.life.check()
        net = self.net
        if not port:
            net._ports += 1
            port, tries = net._ports, 1
        for wanted in range(port, port + tries):
            place = (self.life.address, wanted)
            if place not in net.listening:
                net.listening[place] = SimAcceptor(net, self.life, *place)
                return net.listening[place]
        raise PortTaken(str(port))

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        return (self.life.address,), False

    def has_address(self, address: str) -> bool:
        return address == self.life.address
