"""`kotp2p verify` of a file of evidence: what a file of evidence proves, for people."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.i18n import _, list_with_and
from kotp2p.cli.text.log_faults import describe_fault_of_bytes
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.cli.text.verdicts import describe_place, describe_verdict
from kotp2p.game.verify import Finding, examine_evidence
from kotp2p.store.log_work import report_no_file
from kotp2p.wire.lineups import CheatKind
from kotp2p.wire.records import EVIDENCE_MAGIC, LogFault


def is_evidence(path: Path) -> bool:
    """Whether it is a file that begins as evidence does; a pipe is not waited for."""
    try:
        return path.is_file() and read_head(path, len(EVIDENCE_MAGIC)) == EVIDENCE_MAGIC
    except (OSError, ValueError):  # also a word that is too long for a name
        return False


def read_head(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def verify_evidence(path: Path) -> int:
    output = Output.standard()
    try:
        data = path.read_bytes()
    except OSError as fault:
        output.say_line(describe_verdict(str(path), report_no_file(fault)))
        return Exit.FILES
    finding = examine_evidence(data)
    for line in describe_finding(path, finding):
        output.say_line(line)
    if finding.cheat is not None:
        return Exit.DONE
    return Exit.WRONG if finding.players else Exit.FILES


def describe_finding(path: Path, finding: Finding) -> list[str]:
    """The verdict comes first, then the players of that table."""
    fault = finding.cheat
    if fault is None and not finding.players:
        return [_("{file}: unreadable ({reason})", file=path, reason=_reason_of(finding))]
    players = list_with_and(
        [
            _("{name} (key {key})", name=player.name, key=player.key.hex()[:8])
            for player in finding.players
        ]
    )
    table = [
        _("  Players: {names}", names=players),
        _("  Table phrase: {phrase}", phrase=finding.phrase),
    ]
    if fault is None:
        verdict = _("{file}: proves nothing ({reason})", file=path, reason=_reason_of(finding))
        return [verdict, *table]
    name = names_in_sentences(tuple(player.name for player in finding.players))[fault.seat]
    place = describe_place(finding.turn, fault.height)
    said = describe_fault(fault.kind, name, place, fault.detail)
    return [_("{file}: proven", file=path), "  " + said, *table]


def _reason_of(finding: Finding) -> str:
    assert finding.fault is not None  # it proves nothing
    if finding.fault is LogFault.PROOF:
        return _("what it shows is no cheat")
    return describe_fault_of_bytes(finding.fault, finding.versions)


def describe_fault(kind: CheatKind, name: str, place: str, detail: str) -> str:
    """`place`: when it was, as `describe_place` says it."""
    fields = {"name": name, "place": place, "detail": detail}
    match kind:
        case CheatKind.ILLEGAL_MOVE:
            return _("{name} made an illegal move in {place} ({detail}).", **fields)
        case CheatKind.WRONG_OPENING:
            return _(
                "{name} revealed a value in {place} that does not match the commitment.", **fields
            )
        case CheatKind.EQUIVOCATION:
            return _(
                "{name} signed two things in {place} that exclude each other ({detail}).", **fields
            )
        case CheatKind.COPIED_COMMITMENT:
            return _("{name} copied another player's commitment in {place}.", **fields)
        case CheatKind.WRONG_SHARE:
            return _("{name} gave a wrong share of a secret card in {place}.", **fields)
        case CheatKind.BAD_ENTRY:
            return _("{name} signed in {place} what no unmodified program writes.", **fields)
        case _:
            assert_never(kind)
