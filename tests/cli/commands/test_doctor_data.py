"""`kotp2p doctor --data` on files that are as they should be, and broken in each way."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from kotp2p.cli.extras.data_findings import (
    BadLogs,
    BrokenGame,
    LockHeld,
    LocksLeft,
    NotWritable,
    OtherOwner,
    Permissions,
    Space,
    Start,
    Strays,
    TornLog,
    Unfinished,
    Unreadable,
    WhyNot,
)
from kotp2p.cli.extras.doctor_data import DataFacts, examine_data, holder_in, judge_files
from kotp2p.cli.extras.finding import Finding, Severity, count_problems
from kotp2p.net.machine import machine_world
from kotp2p.seams.world import FileFault
from kotp2p.store.game_files import start_path
from tests.support.command_line import run
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.tools.fuzz.seeds import START

FIT = DataFacts(
    path="~/.local/share/kotp2p",
    is_there=True,
    write_path="~/.local/share/kotp2p",
    can_write=True,
    is_own=True,
    is_read_only=False,
    free_megabytes=40_000,
    free_files=1_000_000,
    has_modes=True,
)


def problems(facts: DataFacts) -> list[Finding]:
    return [one for one in judge_files(facts) if one.severity is Severity.PROBLEM]


F = TypeVar("F", bound=Finding)


def only(kind: type[F]) -> F:
    (found,) = [one for one in examine_data() if isinstance(one, kind)]
    return found


def kinds() -> set[type[Finding]]:
    return {type(one) for one in examine_data()}


@pytest.fixture
def closed(data: Path) -> Path:
    """A data folder as the program makes it."""
    folder = data / "kotp2p"
    folder.mkdir(0o700)
    return folder


@pytest.fixture
def played(closed: Path, monkeypatch: pytest.MonkeyPatch) -> UnfinishedFiles:
    """An unfinished game in the data folder."""
    monkeypatch.setenv("KOTP2P_DATA", str(closed))
    files = unfinished_files()
    files.put_into(closed)
    for at, _folders, names in os.walk(closed):
        os.chmod(at, 0o700)
        for name in names:
            os.chmod(Path(at, name), 0o600)
    return files


def seat_of(files: UnfinishedFiles, data: Path) -> Path:
    return data / files.folder


# -- folders and disks --------------------------------------------------------------------------


def test_files_as_they_should_be_have_no_problem() -> None:
    assert problems(FIT) == []


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (replace(FIT, can_write=False), WhyNot.MODE),
        (replace(FIT, can_write=False, is_own=False), WhyNot.OTHER_OWNER),
        (replace(FIT, is_read_only=True), WhyNot.READ_ONLY),
    ],
)
def test_a_folder_that_cannot_be_written_says_why(facts: DataFacts, why: WhyNot) -> None:
    (found,) = problems(facts)
    assert found == NotWritable(FIT.path, why)


def test_a_folder_without_write_permission_is_found(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An administrator may write anywhere, so the system's answer is played here."""
    monkeypatch.setenv("KOTP2P_DATA", str(closed))
    monkeypatch.setattr(os, "access", lambda path, mode, **_: not mode & os.W_OK)
    code, out, _err = run("doctor", "data")
    assert code == 3
    assert "PROBLEM: Nothing can be written into" in out
    assert "chmod u+rwx" in out


def test_a_folder_inside_that_cannot_be_written_is_named(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(closed))
    (closed / "games").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode, **_: Path(path).name != "games")
    found = only(NotWritable)
    assert found.path.endswith("/kotp2p/games")


def test_files_of_another_user_are_counted() -> None:
    assert problems(replace(FIT, others_files=3)) == [OtherOwner(FIT.path, 3)]
    whole = replace(FIT, others_files=3, can_write=False, is_own=False)
    assert problems(whole) == [NotWritable(FIT.path, WhyNot.OTHER_OWNER)]


def test_a_full_disk_is_found(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(closed))
    usage = shutil.disk_usage(closed)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=3_000_000))
    code, out, _err = run("doctor", "data")
    assert code == 3
    assert "PROBLEM: 3 MB are free on the disk of your games." in out


def test_a_disk_that_takes_no_more_files_is_full() -> None:
    assert problems(replace(FIT, free_files=0)) == [Space(40_000, has_file_room=False)]
    assert problems(replace(FIT, free_files=None)) == []


def test_a_folder_that_is_not_there_is_no_problem(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(data / "not" / "yet"))
    code, out, _err = run("doctor", "data")
    assert code == 0
    assert "Your first game makes the folder" in out
    assert not (data / "not").exists()


def test_a_file_in_place_of_the_folder_is_found(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "file").write_text("")
    monkeypatch.setenv("KOTP2P_DATA", str(data / "file"))
    assert only(Unreadable).detail == "not a folder"


# -- permissions ----------------------------------------------------------------------------------


def test_a_closed_folder_closes_all_that_is_in_it(played: UnfinishedFiles, closed: Path) -> None:
    seat = seat_of(played, closed)
    (seat / "seed").chmod(0o644)
    seat.chmod(0o777)
    assert only(Permissions).access == "nothing"


@pytest.mark.parametrize(
    ("mode_of_seat", "mode_of_seed", "access"),
    [(0o700, 0o644, "names"), (0o711, 0o604, "secrets"), (0o733, 0o600, "changes")],
)
def test_a_wrong_mode_is_found(
    played: UnfinishedFiles, closed: Path, mode_of_seat: int, mode_of_seed: int, access: str
) -> None:
    seat = seat_of(played, closed)
    for folder in (closed, *(one for one in seat.parents if closed in one.parents)):
        folder.chmod(0o755)
    seat.chmod(mode_of_seat)
    (seat / "seed").chmod(mode_of_seed)
    assert only(Permissions).access == access
    assert run("doctor", "data")[0] == (0 if access == "names" else 3)


def test_a_system_without_modes_is_not_judged_by_them() -> None:
    found = list(judge_files(replace(FIT, has_modes=False)))
    assert not any(isinstance(one, Permissions) for one in found)


# -- locks ----------------------------------------------------------------------------------------


def test_a_lock_that_is_held_names_its_process_and_game(
    played: UnfinishedFiles, closed: Path
) -> None:
    profile = closed / "profiles" / "default"
    profile.mkdir(parents=True, exist_ok=True)
    with (profile / "lock").open("w") as one, (seat_of(played, closed) / "lock").open("w") as two:
        fcntl.flock(one, fcntl.LOCK_EX)
        fcntl.flock(two, fcntl.LOCK_EX)
        found = only(LockHeld)
        there = kinds()
    assert found.profiles == ("default",)
    assert len(found.games) == 1
    assert found.process in (os.getpid(), None)
    assert not there & {Unfinished, LocksLeft}


def test_a_lock_that_was_left_behind_keeps_nobody_from_playing(
    played: UnfinishedFiles, closed: Path
) -> None:
    (seat_of(played, closed) / "lock").touch()
    found = only(LocksLeft)
    assert (found.count, found.severity) == (1, "ok")


LOCKS = """\
1: POSIX  ADVISORY  WRITE 11 fe:00:77 0 EOF
2: FLOCK  ADVISORY  WRITE 12 fe:00:77 0 EOF
3: FLOCK  ADVISORY  WRITE 13 fe:01:78 0 EOF
4: FLOCK  ADVISORY  WRITE 14 fe:02:78 0 EOF
5: FLOCK  ADVISORY  WRITE -1 fe:00:79 0 EOF
6: odd
"""


def test_the_holder_of_a_lock_is_read_from_the_table_of_the_system() -> None:
    here = os.makedev(0xFE, 0)
    assert holder_in(LOCKS, here, 77) == 12
    assert holder_in(LOCKS, os.makedev(0xFE, 2), 78) == 14
    assert holder_in(LOCKS, os.makedev(1, 1), 77) == 12  # a file system over another one
    assert holder_in(LOCKS, here, 78) is None  # one of two
    assert holder_in(LOCKS, here, 79) is None  # in another namespace of processes
    assert holder_in(LOCKS, here, 80) is None


# -- games ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("played")
def test_an_unfinished_game_is_named_with_the_command_that_resumes_it() -> None:
    phrase = only(Unfinished).phrase
    _code, out, _err = run("doctor", "data")
    assert f"Go on with it: kotp2p resume {' '.join(phrase.split()[:2])}" in out
    assert not {TornLog, BrokenGame} & kinds()


def test_a_torn_log_is_told_from_a_damaged_one(played: UnfinishedFiles, closed: Path) -> None:
    log = seat_of(played, closed) / "log"
    whole = log.read_bytes()
    log.write_bytes(whole + b"\0\0\1")
    assert only(TornLog).severity == "note"
    log.write_bytes(whole[:200] + b"\xff" + whole[201:])
    found = only(BrokenGame)
    assert found.severity == "problem"
    assert "..." in found.fault  # the long names of its folders are cut
    assert len(found.fault) < 250


def test_files_that_are_none_of_ours_are_listed(played: UnfinishedFiles, closed: Path) -> None:
    for number in range(7):
        (closed / "games" / f".stray-{number}").touch()
    (closed / "logs").mkdir(exist_ok=True)
    (closed / "logs" / "x.kotlog").write_text("no log")
    strays = only(Strays)
    assert strays.count == 7
    assert len(strays.paths) == 5
    assert only(BadLogs).count == 1


def test_a_start_that_never_began_is_told(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(closed))
    world = machine_world(closed, closed / "logs", "default")
    path = Path(start_path(world, START.genesis.charter.table, START.signer.key))
    path.parent.mkdir()
    path.write_bytes(START.encode())
    assert only(Start).phrase == START.genesis.phrase
    path.write_bytes(b"no start")
    assert Start not in kinds()


def test_an_identity_that_cannot_be_read_is_found(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(closed))
    (closed / "profiles" / "default").mkdir(parents=True)
    (closed / "profiles" / "default" / "key").write_bytes(b"short")
    found = only(Unreadable)
    assert found.path.endswith("profiles/default/key")
    assert found.detail == "not a key (32 bytes)"
    assert BrokenGame not in kinds()


@pytest.mark.parametrize(
    ("name", "advice"),
    [("log", "kotp2p resume --peer ADDRESS"), ("key", "have a copy of the file, put it back.")],
)
def test_a_broken_game_has_the_advice_for_its_file(name: str, advice: str) -> None:
    file = FileFault(Path("/data/games/game/seat", name), "damaged")
    assert BrokenGame(str(file), file).line().endswith(advice)


def test_a_command_names_a_path_that_is_shortened_by_a_pattern() -> None:
    (line,) = [
        one.line()
        for one in judge_files(replace(FIT, write_path="~/my files/81c482ed...", can_write=False))
        if isinstance(one, NotWritable)
    ]
    assert line.endswith("type: chmod u+rwx ~/'my files/81c482ed'*")


@pytest.mark.parametrize("place", [".", "games", "profiles", "profiles/default/key"])
def test_what_is_closed_is_found_once_and_not_taken_from_the_others(
    place: str, played: UnfinishedFiles, closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_of(played, closed)
    shut, real_access = closed / place, os.access

    def refuse_below(real: Callable[..., Any]) -> Callable[..., Any]:
        def look(path: Any = ".", *more: Any, **how: Any) -> Any:
            if not isinstance(path, int) and Path(path).is_relative_to(shut):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *more, **how)

        return look

    def access(path: Any, mode: int, **how: Any) -> bool:
        return not Path(path).is_relative_to(shut) and real_access(path, mode, **how)

    for name in ("open", "scandir"):
        monkeypatch.setattr(os, name, refuse_below(getattr(os, name)))
    monkeypatch.setattr(os, "access", access)
    code, out, _err = run("doctor", "data")
    assert code == 3
    assert out.count("PROBLEM: ") == 1
    assert "The others have this game" not in out


def test_settings_that_are_not_understood_are_found(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = data / "config.toml"
    path.write_text("speed = 'kotp2p://secret'\n")
    monkeypatch.setenv("KOTP2P_CONFIG", str(path))
    code, out, _err = run("doctor", "data")
    assert code == 3
    assert f"PROBLEM: The settings are not understood, in {path}" in out
    assert "secret" not in out


def test_nothing_is_made_or_changed(played: UnfinishedFiles, closed: Path) -> None:
    def all_files() -> dict[Path, tuple[int, int]]:
        found = {}
        for path in [closed, *closed.rglob("*")]:
            status = path.stat()
            found[path] = (status.st_mode, status.st_mtime_ns)
        return found

    before = all_files()
    assert run("doctor", "data")[0] == 0
    assert all_files() == before
    assert count_problems(judge_files(FIT)) == 0
