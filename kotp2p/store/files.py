"""Reads files of unknown origin: whole and of bounded length, or not at all; and how the name of a
log ends."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from kotp2p.store.platform import as_bytes

LOG_SUFFIX = ".kotlog"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""O_NONBLOCK: opening a pipe must not wait until somebody writes into it."""


def read_whole_file(path: Path, most: int) -> bytes:
    """The bytes of a regular file. Raises OSError, with the reason, for anything else (a pipe, a
    device without an end, a folder), and for a file of more than `most` bytes."""
    descriptor = os.open(path, as_bytes(_FLAGS))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1) if status.st_size <= most else b""
        if status.st_size > most or len(data) > most:
            raise OSError(errno.EFBIG, f"longer than {most // 1024} KiB", str(path))
        return data
    finally:
        os.close(descriptor)
