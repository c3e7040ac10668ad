"""A bot whose files fail: its keeper ends with the reason, and both come back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath

import pytest
import trio
import trio.testing

from kotp2p.endings import EndKind
from kotp2p.wire.crypto import Signer
from kotp2p.world import FileTrouble, LogFile
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryDisk, MemoryLog
from tests.support.whole_games import same_sound_logs


@dataclass
class BotsFail(MemoryDisk):
    """The folders of bots can be written to for so many records only."""

    records: int | None = 0

    def write(self, path: PurePath) -> None:
        own = Signer(self.files[PurePath("data/profiles/default/key")]).key
        if self.records is None or path.parent.name == own.hex():
            return
        if self.records == 0:
            raise FileTrouble(f"{path}: Input/output error")
        self.records -= 1

    async def create_log(self, path: PurePath, data: bytes) -> LogFile:
        await super().create_log(path, data)
        return FailingLog(self, path)

    async def reopen_log(self, path: PurePath, size: int) -> LogFile:
        await super().reopen_log(path, size)
        return FailingLog(self, path)


class FailingLog(MemoryLog):
    def write(self, data: bytes) -> None:
        assert isinstance(self.disk, BotsFail)
        self.disk.write(self.path)
        super().write(data)


def table_of(records: int) -> tuple[TestTable, BotsFail]:
    table, disk = TestTable(players=4, bots=2), BotsFail(records=records)
    table.worlds[0] = replace(table.world_of(0), disk=disk)
    return table, disk


@pytest.mark.parametrize("records", [0, 1, 50])
async def test_the_keeper_ends_with_the_reason_and_comes_back_with_all_its_bots(
    records: int, autojump_clock: trio.testing.MockClock
) -> None:
    table, disk = table_of(records)

    async def repair() -> None:
        while 0 not in table.endings:
            await trio.sleep(0.05)
        assert table.endings[0].kind is EndKind.FILES
        assert table.endings[0].detail.endswith("/log: Input/output error")
        disk.records = None
        await table.resume(0)

    await table.run(repair)
    assert {table.endings[n].kind for n in range(2)} == {EndKind.FINISHED}
    same_sound_logs(table, range(2))


async def test_a_bot_that_fails_after_a_restart_ends_its_keeper_too(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table, disk = table_of(50)

    async def repair() -> None:
        for records in (5, None):
            while 0 not in table.endings:
                await trio.sleep(0.05)
            assert table.endings[0].kind is EndKind.FILES
            disk.records = records
            await table.resume(0)

    await table.run(repair)
    assert {table.endings[n].kind for n in range(2)} == {EndKind.FINISHED}
