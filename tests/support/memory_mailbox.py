"""A mailbox server in memory, whose connections may die without a word."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio
import trio.testing

from kotp2p.rendezvous.desks import GUEST_SIDE, HOST_SIDE
from kotp2p.rendezvous.exchange import PLACE_OF_RELAYED, RelayPlace
from kotp2p.rendezvous.mailbox import CROWDED, AllOld, Complaint, Heard, Message
from kotp2p.rendezvous.servers import Servers
from kotp2p.seams.world import Connection, MailboxFlooded, MailboxTrouble


async def accept_nobody(_connection: Connection) -> None:
    await trio.lowlevel.checkpoint()


@dataclass
class MemoryMailboxes:
    """Implements `world.Rendezvous`."""

    deaf: set[int] = field(default_factory=set)
    """Numbers at which nobody is heard."""
    flooded: set[int] = field(default_factory=set)
    """Numbers at which strangers say more than is read."""
    refused: set[int] = field(default_factory=set)
    """Numbers at which the server lets no guest in."""
    crowded: set[int] = field(default_factory=set)
    """Numbers at which strangers have taken the place of the host."""
    servers: Servers = field(default_factory=lambda: Servers("ws://mailbox.test/v1", ""))
    lies: bool = False
    """Its relay says at once that somebody is there; else nobody ever comes there."""
    asked: list[float] = field(default_factory=list)
    """When somebody began to wait at its relay."""
    impostors: list[Callable[[str, bytes], bytes]] = field(default_factory=list)
    """What strangers make of ID/1; each of them answers every guest, before the host does."""
    _said: dict[int, list[Message]] = field(default_factory=lambda: defaultdict(list))
    _links: list[MemoryMailbox] = field(default_factory=list)

    def cut_silently(self) -> None:
        """From now on, what is connected hears nothing, and nobody hears it."""
        self._links.clear()

    def cut(self) -> None:
        for link in self._links:
            link.put.close()

    @asynccontextmanager
    async def mailbox(self, side: str, number: int) -> AsyncIterator[MemoryMailbox]:
        await trio.lowlevel.checkpoint()
        put, news = trio.open_memory_channel[Heard](math.inf)
        link = MemoryMailbox(self, side, number, put, news)
        for old in self._said[number]:
            put.send_nowait(Message(old.side, old.phase, old.body, 0.0, is_old=True))
        put.send_nowait(AllOld(0.0))
        self._links.append(link)
        try:
            yield link
        finally:
            if link in self._links:
                self._links.remove(link)

    async def wait_at_relay(self, place: RelayPlace) -> Connection:
        self.asked.append(trio.current_time())
        await trio.lowlevel.checkpoint()
        if not self.lies:
            await trio.sleep_forever()
        return Connection(trio.testing.memory_stream_pair()[0], PLACE_OF_RELAYED)

    def take(self, source: MemoryMailbox, message: Message) -> None:
        if source in self._links and source.number not in self.deaf:
            self._tell(source.number, message)
            guest, _slash, step = message.phase.partition("/")
            for answer in self.impostors if step == "1" else ():
                false = answer(guest, message.body)
                self._tell(source.number, Message(HOST_SIDE, f"{guest}/2", false, 0.0, False))

    def _tell(self, number: int, message: Message) -> None:
        self._said[number].append(message)
        for link in self._links:
            if link.number == number:
                link.put.send_nowait(message)

    def phases(self, number: int, step: str) -> list[str]:
        """Return all that was said so far as this step of an exchange."""
        said = self._said[number]
        return [message.phase for message in said if message.phase.endswith(step)]


@dataclass(eq=False)
class MemoryMailbox:
    server: MemoryMailboxes
    side: str
    number: int
    put: trio.MemorySendChannel[Heard]
    news: trio.MemoryReceiveChannel[Heard]
    seen_at: str = ""

    async def hear(self) -> Heard:
        await trio.lowlevel.checkpoint()
        if self.side == GUEST_SIDE and self.number in self.server.refused:
            return Complaint("not you")
        if self.side == HOST_SIDE and self.number in self.server.crowded:
            return Complaint(CROWDED)
        if self.number in self.server.flooded:
            raise MailboxFlooded("too many messages")
        try:
            return await self.news.receive()
        except trio.EndOfChannel as fault:
            raise MailboxTrouble("closed") from fault

    async def add(self, phase: str, body: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.server.take(self, Message(self.side, phase, body, 0.0, is_old=False))

    async def clear(self) -> None:
        await trio.lowlevel.checkpoint()
