"""Windows and macOS as far as Linux can show them: a start without POSIX, and names of files."""

import ntpath
import re
from itertools import chain
from pathlib import Path

import pytest

from kotp2p.cli.system.flags import parse_profile
from kotp2p.store.files import UNFINISHED
from tests.support.forked import CAN_FORK
from tests.support.program import Program

WITHOUT_POSIX = "tests.support.without_posix"
AFRESH = ("env",) if CAN_FORK else ()
"""No fork of a process that has imported the program already."""
FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]$')
"""In the name of a file on Windows."""
DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
LONGEST_PATH = 259
DATA_FOLDER = rf"C:\Users\{'a' * 20}\AppData\Local\kotp2p"
"""With the longest login name."""


def run(home: Path, *words: str) -> Program:
    program = Program(home, *words, module=WITHOUT_POSIX, before=AFRESH)
    assert program.wait() == 0, program.lines
    return program


def play(home: Path) -> None:
    run(home, "solo", "--bots", "2", "--bot", "easy", "--plain", "--speed", "instant")


def test_a_game_is_played_and_checked_on_a_system_without_posix(tmp_path: Path) -> None:
    assert any("kotp2p host -h" in line for line in run(tmp_path, "--help").out)
    play(tmp_path)
    assert any(": sound." in line for line in run(tmp_path, "verify").out)
    assert any("Turn 1" in line for line in run(tmp_path, "replay", "--plain").out)
    page = tmp_path / "game.html"
    run(tmp_path, "export", "--html", "-o", str(page))
    assert page.stat().st_size > 100_000


def test_a_club_is_checked_on_a_system_without_posix(tmp_path: Path) -> None:
    play(tmp_path)
    play(tmp_path)
    out = run(tmp_path, "verify", str(tmp_path / "data" / "logs")).out
    assert "2 logs: 2 sound" in out[-1]


def test_every_file_of_a_game_has_a_name_and_a_path_that_windows_takes(tmp_path: Path) -> None:
    home = tmp_path / "ana"
    solo = Program(home, "solo", "--bots", "1", "--plain", "--profile", "a" * 32, stdin="")
    solo.wait_for("^Turn 1")
    data = home / "data"
    found = [path.relative_to(data) for path in data.rglob("*")]
    solo.kill()
    assert {"seed", "places", "log"} <= {path.name for path in found}
    for path in found:
        for part in path.parts:
            assert not FORBIDDEN.search(part) and not DEVICES.fullmatch(part), path
        half_written = path.with_name(".kotp2p-0123456789abcdef.new")
        assert UNFINISHED.fullmatch(half_written.name)
        for file in (path, half_written):
            assert len(ntpath.join(DATA_FOLDER, *file.parts)) <= LONGEST_PATH, file


NO_PROFILES = [
    "CON", "con", "Com1", "lpt9", "nul", "aux.txt", "a:b", "a/b", "a\\b", "..", ".", "", "a.",
    " a", "a ", "a*", "a\n", "-a", "a" * 33,
]  # fmt: skip


@pytest.mark.parametrize("name", NO_PROFILES, ids=ascii)
def test_a_profile_is_no_path_and_no_device(name: str, tmp_path: Path) -> None:
    refused = Program(tmp_path, "identity", "show", f"--profile={name}")
    assert refused.wait() == 2
    assert not list(chain(tmp_path.glob("data/**/*key*"), tmp_path.glob("data/profiles/*")))


@pytest.mark.parametrize("name", ["default", "Ana Maria", "work_2", "آنا", "con-2", "a" * 32])
def test_the_name_of_a_profile_is_taken_as_it_is(name: str) -> None:
    assert parse_profile(name) == name
    assert ntpath.basename(ntpath.normpath(ntpath.join("profiles", name))) == name
