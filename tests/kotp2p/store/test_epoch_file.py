"""The epoch of a folder: which of two processes of a seat is the newer one."""

from pathlib import PurePath

import pytest
import trio

from kotp2p.store.saved_game import MAX_EPOCH, epoch_of, make_instance, next_epoch, read_epoch
from kotp2p.store.saved_game import write_epoch as write
from kotp2p.wire.encoding import pack
from tests.support.memory_world import MemoryDisk

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
