"""Bare `kotp2p` on a terminal: what it shows, what a line means, and what it costs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kotp2p.cli.extras import start_screen
from kotp2p.cli.extras.start_screen import describe_choices, list_choices, read_choice
from kotp2p.cli.system.folders import LastGame, find_last_game, last_game_reminder
from tests.support.command_line import printed_by_python

LAST = LastGame("lemon train ocean piano", "2026-11-21")
PLACES = b"\x98\xd9\x2a2026-11-20-lemon-train-ocean-piano-2.kotlog\x00"


class Program:
    """Remembers what would be run, and ends with these codes."""

    def __init__(self, *codes: int) -> None:
        self.codes = list(codes)
        self.ran: list[list[str]] = []

    def main(self, args: list[str], prog_name: str, *, standalone_mode: bool) -> int:
        self.ran.append(args)
        return self.codes.pop(0)


def shown(
    monkeypatch: pytest.MonkeyPatch, program: Program, *typed: str | type[BaseException]
) -> int:
    """The exit code, after these lines; an exception stands for its key."""
    lines = iter(typed)

    def read(_prompt: str) -> str:
        line = next(lines)
        if isinstance(line, str):
            return line
        raise line

    monkeypatch.setattr("builtins.input", read)
    return start_screen.show_start_screen(program)


def add_game(data: Path, name: str, places: bytes, *, changed: float, bot: bool = False) -> Path:
    folder = data / "games" / name / "seat"
    folder.mkdir(parents=True)
    (folder / "places").write_bytes(places)
    (folder / "log").write_bytes(b"")
    (folder / "lock").touch()
    if bot:
        (folder / "key").touch()
    os.utime(folder / "log", (changed, changed))
    return folder


def test_it_fits_a_small_window_and_says_what_one_can_do() -> None:
    rows = describe_choices(list_choices(LAST))
    assert len(rows) < 16
    assert all(len(row) <= 80 and row.isascii() for row in rows)
    text = "\n".join(rows)
    assert "4  resume   go on with your game of 2026-11-21" in text
    assert "resume" not in "\n".join(describe_choices(list_choices(None)))


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("", ["solo"]),
        ("1", ["solo"]),
        ("Play", ["solo"]),
        ("solo", ["solo"]),
        ("2", ["host"]),
        ("join", ["join"]),
        ("join 192.168.1.20", ["join", "--", "192.168.1.20"]),
        ("4", ["resume", "lemon", "train"]),
        ("rules", ["rules"]),
        ("rules tokyo", ["rules", "--", "tokyo"]),
        ("q", []),
        ("exit", []),
        ("6", None),
        ("plya", None),
        ("host now", None),
    ],
)
def test_what_a_line_means(typed: str, command: list[str] | None) -> None:
    assert read_choice(typed, list_choices(LAST)) == command


def test_a_choice_is_run_with_its_exit_code(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(5)
    assert shown(monkeypatch, program, "what?", "play") == 5
    assert program.ran == [["solo"]]


def test_after_the_rules_it_asks_again(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(0)
    assert shown(monkeypatch, program, "rules", "q") == 0
    assert program.ran == [["rules"]]


def test_join_asks_where(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(0, 0)
    shown(monkeypatch, program, "join", "kotp2p join kotp2p://192.168.1.20/abc")
    shown(monkeypatch, program, "3", "")
    assert program.ran == [["join", "--", "kotp2p://192.168.1.20/abc"], ["join"]]


@pytest.mark.parametrize(("key", "code"), [(EOFError, 0), (KeyboardInterrupt, 130)])
def test_the_end_of_input_and_an_interrupt(
    key: type[BaseException], code: int, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for typed in ([key], ["join", key]):
        assert shown(monkeypatch, Program(), *typed) == code


def test_the_last_game_is_that_whose_log_changed_last(tmp_path: Path) -> None:
    assert find_last_game(tmp_path) is None
    add_game(tmp_path, "old", PLACES.replace(b"lemon", b"apple"), changed=86_400)
    add_game(tmp_path, "new", PLACES, changed=200_000)
    add_game(tmp_path, "bot", PLACES, changed=300_000, bot=True)
    found = find_last_game(tmp_path)
    assert found is not None
    assert found.phrase == "lemon train ocean piano"
    assert found.day.startswith("1970-01-0")


def test_a_game_of_an_empty_file_has_a_day(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_game(data, "one", b"\x00\xff", changed=200_000)
    assert "A game of 1970-01-0" in last_game_reminder()
    assert "go on with your game of 1970" in list_choices(find_last_game(data))[3].meaning


@pytest.mark.skipif(sys.platform == "win32", reason="no flock")
def test_a_game_that_another_window_plays_is_not_offered(tmp_path: Path) -> None:
    folder = add_game(tmp_path, "one", PLACES, changed=200_000)
    hold = (
        "import fcntl, sys\n"
        f"lock = open({str(folder / 'lock')!r}, 'rb')\n"
        "fcntl.flock(lock, fcntl.LOCK_EX)\n"
        "print(flush=True)\n"
        "sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    other.stdout.readline()
    assert find_last_game(tmp_path) is None
    other.communicate()
    assert find_last_game(tmp_path) is not None


def test_until_a_choice_nothing_heavy_is_imported(data: Path) -> None:
    add_game(data, "one", PLACES, changed=200_000)
    program = (
        "import sys; from typer.testing import CliRunner; from kotp2p.cli.main import app\n"
        "import kotp2p.cli.main as program\n"
        "program.has_terminal = lambda: True\n"
        "run = CliRunner().invoke(app, [], input='what?\\nq\\n')\n"
        "assert run.exit_code == 0 and 'go on with your game' in run.stdout, run.output\n"
        "heavy = {'trio', 'prompt_toolkit', 'cryptography', 'msgpack', 'zeroconf',\n"
        " 'kotp2p.referee', 'kotp2p.wire'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    assert printed_by_python(program).strip() == ""
