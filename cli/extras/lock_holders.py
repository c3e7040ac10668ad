"""Which process holds a lock on a file, where the system tells: on Linux.

Scope: reading /proc/locks.
Not here: the locks themselves (`kotp2p.store.files`).
"""

from __future__ import annotations

import os
from pathlib import Path

LOCKS_OF_SYSTEM = Path("/proc/locks")


def find_holder(path: Path) -> int | None:
    """The number of the process; None where the system does not tell."""
    try:
        status = path.stat()
        table = LOCKS_OF_SYSTEM.read_text("ascii", "replace")
    except OSError:
        return None
    return holder_in(table, status.st_dev, status.st_ino)


def holder_in(table: str, device: int, inode: int) -> int | None:
    """`table`: lines such as `1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF`. The device counts
    only where several files have the number: a file system over others has one of its own."""
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
