"""A game in its folder, as a process that comes back finds it (PROTOCOL.md 10.6).

`<games>/<game id>/<own key>/` holds `log`, `seed`, `places` (where the others can be dialled) and,
for an identity of one game, its `key`. All but the log are gone once the game is over for this seat
(`kotp2p.store.finished_games`). From these files the ledger is made again, with the checks that any
log has to pass. Damaged `places` and a damaged `epoch` are made anew. A torn tail is cut off, and
what a power failure has left behind a lost block; anything else that is wrong with a log is
refused. The log is written last: a process that ended before has signed nothing in the game, and
cannot go on. Only a bot can, as its keeper knows the genesis.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from pathlib import PurePath

from kotp2p.file_fault import FaultOfFile, FileFault
from kotp2p.game.ledger import Ledger
from kotp2p.game.verify import Replay, WrongLog
from kotp2p.store.epoch_file import SavedEpoch, read_epoch
from kotp2p.store.files import LOG_SUFFIX
from kotp2p.store.lost_blocks import cut_lost_blocks
from kotp2p.store.unheard import cut_unheard
from kotp2p.watch_offer import NO_WATCHERS, WatchOffer
from kotp2p.wire.addresses import DEFAULT_PORT, MAX_ADDRESS, AddressBook
from kotp2p.wire.commitments import Stream, own_commitment
from kotp2p.wire.crypto import KEY_BYTES, OPEN_TABLE_SECRET, Signer
from kotp2p.wire.encoding import BadBytes, array, integer, octets, pack, text, unpack
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import MAX_SEATS, Genesis
from kotp2p.wire.records import (
    HEAD_BYTES,
    OUR_VERSIONS,
    Damaged,
    RecordReader,
    Unreadable,
    read_salt,
)
from kotp2p.world import FileTrouble, World

GAMES_FOLDER = "games"


class CannotResume(FileTrouble):
    """The game's files are wrong; the message says what is."""


def fault_of_log(path: PurePath, fault: Exception) -> FileFault:
    """For what a reader of the log has raised."""
    versions = fault.versions if isinstance(fault, Unreadable) else None
    if versions is None:
        return FileFault(path, str(fault))
    is_earlier = versions < OUR_VERSIONS
    return FileFault(path, str(fault), FaultOfFile.EARLIER if is_earlier else FaultOfFile.NEWER)


@dataclass(frozen=True, slots=True)
class SavedPlaces:
    """Where this process listened, and where the others were to be dialled."""

    bind: str
    """The one address on which this process listened; empty: all."""
    port: int
    host_address: str
    """Where the host was dialled; this is meant by an empty address."""
    addresses: tuple[tuple[str, int], ...]
    """Address and port of each seat at the start; port 0: the seat cannot be dialled."""
    shared: str
    """The log's second name, in the folder of logs; empty if it has none. Without that folder, as a
    copy of the whole data has another one."""
    whereabouts: tuple[tuple[bytes, bytes], ...] = ()
    """Body and signature of addresses that seats have signed since (`kotp2p.wire.addresses`)."""
    seen: tuple[tuple[int, str], ...] = ()
    """Seat, and the address from which its last link was seen; empty: loopback."""
    secret: bytes = OPEN_TABLE_SECRET
    """The secret of the table: nobody is let in without it (`kotp2p.net.certificates`)."""
    near: str = ""
    """Without `bind`: where this process listened as long as its machine had that address; empty:
    at all addresses (`kotp2p.net.listener`)."""
    watch: WatchOffer = NO_WATCHERS

    def encode(self) -> bytes:
        return pack(
            (
                self.bind, self.port, self.host_address, self.addresses, self.shared,
                self.whereabouts, self.seen, self.secret, self.near, self.watch.value(),
            )
        )  # fmt: skip

    @staticmethod
    def decode(data: bytes) -> SavedPlaces:
        bind, port, host, addresses, shared, whereabouts, seen, *rest = array(unpack(data), 10)
        secret, near, watch = rest
        said = [array(pair, 2) for pair in array(whereabouts, most=MAX_SEATS)]
        links = [array(pair, 2) for pair in array(seen, most=MAX_SEATS)]
        pairs = [array(pair, 2) for pair in array(addresses, most=MAX_SEATS)]
        return SavedPlaces(
            text(bind, 255),
            integer(port, 0, 65_535),
            text(host, 255),
            tuple((text(a, MAX_ADDRESS), integer(p, 0, 65_535)) for a, p in pairs),
            _read_file_name(shared),
            tuple((octets(body), octets(signature)) for body, signature in said),
            tuple((integer(seat, 0, MAX_SEATS - 1), text(a, 255)) for seat, a in links),
            octets(secret),
            text(near, 255),
            WatchOffer.parse(watch),
        )

    @staticmethod
    def unknown(genesis: Genesis) -> SavedPlaces:
        """Where nothing is known: this process listens where any table does, and the others dial
        it there. A table by invitation has lost its secret."""
        return SavedPlaces("", DEFAULT_PORT, "", (("", 0),) * len(genesis.players), "")

    def check(self, genesis: Genesis) -> None:
        """Raises BadBytes unless these are places of this game."""
        if len(self.addresses) != len(genesis.players):
            raise BadBytes("places of another table")
        known = AddressBook(genesis.id, genesis.players)
        for body, signature in self.whereabouts:
            known.accept(Signed(BodyKind.ADDRESS, body, signature))


def _read_file_name(value: object) -> str:
    """The name of a log, without a folder, or none at all. The file of that name is written anew
    when the game goes on. Raises BadBytes."""
    name = text(value, 255)
    if name and (not name.endswith(LOG_SUFFIX) or PurePath(name).name != name):
        raise BadBytes("a file that is no log, or in another folder")
    return name


@dataclass(slots=True)
class SavedGame:
    """An unfinished game, ready to go on."""

    folder: PurePath
    genesis: Genesis
    ledger: Ledger
    seat: int
    signer: Signer
    seed: bytes
    places: SavedPlaces
    log_bytes: int
    """Length of the log without a torn tail, in bytes. 0: the log is to be begun."""
    log_records: int
    """How many records these bytes hold."""
    epoch: SavedEpoch = field(default_factory=SavedEpoch)
    """Of the processes that have played it so far."""


def game_folder(world: World, game: bytes, key: bytes) -> PurePath:
    return world.data / GAMES_FOLDER / game.hex() / key.hex()


def known_keys_path(world: World) -> PurePath:
    """The file with the keys that this profile has met (`kotp2p.lobby.known_keys`)."""
    return world.data / "profiles" / world.profile / "known"


def load_game(
    world: World, folder: PurePath, signer: Signer, *, was_elsewhere: bool = False
) -> SavedGame | None:
    """The game of a folder, replayed. None if there is no game, if its end is signed, or if this
    seat has left it. `was_elsewhere`: its keeper's folder says so. Raises CannotResume."""
    data, seed, places = (world.disk.read(folder / name) for name in ("log", "seed", "places"))
    if data is None or places is None:
        return None
    if seed is None:  # it goes after `places`, at the end of a game
        why = os.strerror(errno.ENOENT)
        raise CannotResume(FileFault(folder / "seed", why, FaultOfFile.SYSTEM, errno.ENOENT))
    own = world.disk.read(folder / "key")
    if own is not None:
        if len(own) != KEY_BYTES:
            raise CannotResume(FileFault(folder / "key", f"not a key ({KEY_BYTES} bytes)"))
        signer = Signer(own)
        if signer.key.hex() != folder.name:
            raise CannotResume(FileFault(folder / "key", "not the key of this seat"))
    try:
        data = cut_lost_blocks(data)
        epoch = read_epoch(world.disk, folder)
        if epoch.was_elsewhere or was_elsewhere:
            data = cut_unheard(data, signer.key)
        salt = read_salt(data)
        reader, replay = RecordReader(data, salt), Replay(salt)
        while (signed := reader.read_record()) is not None:
            replay.add_record(signed)
    except (Unreadable, Damaged, WrongLog, BadBytes) as fault:
        raise CannotResume(fault_of_log(folder / "log", fault)) from fault
    ledger = replay.ledger
    if ledger is None or replay.end is not None:
        return None
    keys = [p.key for p in ledger.genesis.players]
    if signer.key not in keys or keys.index(signer.key) in ledger.farewells:
        return None
    seat = keys.index(signer.key)
    where = read_places(places, ledger.genesis)
    if not is_seed_of(ledger.genesis, seat, seed):
        raise CannotResume(FileFault(folder / "seed", "not the seed that this seat has begun with"))
    return SavedGame(
        folder,
        ledger.genesis,
        ledger,
        seat,
        signer,
        seed,
        where,
        reader.offset,
        reader.index,
        epoch,
    )


def read_places(data: bytes, genesis: Genesis) -> SavedPlaces:
    """Those of the file; unknown ones if it is damaged, which must keep nobody from a game."""
    try:
        found = SavedPlaces.decode(data)
        found.check(genesis)
    except BadBytes:
        return SavedPlaces.unknown(genesis)
    return found


def is_seed_of(genesis: Genesis, seat: int, seed: bytes) -> bool:
    """Whether the seed gives what the seat has committed to. With another seed it would open other
    values than it has committed to, and be convicted of cheating."""
    table = genesis.charter.table
    first = own_commitment(seed, table, table, Stream.DICE, seat, 0)
    return first == genesis.rows[seat].dice[0]


def is_empty_log(data: bytes | None) -> bool:
    """Whether there is no log, or none that has come as far as its genesis."""
    if data is None or len(data) < HEAD_BYTES or not any(data):
        return True
    try:
        return RecordReader(data, read_salt(data)).read_record() is None
    except (Unreadable, Damaged):
        return False
