"""The adapter of the version to which this benchmark belongs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

from bench.adapters.in_memory import DELAY, run_table, timed_front
from bench.program import Change, Check, FarGame, LongGame, PlayedTable, Referee, Replay, Statements
from bench.row import Missing
from kotp2p.cli.system.process import search_rarely
from kotp2p.game.chain import Chain, chain_at
from kotp2p.game.verify import LogReading, Result, Signatures, verify_by_last_signatures, verify_log
from kotp2p.referee.box.rulesets import SECOND, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answered, Drawn, Looked, Order, Reroll
from kotp2p.referee.model.decisions import Chance, ChanceKind, OrderDecision, Over, RollDecision
from kotp2p.referee.model.events import DiceRolled
from kotp2p.seams.commands import KeepSeat
from kotp2p.seams.notices import Happened
from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.entries import TAG_OF_KIND, BodyKind, Entry, Opening, Signed
from kotp2p.wire.records import RecordReader, pack_head, pack_record, read_salt

SETUP = Setup(SECOND, 4, SECOND.deck())


@dataclass(slots=True)
class LedgerReplay:
    chain: Chain

    @property
    def last(self) -> int:
        return self.chain.height

    def go_to(self, height: int) -> object:
        return chain_at(self.chain, height)


@dataclass(frozen=True, slots=True)
class Current:
    tree: Path

    def play_table(
        self, seats: int, *, is_dialable: bool = True, rules: str = "second", seed: str = "a"
    ) -> PlayedTable:
        from tests.support.memory_tables import Recorder, TestTable

        timed = timed_front(Recorder, Reroll, Happened, DiceRolled)
        table = TestTable(players=seats, delay=DELAY, rules=rules, seed=seed)
        fronts = {n: timed(f"player {n} {seed}", "easy") for n in range(seats)}
        table.fronts = fronts
        if not is_dialable:
            table.net.undialable |= {f"10.0.0.{n + 1}" for n in range(1, seats)}
        pause = run_table(table.run)
        path = table.endings[0].log
        assert path is not None, "the game came to its end"
        log = table.world_of(0).disk.read(path)
        assert log is not None, "the host has written its log"
        delays = tuple(delay for front in fronts.values() for delay in front.delays)
        return PlayedTable(delays, table.endings[0].turns, log, table.net.bytes_sent, pause)

    def change_line_up(self, seats: int, seed: str) -> Change:
        from bench.changed_table import change_of, play_change

        course, log = play_change(seats, seed)
        return change_of(course, self.count_statements(log).openings / seats)

    def long_game(self, turns: int) -> LongGame:
        from bench.returned_game import long_game

        return long_game(turns)

    def play_far(self, folder: Path, *, relayed: bool, seconds: float) -> FarGame:
        with _far_table(folder, relayed=relayed, seconds=seconds) as table:
            log = table.finish()
            rolls = tuple(table.own_rolls(seconds))
            return FarGame(table.seated_after, rolls, table.carried(), log)

    def idle_far(self, folder: Path, seconds: float) -> int:
        with _far_table(folder, relayed=True, players=3) as table:
            before: int = table.carried()
            sleep(seconds)
            after: int = table.carried()
        return after - before

    def unfinished_game(self) -> dict[Path, bytes]:
        import trio

        from tests.support.memory_tables import TestTable
        from tests.support.memory_world import MemoryDisk

        table = TestTable(players=2, bots=1)

        async def close() -> None:
            while table.front(0).asked < 3:
                await trio.sleep(0.05)
            table.front(0).control(KeepSeat())

        run_table(partial(table.run, close))
        disk = table.world_of(0).disk
        assert isinstance(disk, MemoryDisk)
        return {Path(path.relative_to("data")): data for path, data in disk.files.items()}

    def begin_process(self) -> None:
        search_rarely()

    def judge(self, log: bytes) -> object:
        return verify_log(log)

    def verify(self, log: bytes) -> object:
        report = verify_log(log)
        assert report.result in (Result.SOUND, Result.UNFINISHED), report.reason
        return report

    def verify_fast(self, log: bytes) -> object:
        report = verify_by_last_signatures(log)
        assert report.signatures is Signatures.LAST, report.reason
        return report

    def signature_checks(self, log: bytes) -> list[Check]:
        players = verify_log(log).players
        checks: list[Check] = []
        for signed in _records(log):
            if signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
                key, tag = players[Entry.parse(signed).seat].key, TAG_OF_KIND[signed.kind]
                checks.append(partial(is_valid_signature, key, tag, signed.body, signed.signature))
        return checks

    def signature(self) -> Callable[[], object]:
        return partial(Signer(bytes(32)).sign, Tag.PLAY, bytes(150))

    def count_statements(self, log: bytes) -> Statements:
        entries = [
            Entry.parse(signed)
            for signed in _records(log)
            if signed.kind in (BodyKind.PLAY, BodyKind.SHARE)
        ]
        openings = sum(isinstance(entry.payload, Opening) for entry in entries)
        return Statements(openings, len(entries) - openings)

    def read_records(self, log: bytes) -> int:
        return len(_records(log))

    def repeat_records(self, log: bytes, times: int) -> bytes:
        salt = read_salt(log)
        records = enumerate(_records(log) * times)
        return pack_head(salt) + b"".join(pack_record(salt, i, signed) for i, signed in records)

    def replay(self, log: bytes) -> Replay:
        reading = LogReading(log)
        while reading.read_record() is not None:
            pass
        assert reading.ledger is not None, "the log has a genesis"
        return LedgerReplay(reading.ledger.chain)

    def referee(self) -> Referee:
        return Referee(
            partial(Game, SETUP), Chance, ChanceKind.LOOK, Over, RollDecision, OrderDecision,
            Answered, Drawn, Looked, Order, Reroll,
            lambda decision: list(decision.legal_answers()),
        )  # fmt: skip

    def simulate(self, seed: int) -> None:
        from tests.tools.sim.walk import cheat_mix, walk

        assert not walk(cheat_mix(seed)).violations


def _far_table(folder: Path, **how: Any) -> AbstractContextManager[Any]:
    from bench.far_game import far_table
    from tests.support.code_servers import ARE_INSTALLED
    from tests.support.machines import can_make_machines

    if not (ARE_INSTALLED and can_make_machines()):
        raise Missing("it needs network namespaces, and the extra relay-tests")
    return far_table(folder, **how)


def _records(log: bytes) -> list[Signed]:
    reader, records = RecordReader(log, read_salt(log)), []
    while (signed := reader.read_record()) is not None:
        records.append(signed)
    return records
