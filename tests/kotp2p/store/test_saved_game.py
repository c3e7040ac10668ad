"""What is needed to go on with a game, and what is said where it is missing (PROTOCOL.md 10.6)."""

from dataclasses import replace
from pathlib import PurePath

import pytest
import trio

from kotp2p.seams.world import World
from kotp2p.store.log_writer import LogWriter
from kotp2p.store.saved_game import (
    MAX_EPOCH,
    CannotResume,
    SavedPlaces,
    epoch_of,
    is_empty_log,
    load_game,
    make_instance,
    next_epoch,
    read_epoch,
)
from kotp2p.store.saved_game import write_epoch as write
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, Value, pack, unpack
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.lineups import Leave
from kotp2p.wire.records import HEAD_BYTES, ProgramNamed, RecordReader, pack_record, read_salt
from tests.support.log_bytes import boundaries, cut_to
from tests.support.memory_world import MemoryDisk, MemoryNet, world
from tests.tools.vector_table import small_genesis


def unfinished() -> tuple[World, MemoryDisk, PurePath, Signer, int]:
    """A game whose log ends in the middle of it, and how long that log is."""
    ends = list(boundaries())
    end = ends[len(ends) // 2]
    world, folder, signer = cut_to(end)
    assert isinstance(world.disk, MemoryDisk)
    return world, world.disk, folder, signer, end


def test_a_saved_game_says_whose_it_is() -> None:
    world, _, folder, signer, _ = unfinished()
    saved = load_game(world, folder, signer)
    assert saved is not None
    assert saved.genesis.players[saved.seat].key == signer.key
    assert saved.ledger.genesis == saved.genesis


@pytest.mark.parametrize("more", [0, 1, 7, 8, 9, 20])
def test_a_record_that_is_cut_is_lost_and_nothing_else(more: int) -> None:
    _, _, _, _, end = unfinished()
    world, folder, signer = cut_to(end + more)
    saved = load_game(world, folder, signer)
    assert saved is not None and saved.log_bytes == end
    assert saved.log_records == 2 + list(boundaries()).index(end)  # the program is the first


def test_without_a_log_there_is_no_game_to_go_on_with() -> None:
    world, disk, folder, signer, _ = unfinished()
    del disk.files[folder / "log"]
    assert load_game(world, folder, signer) is None


def test_a_seed_that_is_gone_is_missed() -> None:
    world, disk, folder, signer, _ = unfinished()
    del disk.files[folder / "seed"]
    with pytest.raises(CannotResume, match=str(folder / "seed")):
        load_game(world, folder, signer)


def test_a_game_that_has_ended_is_not_gone_on_with() -> None:
    world, folder, signer = cut_to(10**9)
    assert load_game(world, folder, signer) is None


def test_who_has_left_for_good_does_not_go_on() -> None:
    world, disk, folder, signer, _ = unfinished()
    saved = load_game(world, folder, signer)
    assert saved is not None
    leave = Leave.sign(signer, saved.genesis.id, saved.seat, 0, 0).signed
    log = disk.files[folder / "log"]
    disk.files[folder / "log"] = log + pack_record(read_salt(log), saved.log_records, leave)
    assert load_game(world, folder, signer) is None


def test_a_game_of_others_is_not_gone_on_with() -> None:
    world, _disk, folder, _signer, _ = unfinished()
    assert load_game(world, folder, Signer(bytes(32))) is None


@pytest.mark.parametrize(
    ("name", "data"), [("key", bytes(31)), ("key", bytes(32)), ("seed", bytes(31)), ("log", b"x")]
)
def test_a_file_that_does_not_fit_is_named(name: str, data: bytes) -> None:
    world, disk, folder, signer, _ = unfinished()
    disk.files[folder / name] = data
    with pytest.raises(CannotResume, match=str(folder / name)):
        load_game(world, folder, signer)
    assert disk.files[folder / name] == data


def test_a_log_is_empty_until_its_genesis_stands_in_it() -> None:
    world, folder, _ = cut_to(10**9)
    data = world.disk.read(folder / "log")
    assert data is not None
    first = next(end for end in boundaries() if end > HEAD_BYTES)
    assert is_empty_log(None)
    for size in (0, 1, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 9, first - 1):
        assert is_empty_log(data[:size]), size
    assert is_empty_log(bytes(HEAD_BYTES + 100))
    assert is_empty_log(data[:512] + bytes(512) + data[1024:])  # it has lost a block
    assert not is_empty_log(data[:first])
    assert not is_empty_log(b"x" * HEAD_BYTES)  # of somebody else, and not to be written over


PLACES = SavedPlaces(
    "10.0.0.1", 4242, "10.0.0.9", (("", 4242), ("10.0.0.5", 0)), "2026-11-22-of-four-words.kotlog"
)


def with_field(at: int, value: Value) -> bytes:
    fields = unpack(PLACES.encode())
    assert isinstance(fields, tuple)
    return pack((*fields[:at], value, *fields[at + 1 :]))


RIGHT: list[tuple[int, Value]] = [
    (0, ""), (0, "x" * 255), (1, 0), (1, 65_535), (2, "x" * 255), (3, ()),
    (3, (("x" * 64, 0),) * 6), (3, (("", 65_535),)), (4, ""), (4, "a.kotlog"),
    (5, ((b"body", b"signature"),) * 6), (6, ((0, ""), (5, "x" * 255))), (7, b""),
]  # fmt: skip
WRONG: list[tuple[int, Value]] = [
    (0, "x" * 256), (1, 65_536), (2, "x" * 256), (3, (("x" * 65, 0),)), (3, (("", 65_536),)),
    (3, (("", 0),) * 7), (3, (("",),)), (4, "a.txt"), (4, "../a.kotlog"), (4, "b/a.kotlog"),
    (4, "x" * 249 + ".kotlog"), (5, ((b"", b""),) * 7), (5, ((b"",),)), (6, ((6, ""),)),
    (6, ((0, "x" * 256),)), (6, ((0, ""),) * 7), (7, "secret"),
]  # fmt: skip


def test_places_are_read_as_they_were_written() -> None:
    assert SavedPlaces.decode(PLACES.encode()) == PLACES
    for at, value in RIGHT:
        assert SavedPlaces.decode(with_field(at, value)).encode() == with_field(at, value)


@pytest.mark.parametrize(("at", "value"), WRONG)
def test_places_that_no_program_writes_are_refused(at: int, value: Value) -> None:
    with pytest.raises(BadBytes):
        SavedPlaces.decode(with_field(at, value))


def test_places_of_another_table_are_made_anew() -> None:
    world, disk, folder, signer, _ = unfinished()
    saved = load_game(world, folder, signer)
    assert saved is not None
    one_more = (*saved.places.addresses, ("", 0))
    forged = ((b"no address", bytes(64)),)
    wrong = replace(saved.places, addresses=one_more), replace(saved.places, whereabouts=forged)
    for changed in wrong:
        disk.files[folder / "places"] = changed.encode()
        found = load_game(world, folder, signer)
        assert found is not None
        assert found.places == SavedPlaces.unknown(saved.genesis)


async def test_the_log_is_synced_before_something_is_sent_and_when_it_is_closed() -> None:
    genesis, _ = small_genesis()
    disk = MemoryDisk()
    here = replace(world(MemoryNet(), "10.0.0.1", "a"), disk=disk)
    book = LogWriter(here, here.data / "games" / "log", genesis)
    signed = Signed(BodyKind.GENESIS, genesis.body, bytes(64))
    await book.append_bodies([signed], is_sending=False)
    assert disk.syncs == 0, "the file was made with its first record on disk"
    whole = len(book.content())
    await book.append_bodies([signed], is_sending=False)
    assert len(book.content()) > whole
    assert disk.syncs == 0, "it was only heard"
    await book.append_bodies([], is_sending=True)
    assert disk.syncs == 1
    await book.append_bodies([], is_sending=True)
    assert disk.syncs == 1, "all is on the disk already"
    await book.append_bodies([signed], is_sending=True)
    assert disk.syncs == 2
    await book.append_bodies([signed], is_sending=False)
    await book.close_log()
    assert disk.syncs == 3


async def test_a_log_is_made_with_its_first_record() -> None:
    genesis, _ = small_genesis()
    here = world(MemoryNet(), "10.0.0.1", "a")
    book = LogWriter(here, here.data / "games" / "log", genesis)
    await book.append_bodies([])
    assert here.disk.read(book.path) is None
    await book.append_bodies([Signed(BodyKind.GENESIS, genesis.body, bytes(64))])
    assert not is_empty_log(here.disk.read(book.path))


async def test_the_first_record_of_a_log_names_the_program_and_its_version() -> None:
    genesis, _ = small_genesis()
    here = replace(world(MemoryNet(), "10.0.0.1", "a"), program=("kotp2p", "7.1"))
    book = LogWriter(here, here.data / "games" / "log", genesis)
    await book.append_bodies([Signed(BodyKind.GENESIS, genesis.body, bytes(65))])
    data = book.content()
    reader = RecordReader(data, read_salt(data))
    first = reader.read_record()
    assert first is not None and ProgramNamed.parse(first) == ProgramNamed("kotp2p", "7.1")
    assert book.records == 2
    second = reader.read_record()
    assert second is not None and second.kind is BodyKind.GENESIS


# -- the file of epochs -------------------------------------------------------------------


FOLDER = PurePath("game")


def test_a_folder_without_the_file_was_never_resumed() -> None:
    found = read_epoch(MemoryDisk(), FOLDER)
    assert found == 0
    assert next_epoch(found) == 1


@pytest.mark.parametrize("epoch", [1, 7, MAX_EPOCH])
def test_what_is_written_is_read(epoch: int) -> None:
    disk = MemoryDisk()
    trio.run(write, disk, FOLDER, epoch)
    assert read_epoch(disk, FOLDER) == epoch


def test_the_epoch_rises_up_to_its_bound() -> None:
    assert next_epoch(MAX_EPOCH - 1) == next_epoch(MAX_EPOCH) == MAX_EPOCH


@pytest.mark.parametrize("value", [MAX_EPOCH + 1, (1,), (1, 0), "1"])
def test_another_file_counts_as_none(value: object) -> None:
    disk = MemoryDisk(files={FOLDER / "epoch": pack(value)})  # type: ignore[arg-type]
    assert read_epoch(disk, FOLDER) == 0


def test_the_instance_of_a_later_epoch_is_greater_whatever_its_random_bytes_are() -> None:
    assert make_instance(255, b"\xff" * 8) < make_instance(256, bytes(8))
    assert make_instance(3, bytes(8)) < make_instance(3, b"\x00" * 7 + b"\x01")
    assert epoch_of(make_instance(70_000, b"\x55" * 8)) == 70_000
    assert epoch_of(b"") == 0
