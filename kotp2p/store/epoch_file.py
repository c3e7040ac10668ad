"""The epoch of a game's folder: how often it was resumed, also elsewhere as far as is known.

Scope: the file `epoch`, and the instance of a process, which begins with its epoch. A process that
comes back says HERE with an instance above all that its files tell (PROTOCOL.md 9).
Not here: what follows when a process hears of a newer one (`kotp2p.peer`).

A lock keeps two processes of one machine from one folder. A copy of the folder has no lock, but its
epoch goes on from that of the original. So of two processes the one that was resumed last is the
newer one. Where both have the same epoch, the random bytes decide.
"""

from __future__ import annotations

from pathlib import PurePath

from kotp2p.wire.encoding import BadBytes, integer, pack, unpack
from kotp2p.world import Disk

EPOCH_BYTES = 4
MAX_EPOCH = 2**32 - 1


def make_instance(epoch: int, fresh: bytes) -> bytes:
    """The instance of a process of that epoch; `fresh`: random bytes, as many as an instance."""
    return epoch.to_bytes(EPOCH_BYTES, "big") + fresh[EPOCH_BYTES:]


def epoch_of(instance: bytes) -> int:
    """0 for no instance."""
    return int.from_bytes(instance[:EPOCH_BYTES], "big")


def next_epoch(epoch: int) -> int:
    """The epoch of the process that resumes a game which was played under `epoch` last."""
    return min(epoch + 1, MAX_EPOCH)


def read_epoch(disk: Disk, folder: PurePath) -> int:
    """The epoch of the newest process that this folder knows of. None, or a damaged one, counts as
    0. Raises FileTrouble."""
    data = disk.read(folder / "epoch")
    try:
        return 0 if data is None else integer(unpack(data), 0, MAX_EPOCH)
    except BadBytes:
        return 0


async def write_epoch(disk: Disk, folder: PurePath, epoch: int) -> None:
    """Raises FileTrouble."""
    await disk.replace(folder / "epoch", pack(epoch))
