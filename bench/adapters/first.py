"""The adapter of the first version (bd3d26e), whose modules had other places.

Scope: as `bench.adapters.current`. The names are looked up at run time, as they are those of
another checkout, which no type checker sees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.adapters.in_memory import DELAY, run_table, timed_front
from bench.program import Change, Check, FarGame, LongGame, PlayedTable, Referee, Replay, Statements
from bench.row import Missing

crypto: Any = import_module("kotp2p.crypto")
entries: Any = import_module("kotp2p.entries")
front: Any = import_module("kotp2p.front")
journal: Any = import_module("kotp2p.journal")
verifying: Any = import_module("kotp2p.verify")
tables: Any = import_module("tests.kotp2p.tables")
answers: Any = import_module("referee.answers")
asked_dice: Any = import_module("referee.asked_dice")
decisions: Any = import_module("referee.decisions")
events: Any = import_module("referee.events")
game: Any = import_module("referee.game")
rulesets: Any = import_module("referee.rulesets")


@dataclass(slots=True)
class LedgerReplay:
    ledger: Any

    @property
    def last(self) -> int:
        return int(self.ledger.height)

    def go_to(self, height: int) -> object:
        return self.ledger.at(height)


@dataclass(frozen=True, slots=True)
class First:
    tree: Path

    def play_table(
        self, seats: int, *, is_dialable: bool = True, rules: str = "second", seed: str = "a"
    ) -> PlayedTable:
        timed = timed_front(tables.Recorder, answers.Reroll, front.Happened, events.DiceRolled)
        table = tables.TestTable(players=seats, delay=DELAY, rules=rules, seed=seed)
        fronts = {n: timed(f"player {n} {seed}", "easy") for n in range(seats)}
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
        import trio

        table = tables.TestTable(players=2, bots=1)

        async def close() -> None:
            while table.front(0).asked < 3:
                await trio.sleep(0.05)
            table.front(0).control.keep()

        run_table(partial(table.run, close))
        files = table.world_of(0).disk.files
        return {Path(path.relative_to("data")): data for path, data in files.items()}

    def begin_process(self) -> None:
        """Do nothing, as that version leaves Python unchanged."""

    def judge(self, log: bytes) -> object:
        return verifying.verify(log)

    def verify(self, log: bytes) -> object:
        report = verifying.verify(log)
        assert report.result in ("sound", "unfinished"), report.reason
        return report

    def verify_fast(self, log: bytes) -> object:
        raise Missing("verify has no --fast")

    def signature_checks(self, log: bytes) -> list[Check]:
        players = verifying.verify(log).players
        checks: list[Check] = []
        for signed, entry in _entries(log):
            key, tag = players[entry.seat].key, entries.TAGS[signed.kind]
            checks.append(partial(crypto.verified, key, tag, signed.body, signed.signature))
        return checks

    def signature(self) -> Callable[[], object]:
        return partial(crypto.Signer(bytes(32)).sign, crypto.Tag.PLAY, bytes(150))

    def count_statements(self, log: bytes) -> Statements:
        found = [entry for _signed, entry in _entries(log)]
        openings = sum(isinstance(entry.payload, entries.Opening) for entry in found)
        return Statements(openings, len(found) - openings)

    def read_records(self, log: bytes) -> int:
        return len(_records(log))

    def repeat_records(self, log: bytes, times: int) -> bytes:
        salt = journal.read_head(log)[1]
        records = (
            journal.record(salt, i, signed) for i, signed in enumerate(_records(log) * times)
        )
        return bytes(journal.head(salt)) + b"".join(records)

    def replay(self, log: bytes) -> Replay:
        replay = verifying.Replay(journal.read_head(log)[1])
        for signed in _records(log):
            replay.add(signed)
        return LedgerReplay(replay.ledger)

    def referee(self) -> Referee:
        second = rulesets.SECOND
        return Referee(
            partial(game.Game, game.Setup(second, 4, second.deck())), decisions.Chance,
            decisions.ChanceKind.LOOK, decisions.Over, asked_dice.RollDecision,
            asked_dice.OrderDecision, answers.Answered, answers.Drawn, answers.Looked,
            answers.Order, answers.Reroll, lambda decision: list(decision.answers()),
        )  # fmt: skip

    def simulate(self, seed: int) -> None:
        run, cheat_mix = import_module("tests.sim.run"), import_module("tests.sim.cheat_mix")
        run.simulate(cheat_mix.cheat_mix(seed))


def _records(log: bytes) -> list[Any]:
    reader, records = journal.Reader(log, journal.read_head(log)[1]), []
    while (signed := reader.next()) is not None:
        records.append(signed)
    return records


def _entries(log: bytes) -> list[tuple[Any, Any]]:
    kinds = (entries.Kind.PLAY, entries.Kind.SHARE)
    found = [signed for signed in _records(log) if signed.kind in kinds]
    return [(signed, entries.Entry.parse(signed)) for signed in found]
