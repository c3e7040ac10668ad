"""A data folder whose files were damaged: which file is named, what is lost, and what to do."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import trio

from kotp2p.cli.commands.one_game import list_games
from kotp2p.cli.text.endings import describe_ending
from kotp2p.cli.text.files import describe_file_fault
from kotp2p.cli.text.i18n import is_for_want_of_files
from kotp2p.net.connections import ANYWHERE
from kotp2p.net.lan import INTERFACES_VARIABLE
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import FaultOfFile, FileFault, World
from kotp2p.shell import resume as resume_module
from kotp2p.shell.resume import resume
from kotp2p.store.saved_game import SavedGame
from tests.support.command_line import close_below, run
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.support.memory_tables import Recorder
from tests.support.paths import LOGS, ROOT
from tests.support.program import PATIENCE

Damage = Callable[[Path], object]
ON_THIS_MACHINE = "--no-code --no-lan --bind 127.0.0.1 --port 0"


def cut_in_half(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def make_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def make_circle(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


OTHER_CONTENT: dict[str, Damage] = {
    "cut in half": cut_in_half,
    "garbage": lambda path: path.write_bytes(b"\xc1" * 300),
    "empty": lambda path: path.write_bytes(b""),
    "zeros": make_zeros,
}
NO_FILE: dict[str, Damage] = {"a folder": make_folder, "a pipe": make_pipe, "a circle": make_circle}


@pytest.fixture
def unfinished() -> UnfinishedFiles:
    """Not from a coroutine: the first call plays the game."""
    return unfinished_files()


@pytest.fixture
def gone_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[SavedGame]]:
    """The games that are gone on with, in place of playing them."""
    found = list[SavedGame]()

    async def note(world: World, saved: SavedGame, *_args: object, **_how: object) -> Ending:
        found.append(saved)
        return Ending(EndKind.KEPT)

    monkeypatch.setattr(resume_module, "continue_game", note)
    yield found


def resumed(world: World) -> list[str]:
    async def go_on() -> Ending:
        return await resume(world, None, None, Recorder("me"), ANYWHERE)

    ending = trio.run(go_on)
    assert ending.kind in (EndKind.KEPT, EndKind.FILES, EndKind.NO_GAME)
    return describe_ending(ending, "", 0)


def own_file(world: World, unfinished: UnfinishedFiles, name: str) -> Path:
    path = Path(world.data / unfinished.folder / name)
    if name == "epoch":
        path.write_bytes(b"\x92\x07\x00")
    return path


@pytest.mark.parametrize(
    ("name", "damage"), [*product(("places", "epoch"), (*OTHER_CONTENT, "gone")), ("seed", "zeros")]
)
def test_what_can_be_made_anew_keeps_nobody_from_the_game(
    name: str, damage: str, tmp_path: Path, unfinished: UnfinishedFiles, gone_on: list[SavedGame]
) -> None:
    world = unfinished.put_into(tmp_path)
    {**OTHER_CONTENT, "gone": Path.unlink}[damage](own_file(world, unfinished, name))
    assert resumed(world) == []
    assert len(gone_on) == 1


@pytest.mark.parametrize("damage", NO_FILE)
@pytest.mark.parametrize("name", ["places", "epoch"])
def test_what_is_no_file_and_holds_nothing_that_is_needed_can_be_moved_away(
    name: str, damage: str, tmp_path: Path, unfinished: UnfinishedFiles
) -> None:
    world = unfinished.put_into(tmp_path)
    path = own_file(world, unfinished, name)
    NO_FILE[damage](path)
    first, todo = resumed(world)
    assert first.startswith(f"{path} cannot be read or written: ")
    assert todo.startswith("Nothing is lost with it: move it away, then type: kotp2p resume")


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (name, damage)
        for name, harmless in (("log", "cut in half"), ("seed", "zeros"))
        for damage in (*OTHER_CONTENT, *NO_FILE, "gone")
        if damage != harmless  # a torn tail, which is cut off; another seed
    ],
)
def test_a_game_whose_log_or_seed_is_damaged_can_be_had_from_the_others(
    name: str, damage: str, tmp_path: Path, unfinished: UnfinishedFiles
) -> None:
    world = unfinished.put_into(tmp_path)
    path = own_file(world, unfinished, name)
    {**OTHER_CONTENT, **NO_FILE, "gone": Path.unlink}[damage](path)
    first, todo = resumed(world)
    assert str(path.parent) in first
    assert todo == (
        "A game with bots alone is only here. If people play in it, they have it, too; to take it "
        "from them, type: kotp2p resume --peer ADDRESS"
    )


@pytest.mark.parametrize("damage", [*OTHER_CONTENT, *NO_FILE])
@pytest.mark.parametrize(
    ("name", "todo"),
    [
        ("key", "If you have exported your identity"),
        ("known", "Only the keys of the players that you know are lost with it"),
        ("name", "Only your name is lost with it."),
    ],
)
def test_files_of_a_profile_say_what_is_lost_with_them(
    name: str, todo: str, damage: str, tmp_path: Path
) -> None:
    folder = tmp_path / "profiles" / "default"
    folder.mkdir(parents=True)
    (folder / "key").write_bytes(b"\x07" * 32)
    (folder / "known").write_bytes(b"\x92\x02\x90")
    (folder / "name").write_bytes(b"Ana\n")
    path = folder / name
    {**OTHER_CONTENT, **NO_FILE}[damage](path)
    if (name, damage) == ("name", "cut in half"):
        path.write_bytes(b"\xff")
    code, out, err = run("identity", "show")
    said = (out + err).replace("\n", " ")
    assert code in (2, 9)
    assert str(path) in said
    assert todo in said
    if name == "key":
        assert str(path) in run("resume", "--list").told(9).replace("\n", " ")


# -- what the system does not allow -----------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "todo"),
    [
        (errno.ENOSPC, "Make room on that disk. A game that was broken off goes on with: "),
        (errno.EACCES, "What to permit, and how, is told by: "),
        (errno.EROFS, "What to permit, and how, is told by: "),
        (errno.EIO, "A game with bots alone is only here. If people play in it, they have it, "),
        (errno.ENOTDIR, "Move it away, then try again."),
        (errno.ENAMETOOLONG, "Choose a folder with a shorter name, then try again."),
        (errno.EFBIG, "This program may write only short files here. To let it write longer ones"),
    ],
)
def test_each_trouble_of_the_system_has_its_own_advice(number: int, todo: str) -> None:
    path = Path("/data/games/game/seat/log")
    fault = FileFault(path, os.strerror(number), FaultOfFile.SYSTEM, number)
    assert "resume" not in describe_file_fault(replace(fault, path=Path("/home/log")))[-1]
    first, second = describe_file_fault(fault)
    assert first.startswith(f"{path} cannot be read or written: ")
    assert second.startswith(todo)


@pytest.mark.parametrize("words", [["games"], ["verify"], ["identity"], ["resume", "--list"]])
@pytest.mark.parametrize("damage", [Path.touch, make_circle])
def test_a_data_folder_that_is_none_is_named_and_not_a_file_in_it(
    damage: Damage, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").touch()
    damage(tmp_path / "data")
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path / "data" / "mine"))
    err = run(*words).told(9)
    assert f"{tmp_path / 'data'} cannot be read or written: " in err
    assert err.endswith("Move it away, then try again.\n")


@pytest.mark.parametrize("closed", ["scandir", "stat"])
@pytest.mark.parametrize("words", [["games"], ["verify"], ["verify", "chisel"], ["replay", "able"]])
def test_a_closed_folder_of_logs_is_not_an_empty_one(
    words: list[str], closed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its names cannot be read, or its files cannot be reached."""
    logs, real = tmp_path / "logs", getattr(os, closed)

    def forbidden(path: Any, *more: Any, **how: Any) -> Any:
        if closed == "scandir" or str(path) == f"{logs}/.":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, *more, **how)

    logs.mkdir()
    monkeypatch.setattr(os, closed, forbidden)
    err = run(*words).told(9)
    assert err.startswith(f"{tmp_path / 'logs'} cannot be read or written: the system does not")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], 0), (["config"], 2), (["games"], 9), (["identity"], 2), (["verify", "chisel"], 9),
        (["resume", "--list"], 9), (["doctor", "data"], 3),
    ],
)  # fmt: skip
def test_a_folder_that_nobody_may_enter_is_no_program_error(
    words: list[str], expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    monkeypatch.setenv("KOTP2P_DATA", str(closed / "data"))
    monkeypatch.setenv("KOTP2P_CONFIG", str(closed / "config.toml"))
    close_below(closed, monkeypatch, "stat", "open", "scandir")
    code, out, err = run(*words)
    assert code == expected, err
    assert "there is no such" not in err
    assert "belong to kotp2p" not in out


def test_a_program_that_may_open_no_more_files_is_told_apart_from_one_that_is_wrong() -> None:
    few = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    other = OSError(errno.EIO, os.strerror(errno.EIO))
    assert is_for_want_of_files(few)
    assert is_for_want_of_files(BaseExceptionGroup("", [ExceptionGroup("", [few])]))
    assert not is_for_want_of_files(BaseExceptionGroup("", [few, other]))
    assert not is_for_want_of_files(other)


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
@pytest.mark.parametrize(
    ("words", "files"),
    [
        *product(("solo --bots 1 --bot normal",), (6, 8, 10)),
        *product((f"host --players 2 --bots 1 --bot easy {ON_THIS_MACHINE}",), (9, 12)),
        ("join", 8),
    ],
)
def test_too_few_files_are_said_with_a_sentence(words: str, files: int, tmp_path: Path) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))"
    done = subprocess.run(
        [sys.executable, "-c", f"from kotp2p.cli import start; {limited}; start()",
         *words.split(), "--plain"],
        cwd=ROOT, env={**os.environ, "KOTP2P_DATA": str(tmp_path), "LC_ALL": "C.UTF-8",
                       INTERFACES_VARIABLE: "127.0.0.1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 9, done.stderr
    told = "This program may open too few files here. To let it open more, type first: "
    assert done.stderr.endswith(f"\n{told}ulimit -n 1024\n") or done.stderr.startswith(told)
    assert "cannot be read or written" not in done.stderr


# -- games of an earlier version --------------------------------------------------------------


def test_a_game_of_an_earlier_version_is_told_once(
    tmp_path: Path, unfinished: UnfinishedFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    world = unfinished.put_into(tmp_path)
    game = Path(world.data / unfinished.folder).parent
    for seat in game.iterdir():
        shutil.copy(LOGS / "protocol-4-rules-1-head.kotlog", seat / "log")
    first, todo = resumed(world)
    assert "from before 1.0. No published version reads it." in first
    assert todo.startswith("That game cannot go on.")
    assert list_games(world.profile, as_json=False) == 8
    assert capsys.readouterr().err.count("No published version reads it.") == 1
