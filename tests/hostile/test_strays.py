"""Rubbish in every folder of the data: it is left alone, and keeps nobody from a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kotp2p.bots import make_bot
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.seams.endings import EndKind
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.profile import open_profile
from kotp2p.shell.resume import find_game_at, list_games, resume
from kotp2p.store.game_files import UnfinishedGame, find_strays, sweep_secrets
from tests.support.command_line import run
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.support.memory_tables import Recorder


def finder_file(folder: Path) -> Path:
    (folder / ".DS_Store").write_bytes(b"Bud1")
    return folder / ".DS_Store"


def dangling_link(folder: Path) -> Path:
    (folder / "link").symlink_to(folder / "nowhere")
    return folder / "link"


def loop(folder: Path) -> Path:
    (folder / "loop").symlink_to(folder / "loop")
    return folder / "loop"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def empty_folder(folder: Path) -> Path:
    (folder / "new folder").mkdir()
    return folder / "new folder"


def notes(folder: Path) -> Path:
    (folder / "log copy").write_text("mine", "utf-8")
    return folder / "log copy"


RUBBISH = (finder_file, dangling_link, loop, pipe, empty_folder, notes)
FOLDERS = ("games", "games/GAME", "games/GAME/SEAT", "profiles", "profiles/default", "starting",
           "logs", ".")  # fmt: skip


@pytest.fixture
def unfinished() -> UnfinishedFiles:
    return unfinished_files()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unfinished: UnfinishedFiles) -> Path:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    unfinished.put_into(tmp_path)
    return tmp_path


def place(data: Path, unfinished: UnfinishedFiles, folder: str) -> Path:
    _games, game, seat = unfinished.folder.parts
    found = data / folder.replace("GAME", game).replace("SEAT", seat)
    found.mkdir(parents=True, exist_ok=True)
    return found


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("make", RUBBISH)
async def test_rubbish_hides_no_game(
    data: Path, unfinished: UnfinishedFiles, folder: str, make: Callable[[Path], Path]
) -> None:
    stray = make(place(data, unfinished, folder))
    world = unfinished.world_at(data)
    (found,) = list_games(world)
    assert isinstance(found, UnfinishedGame)
    await open_profile(world, Recorder("Ana"), NewKeyPolicy.ASK)
    sweep_secrets(world)
    where = next(iter(found.targets()))
    assert find_game_at(world, unfinished.signer, TableAddress((where[0],), where[1])) is not None
    assert stray.is_symlink() or stray.exists()
    if make is finder_file:
        assert (stray in find_strays(world)) is (folder not in ("logs", "."))


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_list_names_rubbish_once_and_every_game(
    data: Path, unfinished: UnfinishedFiles, folder: str
) -> None:
    stray = finder_file(place(data, unfinished, folder))
    code, out, err = run("resume", "--list")
    assert code == 0
    assert len(out.splitlines()) == 1
    assert err.count(str(stray)) == (0 if folder in ("logs", ".") else 1)
    assert "cannot" not in err


def test_a_flood_of_rubbish_is_one_line(data: Path) -> None:
    for n in range(50):
        (data / "games" / f"{n}.txt").touch()
    _code, _out, err = run("resume", "--list")
    assert len(err.splitlines()) == 1
    assert "45 more files" in err


def plain_file(game: Path) -> None:
    game.write_bytes(b"")


def dead_link(game: Path) -> None:
    game.symlink_to(game.with_name("nowhere"))


def no_seats(game: Path) -> None:
    game.mkdir()


def seat_is_a_file(game: Path) -> None:
    game.mkdir()
    (game / ("b" * 64)).write_bytes(b"")


def files_are_folders(game: Path) -> None:
    for name in ("log", "places", "seed", "key", "lock"):
        (game / ("b" * 64) / name).mkdir(parents=True)


def log_is_a_pipe(game: Path) -> None:
    (game / ("b" * 64)).mkdir(parents=True)
    (game / ("b" * 64) / "places").write_bytes(b"")
    os.mkfifo(game / ("b" * 64) / "log")


def places_is_a_pipe(game: Path) -> None:
    (game / ("b" * 64)).mkdir(parents=True)
    os.mkfifo(game / ("b" * 64) / "places")
    (game / ("b" * 64) / "log").write_bytes(b"")


def damaged_files(game: Path) -> None:
    (game / ("b" * 64)).mkdir(parents=True)
    for name in ("places", "log", "key", "seed"):
        (game / ("b" * 64) / name).write_bytes(b"xyz" * 99)


FALSE_GAMES = (
    plain_file, dead_link, no_seats, seat_is_a_file, files_are_folders, log_is_a_pipe,
    places_is_a_pipe, damaged_files,
)  # fmt: skip


@pytest.mark.parametrize("make", FALSE_GAMES)
def test_one_bad_entry_never_hides_the_others(
    data: Path, unfinished: UnfinishedFiles, make: Callable[[Path], None]
) -> None:
    make(data / "games" / ("a" * 64))
    code, out, err = run("resume", "--list")
    assert code == 0
    assert len(out.splitlines()) == 1
    assert "Traceback" not in err
    phrase = unfinished_phrase(unfinished, data)
    assert f"An unfinished game: {phrase}." in run()[1]
    world = unfinished.world_at(data)
    sweep_secrets(world)
    assert find_game_at(world, unfinished.signer, TableAddress(("10.0.0.9",), 1)) is None


def unfinished_phrase(unfinished: UnfinishedFiles, data: Path) -> str:
    found = [g for g in list_games(unfinished.world_at(data)) if isinstance(g, UnfinishedGame)]
    assert len(found) == 1
    return found[0].genesis.phrase


async def test_a_game_can_be_played_on_beside_rubbish(
    data: Path, unfinished: UnfinishedFiles, autojump_clock: object
) -> None:
    finder_file(data / "games")
    (data / "games" / ("a" * 64)).write_bytes(b"")
    finder_file(data / unfinished.folder)
    ending = await resume(unfinished.world_at(data), None, None, Recorder("Ana"), make_bot)
    assert ending.kind is EndKind.FINISHED
