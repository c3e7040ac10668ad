"""A log as JSON lines, and back to the same bytes."""

import json
import random
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from kotp2p.cli.extras.forms.lines import export_lines, pack_line
from kotp2p.extras.recording import record_log
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.records import HEAD_BYTES, Unreadable
from tests.support.exported import log_of_lines
from tests.support.json_schema import faults
from tests.support.paths import LOGS, ROOT, VECTORS
from tests.support.undone_logs import returned_log, undone_log
from tests.tools.both_verifiers import rules_of
from tests.tools.sim.walk import cheat_mix, mix, walk

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
    assert log_of_lines(lines_of(data)) == data


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_each_line_is_as_the_schema_says(path: Path) -> None:
    for line in export_lines(record_log(path.read_bytes())):
        assert faults(json.loads(pack_line(line)), SCHEMA, SCHEMA) == []


def test_the_schema_refuses_other_lines() -> None:
    first, *_, last = (json.loads(text) for text in lines_of(SHORT))
    for wrong in ({**first, "version": 1}, {**first, "more": 1}, {**last, "position": [-1]}):
        assert faults(wrong, SCHEMA, SCHEMA) != []


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_damaged_and_torn_logs_come_back_too(cut: int) -> None:
    chance = random.Random(cut)
    at = chance.randrange(HEAD_BYTES, len(SHORT))
    turned = SHORT[:at] + bytes([SHORT[at] ^ 1]) + SHORT[at + 1 :]
    for data in (SHORT[: len(SHORT) - cut], turned, SHORT + bytes(cut), SHORT + b"\x01" * cut):
        assert log_of_lines(lines_of(data)) == data


@pytest.mark.parametrize("seed", (1, 7))
def test_simulated_games_come_back(seed: int) -> None:
    chosen = mix(seed)
    files = walk(chosen, with_files=True).files
    with rules_of(chosen.looks):
        for data in files:
            _check_file(data)


@pytest.mark.parametrize("seed", (1, 3))
def test_simulated_games_with_cheats_come_back(seed: int) -> None:
    chosen = cheat_mix(seed)
    files = walk(chosen, with_files=True).files
    with rules_of(chosen.looks):
        for data in files:
            _check_file(data)


def _check_file(data: bytes) -> None:
    if data.startswith(b"kotp2plg"):
        assert log_of_lines(lines_of(data)) == data


def test_what_a_line_up_has_undone_is_a_record_and_no_moment() -> None:
    for data in (undone_log(), returned_log()):
        lines = [json.loads(text) for text in lines_of(data)]
        moments = (line for line in lines if line["line"] == "moment")
        # A line-up is a moment of its own, which begins at the head before it.
        heads = [head for head, _ in groupby(moments, itemgetter("head"))]
        verdict = next(line for line in lines if line["line"] == "verdict")
        assert len(set(heads)) == len(heads)
        assert heads[-1] == verdict["head"]
        assert log_of_lines(map(json.dumps, lines)) == data


@pytest.mark.parametrize("path", sorted(LOGS.glob("protocol-[1-5]-*.kotlog")))
def test_a_log_of_another_version_is_refused(path: Path) -> None:
    with pytest.raises(Unreadable, match="another version"):
        lines_of(path.read_bytes())
