"""Whole logs and files of evidence for docs/vectors/logs/; `python -m tests.tools.vectors` writes
them.

Each is the log of a table of `tests.support.scribe`, or one with a single change, named by what it
is.
"""

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from kotp2p.game.verify import examine_evidence, verify_log
from tests.tools.vector_logs.evidence import EVIDENCE
from tests.tools.vector_logs.right import RIGHT
from tests.tools.vector_logs.wrong import WRONG


def files() -> dict[str, Callable[[], bytes]]:
    logs = {f"{name}.kotlog": make for name, make in (*RIGHT.items(), *_wrong())}
    return logs | {f"{name}.kotproof": make for name, make in EVIDENCE.items()}


def _wrong() -> Iterable[tuple[str, Callable[[], bytes]]]:
    return ((f"wrong-{name}", make) for name, make in WRONG.items())


def saying(name: str, data: bytes) -> dict[str, object]:
    if name.endswith(".kotproof"):
        cheat = examine_evidence(data).cheat
        return {"convicts": cheat and cheat.seat}
    report = verify_log(data)
    at = report.wrong_at
    return {
        "verdict": report.result.value,
        "record": at and at.record,
        "offset": at and at.offset,
        "entries": report.entries,
        "winners": report.winners and list(report.winners),
        "confirmed by": list(report.confirmed_by),
        "changes": [
            [one.height, one.attempt, one.keeper, int(one.reason), one.refused]
            for one in report.changes
        ],
        "phrase": report.phrase,
        "canonical": sha256(report.canonical).hexdigest() if report.canonical else "",
    }


def write(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    made = {name: make() for name, make in files().items()}
    for old in folder.iterdir():
        if old.name not in made:
            old.unlink()
    for name, data in made.items():
        (folder / name).write_bytes(data)
    index = {name: saying(name, data) for name, data in made.items()}
    text = json.dumps(index, indent=1, ensure_ascii=False)
    (folder / "index.json").write_text(text + "\n", "utf-8")
