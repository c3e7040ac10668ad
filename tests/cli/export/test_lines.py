"""A log as JSON lines, and back to the same bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.export.back import NotALog, OtherLines, import_lines
from cli.export.lines import export_lines, pack_line
from cli.export.moments import Line
from kotp2p.recording.log_recording import record_log
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.records import HEAD_BYTES, Unreadable
from referee.box.rulesets import RULES_VERSION
from tests.support.json_schema import faults
from tests.support.paths import LOGS, ROOT, VECTORS
from tests.support.recorded import place_in_last_position
from tests.support.undone_logs import returned_log, undone_log
from tests.tools.both_verifiers import rules_of
from tests.tools.sim.cheat_mix import cheat_mix
from tests.tools.sim.mix import mix
from tests.tools.sim.rules import short_rules
from tests.tools.sim.run import simulate

GOLDEN = sorted(LOGS.glob(f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-*.kotlog"))
WRITTEN = [
    path
    for path in (*GOLDEN, *sorted((VECTORS / "logs").glob("*.kotlog")))
    if path.stem not in ("wrong-later-version", "wrong-older-format", "wrong-unreadable-head")
]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "export.schema.json").read_text("utf-8"))
SHORT = (VECTORS / "logs" / "short.kotlog").read_bytes()


def lines_of(data: bytes) -> list[str]:
    return list(map(pack_line, export_lines(record_log(data))))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_the_same_bytes_come_back(path: Path) -> None:
    data = path.read_bytes()
    assert import_lines(lines_of(data)) == data


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_each_line_is_as_the_schema_says(path: Path) -> None:
    for line in export_lines(record_log(path.read_bytes())):
        assert faults(json.loads(pack_line(line)), SCHEMA, SCHEMA) == []


def test_the_schema_refuses_other_lines() -> None:
    first, *_, last = (json.loads(text) for text in lines_of(SHORT))
    for wrong in ({**first, "version": 2}, {**first, "more": 1}, {**last, "position": [-1]}):
        assert faults(wrong, SCHEMA, SCHEMA) != []


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_damaged_and_torn_logs_come_back_too(cut: int) -> None:
    chance = random.Random(cut)
    at = chance.randrange(HEAD_BYTES, len(SHORT))
    turned = SHORT[:at] + bytes([SHORT[at] ^ 1]) + SHORT[at + 1 :]
    for data in (SHORT[: len(SHORT) - cut], turned, SHORT + bytes(cut), SHORT + b"\x01" * cut):
        assert import_lines(lines_of(data)) == data


@pytest.mark.parametrize("seed", range(4))
def test_simulated_games_come_back(seed: int) -> None:
    with short_rules():
        for data in simulate(mix(seed), with_files=True).files:
            _check_file(data)


@pytest.mark.parametrize("seed", range(3))
def test_simulated_games_with_cheats_come_back(seed: int) -> None:
    chosen = cheat_mix(seed)
    files = simulate(chosen, with_files=True).files
    with rules_of(chosen.looks):
        for data in files:
            _check_file(data)


def _check_file(data: bytes) -> None:
    if data.startswith(b"kotp2plg"):
        assert import_lines(lines_of(data)) == data


def test_what_votes_have_undone_is_a_record_and_no_moment() -> None:
    for data in (undone_log(), returned_log()):
        lines = [json.loads(text) for text in lines_of(data)]
        heads = [line["head"] for line in lines if line["line"] == "moment"]
        verdict = next(line for line in lines if line["line"] == "verdict")
        assert len(set(heads)) == len(heads)
        assert heads[-1] == verdict["head"]
        assert import_lines(map(json.dumps, lines)) == data


@pytest.mark.parametrize("path", sorted(LOGS.glob("protocol-[1-4]-*.kotlog")))
def test_a_log_of_another_version_is_refused(path: Path) -> None:
    with pytest.raises(Unreadable, match="another version"):
        lines_of(path.read_bytes())


# -- lies ----------------------------------------------------------------------------------------


def parsed() -> list[Line]:
    return [json.loads(text) for text in lines_of(SHORT)]


def find(lines: list[Line], kind: str, number: int = 0) -> Any:
    return [line for line in lines if line["line"] == kind][number]


def another_name(lines: list[Line]) -> None:
    find(lines, "table")["players"][0]["name"] = "Mia"


def another_reading(lines: list[Line]) -> None:
    find(lines, "record", 3)["says"]["seat"] = 5


def another_verdict(lines: list[Line]) -> None:
    find(lines, "verdict")["winners"] = [0, 1]


def more_points(lines: list[Line]) -> None:
    at = place_in_last_position(SHORT, "seat 0.points")
    find(lines, "moment", -1)["position"][at] += 1


def a_field_more(lines: list[Line]) -> None:
    find(lines, "record", 1)["remark"] = "checked"


def a_moment_less(lines: list[Line]) -> None:
    lines.pop()


def a_moment_more(lines: list[Line]) -> None:
    lines.append(lines[-1])


@pytest.mark.parametrize(
    "lie",
    [another_name, another_reading, another_verdict, more_points, a_field_more, a_moment_less,
     a_moment_more],
)  # fmt: skip
def test_lines_that_tell_something_else_than_their_log_are_refused(
    lie: Callable[[list[Line]], None],
) -> None:
    lines = parsed()
    lie(lines)
    with pytest.raises(OtherLines) as refused:
        import_lines(map(json.dumps, lines))
    assert refused.value.line <= len(lines) + 1


def test_other_words_for_the_same_are_taken() -> None:
    """A later release may say it better, and reads files of an earlier one all the same."""
    data = (VECTORS / "logs" / "wrong-illegal.kotlog").read_bytes()
    lines: list[Line] = [json.loads(text) for text in lines_of(data)]
    find(lines, "verdict")["reason"] = "an illegal move"
    for face in find(lines, "table")["faces"].values():
        face["name"], face["text"] = face["text"], "better words"
    assert import_lines(map(json.dumps, lines)) == data
    next(iter(find(lines, "table")["faces"].values()))["cost"] += 1
    with pytest.raises(OtherLines):
        import_lines(map(json.dumps, lines))


def other_bytes(lines: list[Line]) -> None:
    find(lines, "record", 2)["signature"] = "00" * 64


def no_hexadecimal(lines: list[Line]) -> None:
    find(lines, "record", 2)["body"] = "zz"


def spaces_in_bytes(lines: list[Line]) -> None:
    record = find(lines, "record", 2)
    record["body"] = " " + record["body"]


def no_kind(lines: list[Line]) -> None:
    find(lines, "record", 2)["kind"] = "head"


def a_later_version(lines: list[Line]) -> None:
    find(lines, "log")["version"] = 2


def other_rules(lines: list[Line]) -> None:
    find(lines, "log")["rules"] = 1


def a_short_salt(lines: list[Line]) -> None:
    find(lines, "log")["salt"] = "00"


def a_truth_as_number(lines: list[Line]) -> None:
    find(lines, "log")["format"] = True


def no_log(lines: list[Line]) -> None:
    lines.pop(0)


def no_objects(lines: list[Line]) -> None:
    lines[:] = [[]]  # type: ignore[list-item]  # as a file may have it


@pytest.mark.parametrize(
    "fault",
    [other_bytes, no_hexadecimal, spaces_in_bytes, no_kind, a_later_version, other_rules,
     a_short_salt, a_truth_as_number, no_log, no_objects],
)  # fmt: skip
def test_lines_that_are_no_export_are_refused(fault: Callable[[list[Line]], None]) -> None:
    lines = parsed()
    fault(lines)
    with pytest.raises(NotALog):
        import_lines(map(json.dumps, lines))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "1" * 5000, '{"line": "log"}', "null"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotALog):
        import_lines([text])
