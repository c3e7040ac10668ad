"""What a log with line-ups tells: who has kept which seat, in the story, the replay and as JSON."""

import json
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kotp2p.cli.extras.forms.lines import export_lines, pack_line
from kotp2p.cli.extras.forms.text import export_text
from kotp2p.cli.extras.replay.reel import Place
from kotp2p.cli.main import app
from kotp2p.extras.recording import LogRecording, record_log
from kotp2p.wire.lineups import Change, Reason
from tests.support.json_schema import faults
from tests.support.paths import ROOT
from tests.support.recorded import player_of
from tests.support.scribe import NAMES, Scribe, gathering, rolling

ANA, REX, OTTO, LENA = range(4)
SCHEMA = json.loads((ROOT / "docs" / "export.schema.json").read_text("utf-8"))


@cache
def written() -> bytes:
    """Otto is away, his bot passes on as its keeper leaves, and he is back."""
    scribe = Scribe(4)
    scribe.until(rolling)
    scribe.lose(OTTO)
    scribe.until(gathering)
    scribe.step()
    scribe.go(LENA)
    scribe.until(rolling)
    scribe.change(Change(OTTO, Reason.BACK, b"otto's 2"))
    scribe.finish(ANA, REX, OTTO)
    return scribe.file()


@pytest.fixture(scope="module")
def log() -> LogRecording:
    return record_log(written())


def test_the_story_tells_each_change_once_and_in_order(log: LogRecording) -> None:
    wanted = (
        f"A bot plays for {NAMES[OTTO]} until", f"{NAMES[LENA]} has given up.",
        f"{NAMES[OTTO]} is back and plays again.",
    )  # fmt: skip
    told = [line for line in export_text("a.kotlog", log) if line.startswith(wanted)]
    assert [line.startswith(words) for line, words in zip(told, wanted, strict=True)] == [True] * 3


def test_the_replay_marks_a_seat_while_a_bot_plays_it(log: LogRecording) -> None:
    recording = log.recording
    assert recording is not None
    away, _left, back = recording.line_ups
    reel = player_of(written()).reel

    def is_marked(moment: int) -> bool:
        return reel.view_at(Place(moment)).is_played_by_bot(OTTO)

    found = [is_marked(n) for n in (away - 1, away, back - 1, back, recording.last)]
    assert found == [False, True, True, False, False]


def test_the_lines_name_line_ups_and_fit_their_schema(log: LogRecording) -> None:
    lines = [json.loads(pack_line(line)) for line in export_lines(log)]
    for line in lines:
        assert faults(line, SCHEMA, SCHEMA) == []
    plans = [line["says"]["plan"] for line in lines if line.get("kind") == "line-up"]
    assert [[change["reason"] for change in plan] for plan in plans] == [
        ["absent"], ["left"], ["back"],
    ]  # fmt: skip
    (verdict,) = (line for line in lines if line["line"] == "verdict")
    assert [change["reason"] for change in verdict["changes"]] == ["absent", "left", "back"]


def test_verify_names_who_kept_the_seat_and_who_gave_up(tmp_path: Path) -> None:
    path = tmp_path / "a.kotlog"
    path.write_bytes(written())
    run = CliRunner().invoke(app, ["verify", str(path)])
    text = " ".join(run.stdout.split())
    assert run.exit_code == 0
    assert f"A bot plays for {NAMES[OTTO]} until " in text
    assert f": {NAMES[LENA]} has given up." in text
