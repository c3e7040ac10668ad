"""Files that are written as a whole or not at all.

Scope: the one way in which this program replaces a file. The content goes into a new file beside
it, under a name that nobody can know before, so that no link of somebody else leads it elsewhere;
it is on the disk before it takes the place of the old one. A failure (a full disk) leaves the old
file as it was, and nothing beside it.
Not here: logs, to which is appended (`kotp2p.store.machine_disk`).
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from kotp2p.store import platform
from kotp2p.store.private_files import create_file

UNFINISHED = re.compile(r"\.kotp2p-[0-9a-f]{16}\.new")
"""The name of a file that has not taken its place yet."""
LEFTOVER_SECONDS = 3600.0
"""No file needs so long to be written: the process that was at it has died."""


def write_whole(
    path: Path, parts: Iterable[bytes], *, is_private: bool = True, is_new: bool = False
) -> None:
    """Gives the file this content. `is_private`: only its owner may read it, under any umask.
    `is_new`: there must be no such file yet, or FileExistsError is raised. Raises OSError."""
    beside = unfinished_name(path)
    try:
        descriptor = create_file(beside, is_private=is_private)
        with open(descriptor, "wb") as file:
            file.writelines(parts)
            file.flush()
            platform.sync(descriptor)
        if is_new:
            _name_new(beside, path)
        else:
            os.replace(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def unfinished_name(path: Path) -> Path:
    """A name beside the file that no other process has and nobody can guess."""
    return path.with_name(f".kotp2p-{secrets.token_hex(8)}.new")


def remove_leftovers(path: Path) -> None:
    """Of processes that died while they wrote a file in this folder, which may hold a secret. The
    file, just written, shows the time by the clock that the others have theirs from."""
    with suppress(OSError):
        now = path.stat().st_mtime
        for other in path.parent.iterdir():
            is_unfinished = UNFINISHED.fullmatch(other.name) is not None
            if is_unfinished and other.lstat().st_mtime < now - LEFTOVER_SECONDS:
                other.unlink()


def sync_folder(folder: Path) -> None:
    """The name of a new file or folder is on disk only when the folder around it is."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a system that does not open folders
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # a file system that does not sync them
    finally:
        os.close(descriptor)


def _name_new(beside: Path, path: Path) -> None:
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        os.rename(beside, path)
