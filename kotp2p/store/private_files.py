"""Folders and files that only their owner can enter, read or change, under any umask.

Scope: their modes. The folder of the data holds keys: somebody who could rename a folder in it
could give a player another key.
Not here: what is written, and when it is on the disk (`kotp2p.store.machine_disk`).
"""

from __future__ import annotations

import os
import stat
from itertools import takewhile
from pathlib import Path

from kotp2p.store.platform import as_bytes, own_user

OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700


def make_folder(folder: Path, root: Path | None = None) -> list[Path]:
    """Makes the folder and its missing parents, all for their owner only. Returns those that it has
    made, the outermost first. Raises OSError.

    The mode of `mkdir` holds for the last folder alone, and the umask takes from it. Folders below
    `root` that are there already are closed to others, as an earlier version may have left them
    open. `root` itself stays as it is: a person may have chosen it.
    """
    missing = list(takewhile(lambda path: not path.exists(), (folder, *folder.parents)))[::-1]
    for path in missing:
        path.mkdir(OWNER_ONLY_FOLDER, exist_ok=True)
        path.chmod(OWNER_ONLY_FOLDER)
    if root is not None and root in folder.parents:
        for path in takewhile(lambda path: path != root, (folder, *folder.parents)):
            if path not in missing:
                _close_folder(path)
    return missing


def _close_folder(path: Path) -> None:
    """Another owner's folder stays as it is."""
    status = path.stat()
    if status.st_mode & 0o077 and status.st_uid == own_user():
        path.chmod(stat.S_IMODE(status.st_mode) & OWNER_ONLY_FOLDER)


def create_file(path: Path, flags: int = os.O_WRONLY, *, is_private: bool = True) -> int:
    """The descriptor of a new file, if `is_private` for its owner only. Raises OSError."""
    mode = OWNER_ONLY if is_private else 0o666
    descriptor = os.open(path, as_bytes(flags | os.O_CREAT | os.O_EXCL), mode)
    if is_private and hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)
    return descriptor
