"""Golden logs of the present version: `python -m tests.tools.golden_logs` plays and writes them.

They stand in tests/logs/, with what each says in its index. A log that is there already is never
written again: a change that makes one of them wrong raises `RULES_VERSION`.
"""

from __future__ import annotations

import json

import trio
import trio.testing

from kotp2p.absence_notices import Dropped
from kotp2p.game.verify import verify_log
from kotp2p.wire.genesis import PROTOCOL_VERSION
from referee.box.rulesets import RULES_VERSION
from referee.box.setup import Options
from tests.support.memory_tables import Recorder, TestTable
from tests.support.paths import LOGS
from tests.support.whole_games import Leaver

FOLDER = LOGS


TABLES = {
    "classic": (5, Options()),
    "second": (4, Options()),
    "dark": (3, Options(tile_sides="mixed")),
}


def saying(data: bytes) -> dict[str, object]:
    report = verify_log(data)
    return {
        "result": report.result.value,
        "phrase": report.phrase,
        "rules": report.rules,
        "entries": report.entries,
        "turns": report.turns,
        "winners": report.winners and list(report.winners),
        "confirmed_by": list(report.confirmed_by),
    }


def golden_name(rules: str) -> str:
    return f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-{rules}.kotlog"


def stored() -> dict[str, dict[str, object]]:
    index: dict[str, dict[str, object]] = json.loads((FOLDER / "index.json").read_text("utf-8"))
    return index


def _write_one_with_votes() -> None:
    """Five sit down; one is killed and voted out, one says farewell."""
    table = TestTable(players=5, seed="golden votes")
    for n in (0, 1, 2, 3):
        table.fronts[n] = Recorder(f"voter {n}", votes=True)
    table.fronts[1] = Leaver("leaver", 12)
    table.fronts[1].votes = True

    async def kill() -> None:
        while table.front(4).asked < 2:
            await trio.sleep(0.05)
        table.kill(4)

    trio.run(table.run, kill, clock=trio.testing.MockClock(autojump_threshold=0))
    assert table.front(0).seen(Dropped)
    log = table.endings[0].log
    assert log is not None
    data = table.world_of(0).disk.read(log)
    assert data is not None
    (FOLDER / golden_name("votes")).write_bytes(data)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    index_file = FOLDER / "index.json"
    index = stored() if index_file.exists() else {}
    for rules, (players, options) in TABLES.items():
        if (FOLDER / golden_name(rules)).exists():
            continue  # what was published stays
        table = TestTable(players=players, rules=rules, options=options, seed=f"golden {rules}")
        trio.run(table.run, clock=trio.testing.MockClock(autojump_threshold=0))
        log = table.endings[0].log
        assert log is not None
        data = table.world_of(0).disk.read(log)
        assert data is not None
        name = golden_name(rules)
        (FOLDER / name).write_bytes(data)
        index[name] = saying(data)
    if not (FOLDER / golden_name("votes")).exists():
        _write_one_with_votes()
    for path in FOLDER.glob("*.kotlog"):
        index[path.name] = saying(path.read_bytes())
    index_file.write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
