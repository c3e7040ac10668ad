"""Starts that a seat has signed, on disk until their game has a log of its own.

Scope: one file for each, with all that the seat needs to come into the game. The others may begin
as soon as it has signed. A process that ends before it has heard so must find its seed again, or
its seat could never open what it has committed to.
Not here: the folder of a game (`kotp2p.store.saved_game`), and how the game is found
(`kotp2p.shell.resume`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from kotp2p.file_fault import FaultOfFile, FileFault
from kotp2p.store.saved_game import (
    SEED_BYTES,
    CannotResume,
    SavedPlaces,
    game_folder,
    is_empty_log,
    is_seed_of,
)
from kotp2p.store.stray_files import is_start
from kotp2p.wire.addresses import Target
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.encoding import BadBytes, array, octets, pack, unpack
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.world import FileTrouble, World

STARTING_FOLDER = "starting"


@dataclass(frozen=True, slots=True)
class SignedStart:
    genesis: Genesis
    """Without signatures."""
    signer: Signer
    one_game: bool
    """The key is made for this game alone, and is kept with the start."""
    seed: bytes
    places: SavedPlaces

    @property
    def seat(self) -> int:
        seat = self.genesis.seat_of(self.signer.key)
        assert seat is not None  # the reader has checked it
        return seat

    def folder(self, world: World) -> PurePath:
        """Where the game is kept once it has begun."""
        return game_folder(world, self.genesis.id, self.signer.key)

    def encode(self) -> bytes:
        key = self.signer.secret() if self.one_game else b""
        return pack((key, self.seed, self.genesis.body, self.places.encode()))

    @staticmethod
    def decode(data: bytes, own: Signer) -> SignedStart | None:
        """None if it is of another player. Raises BadBytes or OtherVersion."""
        secret, seed, body, places = (octets(item) for item in array(unpack(data), 4))
        if len(secret) not in (0, KEY_BYTES):
            raise BadBytes("not a key (32 bytes)")
        signer, genesis = Signer(secret) if secret else own, Genesis.parse(body)
        if genesis.seat_of(signer.key) is None:
            return None
        found = SignedStart(genesis, signer, bool(secret), seed, SavedPlaces.decode(places))
        found.places.check(genesis)
        if len(seed) != SEED_BYTES or not is_seed_of(genesis, found.seat, seed):
            raise BadBytes("not the seed that this seat has begun with")
        return found

    def targets(self) -> set[Target]:
        """All addresses at which a seat was to be dialled."""
        places = self.places
        return {(address or places.host_address, port) for address, port in places.addresses}


def start_path(world: World, table: bytes, key: bytes) -> PurePath:
    return world.data / STARTING_FOLDER / f"{table.hex()[:32]}-{key.hex()[:16]}"


def read_start(world: World, path: PurePath, own: Signer) -> SignedStart | None:
    """None if there is no such file, or if it is of another player. Raises CannotResume."""
    data = world.disk.read(path)
    try:
        found = SignedStart.decode(data, own) if data is not None else None
    except (BadBytes, OtherVersion) as fault:
        is_other = isinstance(fault, OtherVersion)
        kind = FaultOfFile.EARLIER if is_other else FaultOfFile.CONTENT
        raise CannotResume(FileFault(path, str(fault), kind)) from fault
    if found is None:
        return None
    table = found.genesis.charter.table
    return found if start_path(world, table, found.signer.key) == path else None


def folders_of_starts(world: World) -> set[PurePath]:
    """Of all seats that have signed a start here. Without a log, the start is what counts."""
    found = set()
    for path in world.disk.newest(world.data / STARTING_FOLDER):
        try:
            data = world.disk.read(path) if is_start(path.name) else None
            if data is None:
                continue
            genesis = Genesis.parse(octets(array(unpack(data), 4)[2]))
        except (BadBytes, OtherVersion, FileTrouble):
            continue
        for player in genesis.players:
            if start_path(world, genesis.charter.table, player.key) == path:
                found.add(game_folder(world, genesis.id, player.key))
    return found


def list_starts(world: World, own: Signer) -> Iterator[SignedStart | CannotResume]:
    """The starts that a person has signed here as `own`, or under a key for one game, the newest
    first; in place of one whose file is wrong, what is wrong. A game that has a log comes with its
    folder."""
    for path in world.disk.newest(world.data / STARTING_FOLDER):
        if not is_start(path.name):
            continue
        try:
            found = read_start(world, path, own)
        except (CannotResume, FileTrouble) as fault:
            yield CannotResume(fault.fault or str(fault))
            continue
        if found is not None and is_empty_log(world.disk.read(found.folder(world) / "log")):
            yield found
