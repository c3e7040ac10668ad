"""The loop of one seat at a table, from its first item to its ending.

Scope: the one inbox, batches, and which stage takes them. One task takes items (frames, opened and
closed links, answers, commands) and feeds them to the stage of the moment, which performs what its
core wants done: first what goes to disk, with one sync for the whole batch, then frames, questions
and notices, in order. Append, sync, accept, send: nothing that depends on a body leaves before it
is on disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, assert_never

import trio

from kotp2p.mesh.feeds import CutWatcher, Feeds, SendToWatcher, TellPlayers
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.net.connections import Connections, Listener, refuse_watcher
from kotp2p.net.handshake import make_refusal
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkEvent, LinkOpened
from kotp2p.referee.model.answers import Seat
from kotp2p.seams import commands, cores, notices
from kotp2p.seams.commands import NO_WATCHERS, Front, WatchOffer
from kotp2p.seams.cores import OwnFaultGuard
from kotp2p.seams.endings import Ending, EndKind, StayingFront
from kotp2p.seams.notices import Notice, Said
from kotp2p.seams.world import FileTrouble, World
from kotp2p.shell import debug_lines, table_code
from kotp2p.store.saved_game import make_instance
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.frames import Closed, Frame, Hello, HelloRole, Refusal, RefusalCode, Watched
from kotp2p.wire.genesis import Player

# -- what a loop feeds ---------------------------------------------------------------------
#
# A session is how a process comes to the table (as host, as guest, from saved files). A stage is
# what takes the items of the inbox meanwhile: a lobby, then a game.


Item: TypeAlias = LinkEvent | commands.AnswerGiven | commands.Command


class Stage(Protocol):
    @property
    def deadline(self) -> float:
        """Return when `finish_batch` is due although nothing has come in."""

    @property
    def ending(self) -> Ending | None:
        """Return what the table came to for this seat, once it is over."""

    def is_player_link(self, link: Link) -> bool:
        """Return whether a player is there: only what players say about watchers counts."""

    def accept_item(self, item: Item, now: float) -> None: ...

    async def perform_item_effects(self) -> Stage:
        """Act after each item of a batch; return the stage for the next item."""

    async def finish_batch(self, now: float) -> Stage:
        """Fire timers and perform effects after a batch or at the deadline; return what is next."""


class Session(Protocol):
    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        """Refuse some newcomers before anything is proved, until a game has begun."""

    async def open(self) -> Stage: ...


def refuse_stranger(theirs: Hello, keys: Iterable[bytes]) -> Refusal | None:
    """Turn away a peer whose key is not one of these, as links are for players."""
    if theirs.key in keys:
        return None
    return make_refusal(RefusalCode.NO_TABLE, "you have no seat at the table that is played here")


def refuse_without_lobby(theirs: Hello) -> Refusal | None:
    """Turn away a guest that looks for a lobby; peers of the coming game may link."""
    return None if theirs.table else make_refusal(RefusalCode.NO_TABLE, "no table is open here")


# -- bots ----------------------------------------------------------------------------------


USUAL_LEVEL = "normal"
"""How well a bot plays for a player who is away, and in a resumed game: the earlier level of its
bots is in no file."""


@dataclass(slots=True)
class BotFronts:
    """One front for each seat that this process keeps beside its own, made when first asked."""

    world: World
    level: str = USUAL_LEVEL
    """Of the bots that this process has kept from the start."""
    _fronts: dict[Seat, Front] = field(default_factory=dict)

    def front_of(self, seat: Seat, player: Player) -> Front:
        if seat not in self._fronts:
            level = USUAL_LEVEL if player.keeper == seat else self.level
            self._fronts[seat] = self.world.make_bot(level, self.world.entropy(32))
        return self._fronts[seat]


# -- those that read the log of this process -----------------------------------------------
#
# The shell around `kotp2p.mesh.feeds`, beside the stages: it is the same one in the lobby and in
# the game. Its effects are performed after those of a stage, so that what players are sent is
# queued first. A keeper of the game that has lost its files may always read, so that it can come
# back; whether others may watch is the player's choice.


@dataclass(slots=True)
class WatcherLinks:
    connections: Connections
    show: Callable[[Notice], None]
    feeds: Feeds
    own_faults: OwnFaultGuard
    keepers: frozenset[bytes] = frozenset()
    """The keys of the keepers, once the game has begun."""
    _read_log: Callable[[], bytes] | None = None
    """Reads all of the log, once there is one."""
    _serves: bool = False
    """The feeds have the log. They get it when the first reader comes."""

    @staticmethod
    def beside(
        connections: Connections, show: Callable[[Notice], None], offer: WatchOffer
    ) -> WatcherLinks:
        made = WatcherLinks(connections, show, Feeds(offer), OwnFaultGuard(show))
        connections.judge_watcher = made.judge_watcher
        return made

    @property
    def offer(self) -> WatchOffer:
        return self.feeds.offer

    @property
    def deadline(self) -> float:
        return self.feeds.deadline

    def judge_watcher(self, theirs: Hello, by_invitation: bool) -> Refusal | None:
        is_keeper = theirs.key in self.keepers
        if not is_keeper and (not self.offer.is_open or (self.offer.secret and not by_invitation)):
            return refuse_watcher(theirs, by_invitation)
        if theirs.table not in (b"", self.connections.table):
            return make_refusal(RefusalCode.NO_TABLE, "another table is here")
        if not self.feeds.has_room_for_keeper if is_keeper else self.feeds.is_full:
            return make_refusal(RefusalCode.FULL, "as many watch as may")
        return None

    def accept_event(self, event: LinkEvent, now: float) -> None:
        number = event.link.number
        match event:
            case LinkOpened(link=link):
                self._serve_log(now)
                self.feeds.accept_link(number, now, is_keeper=link.key in self.keepers)
            case FrameReceived(frame=frame):
                self.feeds.receive_frame(number, frame, now)
            case LinkClosed():
                self.feeds.lose_link(number, now)
            case _:
                assert_never(event)

    def note_player_link(self, event: LinkEvent, now: float) -> None:
        match event:
            case LinkOpened(link=link):
                self.feeds.greet_player(link.number)
            case LinkClosed(link=link):
                self.feeds.lose_player(link.number, now)
            case FrameReceived():
                pass  # for the stage, or for `hear_player`
            case _:
                assert_never(event)

    def hear_player(self, number: int, watched: Watched, now: float) -> None:
        self.feeds.hear_player(number, watched, now)

    def note_notice(self, notice: Notice) -> None:
        """Send watchers what players say to each other, of what this process shows."""
        if isinstance(notice, Said) and notice.line is not None:
            self.feeds.tell_watchers(notice.line)

    # -- the log -------------------------------------------------------------------------

    def begin_log(
        self, read_log: Callable[[], bytes], keepers: frozenset[bytes], now: float
    ) -> None:
        """Begin to serve the growing log of the game, also to those that have watched the lobby."""
        self._read_log, self.keepers = read_log, keepers
        if self.feeds.feeds:
            self._serve_log(now)

    def _serve_log(self, now: float) -> None:
        if self._read_log is not None and not self._serves:
            self._serves = True
            self.feeds.append_log(self._read_log(), now)

    def grow_log(self, data: bytes, now: float) -> None:
        """Send the bytes by which the log has grown, which are in the file."""
        if self._serves and data:
            self.feeds.append_log(data, now)

    # -- what goes out -------------------------------------------------------------------

    def tick(self, now: float) -> None:
        if now >= self.feeds.deadline:
            self.feeds.tick(now)
        self.perform()

    def perform(self) -> None:
        for effect in self.feeds.take_effects():
            match effect:
                case SendToWatcher(link=number, frame=frame):
                    self._send(number, frame)
                case CutWatcher(link=number):
                    if number in self.connections.links:
                        self.connections.links[number].cut()
                case TellPlayers(frame=frame, only=only):
                    for link in self.connections.player_links:
                        if only in (None, link.number):
                            self._send(link.number, frame)
                case ShowNotice(notice=notice):
                    self.show(notice)
                case _:
                    assert_never(effect)

    def _send(self, number: int, frame: Frame) -> None:
        with self.own_faults:
            self.connections.send_frame(number, frame)

    def close(self) -> None:
        """End the links as this process ends; show watchers of a lobby that no game comes."""
        if self._read_log is None:
            for number in self.feeds.feeds:
                self._send(number, Closed(int(RefusalCode.CLOSED)))
        self.perform()


# -- the loop ------------------------------------------------------------------------------


MAX_BATCH_ITEMS = 256
"""Items that are taken before effects are performed and written with one sync."""


@dataclass(slots=True)
class TableLoop:
    world: World
    signer: Signer
    front: Front
    secret: bytes = OPEN_TABLE_SECRET
    instance: bytes = b""
    """Of the process that resumes a game; empty for one that begins it."""
    listener: Listener | None = None
    """Where the others of a game reach this process, if it may move in the game."""
    watch: WatchOffer = NO_WATCHERS
    role: HelloRole = HelloRole.PLAYER
    level: str = USUAL_LEVEL
    connections: Connections = field(init=False)
    code: table_code.HeldCode = field(init=False)
    watchers: WatcherLinks = field(init=False)
    bots: BotFronts = field(init=False)
    own_faults: cores.OwnFaultGuard = field(init=False)
    nursery: trio.Nursery = field(init=False)
    """Its tasks end with the table."""
    _inbox_in: trio.MemorySendChannel[Item] = field(init=False)
    _inbox: trio.MemoryReceiveChannel[Item] = field(init=False)

    def __post_init__(self) -> None:
        # Bounded all the same: few frames of each link wait here, and there are not many links.
        self._inbox_in, self._inbox = trio.open_memory_channel[Item](math.inf)
        self.connections = Connections(
            self.world,
            self.signer,
            self.instance or make_instance(0, self.world.entropy(INSTANCE_BYTES)),
            self.put,
            refuse_without_lobby,
            self.secret,
            watch_secret=self.watch.secret,
            role=self.role,
            tell_flood=self._tell_flood,
        )
        self.bots = BotFronts(self.world, self.level)
        self.own_faults = cores.OwnFaultGuard(self.front.show)
        self.code = table_code.HeldCode(self.world, self.front, self.connections.accept_relayed)
        self.watchers = WatcherLinks.beside(self.connections, self.front.show, self.watch)

    async def run(self, session: Session) -> Ending:
        """Open the session, and feed its stages until one has an ending."""
        self.front.attach(self._take_command)
        self.connections.judge_newcomer = session.judge_newcomer
        ending: Ending | None = None
        try:
            async with trio.open_nursery() as self.nursery:
                self.connections.start_links(self.nursery)
                self.nursery.start_soon(self.code.run)
                stage = await session.open()
                while (ending := stage.ending) is None:
                    stage = await self._feed_batch(stage, await self._next_items(stage))
                if ending.kind is EndKind.FINISHED and isinstance(self.front, StayingFront):
                    ending = await self._stay(stage, ending, self.front)
                self.watchers.close()
                await self.connections.close_links(self._inbox)
                self.nursery.cancel_scope.cancel()
        except* FileTrouble as group:
            ending = Ending.of_files(_first_trouble(group))
        assert ending is not None  # only an ending leaves the loop
        return ending

    async def _stay(self, stage: Stage, ending: Ending, front: StayingFront) -> Ending:
        """Serve those that come, while the player reads the end; return what is known then."""

        async def serve() -> None:
            while True:
                await self._feed_batch(stage, await self._next_items(stage))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await front.show_ending(ending)
            nursery.cancel_scope.cancel()
        return stage.ending or ending

    def _take_command(self, command: commands.Command) -> None:
        if isinstance(command, commands.NewCode):
            self.code.renew()
        else:
            self.put(command)

    async def _next_items(self, stage: Stage) -> list[Item]:
        items: list[Item] = []
        self._take_waiting(items)
        if items:
            await trio.lowlevel.checkpoint()  # links are read, however much has come
        else:
            with trio.move_on_at(min(stage.deadline, self.watchers.deadline)):
                items.append(await self._inbox.receive())
        self._take_waiting(items)
        return items

    def _take_waiting(self, items: list[Item]) -> None:
        with suppress(trio.WouldBlock):
            while len(items) < MAX_BATCH_ITEMS:
                items.append(self._inbox.receive_nowait())

    async def _feed_batch(self, stage: Stage, items: list[Item]) -> Stage:
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

    def _is_about_watchers(self, item: Item, stage: Stage, now: float) -> bool:
        """Take an item that is about watchers; return whether it was one."""
        # It comes from a watcher, or a player reports the number of theirs.
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
        self.front.show(notices.Flooded(count, self.connections.entrance.passes.are_worth_making))

    def put(self, item: Item) -> None:
        with suppress(trio.ClosedResourceError):
            self._inbox_in.send_nowait(item)


def _first_trouble(group: BaseExceptionGroup[FileTrouble]) -> FileTrouble:
    first: BaseException = group
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    assert isinstance(first, FileTrouble)  # the group was split off for these
    return first
