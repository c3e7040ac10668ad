"""Writes the log of one seat while its game runs; what its process tells is on the disk before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

import trio

from kotp2p.seams.world import LogFile, World
from kotp2p.store.files import LOG_SUFFIX
from kotp2p.store.saved_game import SavedGame
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.records import SALT_BYTES, ProgramNamed, pack_head, pack_record


@dataclass(slots=True)
class LogWriter:
    world: World
    path: PurePath
    genesis: Genesis
    shared: PurePath | None = None
    """The second name of the log, in the folder of logs, into which people look."""
    records: int = 0
    _file: LogFile | None = None
    _is_synced: bool = True
    """All that was written is on the disk."""

    @staticmethod
    async def reopen(world: World, saved: SavedGame) -> LogWriter:
        path = saved.folder / "log"
        shared = world.logs / saved.places.shared if saved.places.shared else None
        book = LogWriter(world, path, saved.genesis, shared, saved.log_records)
        book._file = await world.disk.reopen_log(path, saved.log_bytes)
        if shared is not None and not await world.disk.refresh(path, shared):
            book.shared = None  # somebody has moved it away, or it was made in another folder
        await book._share_log()
        return book

    def content(self) -> bytes:
        return self.world.disk.read(self.path) or b""

    async def append_bodies(self, bodies: Iterable[Signed], *, is_sending: bool = True) -> bytes:
        """Append all bodies; return the bytes that were written.

        `is_sending`: frames are about to be sent to players. Before that everything is on the disk,
        with one sync. Otherwise nothing is synced: others still have what they have signed after a
        power failure here, and a sync for each of their bodies would be a quarter of the work of a
        game.

        Shielded: a write that was cancelled half-way would leave a torn tail, and a count of
        records that is wrong for the next one.
        """
        salt, data = self.genesis.id[:SALT_BYTES], b""
        for signed in bodies:
            if not self.records:
                program = ProgramNamed(*self.world.program).signed
                data, self.records = pack_head(salt) + pack_record(salt, 0, program), 1
            data += pack_record(salt, self.records, signed)
            self.records += 1
        if self._file is not None and not is_sending:
            if data:
                self._is_synced = False
                self._file.write(data)
        elif data or not self._is_synced:
            with trio.CancelScope(shield=True):
                await self._append_records(data)
            self._is_synced = True
        return data

    async def _append_records(self, data: bytes) -> None:
        if self._file is not None:
            await self._file.append(data)
            return
        if self.world.disk.read(self.path) is None:
            self._file = await self.world.disk.create_log(self.path, data)
        else:  # an earlier process ended before its first records were written
            self._file = await self.world.disk.reopen_log(self.path, 0)
            await self._file.append(data)
        await self._share_log()

    async def _share_log(self) -> None:
        if self.shared is None:
            name = f"{self.world.today()}-{self.genesis.phrase.replace(' ', '-')}"
            self.shared = await self.world.disk.share(self.path, self.world.logs, name, LOG_SUFFIX)

    async def save_evidence(self, name: str, data: bytes) -> PurePath:
        """Write a file of evidence; return the path by which people find it."""
        path = self.path.with_name(name)
        await self.world.disk.replace(path, data)
        if self.shared is None:
            return path
        return await self.world.disk.share(path, self.world.logs, self.shared.stem, ".kotproof")

    async def close_log(self) -> PurePath | None:
        """Close the file; return the path by which people find the log, None if it is gone."""
        disk, shared = self.world.disk, self.shared
        if self._file is not None:
            await self.append_bodies(())
            await self._file.aclose()
        if disk.read(self.path) is None:
            return shared if shared is not None and disk.read(shared) is not None else None
        found = shared is not None and await disk.refresh(self.path, shared)
        return shared if shared is not None and found else self.path
