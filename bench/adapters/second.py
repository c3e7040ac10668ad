"""The adapter of f0136153, the version before the core was written anew.

Scope: as `bench.adapters.current`. The names are looked up at run time, as they are those of
another checkout, which no type checker sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from bench.adapters.earlier import Earlier
from bench.adapters.in_memory import timed_front
from bench.program import Check, Referee, Replay

garbage: Any = import_module("cli.system.garbage")
verifying: Any = import_module("kotp2p.game.verify")
last_signatures: Any = import_module("kotp2p.game.last_signatures")
past: Any = import_module("kotp2p.game.past")
reports: Any = import_module("kotp2p.game.report")
notices: Any = import_module("kotp2p.notices")
crypto: Any = import_module("kotp2p.wire.crypto")
entries: Any = import_module("kotp2p.wire.entries")
log_records: Any = import_module("kotp2p.wire.records")
answers: Any = import_module("referee.model.answers")
decisions: Any = import_module("referee.model.decisions")
dice_decisions: Any = import_module("referee.model.dice_decisions")
events: Any = import_module("referee.model.events")
game: Any = import_module("referee.game")
rulesets: Any = import_module("referee.box.rulesets")
setup: Any = import_module("referee.box.setup")
tables: Any = import_module("tests.support.memory_tables")


@dataclass(slots=True)
class ChainReplay:
    chain: Any

    @property
    def last(self) -> int:
        return int(self.chain.height)

    def go_to(self, height: int) -> object:
        return past.chain_at(self.chain, height)


class Second(Earlier):
    tables, crypto, opening = tables, crypto, entries.Opening
    timed = timed_front(tables.Recorder, answers.Reroll, notices.Happened, events.DiceRolled)

    def records(self, log: bytes) -> list[Any]:
        reader, found = log_records.RecordReader(log, log_records.read_salt(log)), []
        while (signed := reader.read_record()) is not None:
            found.append(signed)
        return found

    def statements(self, log: bytes) -> list[tuple[Any, Any]]:
        kinds = (entries.BodyKind.PLAY, entries.BodyKind.SHARE)
        found = [signed for signed in self.records(log) if signed.kind in kinds]
        return [(signed, entries.Entry.parse(signed)) for signed in found]

    def begin_process(self) -> None:
        garbage.search_rarely()

    def judge(self, log: bytes) -> object:
        return verifying.verify_log(log)

    def verify(self, log: bytes) -> object:
        report = verifying.verify_log(log)
        assert report.result in (reports.Result.SOUND, reports.Result.UNFINISHED), report.reason
        return report

    def verify_fast(self, log: bytes) -> object:
        report = last_signatures.verify_by_last_signatures(log)
        assert report.signatures is reports.Signatures.LAST, report.reason
        return report

    def signature_checks(self, log: bytes) -> list[Check]:
        players = verifying.verify_log(log).players
        checks: list[Check] = []
        for signed, entry in self.statements(log):
            key, tag = players[entry.seat].key, entries.TAG_OF_KIND[signed.kind]
            checks.append(
                partial(crypto.is_valid_signature, key, tag, signed.body, signed.signature)
            )
        return checks

    def repeat_records(self, log: bytes, times: int) -> bytes:
        salt = log_records.read_salt(log)
        found = (
            log_records.pack_record(salt, i, signed)
            for i, signed in enumerate(self.records(log) * times)
        )
        return bytes(log_records.pack_head(salt)) + b"".join(found)

    def replay(self, log: bytes) -> Replay:
        reading = verifying.LogReading(log)
        while reading.read_record() is not None:
            pass
        return ChainReplay(reading.ledger.chain)

    def referee(self) -> Referee:
        second = rulesets.SECOND
        return Referee(
            partial(game.Game, setup.Setup(second, 4, second.deck())), decisions.Chance,
            decisions.ChanceKind.LOOK, decisions.Over, dice_decisions.RollDecision,
            dice_decisions.OrderDecision, answers.Answered, answers.Drawn, answers.Looked,
            answers.Order, answers.Reroll, lambda decision: list(decision.legal_answers()),
        )  # fmt: skip

    def simulate(self, seed: int) -> None:
        cheat_mix, run = (import_module(f"tests.tools.sim.{name}") for name in ("cheat_mix", "run"))
        assert not run.simulate(cheat_mix.cheat_mix(seed)).violations
