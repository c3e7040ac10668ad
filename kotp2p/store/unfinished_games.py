"""Which games of this machine can be resumed, read off their files without replaying them.

A game is over for a seat when its folder has no `places` any more. How far a game has come is
counted from its log without any check: resuming replays the log (`kotp2p.store.saved_game`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from kotp2p.file_fault import FaultOfFile, FileFault
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
from kotp2p.wire.closings import End, parse_closing
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Opening, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.records import Damaged, RecordReader, Unreadable, read_salt
from kotp2p.world import FileTrouble, World
from referee.model.answers import Seat

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
                found = None if _is_unbegun_bot(world, folder) else glance(world, folder)
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


def _is_unbegun_bot(world: World, folder: PurePath) -> bool:
    """Its keeper's log, in the same game, tells what it is; it comes back with its keeper."""
    if not is_empty_log(world.disk.read(folder / "log")):
        return False
    for other in _hashes_in(world, folder.parent):
        try:
            data = world.disk.read(other / "log")
            if data is None or is_empty_log(data):
                continue
            first = RecordReader(data, read_salt(data)).read_record()
            players = Genesis.parse(first.body).players if first is not None else ()
        except (Unreadable, Damaged, BadBytes, OtherVersion, FileTrouble):
            continue
        return any(p.bot and p.key.hex() == folder.name for p in players)
    return False


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
        first = reader.read_record()
        assert first is not None  # it says something
        genesis = Genesis.parse(first.body)
        seat = [p.key.hex() for p in genesis.players].index(folder.name)
        if genesis.players[seat].bot:
            return None
        turn = _turn_at_end(reader, genesis, seat)
        if turn is None:
            return None
        return UnfinishedGame(folder, genesis, seat, turn, read_places(places, genesis))
    except (Unreadable, Damaged, BadBytes, OtherVersion, ValueError) as fault:
        raise CannotResume(fault_of_log(folder / "log", fault)) from fault


def _turn_at_end(reader: RecordReader, genesis: Genesis, seat: Seat) -> int | None:
    """The turn in which the log ends; None if the game is over for this seat."""
    ended: set[tuple[int, int]] = set()
    """The places of openings with the digest of a position: the first gather after each turn."""
    while (signed := reader.read_record()) is not None:
        if signed.kind is BodyKind.PLAY:
            entry = Entry.parse(signed)
            if isinstance(entry.payload, Opening) and entry.payload.position is not None:
                ended.add(entry.place)
        elif signed.kind is BodyKind.STAND_IN:
            if Farewell.parse(signed, genesis.id).seat == seat:
                return None
        elif signed.kind is BodyKind.CLOSE and isinstance(
            parse_closing(signed.body, genesis.id), End
        ):
            return None
    return len(ended) + 1
