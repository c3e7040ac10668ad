"""Whole tables in memory: one host, guests that join, each with a front of the test's choice."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TypeVar
from unittest.mock import patch

import trio

from kotp2p.extras.bots import make_bot
from kotp2p.game.verify import Report, verify_log
from kotp2p.net.invitation import Invitation
from kotp2p.peer.peer import Peer
from kotp2p.referee.box.rulesets import Options
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams import commands
from kotp2p.seams.endings import Ending
from kotp2p.seams.notices import Notice, Offer, SeatView, TableOpened
from kotp2p.seams.world import World
from kotp2p.shell import game_stage
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.run import HostOptions, SeatWish, host, join, resume
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from kotp2p.wire.genesis import Clocks, Genesis
from tests.support.memory_world import MemoryNet, memory_disk, world

HOST = "10.0.0.1"
PORT = 4242
HOST_TABLE = TableAddress((HOST,), PORT)
N = TypeVar("N")
"""The kind of a notice."""


def refuse(command: commands.Command) -> None:
    raise AssertionError(f"{command} before the front was attached")


class Recorder:
    """A bot's front that remembers what it was shown."""

    def __init__(self, name: str, level: str = "easy", goes_on: bool = False) -> None:
        """`goes_on`: lets a bot play for the absent as soon as it may; otherwise it waits."""
        self.name = name
        self.goes_on = goes_on
        self.notices: list[Notice] = []
        self.control: commands.Control = refuse
        self.bot: commands.Front = make_bot(level, name.encode())
        self.asked = 0

    def attach(self, control: commands.Control) -> None:
        self.control = control
        self.bot.attach(control)

    def show(self, notice: Notice) -> None:
        self.notices.append(notice)
        self.bot.show(notice)
        if isinstance(notice, Offer) and notice.yours and notice.can_go_on and self.goes_on:
            self.control(commands.GoOn(bot=True))

    async def decide(self, view: SeatView, decision: Decision) -> Answer | commands.Leave:
        self.asked += 1
        return await self.bot.decide(view, decision)

    def seen(self, kind: type[N]) -> list[N]:
        return [n for n in self.notices if isinstance(n, kind)]


@dataclass
class TestTable:
    """Runs a host and its guests until all have ended, under the virtual clock."""

    __test__ = False

    players: int = 3
    bots: int = 0
    rules: str = "second"
    delay: float = 0.01
    start_when_full: bool = True
    options: Options = field(default_factory=Options)
    clocks: Clocks = field(default_factory=Clocks)
    fronts: dict[int, Recorder] = field(default_factory=dict)
    make_peer: dict[int, Callable[..., Peer]] = field(default_factory=dict)
    net: MemoryNet = field(init=False)
    worlds: dict[int, World] = field(default_factory=dict)
    endings: dict[int, Ending] = field(default_factory=dict)
    scopes: dict[int, trio.CancelScope] = field(default_factory=dict)
    seed: str = "a"
    automatic: set[int] = field(default_factory=set)
    """Guests for whom a bot answers."""
    secret: bytes = OPEN_TABLE_SECRET
    """Another one: the guests come by the host's invitation."""
    watch: commands.WatchOffer = commands.NO_WATCHERS

    def __post_init__(self) -> None:
        self.net = MemoryNet(self.delay)

    def front(self, n: int) -> Recorder:
        return self.fronts.setdefault(n, Recorder(f"player {n}"))

    async def asked(self, n: int, times: int) -> None:
        while self.front(n).asked < times:
            await trio.sleep(0.05)

    async def keep_seat(self) -> None:
        """The first player closes the window at the second question."""
        await self.asked(0, 2)
        self.front(0).control(commands.KeepSeat())

    def world_of(self, n: int) -> World:
        return self.worlds.setdefault(n, world(self.net, f"10.0.0.{n + 1}", f"{self.seed}{n}"))

    async def host(self) -> None:
        options = HostOptions(
            rules=self.rules,
            players=self.players,
            bots=self.bots,
            level="easy",
            start_when_full=self.start_when_full,
            options=self.options,
            clocks=self.clocks,
            secret=self.secret,
            watch=self.watch,
        )
        with trio.CancelScope() as self.scopes[0]:
            self.endings[0] = await host(self.world_of(0), SeatWish("Ana"), options, self.front(0))

    @asynccontextmanager
    async def hosted(self, *guests: int) -> AsyncIterator[trio.Nursery]:
        """The table of the host stands; these guests have come, one each second."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.host)
            await trio.sleep(1)
            for n in guests:
                nursery.start_soon(self.guest, n)
                await trio.sleep(1)
            yield nursery

    async def guest(self, n: int, name: str | None = None) -> None:
        with trio.CancelScope() as self.scopes[n]:
            self.endings[n] = await join(
                self.world_of(n), SeatWish(name or f"Guest {n}", automatic=n in self.automatic),
                self.address(), self.front(n),
            )  # fmt: skip

    def address(self) -> TableAddress:
        if self.secret == OPEN_TABLE_SECRET:
            return HOST_TABLE
        opened = self.front(0).seen(TableOpened)[-1]
        assert isinstance(opened, TableOpened)
        return TableAddress.from_invitation(Invitation.parse(opened.invitation))

    async def run(
        self, meanwhile: Callable[[], Awaitable[None]] | None = None, within: float = 36_000
    ) -> None:
        """Everybody from the first dial to the end; fails if somebody hangs."""
        with trio.fail_after(within), patch.object(game_stage, "Peer", self._new_peer):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.host)
                for n in range(1, self.players - self.bots):
                    await trio.sleep(1)
                    nursery.start_soon(self.guest, n)
                if meanwhile is not None:
                    nursery.start_soon(meanwhile)

    def _new_peer(self, genesis: Genesis, seat: Seat, *rest: Any) -> Peer:
        return self.make_peer.get(seat, Peer)(genesis, seat, *rest)

    def report(self, n: int) -> Report:
        log = self.endings[n].log
        assert log is not None
        data = self.world_of(n).disk.read(log)
        assert data is not None
        return verify_log(data)

    def kill(self, n: int) -> None:
        """The process is gone at once and says nothing; its links, locks and ports go with it."""
        self.scopes[n].cancel()
        self.free(n)

    async def moves(self, n: int, address: str) -> None:
        """The machine gets another address, and its links break. The port of a host is open at the
        new one; a guest listens nowhere until it notices."""
        here = f"10.0.0.{n + 1}"
        self.net.moved[here] = address
        for old, port in [place for place in self.net.listening if place[0] == here]:
            acceptor = self.net.listening.pop((old, port))
            if n == 0:
                self.net.listening[address, port] = acceptor
        self.break_links(here)
        await trio.lowlevel.checkpoint()

    def break_links(self, address: str) -> None:
        for caller, called, one, other in self.net.made:
            if address in (caller, called):
                one.breaks()
                other.breaks()

    def free(self, n: int) -> None:
        disk = memory_disk(self.world_of(n))
        disk.locks.clear()
        for place in [p for p in self.net.listening if p[0] == f"10.0.0.{n + 1}"]:
            del self.net.listening[place]

    async def resume(self, n: int, at: tuple[str, int] | None = None) -> None:
        self.free(n)
        self.endings.pop(n, None)
        with trio.CancelScope() as self.scopes[n]:
            self.endings[n] = await resume(self.world_of(n), None, at, self.front(n))

    def log_path(self, n: int) -> PurePath:
        disk = memory_disk(self.world_of(n))
        (log,) = disk.links.values()
        return log
