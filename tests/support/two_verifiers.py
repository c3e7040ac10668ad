"""One log before both verifiers: the verdict of both, which has to be the same."""

import json
from typing import Any

from kotp2p.game.verify import Report, verify_log
from tests.support.paths import VECTORS
from tests.tools.independent.verdict import Verdict, verdict


def agree(data: bytes) -> Verdict:
    """The verdict of both; fails where they differ."""
    found, other = verdict(data), said(data)
    ours = {name: getattr(found, name) for name in other}
    if found.result == "wrong":  # whether a tail is torn that nobody has read is nobody's business
        other["torn"] = ours["torn"]
    assert ours == other, (found.why, verify_log(data).reason)
    return found


def vectors(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return found


def said(data: bytes) -> dict[str, object]:
    """What the verifier of kotp2p says, in the form of the other one."""
    report: Report = verify_log(data)
    at = report.wrong_at
    return {
        "result": report.result.value,
        "record": at and at.record,
        "offset": at and at.offset,
        "torn": report.torn if report.result.value != "unreadable" else False,
        "phrase": report.phrase,
        "entries": report.entries,
        "turns": report.turns,
        "winners": report.winners,
        "confirmed_by": report.confirmed_by,
        "changes": tuple(
            (one.height, one.attempt, one.keeper, int(one.reason), one.refused)
            for one in report.changes
        ),
        "canonical": report.canonical,
    }
