"""Watchers of a table in memory: real ones, and those that only read what they are sent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypeVar

import trio

from kotp2p.extras.shell.watch import WatchWish, watch
from kotp2p.net.handshake import OwnSide, make_hello, shake_hands
from kotp2p.net.links import Link
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.state import State
from kotp2p.seams.commands import Control, Leave
from kotp2p.seams.endings import Ending
from kotp2p.seams.notices import GameStarted, Happened, LineUpBegun, Notice, SeatView
from kotp2p.seams.world import World
from kotp2p.shell.find_host import TableAddress
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames import Frame, HelloRole, LogPart, Ping, Watch
from tests.support.memory_tables import HOST, PORT, Recorder, refuse
from tests.support.memory_world import MemoryNet, world

KEPT_LOG = PurePath("watched.kotlog")
N = TypeVar("N")
"""The kind of a notice."""


class Onlooker:
    """A front that remembers what it was shown, and is never asked. What it is shown fits together:
    the events lead from each position to the next."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        self.control: Control = refuse
        self.state: State | None = None

    def attach(self, control: Control) -> None:
        self.control = control

    def show(self, notice: Notice) -> None:
        self.notices.append(notice)
        match notice:
            case GameStarted(view=view):
                self.state = view.game.state.copy()
            case LineUpBegun(undone_from=State() as state):
                self.state = state.copy()
            case Happened(events=events, view=view):
                assert self.state is not None
                for event in events:
                    event.apply(self.state)
                assert self.state == view.game.state
            case _:  # the others change no position
                pass

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        raise AssertionError("a watcher is never asked")

    def seen(self, kind: type[N]) -> list[N]:
        return [n for n in self.notices if isinstance(n, kind)]


class Thinking(Recorder):
    """A bot that takes so many seconds for each answer: its game lasts some minutes."""

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(name)
        self.seconds = seconds

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        await trio.sleep(self.seconds)
        return await super().decide(view, decision)


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await trio.sleep(0.1)


@dataclass
class Watching:
    """`kotp2p watch`, on a machine of its own."""

    net: MemoryNet
    number: int = 0
    from_start: bool = False
    keeps_log: bool = True
    at: tuple[str, int] = (HOST, PORT)
    front: Onlooker = field(default_factory=Onlooker)
    ending: Ending | None = None

    def __post_init__(self) -> None:
        self.world: World = world(self.net, self.address, f"watcher {self.number}")

    @property
    def address(self) -> str:
        return f"10.0.1.{self.number + 1}"

    async def run(self) -> None:
        log = KEPT_LOG if self.keeps_log else None
        wish = WatchWish(self.from_start, log)
        self.ending = await watch(self.world, wish, TableAddress((self.at[0],), self.at[1]),
                                  self.front)  # fmt: skip

    def log(self) -> bytes:
        return self.world.disk.read(KEPT_LOG) or b""


@dataclass
class BareWatcher:
    """A link of role 1 without a program behind it: it says what a test wants it to say."""

    net: MemoryNet
    number: int = 0
    reads: bool = True
    heard: list[Frame] = field(default_factory=list)
    read: int = 0
    is_cut: bool = False
    link: Link | None = None

    async def run(self, table: bytes = b"") -> None:
        """Asks for the whole log, and tells what it has read, until the link ends."""
        async with trio.open_nursery() as nursery:
            link = await self.open(table)
            nursery.start_soon(self._ping, link)
            await link.run(self._hear)
            self.is_cut = True
            nursery.cancel_scope.cancel()

    async def open(self, table: bytes = b"") -> Link:
        own = world(self.net, f"10.0.2.{self.number + 1}", f"bare {self.number}")
        signer = Signer(own.entropy(32))
        hello = make_hello(signer, bytes(8), table, bytes(32), HelloRole.WATCHER)
        side = OwnSide(None, OPEN_TABLE_SECRET, signer, hello)
        connection = await own.net.dial(HOST, PORT)
        self.link = link = await shake_hands(connection, side, True, 1, lambda _: None)
        if self.reads:
            link.send(Watch(0, b""))
        return link

    async def _ping(self, link: Link) -> None:
        while True:
            await trio.sleep(5)
            link.send(Ping())

    def _hear(self, frame: Frame) -> None:
        assert self.link is not None
        self.link.note_taken()
        self.heard.append(frame)
        if isinstance(frame, LogPart) and self.reads:
            self.read = frame.offset + len(frame.data)
            if len(self.heard) % 50 == 0:
                self.link.send(Watch(self.read, b""))
