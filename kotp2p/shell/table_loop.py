"""The loop of one seat at a table, from its first item to its ending.

Scope: the one inbox, batches, and which stage takes them. One task takes items (frames, opened and
closed links, answers, commands) and feeds them to the stage of the moment, which performs what its
core wants done: first what goes to disk, with one sync for the whole batch, then frames, questions
and notices, in order. Append, sync, accept, send: nothing that depends on a body leaves before it
is on disk.
Not here: what an item means; that is the stage's (`kotp2p.shell.lobby_stage`, `game_stage`).
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field

import trio

from kotp2p.bots import make_bot
from kotp2p.net.connections import Connections, Listener
from kotp2p.net.links import FrameReceived, LinkEvent
from kotp2p.seams.cores import OwnFaultGuard
from kotp2p.seams.endings import Ending, EndKind, StayingFront
from kotp2p.seams.front import NO_WATCHERS, Front, WatchOffer
from kotp2p.seams.notices import Flooded
from kotp2p.seams.world import FileTrouble, World
from kotp2p.shell import debug_lines, game_stage
from kotp2p.shell.commands import Command, Item, LeaveTable, NewCode, TableControl
from kotp2p.shell.table_code import HeldCode
from kotp2p.shell.watcher_links import WatcherLinks
from kotp2p.store.saved_game import make_instance
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.frames import HelloRole, Watched

MAX_BATCH_ITEMS = 256
"""Items that are taken before effects are performed and written with one sync."""


@dataclass(slots=True)
class TableLoop:
    """Runs one seat until the game, or the lobby, has ended for it."""

    world: World
    signer: Signer
    front: Front
    secret: bytes = OPEN_TABLE_SECRET
    """What all links of this table need (`kotp2p.net.tls`)."""
    instance: bytes = b""
    """Of the process that resumes a game; empty for one that begins it
    (`kotp2p.store.saved_game`)."""
    listener: Listener | None = None
    """Where the others of a game reach this process, if it may move in the game."""
    watch: WatchOffer = NO_WATCHERS
    """Whether others may watch through this process."""
    role: HelloRole = HelloRole.PLAYER
    """Whether this process plays, or only watches."""
    bots: game_stage.BotFactory = make_bot
    """Makes the bots that answer for the seats that this process keeps beside its own."""
    level: str = game_stage.LEVEL_UNKNOWN
    """How well the bots of its own table play."""
    connections: Connections = field(init=False)
    code: HeldCode = field(init=False)
    watchers: WatcherLinks = field(init=False)
    _inbox_in: trio.MemorySendChannel[Item] = field(init=False)
    _inbox: trio.MemoryReceiveChannel[Item] = field(init=False)

    def __post_init__(self) -> None:
        # Bounded all the same: few frames of each link wait here, and there are not many links.
        self._inbox_in, self._inbox = trio.open_memory_channel[Item](math.inf)
        self.connections = Connections(
            self.world,
            self.signer,
            self.instance or make_instance(0, self.world.entropy(INSTANCE_BYTES)),
            self._put_item,
            game_stage.refuse_without_lobby,
            self.secret,
            watch_secret=self.watch.secret,
            role=self.role,
            tell_flood=self._tell_flood,
        )
        self.code = HeldCode(self.world, self.front, self.connections.accept_connection)
        self.watchers = WatcherLinks.beside(self.connections, self.front.show, self.watch)

    async def run(self, session: game_stage.Session) -> Ending:
        """Open the session, and feed its stages until one has an ending."""
        self.front.attach(TableControl(self._take_command))
        self.connections.judge_newcomer = session.judge_newcomer
        ending: Ending | None = None
        try:
            async with trio.open_nursery() as nursery:
                self.connections.start_links(nursery)
                nursery.start_soon(self.code.run)
                stage = await session.open(self._context(nursery))
                while (ending := stage.ending) is None:
                    stage = await self._feed_batch(stage, await self._next_items(stage))
                if ending.kind is EndKind.FINISHED and isinstance(self.front, StayingFront):
                    ending = await self._stay(stage, ending, self.front)
                self.watchers.close()
                await self.connections.close_links(self._inbox)
                nursery.cancel_scope.cancel()
        except* FileTrouble as group:
            ending = Ending.of_files(_first_trouble(group))
        assert ending is not None  # only an ending leaves the loop
        return ending

    async def _stay(self, stage: game_stage.Stage, ending: Ending, front: StayingFront) -> Ending:
        """Serve those that come, while the player reads the end; return what is known then."""

        async def serve() -> None:
            while True:
                await self._feed_batch(stage, await self._next_items(stage))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await front.show_ending(ending)
            nursery.cancel_scope.cancel()
        return stage.ending or ending

    def _take_command(self, command: Command | NewCode) -> None:
        if isinstance(command, NewCode):
            self.code.renew()
        else:
            self._put_item(command)

    def leave(self) -> None:
        """Leave the table, as if the front had asked for it."""
        self._put_item(LeaveTable())

    def _context(self, nursery: trio.Nursery) -> game_stage.TableContext:
        return game_stage.TableContext(
            self.world,
            self.signer,
            self.front,
            self.connections,
            self._put_item,
            nursery,
            OwnFaultGuard(self.front.show),
            self.watchers,
            game_stage.BotFronts(self.world.entropy, self.bots, self.level),
            self.code,
            self.listener,
        )

    async def _next_items(self, stage: game_stage.Stage) -> list[Item]:
        """Return what has come in, or nothing when the stage's deadline is due."""
        items: list[Item] = []
        with trio.move_on_at(min(stage.deadline, self.watchers.deadline)):
            items.append(await self._inbox.receive())
        while len(items) < MAX_BATCH_ITEMS:
            try:
                items.append(self._inbox.receive_nowait())
            except trio.WouldBlock:
                break
        return items

    async def _feed_batch(self, stage: game_stage.Stage, items: list[Item]) -> game_stage.Stage:
        began, is_noted = trio.current_time(), debug_lines.are_wanted()
        for item in items:
            if is_noted:
                debug_lines.note_item(item, type(stage).__name__)
            if isinstance(item, FrameReceived):
                item.link.note_taken()
                if item.link.was_shut:
                    continue
            now = trio.current_time()
            if not self._is_about_watchers(item, stage, now):
                stage.accept_item(item, now)
                stage = await stage.perform_item_effects()
        now = trio.current_time()
        # A game that has begun at the end of a batch finishes this batch, too.
        while (following := await stage.finish_batch(now)) is not stage:
            stage = following
        self.watchers.tick(now)
        if is_noted:
            debug_lines.note_batch(len(items), trio.current_time() - began, stage.deadline - now)
        return stage

    def _is_about_watchers(self, item: Item, stage: game_stage.Stage, now: float) -> bool:
        """Take an item that is about watchers; return whether it was one.

        It comes from a watcher, or a player reports the number of theirs.
        """
        if not isinstance(item, LinkEvent):
            return False
        if item.link.is_watcher:
            self.watchers.accept_event(item, now)
            return True
        self.watchers.note_player_link(item, now)
        if not isinstance(item, FrameReceived) or not isinstance(item.frame, Watched):
            return False
        if self.role is HelloRole.WATCHER:
            return False  # its source tells it
        if stage.is_player_link(item.link):
            self.watchers.hear_player(item.link.number, item.frame, now)
        return True

    def _tell_flood(self, count: int) -> None:
        self.front.show(Flooded(count, self.connections.entrance.passes.are_worth_making))

    def _put_item(self, item: Item) -> None:
        with suppress(trio.ClosedResourceError):
            self._inbox_in.send_nowait(item)


def _first_trouble(group: BaseExceptionGroup[FileTrouble]) -> FileTrouble:
    first: BaseException = group
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    assert isinstance(first, FileTrouble)  # the group was split off for these
    return first
