"""The facts about a user's games that `kotp2p doctor` looks at. Only read: no file is made.

Scope: unfinished games, starts, logs and stray files. Their contents stay here but for the phrases
of tables, turns, and what is wrong with a file.
Not here: folders, permissions and locks (`cli.extras.data_facts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from kotp2p.cli.extras.data_facts import shown_path
from kotp2p.cli.system.folders import log_folder
from kotp2p.net import machine
from kotp2p.shell import resume
from kotp2p.store.files import LOG_SUFFIX, is_locked, read_head_of_file, read_whole_file
from kotp2p.store.game_files import UnfinishedGame, find_strays
from kotp2p.store.saved_game import GAMES_FOLDER, CannotResume, cut_lost_blocks
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.records import (
    HEAD_BYTES,
    MAX_LOG_BYTES,
    Damaged,
    RecordReader,
    Unreadable,
    read_salt,
)
from kotp2p.world import FileTrouble, World

DEFAULT_PROFILE = "default"


@dataclass(frozen=True, slots=True)
class GameFacts:
    phrase: str
    turn: int
    profile: str
    is_open: bool
    """Another process plays it now."""
    is_torn: bool


@dataclass(frozen=True, slots=True)
class StartFacts:
    phrase: str
    profile: str


@dataclass(frozen=True, slots=True)
class GamesFacts:
    games: tuple[GameFacts, ...] = ()
    broken: tuple[str, ...] = ()
    """Each with its file."""
    starts: tuple[StartFacts, ...] = ()
    bad_logs: tuple[str, ...] = ()
    strays: tuple[str, ...] = ()


def read_games(data: Path) -> GamesFacts:
    games: dict[PurePath, GameFacts] = {}
    starts: dict[str, StartFacts] = {}
    broken: dict[str, None] = {}
    for profile in _profiles(data):
        world = machine.machine_world(data, log_folder(data), profile)
        try:
            for found in resume.list_games(world):
                if isinstance(found, CannotResume):
                    broken[shown_path(str(found))] = None
                else:
                    games.setdefault(found.folder, _game_facts(found, profile))
            for start in resume.list_doubtful_starts(world):
                phrase = start.genesis.phrase
                starts.setdefault(phrase, StartFacts(phrase, profile))
        except FileTrouble as fault:
            broken[shown_path(str(fault))] = None
    world = machine.machine_world(data, log_folder(data), DEFAULT_PROFILE)
    return GamesFacts(
        tuple(games.values()), tuple(broken), tuple(starts.values()),
        tuple(shown_path(path) for path in _list_bad_logs(log_folder(data))),
        tuple(shown_path(path) for path in _strays(world)),
    )  # fmt: skip


def phrase_of_game(lock: Path) -> str:
    """The phrase of the game in whose folder a lock lies; empty if its logs do not tell."""
    for log in sorted(lock.parent.parent.glob("*/log")):
        try:
            data = read_whole_file(log, MAX_LOG_BYTES)
            reader = RecordReader(data, read_salt(data))
            while (signed := reader.read_record()) is not None:
                if signed.kind is BodyKind.GENESIS:  # behind the name of the program
                    return Genesis.parse(signed.body).phrase
        except (OSError, Unreadable, Damaged, BadBytes, OtherVersion):
            continue
    return ""


def is_lock_of_game(lock: Path, data: Path) -> bool:
    return data / GAMES_FOLDER in lock.parents


def _profiles(data: Path) -> list[str]:
    try:
        found = [path.name for path in (data / "profiles").iterdir() if path.is_dir()]
    except OSError:
        found = []
    return [DEFAULT_PROFILE, *sorted(set(found) - {DEFAULT_PROFILE})]


def _game_facts(found: UnfinishedGame, profile: str) -> GameFacts:
    folder = Path(found.folder)
    return GameFacts(
        found.genesis.phrase, found.turn, profile, is_locked(folder / "lock"),
        _is_torn(folder / "log"),
    )  # fmt: skip


def _is_torn(log: Path) -> bool:
    try:
        data = read_whole_file(log, MAX_LOG_BYTES)
        whole = cut_lost_blocks(data)
        reader = RecordReader(whole, read_salt(whole))
        while reader.read_record() is not None:
            pass
    except (OSError, Unreadable, Damaged):
        return False
    return reader.is_torn or len(whole) < len(data)


def _list_bad_logs(folder: Path) -> Iterator[Path]:
    """Files that are called as logs and do not begin as one of this version does."""
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == LOG_SUFFIX)
    except OSError:
        return
    for path in files:
        try:
            read_salt(read_head_of_file(path, HEAD_BYTES))
        except (OSError, Unreadable):
            yield path


def _strays(world: World) -> list[PurePath]:
    try:
        return find_strays(world)
    except FileTrouble:
        return []
