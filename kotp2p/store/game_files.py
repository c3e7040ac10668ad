"""The games of this machine: which can be resumed, which starts were signed, and what is swept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import trio

from kotp2p.game.verify import WrongLog
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.world import Disk, FaultOfFile, FileFault, FileTrouble, World
from kotp2p.store import saved_game
from kotp2p.store.files import GAMES_FOLDER
from kotp2p.wire.addresses import AddressBook, Target
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.encoding import BadBytes, array, octets, pack, unpack
from kotp2p.wire.entries import BodyKind, Entry, Opening, Signed
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.lineups import Leave
from kotp2p.wire.records import Damaged, RecordReader, Unreadable, read_genesis, read_salt

# -- unfinished games ----------------------------------------------------------------------


OTHER_VERSIONS = (FaultOfFile.EARLIER, FaultOfFile.NEWER)


@dataclass(frozen=True, slots=True)
class UnfinishedGame:
    folder: PurePath
    genesis: Genesis
    seat: Seat
    turn: int
    places: saved_game.SavedPlaces

    @property
    def day(self) -> str:
        """Return the day of its beginning, from the name of its log; empty if unknown."""
        name = self.places.shared
        return name[:10] if name[:4].isdigit() else ""

    @property
    def log(self) -> str:
        return str(self.folder / "log")

    def targets(self) -> set[Target]:
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
) -> Iterator[UnfinishedGame | saved_game.CannotResume]:
    """Yield the games that are not over, the newest first.

    In place of a game whose files are wrong comes what is wrong. With `key`: only games of this
    identity, and those played under a key for one game.

    Files that are not the program's are passed over. What is wrong with one game never hides the
    others.
    """
    own = key.hex() if key is not None else ""
    started = folders_of_starts(world)
    for game in _hashes_in(world, world.data / GAMES_FOLDER):
        try:
            seats = sorted(_hashes_in(world, game), key=lambda folder: folder.name != own)
        except FileTrouble as fault:
            yield saved_game.CannotResume(fault.fault or str(fault))
            continue
        for folder in seats:
            try:
                if key and folder.name != own and world.disk.read(folder / "key") is None:
                    continue  # another profile's
                if folder in started and saved_game.is_empty_log(world.disk.read(folder / "log")):
                    continue  # it is listed as a start
                found = glance(world, folder)
            except saved_game.CannotResume as fault:
                yield fault
                if fault.fault is not None and fault.fault.kind in OTHER_VERSIONS:
                    break  # all seats of a game have one version, and it was said once
                continue
            except FileTrouble as fault:
                yield saved_game.CannotResume(fault.fault or str(fault))
                continue
            if found is not None:
                yield found


def _hashes_in(world: World, folder: PurePath) -> list[PurePath]:
    return [path for path in world.disk.newest(folder) if is_hash(path.name)]


def glance(world: World, folder: PurePath) -> UnfinishedGame | None:
    """Return the unfinished game of a person in this folder, if any; raise CannotResume."""
    places = world.disk.read(folder / "places")
    if places is None and not _has_lost_places(world.disk, folder):
        return None
    data = world.disk.read(folder / "log")
    if data is None or saved_game.is_empty_log(data):
        raise saved_game.CannotResume(
            FileFault(folder / "log", "it says nothing", FaultOfFile.UNBEGUN)
        )
    try:
        data = saved_game.cut_lost_blocks(data)
        reader = RecordReader(data, read_salt(data))
        genesis = read_genesis(reader)
        assert genesis is not None  # it says something
        seat = genesis.seat_of(bytes.fromhex(folder.name))
        if seat is None:
            raise saved_game.CannotResume(f"{folder / 'log'}: the game of others")
        turn = _turn_at_end(reader, genesis, seat)
        if turn is None:
            return None
        return UnfinishedGame(
            folder, genesis, seat, turn, saved_game.read_places(places or b"", genesis)
        )
    except (Unreadable, Damaged, BadBytes, OtherVersion, ValueError) as fault:
        raise saved_game.CannotResume(saved_game.fault_of_log(folder / "log", fault)) from fault


def _has_lost_places(disk: Disk, folder: PurePath) -> bool:
    """Return whether a game without `places`, which its end takes first, has not ended."""
    data = disk.read(folder / "log")
    if data is None or disk.read(folder / "seed") is None:
        return False
    try:
        _reader, ledger = saved_game.replay_log(saved_game.cut_lost_blocks(data))
    except (Unreadable, Damaged, WrongLog, BadBytes):
        return True
    return ledger is not None and saved_game.may_go_on(ledger, bytes.fromhex(folder.name))


def _turn_at_end(reader: RecordReader, genesis: Genesis, seat: Seat) -> int | None:
    """Return the turn in which the log ends; None if this seat has left the game."""
    # A game that has ended has no `places` any more.
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


# -- what is removed of a game that is over for a seat: its secrets ------------------------
#
# The seed, and the key that was made for the game alone. They go with `places`, at the end of the
# game or when the seat leaves it, as nobody comes back to it. `sweep_secrets` makes up for a
# process that ended in between, and for starts that never became a game.


SECRETS = ("seed", "key")
MAX_STARTS_KEPT = 64
"""Signed starts that are kept although they became no game here: they may have become one for the
others. A number and no time, as the clock of this machine may be wrong."""


def remove_secrets(disk: Disk, folder: PurePath) -> None:
    """Remove the secrets of a folder whose game is over for its seat; raise FileTrouble."""
    for name in ("places", "epoch", *SECRETS):
        disk.remove(folder / name)


def sweep_secrets(world: World) -> None:
    """Remove secrets that nothing needs any more; leave an unreadable folder alone."""
    disk = world.disk
    for folder in _seat_folders(world):
        try:
            # A game gets its places before its seed, so this one had them.
            has_none = disk.read(folder / "places") is None and disk.read(folder / "seed")
            if has_none and not _has_lost_places(disk, folder) and disk.lock(folder / "lock"):
                remove_secrets(disk, folder)
                disk.release(folder / "lock")
        except FileTrouble:
            continue
    for path in _starts(world)[MAX_STARTS_KEPT:]:
        try:
            disk.remove(path)
        except FileTrouble:
            continue


def _seat_folders(world: World) -> list[PurePath]:
    games = [path for path in _entries(world.disk, world.data / GAMES_FOLDER) if is_hash(path.name)]
    seats = [path for game in games for path in _entries(world.disk, game)]
    return [path for path in seats if is_hash(path.name)]


def _starts(world: World) -> list[PurePath]:
    entries = _entries(world.disk, world.data / STARTING_FOLDER)
    return [path for path in entries if is_start(path.name)]


def _entries(disk: Disk, folder: PurePath) -> list[PurePath]:
    """Return the entries, newest first; none of a folder that cannot be read."""
    try:
        return disk.newest(folder)
    except FileTrouble:
        return []


# -- starts that a seat has signed, on disk until their game has a log of its own ----------
#
# One file for each, with all that the seat needs to come into the game. The others may begin as
# soon as it has signed. A process that ends before it has heard so must find its seed again, or
# its seat could never open what it has committed to.


STARTING_FOLDER = "starting"


@dataclass(frozen=True, slots=True)
class SignedStart:
    genesis: Genesis
    """Without signatures."""
    signer: Signer
    one_game: bool
    """The key is made for this game alone, and is kept with the start."""
    seed: bytes
    places: saved_game.SavedPlaces

    @property
    def seat(self) -> int:
        seat = self.genesis.seat_of(self.signer.key)
        assert seat is not None  # the reader has checked it
        return seat

    def folder(self, world: World) -> PurePath:
        return saved_game.game_folder(world, self.genesis.id, self.signer.key)

    def encode(self) -> bytes:
        key = self.signer.secret() if self.one_game else b""
        return pack((key, self.seed, self.genesis.body, self.places.encode()))

    @staticmethod
    def decode(data: bytes, own: Signer) -> SignedStart | None:
        """Decode a start; return None if it is another player's. Raise BadBytes or OtherVersion."""
        secret, seed, body, places = (octets(item) for item in array(unpack(data), 4))
        if len(secret) not in (0, KEY_BYTES):
            raise BadBytes("not a key (32 bytes)")
        signer, genesis = Signer(secret) if secret else own, Genesis.parse(body)
        if genesis.seat_of(signer.key) is None:
            return None
        found = SignedStart(
            genesis, signer, bool(secret), seed, saved_game.SavedPlaces.decode(places)
        )
        found.places.check(genesis)
        if len(seed) != saved_game.SEED_BYTES or not saved_game.is_seed_of(
            genesis, found.seat, seed
        ):
            raise BadBytes("not the seed that this seat has begun with")
        return found

    def targets(self) -> set[Target]:
        places = self.places
        return {(address or places.host_address, port) for address, port in places.addresses}


def start_path(world: World, table: bytes, key: bytes) -> PurePath:
    return world.data / STARTING_FOLDER / f"{table.hex()[:32]}-{key.hex()[:16]}"


def read_start(world: World, path: PurePath, own: Signer) -> SignedStart | None:
    """Read a start; return None if it is missing or another player's; raise CannotResume."""
    data = world.disk.read(path)
    try:
        found = SignedStart.decode(data, own) if data is not None else None
    except (BadBytes, OtherVersion) as fault:
        is_other = isinstance(fault, OtherVersion)
        kind = FaultOfFile.EARLIER if is_other else FaultOfFile.CONTENT
        raise saved_game.CannotResume(FileFault(path, str(fault), kind)) from fault
    if found is None:
        return None
    table = found.genesis.charter.table
    return found if start_path(world, table, found.signer.key) == path else None


def folders_of_starts(world: World) -> set[PurePath]:
    """Return the folders of all seats that have signed a start here, and have no log yet."""
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
                found.add(saved_game.game_folder(world, genesis.id, player.key))
    return found


def list_starts(world: World, own: Signer) -> Iterator[SignedStart | saved_game.CannotResume]:
    """Yield the starts that a person has signed here, the newest first.

    They are signed as `own`, or under a key for one game. In place of one whose file is wrong comes
    what is wrong. A start whose game has a log is left out: that game comes with its folder.
    """
    for path in world.disk.newest(world.data / STARTING_FOLDER):
        if not is_start(path.name):
            continue
        try:
            found = read_start(world, path, own)
        except (saved_game.CannotResume, FileTrouble) as fault:
            yield saved_game.CannotResume(fault.fault or str(fault))
            continue
        if found is not None and saved_game.is_empty_log(
            world.disk.read(found.folder(world) / "log")
        ):
            yield found


# -- the file `places` of a running game: where peers can be dialled -----------------------


@dataclass(slots=True)
class PlacesFile:
    disk: Disk
    path: PurePath
    places: saved_game.SavedPlaces
    is_stale: bool = True
    """Something is known that the file does not hold."""
    _is_closed: bool = False
    _is_over: bool = False
    """The game is over for this seat for good."""
    _saving: trio.Lock = field(default_factory=trio.Lock)

    def name_log(self, shared: PurePath | None) -> None:
        self.places = replace(self.places, shared="" if shared is None else shared.name)

    async def save(self, book: AddressBook) -> None:
        """Write all that is known now; raise FileTrouble."""
        async with self._saving:  # what is written last is what was known last
            newest = book.newest_of_seat.values()
            said = tuple((known.signed.body, known.signed.signature) for known in newest)
            seen = tuple(sorted(book.last_link_addresses.items()))
            self.is_stale = False
            self.places = replace(self.places, whereabouts=said, seen=seen)
            if not self._is_closed:
                await self.disk.replace(self.path, self.places.encode())
                if self._is_over:  # it has ended while the disk was at it
                    remove_secrets(self.disk, self.path.parent)

    def close(self, *, keep: bool) -> None:
        """Note that the game has ended here; without `keep` its secrets go; raise FileTrouble."""
        self._is_closed = True
        self._is_over = not keep
        if self._is_over:
            remove_secrets(self.disk, self.path.parent)


# -- names of files: what is called otherwise is left alone ---------------------------------


_HASH = re.compile(r"[0-9a-f]{64}")
_STARTING_FILE = re.compile(r"[0-9a-f]{32}-[0-9a-f]{16}")


def is_hash(name: str) -> bool:
    """Return whether a file is called as the folder of a game, or of a seat in it."""
    return _HASH.fullmatch(name) is not None


def is_start(name: str) -> bool:
    """Return whether a file is called as a signed start."""
    return _STARTING_FILE.fullmatch(name) is not None
