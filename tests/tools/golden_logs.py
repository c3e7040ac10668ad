"""Golden logs of the present version: `python -m tests.tools.golden_logs` plays and writes them.

They stand in tests/logs/, with what each says in its index. A log that is there already is never
written again: a change that makes one of them wrong raises `RULES_VERSION`. The one by 1.0.0 is of
four processes on one machine. Of older versions only heads are kept: they show that `verify` names
the version and calls the log unreadable.
"""

import json
from collections.abc import Awaitable, Callable

import trio
import trio.testing

from kotp2p.game.verify import verify_log
from kotp2p.referee.box.rulesets import RULES_VERSION, Options
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import Cheated, LineUpBegun
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.lineups import Reason
from tests.support.cheaters import WrongOpening
from tests.support.memory_tables import Recorder, TestTable
from tests.support.paths import LOGS
from tests.support.tool_line import tool_parser
from tests.support.whole_games import Leaver

FOLDER = LOGS


MIXED = Options(tile_sides="mixed")
TABLES = {"classic": (5, Options()), "second": (4, Options()), "dark": (3, MIXED)}
WITH_ABSENT = "absent"
WITH_QUARREL = "quarrel"
NAMES = (*TABLES, WITH_ABSENT, WITH_QUARREL)
"""Of the logs of one version."""


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
        "program": report.program and [report.program.name, report.program.version],
    }


def golden_name(rules: str) -> str:
    return f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-{rules}.kotlog"


def stored() -> dict[str, dict[str, object]]:
    index: dict[str, dict[str, object]] = json.loads((FOLDER / "index.json").read_text("utf-8"))
    return index


def play_log(name: str) -> bytes:
    """Return the log of a whole game: of a rule set, or with changes of who plays."""
    if name == WITH_QUARREL:
        return _play_with_quarrel()
    return _play_with_absent() if name == WITH_ABSENT else _play_rules(name)


def _play_rules(rules: str) -> bytes:
    players, options = TABLES[rules]
    table = TestTable(players=players, rules=rules, options=options, seed=f"golden {rules}")
    return _log_of(table)


def _play_with_absent() -> bytes:
    """Five sit down: a bot plays on for one whose process dies, and one gives up for good."""
    table = TestTable(players=5, seed="golden absent")
    for n in (0, 1, 2, 3):
        table.fronts[n] = Recorder(f"absent {n}", goes_on=True)
    table.fronts[1] = Leaver("leaver", 12)
    table.fronts[1].goes_on = True

    async def kill() -> None:
        await table.asked(4, 2)
        table.kill(4)

    data = _log_of(table, kill)
    assert _reasons(table) == {(4, Reason.ABSENT), (1, Reason.LEFT)}
    return data


def _play_with_quarrel() -> bytes:
    """Six sit down: one cheats and is convicted, and bots play on for two whose processes die."""
    options = Options(tile_sides="mixed")
    table = TestTable(players=6, rules="dark", options=options, seed="golden quarrel")
    for n in range(table.players):
        table.fronts[n] = Recorder(f"quarreller {n}", goes_on=True)
    table.make_peer[3] = WrongOpening

    async def kill() -> None:
        for n, questions in ((4, 3), (5, 6)):
            await table.asked(n, questions)
            table.kill(n)

    data = _log_of(table, kill)
    assert {one.seat for one in table.front(0).seen(Cheated)} == {3}
    assert _reasons(table) == {(3, Reason.CHEATED), (4, Reason.ABSENT), (5, Reason.ABSENT)}
    return data


def _reasons(table: TestTable) -> set[tuple[Seat, Reason]]:
    """Return why keepers were put out, as the host was told."""
    begun = table.front(0).seen(LineUpBegun)
    return {(change.keeper, change.reason) for one in begun for change in one.changes}


def _log_of(table: TestTable, meanwhile: Callable[[], Awaitable[None]] | None = None) -> bytes:
    trio.run(table.run, meanwhile, clock=trio.testing.MockClock(autojump_threshold=0))
    log = table.endings[0].log
    assert log is not None
    data = table.world_of(0).disk.read(log)
    assert data is not None
    return data


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        path = FOLDER / golden_name(name)
        if not path.exists():  # what was published stays
            path.write_bytes(play_log(name))
    index = {path.name: saying(path.read_bytes()) for path in FOLDER.glob("*.kotlog")}
    text = json.dumps(index, indent=1, sort_keys=True) + "\n"
    (FOLDER / "index.json").write_text(text, "utf-8")


if __name__ == "__main__":
    tool_parser("tests.tools.golden_logs", __doc__).parse_args()
    main()
