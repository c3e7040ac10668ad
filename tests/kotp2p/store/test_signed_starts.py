"""The files of starts that a seat has signed: which are taken, and which are passed over."""

from dataclasses import replace

import pytest

from kotp2p.seams.world import World
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.resume import find_start
from kotp2p.store import game_files
from kotp2p.store.saved_game import CannotResume
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import BodyKind, Signed, pack_seals
from kotp2p.wire.records import SALT_BYTES, pack_head, pack_record
from tests.support.memory_world import MemoryDisk, MemoryNet, memory_disk, world
from tests.support.sample_start import START
from tests.tools.vector_table import SEATS, SEEDS

STRANGER = Signer(bytes(range(32)))


def machine(*starts: game_files.SignedStart) -> World:
    found = world(MemoryNet(), "10.0.0.1", "a")
    disk = memory_disk(found)
    for start in starts:
        path = game_files.start_path(found, start.genesis.charter.table, start.signer.key)
        disk.files[path] = start.encode()
    return found


def put(found: World, name: str, data: bytes) -> None:
    memory_disk(found).files[found.data / "starting" / name] = data


OWN = replace(START, one_game=False)


def listed(here: World, own: Signer) -> list[bytes]:
    return [
        one.encode()
        for one in game_files.list_starts(here, own)
        if isinstance(one, game_files.SignedStart)
    ]


def test_a_start_is_found_by_its_player_and_with_its_own_key_by_anybody() -> None:
    here = machine(OWN)
    assert listed(here, OWN.signer) == [OWN.encode()]
    assert not list(game_files.list_starts(here, STRANGER))
    assert listed(machine(START), STRANGER) == [START.encode()]


def test_a_file_that_is_wrong_hides_no_other_and_a_stray_is_passed_over() -> None:
    here = machine(OWN)
    put(here, "0" * 32 + "-" + "0" * 16, b"rubbish")
    put(here, "f" * 32 + "-" + "f" * 16, OWN.encode())  # under another name
    put(here, "notes.txt", b"mine")
    broken, own = sorted(
        game_files.list_starts(here, OWN.signer),
        key=lambda one: isinstance(one, game_files.SignedStart),
    )
    assert isinstance(broken, CannotResume)
    assert own == OWN
    assert find_start(here, OWN.signer) == OWN


def test_a_newer_file_that_is_wrong_keeps_nobody_from_an_older_start() -> None:
    here = machine(OWN)
    put(here, "f" * 32 + "-" + "f" * 16, b"rubbish")
    newest, _ = game_files.list_starts(here, OWN.signer)
    assert isinstance(newest, CannotResume)
    assert find_start(here, OWN.signer) == OWN


@pytest.mark.parametrize("seed", [b"", bytes(32)])
def test_a_start_with_another_seed_is_refused(seed: bytes) -> None:
    """Played on with it, this seat would open what it has not committed to."""
    (found,) = game_files.list_starts(machine(replace(OWN, seed=seed)), OWN.signer)
    assert isinstance(found, CannotResume)


def test_a_start_is_found_by_an_address_and_by_its_phrase() -> None:
    here = machine(OWN)
    own, phrase = OWN.signer, OWN.genesis.phrase
    near = TableAddress(("10.9.9.9", "192.168.1.2"), 4242)
    for goal, words, is_found in (
        (near, "", True),
        (replace(near, port=4243), "", False),
        (TableAddress(("10.9.9.9",), 4242), "", False),
        (None, phrase[:5], True),
        (None, "x" + phrase, False),
    ):
        assert (find_start(here, own, goal, words) == OWN) == is_found
        here.disk.release(OWN.folder(here) / "lock")


def put_log(found: World, start: game_files.SignedStart) -> None:
    """The game of the start has begun: its seat has a log."""
    salt, body = start.genesis.id[:SALT_BYTES], start.genesis.body
    seals = {seat: SEATS[seat].sign(Tag.GENESIS, body) for seat in start.genesis.keepers}
    first = Signed(BodyKind.GENESIS, body, pack_seals(seals))
    assert isinstance(found.disk, MemoryDisk)
    log = pack_head(salt) + pack_record(salt, 0, first)
    found.disk.files[start.folder(found) / "log"] = log


def put_folder(found: World, start: game_files.SignedStart) -> None:
    """What is written before the first records of a game."""
    files, folder = memory_disk(found).files, start.folder(found)
    files[folder / "places"], files[folder / "seed"] = start.places.encode(), start.seed
    if start.one_game:
        files[folder / "key"] = start.signer.secret()


def test_a_start_whose_game_has_a_log_is_over_and_one_without_hides_the_folder() -> None:
    here = machine(OWN)
    put_folder(here, OWN)
    assert listed(here, OWN.signer) == [OWN.encode()]
    assert not list(game_files.list_unfinished(here, OWN.signer.key))
    put_log(here, OWN)
    assert not list(game_files.list_starts(here, OWN.signer))
    (found,) = game_files.list_unfinished(here, OWN.signer.key)
    assert not isinstance(found, CannotResume)


def test_a_start_hides_no_game_of_another_player_on_the_same_machine() -> None:
    """Two windows at one table: the process of the first has ended as it signed."""
    here, other = machine(OWN), replace(START, signer=SEATS[0], seed=SEEDS[0])
    put_folder(here, OWN)
    put_folder(here, other)
    put_log(here, other)
    (found,) = game_files.list_unfinished(here, OWN.signer.key)
    assert isinstance(found, game_files.UnfinishedGame)
    assert found.seat == 0
