"""The bots of a process: each is a peer with a key of its own that sits down over loopback."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import trio

from kotp2p.bots.tempers import BOTS
from kotp2p.endings import Ending, EndKind
from kotp2p.front import Control, Front
from kotp2p.peer.peer import Peer
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.join import SeatRequest, play_as_guest
from kotp2p.shell.resumed_session import ResumedSession
from kotp2p.shell.stage import NoBots
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.saved_game import SavedGame, SavedPlaces
from kotp2p.wire.crypto import Signer
from kotp2p.world import World

BOTS_FINISH_SECONDS = 3.0
"""How long bots may take to finish after the seat of their process has ended."""


class BotFactory(Protocol):
    """Makes a front that plays."""

    def __call__(self, level: str, entropy: bytes) -> Front: ...


def no_bots(level: str, entropy: bytes) -> Front:
    """The factory of a guest."""
    raise AssertionError("a guest runs no bots")


class BotFront:
    """A bot's front; keeps its control, so that the runner can end the bot."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self.show = front.show
        self.decide = front.decide
        self.control: Control | None = None

    def attach(self, control: Control) -> None:
        self.control = control
        self._front.attach(control)


@dataclass(slots=True)
class BotRunner:
    """Runs the bots of a host, or of a game that is resumed."""

    world: World
    nursery: trio.Nursery
    factory: BotFactory
    level: str
    table: TableAddress
    """Where this process listens."""
    break_off: Callable[[Ending], None]
    """Ends the seat that runs these bots, if one of them cannot go on."""
    first_gone: Ending | None = None
    """What the first bot that has ended came to."""
    _running: list[BotFront] = field(default_factory=list)
    _spawned: int = 0
    _changed: trio.Event = field(default_factory=trio.Event)

    def spawn_bot(self) -> bytes:
        """A new bot joins the lobby of this process; returns its key."""
        signer = Signer(self.world.entropy(32))
        name = list(BOTS)[self._spawned % len(BOTS)]
        self._spawned += 1
        front = BotFront(self.factory(self.level, self.world.entropy(32)))
        self._running.append(front)
        self.nursery.start_soon(self._play_from_lobby, signer, name, front)
        return signer.key

    async def _play_from_lobby(self, signer: Signer, name: str, front: BotFront) -> None:
        request = SeatRequest(signer, name, None, self.table, joins_mesh=False)
        self._note_ending(front, await play_as_guest(self.world, request, front, Peer))

    def _note_ending(self, front: BotFront, ending: Ending) -> None:
        """A bot whose files fail, or that is played elsewhere, ends the seat of this process, too:
        nobody else would learn why the bot is gone, and a process that is resumed brings its bots
        along."""
        self._running.remove(front)
        self.first_gone = self.first_gone or ending
        self._changed.set()
        if ending.kind in (EndKind.FILES, EndKind.ELSEWHERE):
            self.break_off(ending)

    def resume_bot(self, saved: SavedGame, keeper: int, instance: bytes) -> None:
        """A bot of a resumed game: it knows the way to its keeper only, and has its instance."""
        front = BotFront(self.factory(self.level, saved.seed))
        self._running.append(front)
        (address,), port, secret = self.table.places, self.table.port, self.table.secret
        addresses = [("", 0)] * len(saved.genesis.players)
        addresses[keeper] = (address, port)
        places = SavedPlaces("", 0, "", tuple(addresses), "", secret=secret)
        self.nursery.start_soon(self._play_resumed, replace(saved, places=places), front, instance)

    async def _play_resumed(self, saved: SavedGame, front: BotFront, instance: bytes) -> None:
        loop = TableLoop(self.world, saved.signer, front, self.table.secret, instance)
        self._note_ending(front, await loop.run(ResumedSession(saved, NoBots(), shares_log=False)))

    async def end_bots(self) -> None:
        """All end, and come back with their keeper."""
        for front in self._running:
            if front.control is not None:
                front.control.keep()
        await self.wait_for_bots()

    async def wait_for_gone_bot(self) -> None:
        while self.first_gone is None:
            await self._wait_for_change()

    async def wait_for_bots(self) -> None:
        """Bots finish what they owe the others, but not for ever."""
        with trio.move_on_after(BOTS_FINISH_SECONDS):
            while self._running:
                await self._wait_for_change()

    async def _wait_for_change(self) -> None:
        """Until another bot has ended."""
        if self._changed.is_set():
            self._changed = trio.Event()
        await self._changed.wait()
