"""A game in its folder, as a process that comes back finds it (PROTOCOL.md 10.6).

`<games>/<game id>/<own key>/` holds `log`, `seed`, `places` (where the others can be dialled) and,
for an identity of one game, its `key`. All but the log are gone once the game is over for this seat
(`kotp2p.store.game_files`). From these files the ledger is made again, with the checks that any
log has to pass. Damaged `places` and a damaged `epoch` are made anew. A torn tail is cut off, and
what a power failure has left after a lost block; anything else that is wrong with a log is refused.
The log is written last: a process that ended before has signed nothing in the game, and cannot go
on.

The seed may be another one than the game began with: a player who has lost the files fetches the
log from the others and makes a fresh one.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import PurePath

from kotp2p.game.ledger import Ledger
from kotp2p.game.verify import Replay, WrongLog
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.commands import NO_WATCHERS, WatchOffer
from kotp2p.seams.world import Disk, FaultOfFile, FileFault, FileTrouble, World
from kotp2p.store.files import GAMES_FOLDER, LOG_SUFFIX
from kotp2p.wire import encoding, entries, frames, records
from kotp2p.wire.addresses import DEFAULT_PORT, MAX_ADDRESS, MAX_RELAY, AddressBook
from kotp2p.wire.crypto import KEY_BYTES, OPEN_TABLE_SECRET, Signer, Stream, own_commitment
from kotp2p.wire.genesis import MAX_SEATS, Genesis, OtherVersion

SEED_BYTES = 32


class CannotResume(FileTrouble):
    """The game's files are wrong; the message says what is."""


def fault_of_log(path: PurePath, fault: Exception) -> FileFault:
    versions = fault.versions if isinstance(fault, records.Unreadable) else None
    if versions is None:
        return FileFault(path, str(fault))
    is_earlier = versions < records.OUR_VERSIONS
    return FileFault(path, str(fault), FaultOfFile.EARLIER if is_earlier else FaultOfFile.NEWER)


@dataclass(frozen=True, slots=True)
class SavedPlaces:
    """Where this process listened, and where the others were to be dialled."""

    bind: str = ""
    """The one address on which this process listened; empty: all, but for `near`."""
    port: int = 0
    """Where it listened; 0: nowhere."""
    host_address: str = ""
    """Where the host was dialled; this is meant by an empty address."""
    addresses: tuple[tuple[str, int], ...] = ()
    """Address and port of each seat at the start; port 0: the seat cannot be dialled."""
    shared: str = ""
    """The log's second name, in the folder of logs; empty if it has none. Without that folder, as a
    copy of the whole data has another one."""
    whereabouts: tuple[tuple[bytes, bytes], ...] = ()
    """Body and signature of addresses that seats have signed since (`kotp2p.wire.addresses`)."""
    seen: tuple[tuple[int, str], ...] = ()
    """Seat, and the address from which its last link was seen; empty: loopback."""
    secret: bytes = OPEN_TABLE_SECRET
    near: str = ""
    """Without `bind`: where this process listened as long as its machine had that address; empty:
    at all addresses (`kotp2p.net.connections`)."""
    watch: WatchOffer = NO_WATCHERS
    relay: str = ""
    """Where those are met who have no direct way, `tcp:HOST:PORT`; empty: in this game nowhere."""
    code: frames.CodeTold | None = None
    """By which others come to this table; None: by none."""

    def encode(self) -> bytes:
        return encoding.pack(
            (
                self.bind,
                self.port,
                self.host_address,
                self.addresses,
                self.shared,
                self.whereabouts,
                self.seen,
                self.secret,
                self.near,
                self.watch.value(),
                self.relay,
                () if self.code is None else self.code.fields,
            )
        )

    @staticmethod
    def decode(data: bytes) -> SavedPlaces:
        bind, port, host, addresses, shared, whereabouts, seen, *rest = encoding.array(
            encoding.unpack(data), 12
        )
        secret, near, watch, relay, code = rest
        said = [encoding.array(pair, 2) for pair in encoding.array(whereabouts, most=MAX_SEATS)]
        links = [encoding.array(pair, 2) for pair in encoding.array(seen, most=MAX_SEATS)]
        pairs = [encoding.array(pair, 2) for pair in encoding.array(addresses, most=MAX_SEATS)]
        return SavedPlaces(
            encoding.text(bind, 255),
            encoding.integer(port, 0, 65_535),
            encoding.text(host, 255),
            tuple(
                (encoding.text(a, MAX_ADDRESS), encoding.integer(p, 0, 65_535)) for a, p in pairs
            ),
            _read_file_name(shared),
            tuple((encoding.octets(body), encoding.octets(signature)) for body, signature in said),
            tuple(
                (encoding.integer(seat, 0, MAX_SEATS - 1), encoding.text(a, 255))
                for seat, a in links
            ),
            encoding.octets(secret),
            encoding.text(near, 255),
            WatchOffer.parse(watch),
            encoding.text(relay, MAX_RELAY),
            frames.CodeTold.parse(fields) if (fields := encoding.array(code, most=3)) else None,
        )

    @staticmethod
    def unknown(genesis: Genesis) -> SavedPlaces:
        """Return the places of a game of which nothing is known: it listens and dials as usual."""
        return SavedPlaces(port=DEFAULT_PORT, addresses=(("", 0),) * len(genesis.players))

    def check(self, genesis: Genesis) -> None:
        """Check that these are places of this game; raise BadBytes."""
        if len(self.addresses) != len(genesis.players):
            raise encoding.BadBytes("places of another table")
        known = AddressBook(genesis.id, genesis.players)
        for body, signature in self.whereabouts:
            known.accept(entries.Signed(entries.BodyKind.ADDRESS, body, signature))


def _read_file_name(value: object) -> str:
    """Read the name of a log without a folder, or an empty one; raise BadBytes."""
    name = encoding.text(value, 255)
    if name and (not name.endswith(LOG_SUFFIX) or PurePath(name).name != name):
        raise encoding.BadBytes("a file that is no log, or in another folder")
    return name


@dataclass(slots=True)
class SavedGame:
    """An unfinished game, ready to go on."""

    folder: PurePath
    genesis: Genesis
    ledger: Ledger
    seat: Seat
    signer: Signer
    seed: bytes
    places: SavedPlaces
    log_bytes: int
    """Length of the log without a torn tail, in bytes."""
    log_records: int
    epoch: int = 0
    """Of the newest process that has played it so far."""

    @property
    def next_epoch(self) -> int:
        """Return the epoch of the process that goes on with the game now."""
        return next_epoch(self.epoch)


def game_folder(world: World, game: bytes, key: bytes) -> PurePath:
    return world.data / GAMES_FOLDER / game.hex() / key.hex()


def known_keys_path(world: World) -> PurePath:
    """Return the file of the keys that this profile has met (`kotp2p.lobby.known_keys`)."""
    return world.profile_folder / "known"


def load_game(world: World, folder: PurePath, signer: Signer) -> SavedGame | None:
    """Return the replayed game of a folder; None if it has ended or this seat has left it."""
    # Raise CannotResume.
    data, seed, places = (world.disk.read(folder / name) for name in ("log", "seed", "places"))
    if data is None or (places is None and seed is None):
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
        reader, ledger = replay_log(data)
    except (records.Unreadable, records.Damaged, WrongLog, encoding.BadBytes) as fault:
        raise CannotResume(fault_of_log(folder / "log", fault)) from fault
    if ledger is None or not may_go_on(ledger, signer.key):
        return None
    where = read_places(places or b"", ledger.genesis)
    if len(seed) != SEED_BYTES:
        raise CannotResume(FileFault(folder / "seed", f"not a seed ({SEED_BYTES} bytes)"))
    return make_saved_game(folder, ledger, signer, seed, where, reader, epoch)


def replay_log(data: bytes) -> tuple[records.RecordReader, Ledger | None]:
    """Return the reader at the end of a log, and its game; raise what they raise."""
    salt = records.read_salt(data)
    reader, replay = records.RecordReader(data, salt), Replay(salt)
    while (signed := reader.read_record()) is not None:
        replay.add_record(signed)
    return reader, replay.ledger


def may_go_on(ledger: Ledger, key: bytes) -> bool:
    """Return whether the game is not over, and the owner of `key` has not left it."""
    seat = ledger.genesis.seat_of(key)
    return not ledger.chain.is_over and seat is not None and seat not in ledger.leaves


def make_saved_game(
    folder: PurePath,
    ledger: Ledger,
    signer: Signer,
    seed: bytes,
    places: SavedPlaces,
    reader: records.RecordReader,
    epoch: int = 0,
) -> SavedGame:
    """Return the game that has been read from its log and `may_go_on`."""
    seat = ledger.genesis.seat_of(signer.key)
    assert seat is not None, "it may go on"
    epoch = max(epoch, _newest_epoch(ledger, seat))
    return SavedGame(
        folder,
        ledger.genesis,
        ledger,
        seat,
        signer,
        seed,
        places,
        reader.offset,
        reader.index,
        epoch,
    )


def _newest_epoch(ledger: Ledger, seat: Seat) -> int:
    """Return the epoch of the newest process that a line-up has named for this seat."""
    # It may not be in the file: the files were copied, or the process has taken a new instance
    # while it ran.
    named = [lineup.find(seat) for lineup in ledger.line_ups.values()]
    return max((epoch_of(change.instance) for change in named if change is not None), default=0)


def is_lost_seed(ledger: Ledger, seat: Seat, seed: bytes) -> bool:
    """Return whether the keeper has committed itself with another seed: it cannot open it."""
    slots = ledger.chain.slots
    # Each keeper has committed in the genesis, and a commitment stays.
    last = max(n for of, keeper, n in slots.committed if (of, keeper) == (Stream.DICE, seat))
    table = ledger.genesis.charter.table
    commitment = own_commitment(seed, table, slots.origin_of(seat), Stream.DICE, seat, last)
    return commitment != slots.committed[Stream.DICE, seat, last]


def read_places(data: bytes, genesis: Genesis) -> SavedPlaces:
    """Read the places of a file; damaged ones are unknown, and keep no player from a game."""
    try:
        found = SavedPlaces.decode(data)
        found.check(genesis)
    except encoding.BadBytes:
        return SavedPlaces.unknown(genesis)
    return found


def is_seed_of(genesis: Genesis, seat: int, seed: bytes) -> bool:
    """Return whether the seed gives what the keeper has committed to in the genesis."""
    table = genesis.charter.table
    first = own_commitment(seed, table, table, Stream.DICE, seat, 0)
    return first == genesis.rows[genesis.keepers.index(seat)].dice[0]


def is_empty_log(data: bytes | None) -> bool:
    """Return whether there is no log, or none whose genesis has come to the disk."""
    if data is None or len(data) < records.HEAD_BYTES or not any(data):
        return True
    try:
        reader = records.RecordReader(data, records.read_salt(data))
        return records.read_genesis(reader) is None
    except records.Damaged:
        return _lacks_block(data, reader.offset)
    except (records.Unreadable, encoding.BadBytes, OtherVersion):
        return False


# -- lost blocks ---------------------------------------------------------------------------
#
# What was not synced may come to the disk in any order. A file can then hold its last blocks, and
# zeros where an earlier one should be. Nothing from there on was synced, so this seat has told
# nobody anything of it: everything is synced before anything is sent. A disk that loses blocks
# later makes an older copy of the log. That is bound to hear the others first, like any copy.


LEADING_ZEROS = 2
"""The number of zero bytes with which a record begins: its length is below 2^16 + 1."""


def cut_lost_blocks(data: bytes) -> bytes:
    """Return the log up to the first record that has lost a block, if any; raise Unreadable."""
    reader = records.RecordReader(data, records.read_salt(data))
    try:
        while reader.read_record() is not None:
            pass
    except records.Damaged:
        if _lacks_block(data, reader.offset):
            return data[: reader.offset]
    return data


def _lacks_block(data: bytes, record: int) -> bool:
    """Return whether zeros take the place of a block of the record that begins at `record`."""
    # They may also take that of the rest of the block in which it begins: the part before it may
    # have been synced.
    size = records.BLOCK_BYTES
    first_end = record - record % size + size
    if first_end - record > LEADING_ZEROS and not any(data[record:first_end]):
        return True
    blocks = range(first_end, min(len(data), record + encoding.MAX_FRAME_BYTES), size)
    return any(not any(data[start : start + size]) for start in blocks)


# -- the epoch of a game's folder: how often it was resumed, as far as is known ------------
#
# A lock keeps two processes of one machine from one folder. A copy of the folder has no lock, but
# its epoch goes on from that of the original. So of two processes the one that was resumed last
# is the newer one. Where both have the same epoch, the random bytes decide.


EPOCH_BYTES = 4
MAX_EPOCH = 2**32 - 1


def make_instance(epoch: int, fresh: bytes) -> bytes:
    """Make the instance of a process of that epoch; `fresh` is random bytes."""
    return epoch.to_bytes(EPOCH_BYTES, "big") + fresh[EPOCH_BYTES:]


def epoch_of(instance: bytes) -> int:
    """Return the epoch of an instance; 0 for no instance."""
    return int.from_bytes(instance[:EPOCH_BYTES], "big")


def next_epoch(epoch: int) -> int:
    """Return the epoch of a process that resumes a game last played under `epoch`."""
    return min(epoch + 1, MAX_EPOCH)


def read_epoch(disk: Disk, folder: PurePath) -> int:
    """Return the newest epoch of this folder, 0 if missing or damaged; raise FileTrouble."""
    data = disk.read(folder / "epoch")
    try:
        return 0 if data is None else encoding.integer(encoding.unpack(data), 0, MAX_EPOCH)
    except encoding.BadBytes:
        return 0


async def write_epoch(disk: Disk, folder: PurePath, epoch: int) -> None:
    await disk.replace(folder / "epoch", encoding.pack(epoch))
