"""Verifying a log against its signature checks alone: `python -m bench.verify`.

One log of four seats is made in memory; both times are the best of several, in one run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import trio
import trio.testing

from kotp2p.game.verify import verify_log
from kotp2p.wire.crypto import is_valid_signature
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Entry
from kotp2p.wire.records import RecordReader, read_head
from tests.support.memory_tables import TestTable

ROUNDS = 5


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    table = TestTable(players=4)
    trio.run(table.run, clock=trio.testing.MockClock(autojump_threshold=0))
    log = table.endings[0].log
    assert log is not None
    data = table.world_of(0).disk.read(log)
    assert data is not None
    reader, checks = RecordReader(data, read_head(data)[1]), []
    players = verify_log(data).players
    while (signed := reader.read_record()) is not None:
        if signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
            key = players[Entry.parse(signed).seat].key
            checks.append((key, TAG_OF_KIND[signed.kind], signed.body, signed.signature))
    whole = best(lambda: verify_log(data))
    alone = best(lambda: [is_valid_signature(*check) for check in checks])
    print(
        f"{len(checks)} entries, {len(data)} bytes: verify {whole * 1000:.0f} ms, its signature "
        f"checks alone {alone * 1000:.0f} ms, ratio {whole / alone:.2f}"
    )


if __name__ == "__main__":
    main()
