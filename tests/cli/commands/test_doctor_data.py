"""`kotp2p doctor data` on files that are as they should be, and broken in each way."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from kotp2p.cli.extras.doctor import machine
from kotp2p.cli.extras.doctor.finding import Finding, Severity
from kotp2p.cli.extras.doctor.machine import examine_data, judge_space
from kotp2p.seams.world import FileFault, FileTrouble
from tests.support.command_line import close_below, run
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files

NOT_RESUMED = "This game cannot be resumed"


def only(what: str) -> Finding:
    (found,) = [one for one in examine_data() if what in one.what]
    assert found.severity is not Severity.PROBLEM or (found.matters and found.todo)
    return found


def is_found(what: str) -> bool:
    return any(what in one.what for one in examine_data())


@pytest.fixture
def closed(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder as the program makes it."""
    folder = data / "kotp2p"
    folder.mkdir(0o700)
    monkeypatch.setenv("KOTP2P_DATA", str(folder))
    return folder


@pytest.fixture
def played(closed: Path) -> UnfinishedFiles:
    """An unfinished game in the data folder."""
    files = unfinished_files()
    files.put_into(closed)
    for at, _folders, names in os.walk(closed):
        os.chmod(at, 0o700)
        for name in names:
            os.chmod(Path(at, name), 0o600)
    return files


# -- folders and disks --------------------------------------------------------------------------


@pytest.mark.usefixtures("played")
def test_files_as_they_should_be_have_no_problem() -> None:
    assert not any(one.severity is Severity.PROBLEM for one in examine_data())


@pytest.mark.usefixtures("closed")
def test_a_folder_without_write_permission_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An administrator may write anywhere, so the system's answer is played here."""
    monkeypatch.setattr(os, "access", lambda path, mode, **_: not mode & os.W_OK)
    out = run("doctor", "data").printed(3)
    assert "PROBLEM: Nothing can be written into" in out
    assert "chmod u+rwx" in out


def test_a_locked_folder_inside_is_named(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (closed / "games").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode, **_: Path(path).name != "games")
    assert "/kotp2p/games: its permissions forbid it" in only("can be written into").what


def test_a_full_disk_is_found(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(closed)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=3_000_000))
    assert "PROBLEM: 3 MB are free on the disk of your games." in run("doctor", "data").printed(3)
    assert [judge_space(free).severity for free in (10, 9)] == [Severity.OK, Severity.PROBLEM]


def test_a_missing_folder_is_no_problem(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(data / "not" / "yet"))
    assert "Your first game makes the folder" in run("doctor", "data").printed()
    assert not (data / "not").exists()


def test_a_file_in_place_of_a_folder_is_found(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "file").write_text("")
    monkeypatch.setenv("KOTP2P_DATA", str(data / "file"))
    assert only("cannot be read").what.endswith("a file stands where a folder should be.")


# -- permissions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o701, 0o704, 0o710, 0o770])
def test_an_open_folder_is_found(played: UnfinishedFiles, closed: Path, mode: int) -> None:
    (closed / played.folder).chmod(0o777)
    assert only("Only you can read").severity is Severity.OK
    closed.chmod(mode)
    assert is_found("Other users of this machine can read")
    assert run("doctor", "data")[0] == 3


@pytest.mark.usefixtures("played")
def test_a_system_without_modes_is_not_judged_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "own_user", lambda: None)
    assert not is_found("read and change your keys")


# -- games ----------------------------------------------------------------------------------------


def test_a_torn_log_is_told_from_a_damaged_one(played: UnfinishedFiles, closed: Path) -> None:
    log = closed / played.folder / "log"
    whole = log.read_bytes()
    log.write_bytes(whole + b"\0\0\1")
    assert not is_found(NOT_RESUMED)
    log.write_bytes(whole[:200] + b"\xff" + whole[201:])
    found = only(NOT_RESUMED)
    assert found.severity is Severity.PROBLEM
    assert "..." in found.what  # the long names of its folders are cut
    assert len(found.what) < 280


def test_an_identity_that_cannot_be_read_is_found(closed: Path) -> None:
    (closed / "profiles" / "default").mkdir(parents=True)
    (closed / "profiles" / "default" / "key").write_bytes(b"short")
    assert only("profiles/default/key does not hold what it should").matters
    assert not is_found(NOT_RESUMED)


@pytest.mark.parametrize(
    ("name", "advice"),
    [("log", "kotp2p resume --peer ADDRESS"), ("key", "have a copy of the file, put it back.")],
)
def test_a_broken_game_has_the_advice_for_its_file(name: str, advice: str) -> None:
    file = FileFault(Path("/data/games/game/seat", name), "damaged")
    assert machine.broken_file(FileTrouble(file)).todo.endswith(advice)


def test_a_command_names_a_path_by_pattern(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = data / "my files" / ("81c482ed" * 8)
    folder.mkdir(parents=True)
    monkeypatch.setenv("KOTP2P_DATA", str(folder))
    monkeypatch.setattr(os, "access", lambda path, mode, **_: not mode & os.W_OK)
    assert only("can be written into").todo.endswith("/my files/81c482ed'*")


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("place", [".", "games", "profiles", "profiles/default/key"])
def test_what_is_closed_is_found_once_and_not_taken_from_the_others(
    place: str, closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut, real_access = closed / place, os.access

    def access(path: Any, mode: int, **how: Any) -> bool:
        return not Path(path).is_relative_to(shut) and real_access(path, mode, **how)

    close_below(shut, monkeypatch, "open", "scandir")
    monkeypatch.setattr(os, "access", access)
    out = run("doctor", "data").printed(3)
    assert out.count("PROBLEM: ") == 1
    assert "if people play in it" not in out.lower()


def test_settings_not_understood_are_found(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = data / "config.toml"
    path.write_text("speed = 'kotp2p://secret'\n")
    monkeypatch.setenv("KOTP2P_CONFIG", str(path))
    out = run("doctor", "data").printed(3)
    assert f"PROBLEM: The settings are not understood, in {path}" in out
    assert "secret" not in out


@pytest.mark.usefixtures("played")
def test_nothing_is_made_or_changed(closed: Path) -> None:
    def all_files() -> dict[Path, tuple[int, int]]:
        found = {}
        for path in [closed, *closed.rglob("*")]:
            status = path.stat()
            found[path] = (status.st_mode, status.st_mtime_ns)
        return found

    before = all_files()
    assert run("doctor", "data")[0] == 0
    assert all_files() == before
