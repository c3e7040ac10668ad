"""A user's files, as `kotp2p doctor` judges them: from facts to findings.

Scope: what the system reports of folders, permissions, space and locks, and of the games there.
Paths are in the form that may be shown: without the name of the user. Of a file that is secret only
its mode is read, and no file is made.
Not here: the sentences (`cli.extras.data_findings`).
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath

from kotp2p.cli.extras import data_findings as files
from kotp2p.cli.extras import data_findings as games
from kotp2p.cli.extras.data_findings import BYTES_OF_MEGABYTE, Access, FolderUse, WhyNot
from kotp2p.cli.extras.finding import Finding, hide_user
from kotp2p.cli.system.config import ConfigFault, load_config
from kotp2p.cli.system.folders import config_file, data_folder, log_folder
from kotp2p.cli.text.endings import FORBIDDEN
from kotp2p.net import machine
from kotp2p.seams.world import FileTrouble, World
from kotp2p.shell import resume
from kotp2p.store.files import (
    LOG_SUFFIX,
    UNFINISHED,
    is_locked,
    own_user,
    read_head_of_file,
    read_whole_file,
)
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

# -- facts about files ---------------------------------------------------------------------


MAX_FILES = 50_000
"""The most files that are examined one by one."""
SECRET_FILES = frozenset({"key", "seed"})
"""The names of secret files, in the folders of profiles and games."""
SECRET_FOLDERS = frozenset({"starting"})
"""The folders in which all files are secret."""
_WRITING = os.W_OK | os.X_OK
"""The permissions that a folder must grant for a file to be made in it."""
_HASH = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{24,}")


@dataclass(frozen=True, slots=True)
class FileFacts:
    path: str
    mode: int
    is_folder: bool
    is_secret: bool


@dataclass(frozen=True, slots=True)
class LockFacts:
    path: Path
    is_held: bool
    process: int | None
    """The holder; None also where the system does not report it."""


@dataclass(frozen=True, slots=True)
class DataFacts:
    """The facts about the data folder, or about the folder in which it would be made."""

    path: str
    is_there: bool
    write_path: str
    """The first folder in it that cannot be written, or else the data folder itself."""
    can_write: bool
    """Whether files can be made in that folder."""
    is_own: bool
    """Whether that folder belongs to this user; True where the system has no owners."""
    is_read_only: bool
    """Whether the file system is read-only."""
    free_megabytes: int
    free_files: int | None
    """How many more files fit; None where the file system does not say."""
    has_modes: bool
    """Whether the system has permissions for others."""
    open_files: tuple[FileFacts, ...] = ()
    """The files that other users can reach and do something to."""
    others_files: int = 0
    """The number of files that belong to another user."""
    unreadable: tuple[tuple[str, str], ...] = ()
    """Paths, each with the reason."""
    locks: tuple[LockFacts, ...] = ()


def shown_path(path: PurePath | str) -> str:
    """Return a path fit to be sent: without the name of the user, long numbers cut."""
    return _HASH.sub(r"\1...", hide_user(str(path)))


def read_data(data: Path) -> DataFacts:
    here = _nearest_folder(data)
    free_files, is_read_only = _file_system(here)
    files = list(_walk(data)) if os.path.isdir(data) else []
    folders = [path for path in files if os.path.isdir(path)] or [here]
    written = next((path for path in folders if not _may(path, _WRITING)), here)
    return DataFacts(
        path=shown_path(data),
        is_there=os.path.isdir(data),
        write_path=shown_path(written),
        can_write=_may(written, _WRITING),
        is_own=_is_own(written),
        is_read_only=is_read_only,
        free_megabytes=_free_bytes(here) // BYTES_OF_MEGABYTE,
        free_files=free_files,
        has_modes=own_user() is not None,
        open_files=tuple(_list_open(data, files)),
        others_files=sum(not _is_own(path) for path in files),
        unreadable=tuple(_list_unreadable(data, files)),
        locks=tuple(_look_at_lock(path) for path in files if path.name == "lock"),
    )


def _nearest_folder(path: Path) -> Path:
    return next((one for one in (path, *path.parents) if os.path.isdir(one)), path)


def _may(path: Path, what: int) -> bool:
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _is_own(path: Path) -> bool:
    """Return whether the path belongs to this user; an administrator owns everything."""
    try:
        return own_user() in (None, 0, path.lstat().st_uid)
    except OSError:  # it is gone meanwhile
        return True


def _free_bytes(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0


def _file_system(folder: Path) -> tuple[int | None, bool]:
    """Return how many more files fit (None: not known), and whether it is read-only."""
    if not hasattr(os, "statvfs"):
        return None, False
    try:
        found = os.statvfs(folder)
    except OSError:
        return None, False
    free = found.f_favail if found.f_files else None  # some make room for files as they need it
    return free, bool(found.f_flag & os.ST_RDONLY)


def _walk(data: Path) -> Iterator[Path]:
    """Yield the folder and its content, folders before what they contain, also closed ones."""
    yield data
    count = 1
    for at, folders, names in os.walk(data):
        for path in (Path(at, name) for name in (*folders, *names)):
            count += 1
            if count > MAX_FILES:
                return
            yield path
        folders.sort()


def _list_open(data: Path, files: list[Path]) -> Iterator[FileFacts]:
    """Yield paths that others can read; the content of a closed folder counts as closed."""
    reachable = {data.parent}
    for path in files:
        if path.parent not in reachable or own_user() is None:
            continue
        try:
            mode = path.lstat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and mode & 0o011:
            reachable.add(path)
        if mode & 0o066 and not stat.S_ISLNK(mode):
            is_secret = (
                path.name in SECRET_FILES
                or path.parent.name in SECRET_FOLDERS
                or UNFINISHED.fullmatch(path.name) is not None
            )
            yield FileFacts(
                shown_path(path), stat.S_IMODE(mode), stat.S_ISDIR(mode), is_secret
            )  # fmt: skip


def _list_unreadable(data: Path, files: list[Path]) -> Iterator[tuple[str, str]]:
    if os.path.exists(data) and not os.path.isdir(data):
        yield shown_path(data), "not a folder"
    for path in files:
        wanted = os.R_OK | os.X_OK if os.path.isdir(path) else os.R_OK
        if not os.path.islink(path) and not _may(path, wanted):
            yield shown_path(path), "permission denied"


def _look_at_lock(path: Path) -> LockFacts:
    is_held = is_locked(path)
    return LockFacts(path, is_held, find_holder(path) if is_held else None)


# -- the process that holds a lock on a file, where the system reports it: on Linux --------


LOCKS_OF_SYSTEM = Path("/proc/locks")


def find_holder(path: Path) -> int | None:
    """Return the process that holds the lock, or None where the system does not say."""
    try:
        status = path.stat()
        table = LOCKS_OF_SYSTEM.read_text("ascii", "replace")
    except OSError:
        return None
    return holder_in(table, status.st_dev, status.st_ino)


def holder_in(table: str, device: int, inode: int) -> int | None:
    """Return the process in a table of locks, or None unless there is exactly one.

    Lines are such as `1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF`. The device decides only
    between several files of the same number, as an overlay file system has a device of its own.
    """
    found: list[tuple[bool, int]] = []
    for line in table.splitlines():
        words = line.split()
        if len(words) < 6 or words[1] != "FLOCK" or not words[4].isdigit():
            continue
        major, minor, number = [*words[5].split(":"), "", ""][:3]
        if number == str(inode):
            is_same = (major, minor) == (f"{os.major(device):02x}", f"{os.minor(device):02x}")
            found.append((is_same, int(words[4])))
    holders = {pid for is_same, pid in found if is_same} or {pid for _is_same, pid in found}
    return holders.pop() if len(holders) == 1 else None


# -- facts about games ---------------------------------------------------------------------
#
# Unfinished games, starts, logs and stray files, which are only read. Their contents stay here but
# for the phrases of tables, turns, and what is wrong with a file.


DEFAULT_PROFILE = "default"


@dataclass(frozen=True, slots=True)
class GameFacts:
    phrase: str
    turn: int
    profile: str
    is_open: bool
    """Whether another process is playing it now."""
    is_torn: bool


@dataclass(frozen=True, slots=True)
class StartFacts:
    phrase: str
    profile: str


@dataclass(frozen=True, slots=True)
class GamesFacts:
    games: tuple[GameFacts, ...] = ()
    broken: tuple[Finding, ...] = ()
    starts: tuple[StartFacts, ...] = ()
    bad_logs: tuple[str, ...] = ()
    strays: tuple[str, ...] = ()


def read_games(data: Path) -> GamesFacts:
    games: dict[PurePath, GameFacts] = {}
    starts: dict[str, StartFacts] = {}
    broken: dict[Finding, None] = {}
    for profile in _profiles(data):
        world = machine.machine_world(data, log_folder(data), profile)
        try:
            for found in resume.list_games(world):
                if isinstance(found, CannotResume):
                    broken.update(_judge_trouble(found))
                else:
                    games.setdefault(found.folder, _game_facts(found, profile))
            for start in resume.list_doubtful_starts(world):
                phrase = start.genesis.phrase
                starts.setdefault(phrase, StartFacts(phrase, profile))
        except FileTrouble as fault:
            broken.update(_judge_trouble(fault))
    world = machine.machine_world(data, log_folder(data), DEFAULT_PROFILE)
    return GamesFacts(
        tuple(games.values()), tuple(broken), tuple(starts.values()),
        tuple(shown_path(path) for path in _list_bad_logs(log_folder(data))),
        tuple(shown_path(path) for path in _strays(world)),
    )  # fmt: skip


def _judge_trouble(trouble: FileTrouble) -> dict[Finding, None]:
    """Return a finding for a file of a game, or for one that all games need.

    What is forbidden is none: it was found among the files (`_list_unreadable`).
    """
    fault = trouble.fault
    if fault is None:
        return {games.BrokenGame(shown_path(str(trouble))): None}
    if fault.error in FORBIDDEN:
        return {}
    if GAMES_FOLDER not in (folder.name for folder in fault.path.parents):
        return {games.Unreadable(shown_path(fault.path), fault.detail): None}
    return {games.BrokenGame(shown_path(str(fault)), fault): None}


def phrase_of_game(lock: Path) -> str:
    """Return the phrase of the game that a lock belongs to; empty if no log has it."""
    for log in sorted(lock.parent.parent.glob("*/log")):
        try:
            data = read_whole_file(log, MAX_LOG_BYTES)
            reader = RecordReader(data, read_salt(data))
            while (signed := reader.read_record()) is not None:
                if signed.kind is BodyKind.GENESIS:  # after the name of the program
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
    """Yield files named as logs that do not begin as one of this version does."""
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


# -- from facts to findings ----------------------------------------------------------------


MAX_NAMED = 5
"""The most files that are named; the others are counted."""


@dataclass(slots=True)
class Holder:
    """A process and its games, judged by the locks that it holds."""

    process: int | None
    profiles: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SettingsFacts:
    path: str
    is_there: bool
    is_understood: bool


def examine_data() -> list[Finding]:
    data = data_folder().resolve()
    facts = read_data(data)
    return [
        *judge_files(facts),
        *judge_settings(_read_settings()),
        *judge_locks(list_holders(facts.locks, data), facts.locks),
        *judge_games(read_games(data) if facts.is_there else GamesFacts()),
    ]


def judge_files(facts: DataFacts) -> Iterator[Finding]:
    yield files.Folder(FolderUse.DATA, facts.path, facts.is_there)
    why = _why_not_writable(facts)
    if why is not None:
        yield files.NotWritable(facts.write_path, why)
    if facts.others_files and why is not WhyNot.OTHER_OWNER:
        yield files.OtherOwner(facts.path, facts.others_files)
    if facts.is_there and facts.has_modes:
        access = worst_access(facts.open_files)
        paths = (one.path for one in facts.open_files if _access_to(one) is access)
        yield files.Permissions(facts.path, access, tuple(islice(paths, MAX_NAMED)))
    yield files.Space(facts.free_megabytes, facts.free_files != 0)
    unreadable = [one for one in facts.unreadable if why is None or one[0] != facts.write_path]
    for path, detail in unreadable[:MAX_NAMED]:
        yield games.Unreadable(path, detail)


def _why_not_writable(facts: DataFacts) -> WhyNot | None:
    if facts.is_read_only:
        return WhyNot.READ_ONLY
    if facts.can_write:
        return None
    return WhyNot.MODE if facts.is_own else WhyNot.OTHER_OWNER


def worst_access(found: Iterable[FileFacts]) -> Access:
    order = list(Access)
    return max((_access_to(one) for one in found), key=order.index, default=Access.NOTHING)


def _access_to(one: FileFacts) -> Access:
    if one.mode & 0o022:
        return Access.CHANGES
    if one.is_secret and one.mode & 0o044:
        return Access.SECRETS
    return Access.NAMES if one.mode & 0o044 else Access.NOTHING


def judge_settings(facts: SettingsFacts) -> Iterator[Finding]:
    yield files.Folder(FolderUse.SETTINGS, facts.path, facts.is_there)
    if not facts.is_understood:
        yield games.BadSettings(facts.path)


def _read_settings() -> SettingsFacts:
    path = config_file()
    try:
        load_config()
    except ConfigFault:
        return SettingsFacts(shown_path(path), os.path.exists(path), is_understood=False)
    return SettingsFacts(shown_path(path), os.path.exists(path), is_understood=True)


def list_holders(locks: Iterable[LockFacts], data: Path) -> list[Holder]:
    """Return the processes that are playing here, each with all of its locks."""
    found: dict[int | None, Holder] = {}
    for lock in locks:
        if not lock.is_held:
            continue
        holder = found.setdefault(lock.process, Holder(lock.process))
        if not is_lock_of_game(lock.path, data):
            holder.profiles.append(lock.path.parent.name)
            continue
        phrase = phrase_of_game(lock.path)
        if phrase and phrase not in holder.games:  # its bots have locks of their own
            holder.games.append(phrase)
    return list(found.values())


def judge_locks(holders: Iterable[Holder], locks: Iterable[LockFacts]) -> Iterator[Finding]:
    for one in holders:
        yield files.LockHeld(one.process, tuple(one.profiles), tuple(one.games))
    left = sum(not lock.is_held for lock in locks)
    if left:
        yield files.LocksLeft(left)


def judge_games(facts: GamesFacts) -> Iterator[Finding]:
    for game in facts.games:
        if game.is_open:
            continue  # its lock has a finding, and its log is being written
        yield games.Unfinished(game.phrase, game.turn, game.profile)
        if game.is_torn:
            yield games.TornLog(game.phrase)
    yield from facts.broken
    for start in facts.starts:
        yield games.Start(start.phrase, start.profile)
    if facts.bad_logs:
        yield games.BadLogs(len(facts.bad_logs), facts.bad_logs[:MAX_NAMED])
    if facts.strays:
        yield games.Strays(len(facts.strays), facts.strays[:MAX_NAMED])
