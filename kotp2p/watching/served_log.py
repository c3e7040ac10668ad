"""The log of this process as watchers are sent it: the bytes of the file.

Scope: the bytes, and whether a watcher has the first of them.
Not here: which watcher has how much of them (`kotp2p.watching.feeds`), and files.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field


@dataclass(slots=True)
class ServedLog:
    _data: bytearray = field(default_factory=bytearray)

    @property
    def size(self) -> int:
        return len(self._data)

    def append(self, data: bytes) -> None:
        """The file has grown by these bytes, whole records."""
        self._data += data

    def part(self, offset: int, most: int) -> bytes:
        return bytes(self._data[offset : offset + most])

    def begins_with(self, size: int, digest: bytes) -> bool:
        """Whether a watcher has the first bytes of this log, and no others."""
        if size > self.size:
            return False
        return size == 0 or hashlib.sha256(memoryview(self._data)[:size]).digest() == digest
