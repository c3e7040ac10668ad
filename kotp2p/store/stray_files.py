"""Files in the folder of the data that are none of the program's, such as a `.DS_Store`.

Scope: what the program's files are called, and which files are not. Strays are left alone. They
never keep anybody from a game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePath

from kotp2p.store.whole_file import UNFINISHED
from kotp2p.world import Disk, FileTrouble, World

_HASH = re.compile(r"[0-9a-f]{64}")
_SEAT_FILE = re.compile(
    r"log|seed|key|places|epoch|lock|log\.torn-[0-9]+|evidence-[0-9]+-[0-9]+|" + UNFINISHED.pattern
)
_PROFILE_FILE = re.compile(r"key|known|lock|name|" + UNFINISHED.pattern)
_STARTING_FILE = re.compile(r"[0-9a-f]{32}-[0-9a-f]{16}")


def is_hash(name: str) -> bool:
    """Whether a file is called as the folder of a game, or of a seat in it."""
    return _HASH.fullmatch(name) is not None


def is_start(name: str) -> bool:
    """Whether a file is called as a signed start."""
    return _STARTING_FILE.fullmatch(name) is not None


def find_strays(world: World) -> list[PurePath]:
    """All that lies in the folder of the data and is not the program's; the logs aside, among which
    people may keep what they like."""
    disk, data = world.disk, world.data
    found: list[PurePath] = []
    for game in _sort_out(disk, data / "games", is_hash, found):
        for seat in _sort_out(disk, game, is_hash, found):
            list(_sort_out(disk, seat, _fits(_SEAT_FILE), found))
    for profile in _sort_out(disk, data / "profiles", lambda name: name[:1] != ".", found):
        list(_sort_out(disk, profile, _fits(_PROFILE_FILE), found))
    list(_sort_out(disk, data / "starting", is_start, found))
    return sorted(found)


def _fits(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda name: pattern.fullmatch(name) is not None


def _sort_out(
    disk: Disk, folder: PurePath, is_ours: Callable[[str], bool], strays: list[PurePath]
) -> Iterator[PurePath]:
    """The program's files in a folder; the others go to `strays`, and so does what is no folder."""
    try:
        entries = disk.newest(folder)
    except FileTrouble:
        strays.append(folder)
        return
    for path in entries:
        if is_ours(path.name):
            yield path
        else:
            strays.append(path)
