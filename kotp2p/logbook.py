"""The log of one seat while its game runs: one writer, and what it writes is on disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

import trio

from kotp2p.entries import Signed
from kotp2p.genesis import Genesis
from kotp2p.journal import SALT, head, record
from kotp2p.saved import Saved
from kotp2p.world import LogFile, World


@dataclass(slots=True)
class Logbook:
    world: World
    file: LogFile
    path: PurePath
    shared: PurePath | None
    """Its second name, in the folder of logs."""
    salt: bytes
    count: int = 0

    @staticmethod
    async def new(world: World, folder: PurePath, genesis: Genesis, *, shares: bool) -> Logbook:
        salt, shared = genesis.id[:SALT], None
        file = await world.disk.create_log(folder / "log", head(salt))
        if shares:
            name = f"{world.today()}-{genesis.phrase.replace(' ', '-')}"
            shared = world.disk.share(folder / "log", world.logs, name, ".kotlog")
        return Logbook(world, file, folder / "log", shared, salt)

    @staticmethod
    async def reopened(world: World, saved: Saved) -> Logbook:
        file = await world.disk.reopen_log(saved.folder / "log", saved.size)
        shared = type(saved.folder)(saved.places.shared) if saved.places.shared else None
        salt = saved.genesis.id[:SALT]
        return Logbook(world, file, saved.folder / "log", shared, salt, saved.count)

    async def write(self, bodies: Iterable[Signed]) -> None:
        """One sync for all of them."""
        data = b""
        for signed in bodies:
            data += record(self.salt, self.count, signed)
            self.count += 1
        if data:
            with trio.CancelScope(shield=True):
                await self.file.append(data)

    async def keep(self, name: str, data: bytes) -> PurePath:
        """Writes a file of evidence; gives the path by which people find it."""
        path = self.path.with_name(name)
        await self.world.disk.replace(path, data)
        if self.shared is None:
            return path
        return self.world.disk.share(path, self.world.logs, self.shared.stem, ".kotproof")

    async def close(self) -> PurePath:
        """Gives the path by which people find it."""
        shared = self.shared
        await self.file.aclose()
        found = shared is not None and self.world.disk.refresh(self.path, shared)
        return shared if shared is not None and found else self.path
