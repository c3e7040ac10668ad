"""`kotp2p export`: forms, files, exit codes."""

import os
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kotp2p.cli.extras import export
from kotp2p.cli.main import app
from tests.support.command_line import run
from tests.support.exported import log_of_lines
from tests.support.paths import LOGS, VECTORS

ABSENT = LOGS / "protocol-6-rules-2-absent.kotlog"
ILLEGAL = VECTORS / "logs" / "wrong-illegal.kotlog"


def test_the_story_begins_with_the_players_and_ends_with_the_verdict() -> None:
    code, told, _ = run("export", str(ABSENT))
    lines = told.splitlines()
    assert code == 0
    assert lines[0].startswith("Players: Ana (Gigazaur, key ")
    assert lines[2] == "Table phrase: helpful shiny coin advice."
    assert "A bot plays for Guest 4 until Guest 4 is back, in Ana's program." in lines
    assert "Guest 1 has given up." in lines
    assert lines[-1] == "protocol-6-rules-2-absent.kotlog: sound"
    turns = [n for n, line in enumerate(lines) if line.startswith("Turn ")]
    assert len(turns) == 41
    assert all(lines[n - 1] == "" for n in turns)


def test_a_pipe_takes_and_gives_bytes() -> None:
    data = ABSENT.read_bytes()
    exported = CliRunner().invoke(app, ["export", "--json", "-"], input=data)
    assert exported.exit_code == 0
    assert log_of_lines(exported.stdout.splitlines()) == data


@pytest.mark.parametrize("form", [[], ["--json"], ["--html"]])
def test_a_hyphen_as_the_file_is_the_standard_output(
    form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = run("export", *form, str(ABSENT))
    assert run("export", *form, str(ABSENT), "-o", "-") == plain
    assert list(tmp_path.iterdir()) == []


def test_a_page_is_made_with_a_game_and_without(tmp_path: Path) -> None:
    page, empty = tmp_path / "game.html", tmp_path / "empty.html"
    code, _, said = run("export", "--html", str(ABSENT), "-o", str(page))
    assert (code, said) == (0, f"Written: {page}\n")
    assert run("export", "--html", "none", "-o", str(empty))[0] == 0
    assert '"line":"moment"' in page.read_text("utf-8")
    assert '"line":"moment"' not in empty.read_text("utf-8")


def test_of_a_wrong_log_what_is_right_is_told(tmp_path: Path) -> None:
    code, told, said = run("export", str(ILLEGAL))
    assert code == 6
    assert "WRONG at record 10" in told.splitlines()[-1]
    assert "What comes after that record is not told." in said
    lines = tmp_path / "wrong.jsonl"
    assert run("export", "--json", str(ILLEGAL), "-o", str(lines))[0] == 6
    assert log_of_lines(lines.read_text("ascii").splitlines()) == ILLEGAL.read_bytes()


@pytest.mark.parametrize("form", ["", "--json", "--html"])
def test_what_is_no_log_is_refused_and_writes_nothing(tmp_path: Path, form: str) -> None:
    for name, data in (("a", b""), ("b", b"\0" * 100), ("c", b"kotp2pev" + bytes(60))):
        (tmp_path / name).write_bytes(data)
        words = (*filter(None, [form]), str(tmp_path / name), "-o", str(tmp_path / "out"))
        code, _, said = run("export", *words)
        assert (code, "unreadable" in said) == (9, True)
    old = run("export", *filter(None, [form]), str(LOGS / "protocol-4-rules-1-head.kotlog"))
    assert (old[0], "a version of kotp2p from before 1.0" in old[2]) == (9, True)
    assert run("export", *filter(None, [form]), str(tmp_path))[0] == 9
    assert not (tmp_path / "out").exists()


def test_a_pipe_of_the_file_system_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert run("export", str(tmp_path / "fifo"))[0] == 9


def test_the_name_of_the_standard_output_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(export, "write_whole")  # which would replace the device
    assert run("export", str(ABSENT), "-o", "/dev/stdout") == run("export", str(ABSENT))


def test_a_reader_of_a_pipe_may_go(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: fifo.open("rb").close())
    reader.start()
    assert run("export", "--html", str(ABSENT), "-o", str(fifo)) == (0, "", "")
    reader.join()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--html", "--json"], "--json or --html"),
        (["none"], "none goes with --html"),
        (["none", "--json"], "none goes with --html"),
    ],
)
def test_flags_that_make_no_sense_are_refused(flags: list[str], words: str) -> None:
    code, _, said = run("export", *flags)
    assert (code, words in said) == (2, True)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert run("export", str(ABSENT), "-o", str(tmp_path / "folder"))[0] == 9
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_that_is_not_there_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "none" / "x"
    code, _, said = run("export", "--json", str(ABSENT), "-o", str(path))
    assert (code, said) == (9, f"{path} cannot be written: there is no such folder.\n")


def test_a_word_that_no_log_has_is_told(tmp_path: Path) -> None:
    code, _, said = run("export", "--json", "wombat", "--log-dir", str(tmp_path))
    assert code == 9
    assert "No log here has wombat in its table phrase." in said


def test_a_terminal_sequence_in_a_name_of_a_file_is_harmless(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2Jb.kotlog"
    path.write_bytes(ABSENT.read_bytes())
    code, told, _ = run("export", str(path))
    assert (code, "\x1b" in told) == (0, False)
