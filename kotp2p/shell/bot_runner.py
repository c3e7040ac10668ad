"""The bots of a process: each is a peer with a key of its own that sits down over loopback."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.front import Control, Front
from kotp2p.lobby.host import HostLobby
from kotp2p.peer.peer import Peer
from kotp2p.shell.find_host import Goal
from kotp2p.shell.join import Who, guest
from kotp2p.shell.lobby_loop import Table
from kotp2p.store.saved_game import Places, Saved
from kotp2p.wire.crypto import Signer
from kotp2p.world import World

FINISHING = 3.0
"""Seconds that bots have to finish after their keeper."""
BOT_NAMES = ("Otto", "Nina", "Pip", "Momo", "Kira", "Bela")


class Bots(Protocol):
    """Makes a front that plays."""

    def __call__(self, level: str, entropy: bytes) -> Front: ...


def no_bots(level: str, entropy: bytes) -> Front:
    """For a guest, who keeps none."""
    raise AssertionError("a guest keeps no bots")


class Kept:
    """A bot's front, with the string on which its keeper holds it."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self.show = front.show
        self.decide = front.decide
        self.control: Control | None = None

    def attach(self, control: Control) -> None:
        self.control = control
        self._front.attach(control)


@dataclass(slots=True)
class Keeper:
    """Runs the bots of a host: each is a peer with a key of its own that joins over loopback."""

    world: World
    nursery: trio.Nursery
    lobby: HostLobby | None
    """None: the game goes on after a restart."""
    bind: str | None
    """Where the table listens; None: everywhere."""
    level: str
    bots: Bots
    port: int
    secret: bytes
    """Of the table."""
    break_off: Callable[[Ending], None] | None = None
    """Ends the keeper's own seat, if a bot of his cannot go on."""
    _running: list[Kept] = field(default_factory=list)
    _count: int = 0
    _changed: trio.Event = field(default_factory=trio.Event)

    def spawn(self) -> None:
        signer = Signer(self.world.entropy(32))
        assert self.lobby is not None
        self.lobby.bots.add(signer.key)
        name = BOT_NAMES[self._count % len(BOT_NAMES)]
        self._count += 1
        kept = Kept(self.bots(self.level, self.world.entropy(32)))
        self._running.append(kept)
        self.nursery.start_soon(self._play, signer, name, kept)

    async def _play(self, signer: Signer, name: str, kept: Kept) -> None:
        goal = Goal((self.bind or "127.0.0.1",), self.port, self.secret)
        who = Who(signer, name, None, goal, mesh=False)
        self._ended(kept, await guest(self.world, who, kept, Peer))

    def _ended(self, kept: Kept, ending: Ending) -> None:
        """A bot whose files fail ends its keeper: nobody else would learn why it is gone, and who
        comes back brings it along."""
        self._running.remove(kept)
        self._changed.set()
        if ending.kind is EndKind.FILES and self.break_off is not None:
            self.break_off(ending)

    def bring_back(self, saved: Saved, keeper: int) -> None:
        """A bot of a game that goes on: it knows the way to its keeper only."""
        kept = Kept(self.bots(self.level, saved.seed))
        self._running.append(kept)
        nowhere = [("", 0)] * len(saved.genesis.players)
        nowhere[keeper] = (self.bind or "127.0.0.1", self.port)
        alone = replace(saved, places=Places("", 0, "", tuple(nowhere), "", secret=self.secret))
        self.nursery.start_soon(self._play_on, alone, kept)

    async def _play_on(self, saved: Saved, kept: Kept) -> None:
        table = Table(
            self.world, saved.signer, kept, None, saved, keeps_log=False, secret=self.secret
        )
        self._ended(kept, await table.run())

    async def dismiss(self) -> None:
        """A keeper and its bots leave together (PROTOCOL.md 9.3)."""
        for kept in self._running:
            if kept.control is not None:
                kept.control.leave()
        await self.wait()

    async def keep(self) -> None:
        """They end, and come back with their keeper."""
        for kept in self._running:
            if kept.control is not None:
                kept.control.keep()
        await self.wait()

    async def wait(self) -> None:
        """Bots finish what they owe the others, but not for ever."""
        with trio.move_on_after(FINISHING):
            while self._running:
                self._changed = trio.Event()
                await self._changed.wait()
