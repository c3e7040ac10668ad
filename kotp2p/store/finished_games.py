"""What is removed of a game that is over for a seat: its secrets. Its log stays.

Scope: the seed, and the key that was made for the game alone. They go with `places`, at the end of
the game or when the seat leaves it, as nobody comes back to it. `sweep_secrets` makes up for a
process that ended in between, and for starts that never became a game.
Not here: the folder of a game (`kotp2p.store.saved_game`).
"""

from __future__ import annotations

from pathlib import PurePath

from kotp2p.store.saved_game import GAMES_FOLDER
from kotp2p.store.signed_starts import STARTING_FOLDER
from kotp2p.store.stray_files import is_hash, is_start
from kotp2p.world import Disk, FileTrouble, World

SECRETS = ("seed", "key")
MAX_STARTS_KEPT = 64
"""Signed starts that are kept although they became no game here: they may have become one for the
others. A number and no time, as the clock of this machine may be wrong."""


def remove_secrets(disk: Disk, folder: PurePath) -> None:
    """The game of this folder is over for its seat. Raises FileTrouble."""
    for name in ("places", "epoch", *SECRETS):
        disk.remove(folder / name)


def sweep_secrets(world: World) -> None:
    """Removes secrets that nothing needs any more. A folder that cannot be read is left alone."""
    disk = world.disk
    for folder in _seat_folders(world):
        try:
            # A game gets its places before its seed, so this one had them and is over.
            is_over = disk.read(folder / "places") is None and disk.read(folder / "seed")
            if is_over and disk.lock(folder / "lock"):
                remove_secrets(disk, folder)
                disk.release(folder / "lock")
        except FileTrouble:
            continue
    for path in _starts(world)[MAX_STARTS_KEPT:]:
        try:
            disk.remove(path)
        except FileTrouble:
            continue


def _seat_folders(world: World) -> list[PurePath]:
    games = [path for path in _entries(world.disk, world.data / GAMES_FOLDER) if is_hash(path.name)]
    seats = [path for game in games for path in _entries(world.disk, game)]
    return [path for path in seats if is_hash(path.name)]


def _starts(world: World) -> list[PurePath]:
    entries = _entries(world.disk, world.data / STARTING_FOLDER)
    return [path for path in entries if is_start(path.name)]


def _entries(disk: Disk, folder: PurePath) -> list[PurePath]:
    """The newest first; nothing of a folder that cannot be read."""
    try:
        return disk.newest(folder)
    except FileTrouble:
        return []
