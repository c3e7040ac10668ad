"""What systems do differently: how files are opened and synced, and how a port is taken.

Scope: the peer's side of it. Windows was not tried: its branches follow the documents of Python,
and tests play it with stand-ins.
The locks of files are those of `filelock`.
Not here: what the files are (`kotp2p.store.machine_disk`), and signals (`cli.system.process`).
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from pathlib import Path
from typing import Protocol

SEGMENT_BYTES = 1180
"""Bytes of a TCP segment. With its headers one fits into any IPv6 path, whose least packet has 1280
bytes, and into the tunnels that home connections use."""


class Options(Protocol):
    """A socket, of Python or of trio."""

    def setsockopt(self, level: int, name: int, value: int, /) -> None: ...


def as_bytes(flags: int) -> int:
    """The flags of `os.open` for a file of bytes. Without the flag of its own, Windows would write
    each byte 0A as 0D 0A, also in a key or a log."""
    return flags | getattr(os, "O_BINARY", 0)


def own_user() -> int | None:
    """None where files have no owner by number and no mode: there the rights of the folder above
    decide who may read."""
    return os.getuid() if hasattr(os, "getuid") else None


def lock(descriptor: int) -> bool:
    """Takes a lock that ends with the process; False if another process has it. Raises OSError
    where there are no locks, as on some network drives."""
    import filelock  # commands that lock nothing do without it

    return filelock.lock_descriptor(descriptor, blocking=False)


def unlock(descriptor: int) -> None:
    """Before the file is closed, as Windows gives the lock back some time later. Raises OSError."""
    import filelock

    filelock.unlock_descriptor(descriptor)


def is_locked(path: Path) -> bool:
    """Whether another process has locked the file now. Where that cannot be told, it has not."""
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
    """What was written is on the disk when this returns. Raises OSError."""
    if sys.platform == "darwin":
        import fcntl

        # There fsync leaves the data in the cache of the disk, which a power failure empties.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def claim_port(sock: Options) -> None:
    """Lets a port be taken again at once after its program has ended, and by nobody else meanwhile.
    Windows means something else by the usual option: with it two programs share one port."""
    name = "SO_EXCLUSIVEADDRUSE" if sys.platform == "win32" else "SO_REUSEADDR"
    sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)


def limit_segments(sock: Options) -> None:
    """Keeps packets small enough for any path, before the socket dials or listens.

    Where a path takes only small packets and drops the messages that say so, large ones vanish: the
    link stands, and whatever is longer than a packet never arrives. Windows has no such option, and
    macOS may refuse it; links work there as well as they do without it.
    """
    name = getattr(socket, "TCP_MAXSEG", None)
    if name is not None:
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, name, SEGMENT_BYTES)


def read_stdin(descriptor: int, most: int) -> bytes:
    """The next bytes of the standard input, in UTF-8 if it is a console. Raises OSError.

    A console of Windows gives bytes of an old code page to those who read its number. Python's own
    stream asks it for characters.
    """
    if sys.platform == "win32" and descriptor == 0:
        raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
        if raw is not None:
            return raw.read(most) or b""
    return os.read(descriptor, most)
