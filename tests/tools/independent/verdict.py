"""The verdict on a log (10.5), its canonical form (10.4), and evidence (10.7)."""

from dataclasses import dataclass

from tests.tools.independent import bodies, file, proofs, wire
from tests.tools.independent.genesis import phrase
from tests.tools.independent.judge import Judge
from tests.tools.independent.line import Owed


@dataclass(frozen=True)
class Verdict:
    result: str
    record: int | None = None
    """Of what is wrong: the number of the record and its first byte."""
    offset: int | None = None
    why: str = ""
    torn: bool = False
    phrase: str = ""
    entries: int = 0
    turns: int = 0
    winners: tuple[int, ...] | None = None
    confirmed_by: tuple[int, ...] = ()
    changes: tuple[tuple[int, int, int, int, bool], ...] = ()
    """Height, attempt, keeper, reason, and whether it has refused a roll."""
    canonical: bytes = b""


def verdict(data: bytes) -> Verdict:
    try:
        source = file.File(data)
    except file.Unreadable as error:
        return Verdict("unreadable", why=str(error))
    judge = Judge(source.salt)
    at = source.index, source.offset
    try:
        while (record := source.next()) is not None:
            judge.add(record)
            at = source.index, source.offset
    except (wire.Malformed, file.Damaged) as error:
        return _report(judge, "wrong", at, str(error), source)
    return _report(judge, "sound" if _ended(judge) else "unfinished", (None, None), "", source)


def _ended(judge: Judge) -> bool:
    return judge.genesis is not None and judge.line.step.owed is Owed.END and _signers(judge) != ()


def _signers(judge: Judge) -> tuple[int, ...]:
    return tuple(sorted(judge.line.step.parts))


def _report(
    judge: Judge, result: str, at: tuple[int | None, int | None], why: str, source: file.File
) -> Verdict:
    if judge.genesis is None or judge.first is None:
        return Verdict(result, *at, why, source.torn)
    line = judge.line
    changes = tuple(
        (begun.height, begun.up.attempt, one.keeper, one.reason, one.keeper in begun.refused)
        for begun in line.begun
        for one in begun.up.plan
    )
    return Verdict(
        result,
        *at,
        why,
        source.torn,
        phrase(judge.genesis.game),
        judge.count(),
        line.turns,
        line.game.state.winners if line.step.owed is Owed.END else None,
        _signers(judge) if result == "sound" else (),
        changes,
        file.written(judge.genesis.game[:16], [judge.first, *judge.winning()]),
    )


@dataclass(frozen=True)
class Evidence:
    convicts: int | None
    why: str = ""


def evidence(data: bytes) -> Evidence:
    try:
        return Evidence(_convicted(data))
    except (wire.Malformed, file.Damaged, file.Unreadable) as error:
        return Evidence(None, str(error))


def _convicted(data: bytes) -> int:
    source = file.File(data, file.EVIDENCE)
    judge = Judge(source.salt)
    while (record := source.next()) is not None:
        if record.kind != bodies.PROOF or judge.genesis is None or source.offset < len(data):
            judge.add(record)
            continue
        wire.need(not record.signature, "a proof with a signature")
        return proofs.convicted(judge.lines, judge.line, record.body)
    raise wire.Malformed("no proof in it")
