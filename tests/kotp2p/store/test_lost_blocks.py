"""Logs of which a power failure has lost a block are gone on with from before it (10.6)."""

from pathlib import PurePath

import pytest

from kotp2p.seams.world import World
from kotp2p.store.game_files import glance
from kotp2p.store.saved_game import BLOCK_BYTES, CannotResume, cut_lost_blocks, load_game
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.records import HEAD_BYTES, SALT_BYTES, pack_head, pack_record
from tests.support.log_bytes import boundaries, cut_to, long_log, offsets
from tests.support.memory_world import memory_disk

LOG = long_log()
STARTS = offsets(LOG)
"""Where each record starts, and the end."""


def without(start: int, end: int) -> bytes:
    return LOG[:start] + bytes(end - start) + LOG[end:]


def record_at(offset: int) -> int:
    """Where the record begins in which a byte lies."""
    return max(start for start in STARTS if start <= offset)


def test_a_log_that_is_whole_or_torn_is_left_as_it_is() -> None:
    for size in (len(LOG), STARTS[-2], STARTS[-2] + 9, len(LOG) - 1):
        assert cut_lost_blocks(LOG[:size]) == LOG[:size]


@pytest.mark.parametrize("blocks", [1, 8])
def test_a_log_is_cut_before_the_record_of_which_a_block_is_lost(blocks: int) -> None:
    size = blocks * BLOCK_BYTES
    found = 0
    for start in range(size, len(LOG) - size, size):
        cut = cut_lost_blocks(without(start, start + size))
        assert cut == LOG[: record_at(start)]
        found += 1
    assert found > 3


def test_of_a_block_that_was_synced_in_part_only_the_rest_is_lost() -> None:
    """The rest begins with a record, as whole records are synced. It has more than the first zeros
    of a length."""
    for start in STARTS[1:-1]:
        end = start - start % BLOCK_BYTES + BLOCK_BYTES
        if end < len(LOG) and end - start >= 4:
            assert cut_lost_blocks(without(start, end)) == LOG[:start]


@pytest.mark.parametrize(("left", "is_cut"), [(1, False), (2, False), (4, True)])
def test_the_first_zeros_of_a_length_are_no_lost_block(left: int, is_cut: bool) -> None:
    """The second record begins so many bytes before the end of a block, which are zeros."""
    salt = LOG[20 : 20 + SALT_BYTES]
    around = HEAD_BYTES + len(pack_record(salt, 0, Signed(BodyKind.PLAY, bytes(300), b"")))
    filler = bytes(300 + BLOCK_BYTES - left - around)
    log = pack_head(salt) + pack_record(salt, 0, Signed(BodyKind.PLAY, filler, b""))
    assert len(log) == BLOCK_BYTES - left
    damaged = bytearray(pack_record(salt, 1, Signed(BodyKind.PLAY, b"x" * 600, b"")))
    damaged[:left], damaged[-1] = bytes(left), damaged[-1] ^ 1
    whole = log + damaged
    assert cut_lost_blocks(whole) == (log if is_cut else whole)


def test_the_last_block_of_a_log_may_be_a_part_of_one() -> None:
    start = len(LOG) - len(LOG) % BLOCK_BYTES
    assert start < len(LOG)
    assert cut_lost_blocks(without(start, len(LOG))) == LOG[: record_at(start)]


def unfinished(start: int, found: bytes) -> tuple[World, PurePath, Signer]:
    """A game whose log is not over, with other bytes in one place."""
    world, folder, signer = cut_to([*boundaries()][-2])
    log = folder / "log"
    data = world.disk.read(log)
    assert data is not None
    memory_disk(world).files[log] = data[:start] + found + data[start + len(found) :]
    return world, folder, signer


def test_a_game_goes_on_from_before_a_lost_block() -> None:
    genesis, *ends = boundaries()
    start = genesis - genesis % BLOCK_BYTES + BLOCK_BYTES
    good = max(end for end in (genesis, *ends) if end <= start)
    world, folder, signer = unfinished(start, bytes(BLOCK_BYTES))
    saved = load_game(world, folder, signer)
    assert saved is not None
    assert saved.log_bytes == good
    assert glance(world, folder) is not None


def test_any_other_damage_is_refused() -> None:
    genesis, *_ = boundaries()
    world, folder, signer = unfinished(genesis + 40, b"damage")
    with pytest.raises(CannotResume, match="not what was written"):
        load_game(world, folder, signer)
