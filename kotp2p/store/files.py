"""Reads files of unknown origin: whole and of bounded length, or not at all; and how the name of a
log ends."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kotp2p.store.platform import as_bytes

LOG_SUFFIX = ".kotlog"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""O_NONBLOCK: opening a pipe must not wait until somebody writes into it."""


def read_whole_file(path: Path, most: int) -> bytes:
    """The bytes of a regular file. Raises OSError, with the reason, for anything else (a pipe, a
    device without an end, a folder), and for a file of more than `most` bytes."""
    with _open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(most + 1) if size <= most else b""
    if size > most or len(data) > most:
        raise OSError(errno.EFBIG, f"longer than {most // 1024} KiB", str(path))
    return data


def read_head_of_file(path: Path, size: int) -> bytes:
    """So many bytes of a regular file, or all if it has fewer. Raises OSError as above."""
    with _open_regular(path) as file:
        return file.read(size)


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
