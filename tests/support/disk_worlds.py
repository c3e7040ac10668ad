"""An unfinished game in the folder of a real disk."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from kotp2p.seams.world import World
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.crypto import Signer
from tests.support.log_bytes import boundaries, cut_to
from tests.support.memory_world import memory_disk


@dataclass(frozen=True)
class UnfinishedFiles:
    """The files of one player, whose game of two lacks its end, and has no second name yet."""

    world: World
    files: Mapping[PurePath, bytes]
    folder: PurePath
    """The folder of the player's seat, below the data."""
    signer: Signer

    def put_into(self, data: Path) -> World:
        """Writes them to `data`; the world of that folder, with nobody on its network."""
        for path, content in self.files.items():
            real = data / path
            real.parent.mkdir(parents=True, exist_ok=True)
            real.write_bytes(content)
        return self.world_at(data)

    def world_at(self, data: Path) -> World:
        return replace(self.world, disk=MachineDisk(data), data=data, logs=data / "logs")


def unfinished_files() -> UnfinishedFiles:
    """Not from a coroutine: the first call plays the game with a `trio.run` of its own."""
    world, folder, signer = cut_to(list(boundaries())[-2])
    files = {path.relative_to(world.data): data for path, data in memory_disk(world).files.items()}
    return UnfinishedFiles(world, files, folder.relative_to(world.data), signer)
