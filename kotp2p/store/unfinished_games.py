"""Which games of this machine can be resumed, read off their files without replaying them.

A game is over for a seat when its folder has no `places` any more. How far a game has come is
counted from its log without any check: resuming replays the log (`kotp2p.store.saved_game`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from kotp2p.file_fault import FaultOfFile, FileFault
from kotp2p.referee.model.answers import Seat
from kotp2p.store.lost_blocks import cut_lost_blocks
from kotp2p.store.saved_game import (
    GAMES_FOLDER,
    CannotResume,
    SavedPlaces,
    fault_of_log,
    is_empty_log,
    read_places,
)
from kotp2p.store.signed_starts import folders_of_starts
from kotp2p.store.stray_files import is_hash
from kotp2p.wire.addresses import AddressBook, Target
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Opening, Signed
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.lineups import Leave
from kotp2p.wire.records import Damaged, RecordReader, Unreadable, read_genesis, read_salt
from kotp2p.world import FileTrouble, World

OTHER_VERSIONS = (FaultOfFile.EARLIER, FaultOfFile.NEWER)


@dataclass(frozen=True, slots=True)
class UnfinishedGame:
    folder: PurePath
    genesis: Genesis
    seat: Seat
    turn: int
    places: SavedPlaces

    @property
    def day(self) -> str:
        """The day on which it was begun, from the name of its log; empty if that is not known."""
        name = self.places.shared
        return name[:10] if name[:4].isdigit() else ""

    @property
    def log(self) -> str:
        return str(self.folder / "log")

    def targets(self) -> set[Target]:
        """All addresses at which a peer of that table was to be dialled."""
        places, known = self.places, AddressBook(self.genesis.id, self.genesis.players)
        for body, signature in places.whereabouts:
            known.accept(Signed(BodyKind.ADDRESS, body, signature))
        known.last_link_addresses.update(dict(places.seen))
        found = {(address or places.host_address, port) for address, port in places.addresses}
        for seat, (_, port) in enumerate(places.addresses):
            if seat != self.seat:
                found.update(known.targets_of(seat, port, ()))
        return found


def list_unfinished(
    world: World, key: bytes | None = None
) -> Iterator[UnfinishedGame | CannotResume]:
    """The games that are not over, the newest first; in place of a game whose files are wrong, what
    is wrong. With `key`: only games of this identity, and those played under a key for one game.

    Files that are not the program's are passed over (`kotp2p.store.stray_files`). What is wrong
    with one game never hides the others.
    """
    own = key.hex() if key is not None else ""
    started = folders_of_starts(world)
    for game in _hashes_in(world, world.data / GAMES_FOLDER):
        try:
            seats = sorted(_hashes_in(world, game), key=lambda folder: folder.name != own)
        except FileTrouble as fault:
            yield CannotResume(fault.fault or str(fault))
            continue
        for folder in seats:
            try:
                if key and folder.name != own and world.disk.read(folder / "key") is None:
                    continue  # another profile's
                if folder in started and is_empty_log(world.disk.read(folder / "log")):
                    continue  # its start tells of it (`kotp2p.store.signed_starts`)
                found = glance(world, folder)
            except CannotResume as fault:
                yield fault
                if fault.fault is not None and fault.fault.kind in OTHER_VERSIONS:
                    break  # all seats of a game have one version, and it was said once
                continue
            except FileTrouble as fault:
                yield CannotResume(fault.fault or str(fault))
                continue
            if found is not None:
                yield found


def _hashes_in(world: World, folder: PurePath) -> list[PurePath]:
    return [path for path in world.disk.newest(folder) if is_hash(path.name)]


def glance(world: World, folder: PurePath) -> UnfinishedGame | None:
    """The unfinished game of a person in this folder, if there is one. Raises CannotResume."""
    places = world.disk.read(folder / "places")
    if places is None:
        return None
    data = world.disk.read(folder / "log")
    if data is None or is_empty_log(data):
        raise CannotResume(FileFault(folder / "log", "it says nothing", FaultOfFile.UNBEGUN))
    try:
        data = cut_lost_blocks(data)
        reader = RecordReader(data, read_salt(data))
        genesis = read_genesis(reader)
        assert genesis is not None  # it says something
        seat = genesis.seat_of(bytes.fromhex(folder.name))
        if seat is None:
            raise CannotResume(f"{folder / 'log'}: the game of others")
        turn = _turn_at_end(reader, genesis, seat)
        if turn is None:
            return None
        return UnfinishedGame(folder, genesis, seat, turn, read_places(places, genesis))
    except (Unreadable, Damaged, BadBytes, OtherVersion, ValueError) as fault:
        raise CannotResume(fault_of_log(folder / "log", fault)) from fault


def _turn_at_end(reader: RecordReader, genesis: Genesis, seat: Seat) -> int | None:
    """The turn in which the log ends; None if this seat has left the game. One that has ended has
    no `places` any more."""
    ended: set[int] = set()
    """The heights of openings with the digest of a position: the first gather after each turn."""
    while (signed := reader.read_record()) is not None:
        if signed.kind is BodyKind.PLAY:
            entry = Entry.parse(signed)
            if isinstance(entry.payload, Opening) and entry.payload.position is not None:
                ended.add(entry.height)
        elif signed.kind is BodyKind.LEAVE and Leave.parse(signed, genesis.id).seat == seat:
            return None
    return len(ended) + 1
