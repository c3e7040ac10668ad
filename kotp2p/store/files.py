"""Files of this machine: private, written as a whole or not at all, and read with a bound."""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path, PurePath
from typing import BinaryIO

from kotp2p.seams.world import FaultOfFile, FileFault

# -- files of unknown origin: read whole and of bounded length, or not at all --------------


LOG_SUFFIX = ".kotlog"
GAMES_FOLDER = "games"
"""In the data folder: a folder for each game, with one for each key."""
OWN_MAGIC = b"kotp2p"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""O_NONBLOCK: opening a pipe must not wait until a process writes into it."""


def read_whole_file(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file of at most `most` bytes; raise OSError for all else."""
    with _open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(most + 1) if size <= most else b""
    if size > most or len(data) > most:
        raise OSError(errno.EFBIG, f"longer than {most // 1024} KiB", str(path))
    return data


def keep_own_file(path: Path) -> None:
    """Raise OSError if this is a log, evidence or an exported identity: nothing replaces those."""
    begins = b""
    with suppress(OSError), _open_regular(path) as file:
        begins = file.read(len(OWN_MAGIC))
    if begins == OWN_MAGIC:
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


@contextmanager
def _open_regular(path: Path) -> Iterator[BinaryIO]:
    descriptor = os.open(path, as_bytes(_FLAGS))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


def fault_at(path: PurePath, error: OSError) -> FileFault:
    """Return the trouble with a path, or with the folder above it that is the reason."""
    number, named = error.errno or 0, path
    if number in (errno.ELOOP, errno.ENOTDIR, errno.ENAMETOOLONG):
        named = next((above for above in reversed(path.parents) if _fails(above, number)), path)
    if number == errno.ENOTDIR and not os.path.isdir(named.parent):
        named = named.parent
    return FileFault(named, error.strerror or str(error), FaultOfFile.SYSTEM, number)


def _fails(folder: PurePath, number: int) -> bool:
    try:
        os.stat(folder)
    except OSError as fault:
        return fault.errno == number
    return False


# -- what systems do differently -----------------------------------------------------------
#
# How files are opened and synced. Windows was not tried: its branches follow the documents of
# Python, and tests play it with stand-ins. The locks of files are those of `filelock`.


def as_bytes(flags: int) -> int:
    """Return the flags of `os.open` for bytes: without its own, Windows writes 0A as 0D 0A."""
    return flags | getattr(os, "O_BINARY", 0)


def own_user() -> int | None:
    """Return the number of this user; None where the rights of the folder decide who may read."""
    return os.getuid() if hasattr(os, "getuid") else None


def lock(descriptor: int) -> bool:
    """Take a lock that ends with the process, False if it is taken; raise OSError without locks."""
    import filelock  # commands that lock nothing do without it

    return filelock.lock_descriptor(descriptor, blocking=False)


def unlock(descriptor: int) -> None:
    """Release a lock before the file is closed, as Windows would do it late; raise OSError."""
    import filelock

    filelock.unlock_descriptor(descriptor)


def is_locked(path: Path) -> bool:
    """Return whether another process has locked the file now; False if that cannot be found out."""
    try:
        descriptor = os.open(path, as_bytes(os.O_RDWR | getattr(os, "O_NONBLOCK", 0)))
    except OSError:
        return False
    try:
        is_free = lock(descriptor)
        if is_free:
            unlock(descriptor)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return not is_free


def sync(descriptor: int) -> None:
    """Bring what was written to the disk before this returns; raise OSError."""
    if sys.platform == "darwin":
        import fcntl

        # There fsync leaves the data in the cache of the disk, which a power failure empties.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def read_stdin(descriptor: int, most: int) -> bytes:
    """Return the next bytes of the standard input, in UTF-8 if it is a console.

    A console of Windows gives bytes of an old code page to those who read its number. Python's own
    stream asks it for characters. Raise OSError.
    """
    if sys.platform == "win32" and descriptor == 0:
        raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
        if raw is not None:
            return raw.read(most) or b""
    return os.read(descriptor, most)


# -- folders and files that only their owner can enter, read or change ---------------------
#
# The folder of the data holds keys: somebody who could rename a folder in it could give a player
# another key.


OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700


def make_folder(folder: Path, root: Path | None = None) -> list[Path]:
    """Make the folder and its missing parents, all for their owner only.

    Return those that were made, the outermost first. Raise OSError.

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
    """Close a folder of this user to others; one of another owner stays as it is."""
    status = path.stat()
    if status.st_mode & 0o077 and status.st_uid == own_user():
        path.chmod(stat.S_IMODE(status.st_mode) & OWNER_ONLY_FOLDER)


def create_file(path: Path, flags: int = os.O_WRONLY, *, is_private: bool = True) -> int:
    """Return the descriptor of a new file, if `is_private` for its owner only; raise OSError."""
    mode = OWNER_ONLY if is_private else 0o666
    descriptor = os.open(path, as_bytes(flags | os.O_CREAT | os.O_EXCL), mode)
    if is_private and hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)
    return descriptor


# -- files that are written as a whole or not at all ---------------------------------------
#
# The one way in which this program replaces a file. The content goes into a new file beside it,
# under a name that nobody can know before, so that no link of somebody else leads it elsewhere;
# it is on the disk before it takes the place of the old one. A failure (a full disk) leaves the
# old file as it was, and nothing beside it.


UNFINISHED = re.compile(r"\.kotp2p-[0-9a-f]{16}\.new")
"""The name of a file that has not taken its place yet."""
LEFTOVER_SECONDS = 3600.0
"""No file needs so long to be written: the process that was at it has died."""


def write_whole(
    path: Path, parts: Iterable[bytes], *, is_private: bool = True, is_new: bool = False
) -> None:
    """Write a file as a whole, or leave it as it was; raise OSError."""
    # `is_private`: only its owner may read it. `is_new`: there must be no such file yet.
    beside = unfinished_name(path)
    try:
        descriptor = create_file(beside, is_private=is_private)
        with open(descriptor, "wb") as file:
            file.writelines(parts)
            file.flush()
            sync(descriptor)
        if is_new:
            _name_new(beside, path)
        else:
            os.replace(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def unfinished_name(path: Path) -> Path:
    """Make a name next to the file that no other process has or can guess."""
    import secrets  # which those that only read do without

    return path.with_name(f".kotp2p-{secrets.token_hex(8)}.new")


def remove_leftovers(path: Path) -> None:
    """Remove what processes left that died while they wrote a file in this folder.

    It may hold a secret. The file, just written, shows the time by the clock that the others have
    theirs from.
    """
    with suppress(OSError):
        now = path.stat().st_mtime
        for other in path.parent.iterdir():
            is_unfinished = UNFINISHED.fullmatch(other.name) is not None
            if is_unfinished and other.lstat().st_mtime < now - LEFTOVER_SECONDS:
                other.unlink()


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, as syncing a new file does not."""
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
