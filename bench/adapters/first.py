"""The adapter of the first version (bd3d26e), whose modules had other places.

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


class First(Earlier):
    tables, crypto, opening = tables, crypto, entries.Opening
    timed = timed_front(tables.Recorder, answers.Reroll, front.Happened, events.DiceRolled)

    def records(self, log: bytes) -> list[Any]:
        reader, records = journal.Reader(log, journal.read_head(log)[1]), []
        while (signed := reader.next()) is not None:
            records.append(signed)
        return records

    def statements(self, log: bytes) -> list[tuple[Any, Any]]:
        kinds = (entries.Kind.PLAY, entries.Kind.SHARE)
        found = [signed for signed in self.records(log) if signed.kind in kinds]
        return [(signed, entries.Entry.parse(signed)) for signed in found]

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
        for signed, entry in self.statements(log):
            key, tag = players[entry.seat].key, entries.TAGS[signed.kind]
            checks.append(partial(crypto.verified, key, tag, signed.body, signed.signature))
        return checks

    def repeat_records(self, log: bytes, times: int) -> bytes:
        salt = journal.read_head(log)[1]
        records = (
            journal.record(salt, i, signed) for i, signed in enumerate(self.records(log) * times)
        )
        return bytes(journal.head(salt)) + b"".join(records)

    def replay(self, log: bytes) -> Replay:
        replay = verifying.Replay(journal.read_head(log)[1])
        for signed in self.records(log):
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
