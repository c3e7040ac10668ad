"""What the two earlier versions do alike: they have neither line-ups nor codes, and one table.

Scope: an adapter of them gives the names of its version, and has what they do otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import trio

from bench.adapters.in_memory import DELAY, run_table
from bench.program import Change, FarGame, LongGame, PlayedTable, Statements
from bench.row import Missing


@dataclass(frozen=True, slots=True)
class Earlier:
    tree: Path
    tables: ClassVar[Any]
    crypto: ClassVar[Any]
    opening: ClassVar[type]
    timed: ClassVar[Any]
    """The front of a bot that times its rerolls, by `timed_front`."""

    def records(self, log: bytes) -> list[Any]:
        raise NotImplementedError

    def statements(self, log: bytes) -> list[tuple[Any, Any]]:
        """Return the plays and shares of a log, each as it was signed and as it is read."""
        raise NotImplementedError

    def play_table(
        self, seats: int, *, is_dialable: bool = True, rules: str = "second", seed: str = "a"
    ) -> PlayedTable:
        table = self.tables.TestTable(players=seats, delay=DELAY, rules=rules, seed=seed)
        fronts = {n: self.timed(f"player {n} {seed}", "easy") for n in range(seats)}
        table.fronts = fronts
        if not is_dialable:
            table.net.undialable |= {f"10.0.0.{n + 1}" for n in range(1, seats)}
        pause = run_table(table.run)
        ending = table.endings[0]
        log = table.world_of(0).disk.read(ending.log)
        delays = tuple(delay for one in fronts.values() for delay in one.delays)
        return PlayedTable(delays, ending.turns, log, table.net.bytes_sent, pause)

    def change_line_up(self, seats: int, seed: str) -> Change:
        raise Missing("it has no line-ups")

    def long_game(self, turns: int) -> LongGame:
        raise Missing("it has no table to measure this at")

    def play_far(self, folder: Path, *, relayed: bool, seconds: float) -> FarGame:
        raise Missing("it has no codes")

    def idle_far(self, folder: Path, seconds: float) -> int:
        raise Missing("it has no codes")

    def unfinished_game(self) -> dict[Path, bytes]:
        table = self.tables.TestTable(players=2, bots=1)

        async def close() -> None:
            while table.front(0).asked < 3:
                await trio.sleep(0.05)
            table.front(0).control.keep()

        run_table(partial(table.run, close))
        files = table.world_of(0).disk.files
        return {Path(path.relative_to("data")): data for path, data in files.items()}

    def signature(self) -> Callable[[], object]:
        return partial(self.crypto.Signer(bytes(32)).sign, self.crypto.Tag.PLAY, bytes(150))

    def count_statements(self, log: bytes) -> Statements:
        found = [entry for _signed, entry in self.statements(log)]
        openings = sum(isinstance(entry.payload, self.opening) for entry in found)
        return Statements(openings, len(found) - openings)

    def read_records(self, log: bytes) -> int:
        return len(self.records(log))
