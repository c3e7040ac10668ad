"""What a player does with their own identity between games: a new key, another one, another name.

Scope: changes of the files of a profile, each written as a whole. Nobody plays under the profile
meanwhile: its lock is taken first.
Not here: the first key of a profile, which is made when it first plays (`kotp2p.shell.profile`),
and the file in which an identity travels (`kotp2p.lobby.known_keys`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kotp2p.lobby.known_keys import (
    CarriedIdentity,
    NewKeyPolicy,
    name_path,
    profile_folder,
    read_known_keys,
)
from kotp2p.seams.world import World
from kotp2p.shell.profile import lock_profile
from kotp2p.store.game_files import list_unfinished
from kotp2p.store.saved_game import CannotResume, known_keys_path


class ProfileInUse(Exception):
    """Another process plays under this profile now."""


@contextmanager
def locked_profile(world: World) -> Iterator[None]:
    """Raises ProfileInUse or FileTrouble."""
    if not lock_profile(world):
        raise ProfileInUse
    try:
        yield
    finally:
        world.disk.release(profile_folder(world.data, world.profile) / "lock")


def count_unfinished(world: World, key: bytes) -> int:
    """The games that only this key can go on with. Raises FileTrouble."""
    own = key.hex()
    return sum(
        not isinstance(found, CannotResume) and found.folder.name == own
        for found in list_unfinished(world, key)
    )


async def take_over(world: World, identity: CarriedIdentity) -> None:
    """Makes it the profile's identity. The key comes last: without it nothing has changed that
    others could see. Raises FileTrouble."""
    folder = profile_folder(world.data, world.profile)
    known = read_known_keys(world.disk, folder, NewKeyPolicy.ASK)
    known.add(one for one in identity.known if one.key != identity.key)
    for person in known.people():
        if person.key == identity.key:
            known.forget(person)
    await world.disk.replace(known_keys_path(world), known.encode())
    await write_name(world, identity.name)
    await _write_key(world, identity.secret)


async def write_name(world: World, name: str) -> None:
    """Raises FileTrouble."""
    path = name_path(profile_folder(world.data, world.profile))
    await world.disk.replace(path, f"{name}\n".encode())


async def _write_key(world: World, secret: bytes) -> None:
    await world.disk.replace(profile_folder(world.data, world.profile) / "key", secret)
