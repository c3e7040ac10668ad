"""The facts about a user's files that `kotp2p doctor` looks at. Only read: no file is made.

Scope: what the system tells of folders, permissions, space and locks. Paths come as they may be
shown: without the name of the user. Of a file that is secret only its mode is read.
Not here: the games in these files (`cli.extras.game_facts`), and what follows from the facts
(`cli.extras.doctor_data`).
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from kotp2p.cli.extras.data_findings import BYTES_OF_MEGABYTE
from kotp2p.cli.extras.lock_holders import find_holder
from kotp2p.cli.extras.own_name import hide_user
from kotp2p.store.files import UNFINISHED, is_locked, own_user

MAX_FILES = 50_000
"""More are not looked at one by one."""
SECRET_FILES = frozenset({"key", "seed"})
"""By name, in the folders of profiles and games."""
SECRET_FOLDERS = frozenset({"starting"})
"""All in them is secret."""
_WRITING = os.W_OK | os.X_OK
"""What a folder must allow for a file to be made in it."""
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
    """The holder; None also where the system does not tell."""


@dataclass(frozen=True, slots=True)
class DataFacts:
    """Of the data folder, or of the folder that would get it."""

    path: str
    is_there: bool
    write_path: str
    """The first folder in it that cannot be written, or else the data folder itself."""
    can_write: bool
    """Files can be made in that folder."""
    is_own: bool
    """That folder belongs to this user; also where the system has no owners."""
    is_read_only: bool
    """The file system is."""
    free_megabytes: int
    free_files: int | None
    """None where the file system does not tell."""
    has_modes: bool
    """The system has permissions for others."""
    open_files: tuple[FileFacts, ...] = ()
    """Those that other users can reach, and do something to."""
    others_files: int = 0
    """How many belong to another user."""
    unreadable: tuple[tuple[str, str], ...] = ()
    """Paths, each with the reason."""
    locks: tuple[LockFacts, ...] = ()


def shown_path(path: PurePath | str) -> str:
    """As it may be sent to somebody: without the name of the user, long numbers cut."""
    return _HASH.sub(r"\1...", hide_user(str(path)))


def read_data(data: Path) -> DataFacts:
    here = _nearest_folder(data)
    free_files, is_read_only = _file_system(here)
    files = list(_walk(data)) if data.is_dir() else []
    folders = [path for path in files if path.is_dir()] or [here]
    written = next((path for path in folders if not _may(path, _WRITING)), here)
    return DataFacts(
        path=shown_path(data),
        is_there=data.is_dir(),
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
    return next((one for one in (path, *path.parents) if one.is_dir()), path)


def _may(path: Path, what: int) -> bool:
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _is_own(path: Path) -> bool:
    """To an administrator everything is open, so all is theirs."""
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
    """How many more files it takes, if it tells, and whether it is read-only."""
    if not hasattr(os, "statvfs"):
        return None, False
    try:
        found = os.statvfs(folder)
    except OSError:
        return None, False
    free = found.f_favail if found.f_files else None  # some make room for files as they need it
    return free, bool(found.f_flag & os.ST_RDONLY)


def _walk(data: Path) -> Iterator[Path]:
    """The folder and what is in it, folders before what they hold."""
    count = 0
    for at, folders, names in os.walk(data):
        for path in (Path(at), *(Path(at, name) for name in names)):
            count += 1
            if count > MAX_FILES:
                return
            yield path
        folders.sort()


def _list_open(data: Path, files: list[Path]) -> Iterator[FileFacts]:
    """What lies in a closed folder is closed, whatever its own mode is."""
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
    if data.exists() and not data.is_dir():
        yield shown_path(data), "not a folder"
    for path in files:
        wanted = os.R_OK | os.X_OK if path.is_dir() else os.R_OK
        if not path.is_symlink() and not _may(path, wanted):
            yield shown_path(path), "permission denied"


def _look_at_lock(path: Path) -> LockFacts:
    is_held = is_locked(path)
    return LockFacts(path, is_held, find_holder(path) if is_held else None)
