"""Watching a game, from the first dial to its end.

Scope: the shell around `watching.watcher`: its link, which is made again when it is lost,
and a file for the log, if one is wanted.
Not here: what is shown, and when watching is over, which the core says.
"""

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import assert_never

import trio

from kotp2p.extras.watching.watcher import (
    CutSource,
    EndWatching,
    KeepBytes,
    SendToSource,
    Watcher,
    WatcherEffect,
)
from kotp2p.lobby.lobby_effects import LINK_TO_HOST
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.net.handshake import LinkFault, Refused, make_refusal
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkOpened
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import Command, Front, KeepSeat, LeaveTable, Say
from kotp2p.seams.cores import Budget
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import NextGameAwaited, RemarkRefused
from kotp2p.seams.world import CannotReach, FileTrouble, LogFile, World
from kotp2p.shell.find_host import (
    NotSeated,
    TableAddress,
    connect_to_host,
    find_by_code,
    without_relay,
)
from kotp2p.shell.table_loop import Item, Stage, TableLoop
from kotp2p.wire.crypto import KEY_BYTES, Signer, key_fingerprint
from kotp2p.wire.frames import Hello, HelloRole, Refusal, RefusalCode

FIRST_REDIAL_SECONDS = 0.5
MAX_REDIAL_SECONDS = 15.0
"""The time between two dials doubles until then."""
NEXT_GAME_SECONDS = 180.0
"""How long the next game of a table is waited for."""
NEXT_GAME_PAUSE, NEXT_GAME_CODE_PAUSE = 3.0, 10.0
"""Between two looks whether its table is open: a code answers some hundred times an hour."""
NOT_OPEN = (
    EndKind.REFUSED, EndKind.NO_ANSWER, EndKind.NOT_A_TABLE, EndKind.NAME_UNKNOWN, EndKind.CLOSED,
    EndKind.BUSY, EndKind.STARTED, EndKind.LOST_TABLE, EndKind.OTHER_HOST, EndKind.OTHER_TABLE,
)  # fmt: skip
"""No table is open there for those who watch, or not yet."""


@dataclass(frozen=True, slots=True)
class WatchWish:
    from_start: bool = False
    log: PurePath | None = None
    """The file for the log, which must not exist yet."""


async def watch(world: World, wish: WatchWish, goal: TableAddress | Code, front: Front) -> Ending:
    """Follow the game at the table of that address or code, or wait there until it begins."""
    try:
        table = await find_by_code(world, goal, front) if isinstance(goal, Code) else goal
    except NotSeated as fault:
        return fault.ending
    loop = TableLoop(
        world, Signer(world.entropy(KEY_BYTES)), front, table.secret, role=HelloRole.WATCHER
    )
    try:
        if wish.log is not None:  # what cannot be written is told before anybody is called
            await (await world.disk.create_log(wish.log, b"\n")).aclose()
            world.disk.remove(wish.log)
        link, place = await connect_to_host(loop.connections, table)
        loop.connections.adopt_link(link)
        return await loop.run(WatchStage(loop, wish, table, place))
    except NotSeated as fault:
        return without_relay(fault.ending, table) if isinstance(goal, Code) else fault.ending
    except FileTrouble as fault:
        return Ending.of_files(fault)


async def watch_next(
    world: World, wish: WatchWish, table: TableAddress | Code, front: Front
) -> Ending:
    """Follow the next game of a table whose last one has ended, if its host opens one."""
    front.show(NextGameAwaited(NEXT_GAME_SECONDS))
    until = trio.current_time() + NEXT_GAME_SECONDS
    pause = NEXT_GAME_CODE_PAUSE if isinstance(table, Code) else NEXT_GAME_PAUSE
    with trio.CancelScope() as scope:

        def leave(command: Command) -> None:
            if isinstance(command, LeaveTable | KeepSeat):
                scope.cancel()

        while trio.current_time() < until:
            front.attach(leave)
            await trio.sleep(pause)
            ending = await watch(world, wish, table, front)
            if ending.view is not None or ending.kind not in NOT_OPEN:
                return ending
    return Ending(EndKind.LEFT if scope.cancelled_caught else EndKind.NO_NEXT_GAME)


@dataclass(slots=True)
class WatchStage:
    loop: TableLoop
    wish: WatchWish
    table: TableAddress
    place: str
    watcher: Watcher = field(init=False)
    ending: Ending | None = None
    _source: Link | None = None
    _budget: Budget = field(default_factory=Budget.for_seat)
    """What its source may cost, over all links: a game of bots is faster than a stranger may be."""
    _file: LogFile | None = None
    _is_dialling: bool = False

    def __post_init__(self) -> None:
        self.watcher = Watcher(self.wish.from_start)

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        return make_refusal(RefusalCode.NO_TABLE, "nobody plays here")

    async def open(self) -> Stage:
        self._accept_source(self.loop.connections.links[LINK_TO_HOST], trio.current_time())
        return await self.perform_item_effects()

    @property
    def deadline(self) -> float:
        return self.watcher.deadline

    def is_player_link(self, link: Link) -> bool:
        return False  # the source tells this watcher itself

    def _accept_source(self, link: Link, now: float) -> None:
        self._source, link.budget = link, self._budget
        self.watcher.link_up(now, link.their_hello.key)

    def accept_item(self, item: Item, now: float) -> None:
        match item:
            case LinkOpened(link=link):
                if self._source is None:
                    self._accept_source(link, now)
                else:
                    link.cut()
            case FrameReceived(link=link, frame=frame):
                if link is self._source:
                    self.watcher.receive_frame(frame, now)
            case LinkClosed(link=link):
                if link is self._source:
                    self._source = None
                    self.watcher.link_down(now)
            case Say():
                self.loop.front.show(RemarkRefused())
            case LeaveTable() | KeepSeat():
                self.watcher.give_up(EndKind.LEFT)
            case _:  # a command of a player: nobody who only watches gives it
                pass

    async def perform_item_effects(self) -> Stage:
        is_read = True
        while is_read:
            is_read = self.watcher.read_on()
            for effect in self.watcher.take_effects():
                await self._perform(effect)
            await trio.lowlevel.checkpoint()  # a long log is read while keys are pressed
        if self.watcher.is_away and not self._is_dialling:
            self._is_dialling = True
            self.loop.nursery.start_soon(self._dial_again)
        return self

    async def finish_batch(self, now: float) -> Stage:
        if now >= self.watcher.deadline:
            self.watcher.tick(now)
        return await self.perform_item_effects()

    async def _perform(self, effect: WatcherEffect) -> None:
        match effect:
            case SendToSource(frame=frame):
                if self._source is not None:
                    with self.loop.own_faults:
                        self.loop.connections.send_frame(self._source.number, frame)
            case CutSource():
                if self._source is not None:
                    self._source.cut()
            case KeepBytes(offset=offset, data=data):
                await self._keep(offset, data)
            case ShowNotice(notice=notice):
                self.loop.front.show(notice)
            case EndWatching(kind=kind, detail=detail):
                await self._end(kind, detail)
            case _:
                assert_never(effect)

    # -- the log -------------------------------------------------------------------------

    async def _keep(self, offset: int, data: bytes) -> None:
        if offset == 0:
            self.loop.connections.table = self.watcher.game.table
            await self._begin_file(data)
        elif self._file is not None:
            await self._file.append(data)

    async def _begin_file(self, data: bytes) -> None:
        path, disk = self.wish.log, self.loop.world.disk
        if path is None:
            return
        if self._file is None:
            self._file = await disk.create_log(path, data)
            return
        await self._file.aclose()  # the log is another one than before
        await disk.replace(path, data)
        self._file = await disk.reopen_log(path, len(data))

    async def _end(self, kind: EndKind, detail: str) -> None:
        log = None
        if self._file is not None:
            await self._file.aclose()
            log = self.wish.log
        game = self.watcher.game
        winners = () if game.view is None else game.view.game.state.winners or ()
        self.ending = Ending(kind, detail, log, game.view, winners, game.reading.report().turns)

    # -- the link ------------------------------------------------------------------------

    async def _dial_again(self) -> None:
        pause = FIRST_REDIAL_SECONDS
        while self.watcher.is_away and self.ending is None:
            await trio.sleep(pause)
            pause = min(2 * pause, MAX_REDIAL_SECONDS)
            try:
                await self.loop.connections.dial_again(self.place, self.table.port, self._admit)
                break
            except (CannotReach, LinkFault):
                pass
            except Refused as fault:
                if fault.refusal.code == RefusalCode.NO_WATCHERS:
                    self.watcher.give_up(EndKind.NO_WATCHERS)
                    self.loop.put(KeepSeat())  # a stage acts when something comes in
                    break
        self._is_dialling = False

    def _admit(self, theirs: Hello) -> Refusal | None:
        """Admit a source of the same game only."""
        # Where an invitation was given it must have the same host, too, as `connect_to_host` asks.
        own, host = self.watcher.game.table, self.table.host
        if host is not None and key_fingerprint(theirs.key) != host:
            return make_refusal(RefusalCode.NO_TABLE, "another process is there")
        if own and theirs.table not in (b"", own):
            return make_refusal(RefusalCode.NO_TABLE, "another game is there")
        return None
