"""Every prefix of a finished log is a game that can be resumed, or one that was never begun."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

import pytest
import trio
import trio.testing

from kotp2p.game.verify import Replay, Result
from kotp2p.seams.world import World
from kotp2p.store.saved_game import CannotResume, SavedGame, load_game
from kotp2p.wire.crypto import Signer
from kotp2p.wire.records import HEAD_BYTES, SALT_BYTES, RecordReader, read_head
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryDisk
from tests.tools.sim.rules import short_rules

MIN_RECORDS = 30


@dataclass
class Game:
    """A finished game of seat 1, and the folder in which it was played."""

    world: World
    folder: PurePath
    log: bytes
    ends: list[int]
    """Where each record ends."""

    def cut(self, size: int) -> SavedGame | None:
        disk = self.world.disk
        assert isinstance(disk, MemoryDisk)
        disk.files[self.folder / "log"] = self.log[:size]
        return load_game(self.world, self.folder, Signer(bytes(32)))


def _long_game() -> tuple[TestTable, dict[PurePath, bytes]]:
    """The first table whose game is long enough, and the files of its places as they were during
    the game. The dice of a seed change with the versions in the genesis."""
    for number in range(20):
        table = TestTable(players=2, rules="short-second", seed=f"prefix {number}")
        kept = _played_with_places(table)
        if table.report(1).entries > MIN_RECORDS:
            return table, kept
    raise AssertionError("all these games are short")


def _played_with_places(table: TestTable) -> dict[PurePath, bytes]:
    kept: dict[PurePath, bytes] = {}

    async def remember() -> None:
        disk = table.world_of(1).disk
        assert isinstance(disk, MemoryDisk)
        while not kept:
            kept.update({p: d for p, d in disk.files.items() if p.name == "places"})
            await trio.sleep(0.01)

    trio.run(table.run, remember, clock=trio.testing.MockClock(autojump_threshold=0))
    assert table.report(1).result is Result.SOUND
    return kept


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    """Its identity is made for this game, so that the folder holds all that is needed."""
    with short_rules():
        table, kept = _long_game()
        world, path = table.world_of(1), table.log_path(1)
        data = world.disk.read(path)
        key = world.disk.read(PurePath("data/profiles/default/key"))
        assert data is not None
        assert key is not None
        assert isinstance(world.disk, MemoryDisk)
        seed = world.disk.removed[path.with_name("seed")]
        world.disk.files |= {**kept, path.with_name("seed"): seed, path.with_name("key"): key}
        reader, replay = RecordReader(data, read_head(data)[1]), Replay(read_head(data)[1])
        ends = [HEAD_BYTES]
        while (signed := reader.read_record()) is not None:
            replay.add_record(signed)
            ends.append(reader.offset)
        assert len(ends) > MIN_RECORDS
        yield Game(replace(world), path.parent, data, ends)


def test_each_record_boundary_is_a_game_as_far_as_it_goes(game: Game) -> None:
    for records, end in enumerate(game.ends):
        saved = game.cut(end)
        if records < 2 or end == len(game.log):
            assert saved is None  # no genesis yet, or its end is signed
            continue
        assert saved is not None
        assert (saved.log_records, saved.log_bytes) == (records, end)
        assert saved.genesis.id[:SALT_BYTES] == read_head(game.log)[1]


def test_a_cut_inside_a_record_loses_that_record_and_nothing_else(game: Game) -> None:
    for records, (start, end) in enumerate(zip(game.ends, game.ends[1:], strict=False)):
        if records % 7 and records > 3:
            continue
        for size in {start + 1, start + 7, start + 8, start + 9, (start + end) // 2, end - 1}:
            saved = game.cut(size)
            if records < 2:
                assert saved is None
                continue
            assert saved is not None
            assert (saved.log_records, saved.log_bytes) == (records, start)


@pytest.mark.parametrize("size", [0, 1, HEAD_BYTES // 2, HEAD_BYTES - 1])
def test_a_cut_inside_the_head_is_refused(size: int, game: Game) -> None:
    with pytest.raises(CannotResume):
        game.cut(size)
