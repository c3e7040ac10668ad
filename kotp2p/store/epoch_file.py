"""The epoch of a game's folder: how often it was resumed, also elsewhere as far as is known.

Scope: the file `epoch`, and the instance of a process, which begins with its epoch
(PROTOCOL.md 9.10).
Not here: what follows when a process hears of a newer one (`kotp2p.membership.own_processes`).

A lock keeps two processes of one machine from one folder. A copy of the folder has no lock, but its
epoch goes on from that of the original. So of two processes the one that was resumed last is the
newer one. Where both have the same epoch, the random bytes decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from kotp2p.wire.encoding import BadBytes, array, integer, pack, unpack
from kotp2p.world import Disk

EPOCH_BYTES = 4
MAX_EPOCH = 2**32 - 1


@dataclass(frozen=True, slots=True)
class SavedEpoch:
    """What the file says; all zero without a file."""

    epoch: int = 0
    """Of the newest process that this folder knows of."""
    was_elsewhere: bool = False
    """The last process here has stopped because of another one elsewhere. What it signed last may
    have reached nobody, and the other one may have decided otherwise."""

    @property
    def next_epoch(self) -> int:
        """The epoch of the process that resumes the game now."""
        return min(self.epoch + 1, MAX_EPOCH)

    def encode(self) -> bytes:
        return pack((self.epoch, int(self.was_elsewhere)))


def make_instance(epoch: int, fresh: bytes) -> bytes:
    """The instance of a process of that epoch; `fresh`: random bytes, as many as an instance."""
    return epoch.to_bytes(EPOCH_BYTES, "big") + fresh[EPOCH_BYTES:]


def epoch_of(instance: bytes) -> int:
    return int.from_bytes(instance[:EPOCH_BYTES], "big")


def read_epoch(disk: Disk, folder: PurePath) -> SavedEpoch:
    """A damaged file counts as none. Raises FileTrouble."""
    data = disk.read(folder / "epoch")
    if data is None:
        return SavedEpoch()
    try:
        epoch, was_elsewhere = array(unpack(data), 2)
        return SavedEpoch(integer(epoch, 0, MAX_EPOCH), bool(integer(was_elsewhere, 0, 1)))
    except BadBytes:
        return SavedEpoch()


async def write_epoch(disk: Disk, folder: PurePath, saved: SavedEpoch) -> None:
    """Raises FileTrouble."""
    await disk.replace(folder / "epoch", saved.encode())
