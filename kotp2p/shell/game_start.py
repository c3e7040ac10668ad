"""From a signed genesis, or from saved files, to a running game: the files of one seat.

Scope: what is written before a game begins, and in which order, so that a crash at any point leaves
either a game that can be resumed or nothing that would mislead anybody.
Not here: the files while the game runs (`kotp2p.store.log_writer`, `kotp2p.net.dialer`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeAlias

from kotp2p.lobby.effects import BeginGame, KeepStart
from kotp2p.peer.peer import Peer
from kotp2p.shell.game_stage import GameFiles, GameStage
from kotp2p.shell.stage import OwnBots, TableContext
from kotp2p.store.epoch_file import SavedEpoch, write_epoch
from kotp2p.store.log_writer import LogWriter
from kotp2p.store.places_file import PlacesFile
from kotp2p.store.saved_game import SavedGame, SavedPlaces, game_folder
from kotp2p.store.signed_starts import SignedStart, start_path
from kotp2p.watch_offer import NO_WATCHERS, WatchOffer
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.genesis import Genesis
from kotp2p.world import World

PeerFactory: TypeAlias = Callable[[Genesis, int, Signer, bytes], Peer]
"""Genesis, seat, identity, seed of the table -> the core that plays."""


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """How one seat sits at a new table, as its files will say."""

    one_game: bool
    """The identity is made for this game alone: its key is kept beside it."""
    secret: bytes = OPEN_TABLE_SECRET
    """What all links of this table need (`kotp2p.net.certificates`)."""
    bind: str = ""
    """The one address that this process listens on; empty: all, but for `near`."""
    port: int = 0
    """Where it listens; 0: nowhere."""
    host_address: str = ""
    """Guest: where the host was dialled."""
    near: str = ""
    """Guest: as in `SavedPlaces`."""
    shares_log: bool = True
    """False for bots: they have no log in the folder that people look into."""
    watch: WatchOffer = NO_WATCHERS
    make_peer: PeerFactory = Peer

    def first_places(self, addresses: tuple[tuple[str, int], ...]) -> SavedPlaces:
        """What this seat knows of the others as the game begins."""
        return SavedPlaces(
            self.bind,
            self.port,
            self.host_address,
            addresses,
            shared="",
            secret=self.secret,
            near=self.near,
            watch=self.watch,
        )


@dataclass(slots=True)
class PendingStart:
    """The start that this seat has signed, on disk until its game has a log."""

    world: World
    signer: Signer
    setup: SeatSetup
    _path: PurePath | None = None

    async def keep(self, start: KeepStart) -> None:
        """An earlier attempt has been given up. Raises FileTrouble."""
        setup, signer = self.setup, self.signer
        path = start_path(self.world, start.genesis.charter.table, signer.key)
        if path != self._path:
            self.discard()
        places = setup.first_places(start.addresses)
        signed = SignedStart(start.genesis, signer, setup.one_game, start.seed, places)
        await self.world.disk.replace(path, signed.encode())
        self._path = path

    def discard(self) -> None:
        """The attempt was given up, or its game has a log. Raises FileTrouble."""
        if self._path is not None:
            self.world.disk.remove(self._path)
            self._path = None


async def create_game(
    context: TableContext, setup: SeatSetup, begin: BeginGame, bots: OwnBots
) -> GameStage:
    """A new game gets its folder; its log comes with its first records, so last, as a game whose
    log is there can be resumed. Raises FileTrouble."""
    world, signer, genesis = context.world, context.signer, begin.genesis
    folder, disk = game_folder(world, genesis.id, signer.key), world.disk
    disk.lock(folder / "lock")
    if setup.one_game:
        await disk.replace(folder / "key", signer.secret())
    places = setup.first_places(begin.addresses)
    await disk.replace(folder / "places", places.encode())
    await disk.replace(folder / "seed", begin.seed)
    log = LogWriter(world, folder / "log", genesis, shares=setup.shares_log)
    peer = setup.make_peer(genesis, begin.seat, signer, begin.seed)
    file = PlacesFile(disk, folder / "places", places)
    return GameStage(context, bots, GameFiles(file, log), peer)


async def reopen_game(
    context: TableContext, saved: SavedGame, bots: OwnBots, *, shares_log: bool
) -> GameStage:
    """A game goes on from its folder. A bot's may have no log yet, if its process ended before it
    had signed anything: it gets its files now, in the same order. Raises FileTrouble."""
    disk, folder = context.world.disk, saved.folder
    if not saved.log_records:
        await disk.replace(folder / "key", saved.signer.secret())
        await disk.replace(folder / "places", saved.places.encode())
        await disk.replace(folder / "seed", saved.seed)
    log = await LogWriter.reopen(context.world, saved, shares=shares_log)
    await write_epoch(disk, folder, SavedEpoch(saved.epoch.next_epoch))
    peer = Peer(saved.genesis, saved.seat, saved.signer, saved.seed, saved.ledger)
    places = PlacesFile(disk, folder / "places", saved.places)
    return GameStage(context, bots, GameFiles(places, log), peer)
