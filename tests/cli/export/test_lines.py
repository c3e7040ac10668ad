"""A log as JSON lines, and back to the same bytes."""

import json
import random
from collections.abc import Callable
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from kotp2p.cli.extras.forms.lines import export_lines, name_fields, pack_line
from kotp2p.cli.extras.forms.text import export_text
from kotp2p.cli.extras.replay.reel import Place
from kotp2p.extras.recording import LogRecording, record_log
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.wire.crypto import SIGNATURE_BYTES
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.lineups import Change, Reason
from kotp2p.wire.records import HEAD_BYTES, Unreadable
from tests.support.command_line import run
from tests.support.exported import log_of_lines
from tests.support.json_schema import faults
from tests.support.paths import LOGS, ROOT, VECTORS
from tests.support.recorded import player_of
from tests.support.scribe import NAMES, Scribe, gathering, rolling
from tests.support.undone_logs import returned_log, undone_log
from tests.tools.both_verifiers import rules_of
from tests.tools.sim.walk import Mix, cheat_mix, mix, walk

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


@pytest.mark.parametrize(("mixed", "seed"), [(mix, 1), (mix, 7), (cheat_mix, 1), (cheat_mix, 3)])
def test_simulated_games_come_back(mixed: Callable[[int], Mix], seed: int) -> None:
    chosen = mixed(seed)
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


# -- changes of line-up -------------------------------------------------------------------


ANA, REX, OTTO, LENA = range(4)
LINES = json.loads((ROOT / "docs" / "export.schema.json").read_text("utf-8"))


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
        assert faults(line, LINES, LINES) == []
    plans = [line["says"]["plan"] for line in lines if line.get("kind") == "line-up"]
    assert [[change["reason"] for change in plan] for plan in plans] == [
        ["absent"], ["left"], ["back"],
    ]  # fmt: skip
    (verdict,) = (line for line in lines if line["line"] == "verdict")
    assert [change["reason"] for change in verdict["changes"]] == ["absent", "left", "back"]


def test_verify_names_who_kept_the_seat_and_who_gave_up(tmp_path: Path) -> None:
    path = tmp_path / "a.kotlog"
    path.write_bytes(written())
    code, out, _err = run("verify", path)
    text = " ".join(out.split())
    assert code == 0
    assert f"A bot plays for {NAMES[OTTO]} until " in text
    assert f": {NAMES[LENA]} has given up." in text


# -- proofs -------------------------------------------------------------------------------


SIGNATURE = bytes(SIGNATURE_BYTES)
BODY = pack((1,))


def proof(*parts: Value) -> Signed:
    return Signed(BodyKind.CHEAT_PROOF, pack(parts), b"")


def test_a_proof_names_the_body_that_it_holds() -> None:
    named = name_fields(proof(int(BodyKind.LEAVE), BODY, SIGNATURE))
    assert named == {
        "bodies": [
            {"kind": "leave", "body": BODY.hex(), "signature": SIGNATURE.hex(), "says": None}
        ]
    }


@pytest.mark.parametrize(
    "parts",
    [
        (int(BodyKind.LEAVE), "no bytes", SIGNATURE), (int(BodyKind.LEAVE), BODY.hex(), SIGNATURE),
        (int(BodyKind.LEAVE), BODY, "no bytes"), ("no number", BODY, SIGNATURE),
        (True, BODY, SIGNATURE), (250, BODY, SIGNATURE), (int(BodyKind.LEAVE), BODY), (),
        (int(BodyKind.LEAVE), BODY, SIGNATURE) * 3,
    ],
)  # fmt: skip
def test_a_proof_of_another_form_has_no_fields(parts: tuple[Value, ...]) -> None:
    assert name_fields(proof(*parts)) is None


def test_a_proof_that_is_no_list_has_no_fields() -> None:
    assert name_fields(Signed(BodyKind.CHEAT_PROOF, pack("text"), b"")) is None
