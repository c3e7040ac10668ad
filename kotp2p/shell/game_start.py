"""From a signed genesis, or from saved files, to a running game: the files of one seat.

Scope: what is written before a game begins, and in which order, so that a crash at any point leaves
either a game that can be resumed or nothing that would mislead anybody.
Not here: the files while the game runs (`kotp2p.store.log_writer`, `kotp2p.net.dialer`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Protocol

from kotp2p.game.ledger import Ledger
from kotp2p.lobby.lobby_effects import BeginGame, KeepStart
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.front import NO_WATCHERS, WatchOffer
from kotp2p.seams.world import World
from kotp2p.shell.game_stage import GameFiles, GameStage
from kotp2p.shell.stage import TableContext
from kotp2p.store.game_files import PlacesFile, SignedStart, start_path
from kotp2p.store.log_writer import LogWriter
from kotp2p.store.saved_game import SavedGame, SavedPlaces, game_folder, is_lost_seed, write_epoch
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.genesis import Genesis


class PeerFactory(Protocol):
    """Makes the core that plays."""

    def __call__(
        self,
        genesis: Genesis,
        seat: Seat,
        signer: Signer,
        seed: bytes,
        resumed: Ledger | None,
        instance: bytes,
    ) -> Peer: ...


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """How one seat sits at a new table, as its files will say."""

    one_game: bool
    """The identity is made for this game alone: its key is kept beside it."""
    secret: bytes = OPEN_TABLE_SECRET
    """What all links of this table need (`kotp2p.net.tls`)."""
    bind: str = ""
    """The one address that this process listens on; empty: all, but for `near`."""
    port: int = 0
    """Where it listens; 0: nowhere."""
    host_address: str = ""
    """Guest: where the host was dialled."""
    near: str = ""
    """Guest: as in `SavedPlaces`."""
    watch: WatchOffer = NO_WATCHERS
    relay: str = ""
    """As in `SavedPlaces`."""
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
            relay=self.relay,
        )


@dataclass(slots=True)
class PendingStarts:
    """The starts that this seat has signed, on disk until one of them has a log: each could have
    become a game for the others."""

    world: World
    signer: Signer
    setup: SeatSetup
    _numbers: dict[PurePath, int] = field(default_factory=dict)

    async def keep(self, start: KeepStart) -> None:
        """Raises FileTrouble."""
        setup, signer, charter = self.setup, self.signer, start.genesis.charter
        path = start_path(self.world, charter.table, signer.key)
        places = setup.first_places(start.addresses)
        signed = SignedStart(start.genesis, signer, setup.one_game, start.seed, places)
        await self.world.disk.replace(path, signed.encode())
        self._numbers[path] = charter.start

    def discard(self, newest: float = math.inf) -> None:
        """Removes the starts up to this number: its game has a log, or the player has left. Raises
        FileTrouble."""
        for path, number in list(self._numbers.items()):
            if number <= newest:
                self.world.disk.remove(path)
                del self._numbers[path]


async def create_game(context: TableContext, setup: SeatSetup, begin: BeginGame) -> GameStage:
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
    log = LogWriter(world, folder / "log", genesis)
    instance = context.connections.instance
    peer = setup.make_peer(genesis, begin.seat, signer, begin.seed, None, instance)
    file = PlacesFile(disk, folder / "places", places)
    return GameStage(context, GameFiles(file, log), peer)


async def reopen_game(context: TableContext, saved: SavedGame) -> GameStage:
    """A game goes on from its folder. Raises FileTrouble."""
    disk, folder = context.world.disk, saved.folder
    log = await LogWriter.reopen(context.world, saved)
    await write_epoch(disk, folder, saved.next_epoch)
    lost_seed = is_lost_seed(saved.ledger, saved.seat, saved.seed)
    peer = Peer(
        saved.genesis,
        saved.seat,
        saved.signer,
        saved.seed,
        saved.ledger,
        context.connections.instance,
        lost_seed,
    )
    places = PlacesFile(disk, folder / "places", saved.places)
    return GameStage(context, GameFiles(places, log), peer)
