"""A game whose files are lost, or are on another machine: its log is fetched from another player.

Scope: the log of a running game as its source has it, read to the end and judged; the folder that
is made of it, with a fresh seed. From there the game goes on like any other that is resumed.
Not here: what a process that comes back may sign (`kotp2p.peer`), and the source's side
(`kotp2p.shell.watcher_links`).

A keeper proves its key as everybody does who dials, says that it wants to read, and is sent the log
like a watcher. The source could keep back the end of the log, and no more: all is signed. What it
keeps back comes from the other players once the game goes on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import PurePath

import trio

from kotp2p.game.verify import Replay, WrongLog
from kotp2p.net.connections import Connections
from kotp2p.net.links import Link, LinkEvent
from kotp2p.seams.budgets import Budget
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import World
from kotp2p.shell.find_host import NotSeated, TableAddress, connect_to_host
from kotp2p.shell.stage import refuse_without_lobby
from kotp2p.store.saved_game import (
    SEED_BYTES,
    SavedGame,
    SavedPlaces,
    game_folder,
    load_game,
    make_instance,
)
from kotp2p.watching.feeds import WINDOW_BYTES
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.frames import (
    LINK_DEAD_SECONDS,
    Admitted,
    Closed,
    Frame,
    HelloRole,
    LogPart,
    Ping,
    Watch,
    Watched,
)
from kotp2p.wire.genesis import OtherVersion
from kotp2p.wire.records import MAX_LOG_BYTES, Damaged, RecordReader, Unreadable, read_salt


class NotFetched(Exception):
    """No game of this player could be fetched; `ending` is what the run came to."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.kind)
        self.ending = ending


@dataclass(slots=True)
class _Reader:
    """Takes the parts of the log as they come, up to the size that the source has told."""

    link: Link
    data: bytearray = field(default_factory=bytearray)
    goal: float = math.inf
    is_wrong: bool = False
    heard: trio.Event = field(default_factory=trio.Event)
    _told: int = 0

    @property
    def is_over(self) -> bool:
        return self.is_wrong or len(self.data) >= self.goal

    def receive_frame(self, frame: Frame) -> None:
        self.link.note_taken()
        match frame:
            case Admitted(size=size) if self.goal == math.inf and 0 < size <= MAX_LOG_BYTES:
                self.goal = size
            case LogPart(offset=offset, data=data) if offset == len(self.data) < self.goal:
                self.data += data
                if len(self.data) - self._told >= WINDOW_BYTES // 2 and not self.is_over:
                    self._told = len(self.data)
                    self.link.send(Watch(self._told, b""))
            case Ping() | Watched():
                pass
            case Closed():
                self.is_wrong = True
            case _:  # nothing else is a source's to send
                self.is_wrong = True
        self.heard.set()


async def fetch_game(world: World, signer: Signer, table: TableAddress) -> SavedGame:
    """The game of this player that is played at `table`, in a folder of its own, which this process
    has locked. Raises NotFetched or FileTrouble."""
    try:
        data, place = await _fetch_log(world, signer, table)
        replay = _judge(data)
    except NotSeated as fault:
        raise NotFetched(fault.ending) from fault
    except (Unreadable, Damaged, WrongLog, BadBytes, OtherVersion) as fault:
        raise NotFetched(Ending(EndKind.WRONG_LOG, str(fault))) from fault
    ledger = replay.ledger
    assert ledger is not None  # it has come as far as its genesis
    genesis = ledger.genesis
    folder = game_folder(world, genesis.id, signer.key)
    if genesis.seat_of(signer.key) is None:
        raise NotFetched(Ending(EndKind.NO_GAME))
    if not world.disk.lock(folder / "lock"):
        raise NotFetched(Ending(EndKind.IN_USE))
    await _set_aside(world, folder)
    nowhere = tuple(("", 0) for _ in genesis.players)
    places = SavedPlaces("", 0, place, nowhere, shared="", secret=table.secret)
    await world.disk.replace(folder / "places", places.encode())
    await world.disk.replace(folder / "seed", world.entropy(SEED_BYTES))
    await world.disk.replace(folder / "log", data)
    world.disk.remove(folder / "epoch")
    saved = load_game(world, folder, signer)
    if saved is None:
        world.disk.release(folder / "lock")
        raise NotFetched(Ending(EndKind.NO_GAME))
    return saved


async def _fetch_log(world: World, signer: Signer, table: TableAddress) -> tuple[bytes, str]:
    """All that the log holds now, and where its source was. Raises NotSeated or BadBytes."""
    instance = make_instance(0, world.entropy(INSTANCE_BYTES))
    connections = Connections(
        world, signer, instance, _ignore, refuse_without_lobby, table.secret,
        role=HelloRole.WATCHER,
    )  # fmt: skip
    link, place = await connect_to_host(connections, table)
    link.budget = Budget.for_seat()
    reader = _Reader(link)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, reader.receive_frame)
        link.send(Watch(0, b""))
        while not reader.is_over:
            reader.heard = trio.Event()
            with trio.move_on_after(LINK_DEAD_SECONDS) as silence:
                await reader.heard.wait()
            reader.is_wrong |= silence.cancelled_caught
        link.cut()
        nursery.cancel_scope.cancel()
    if reader.is_wrong:
        raise BadBytes("the log did not come as a whole")
    return bytes(reader.data), place


def _ignore(_event: LinkEvent) -> None:
    """Nobody dials a process that only fetches."""


def _judge(data: bytes) -> Replay:
    """The game of a log, with all its checks. Raises Unreadable, Damaged, WrongLog or BadBytes."""
    salt = read_salt(data)
    reader, replay = RecordReader(data, salt), Replay(salt)
    while (signed := reader.read_record()) is not None:
        replay.add_record(signed)
    if replay.ledger is None or reader.is_torn:
        raise BadBytes("a log that does not come as far as its genesis, or is torn")
    return replay


async def _set_aside(world: World, folder: PurePath) -> None:
    """A log that could not be read is kept beside the fetched one."""
    old = world.disk.read(folder / "log")
    if old:
        names = {path.name for path in world.disk.newest(folder)}
        number = next(n for n in range(1, len(names) + 2) if f"log.torn-{n}" not in names)
        await world.disk.replace(folder / f"log.torn-{number}", old)
