"""The profile that a process plays under: its identity, and the players it has met."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kotp2p.lobby import known_keys
from kotp2p.seams.commands import Front
from kotp2p.seams.notices import GuestIdentity
from kotp2p.seams.world import World
from kotp2p.store.game_files import list_unfinished, sweep_secrets
from kotp2p.store.saved_game import CannotResume, known_keys_path
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.genesis import Genesis


@dataclass(frozen=True, slots=True)
class Profile:
    signer: Signer
    one_game: bool
    """The key is made for one game only, as another process plays under the profile's."""
    known: known_keys.KnownKeys


async def open_profile(
    world: World, front: Front, policy: known_keys.NewKeyPolicy, one_game_key: Signer | None = None
) -> Profile:
    """Open the profile, or make its key; a rematch keeps its `one_game_key`; raise FileTrouble."""
    if one_game_key is not None:
        signer, one_game = one_game_key, True
    else:
        signer, one_game = await _open_identity(world, front)
        sweep_secrets(world)
    known = known_keys.read_known_keys(world.disk, world.profile_folder, policy)
    return Profile(signer, one_game, known)


def lock_profile(world: World) -> bool:
    """Return whether this process may sign as the profile, as only one may; raise FileTrouble."""
    return world.disk.lock(world.profile_folder / "lock")


async def _open_identity(world: World, front: Front) -> tuple[Signer, bool]:
    if not lock_profile(world):
        front.show(GuestIdentity(world.profile))
        return Signer(world.entropy(32)), True
    folder = world.profile_folder
    signer = known_keys.read_identity(world.disk, folder)
    if signer is None:
        signer = Signer(world.entropy(KEY_BYTES))
        await world.disk.write_secret(folder / "key", signer.secret())
    return signer, False


async def remember_players(world: World, genesis: Genesis, own_key: bytes) -> None:
    """Write down whose keys this profile has played with; raise FileTrouble.

    An identity of one game leaves no trace in the profile, as another process plays under it.

    At an open table a stranger may sit between two friends, and only their comparing of the table
    phrase shows that. So its players are remembered when the game has ended here, and only if it
    went on for a round. An invitation names the host's key, and its secret keeps everybody else
    out.
    """
    people = known_keys.people_to_remember(genesis.players, own_key)
    if not people or any(p.one_game for p in genesis.players if p.key == own_key):
        return
    known = known_keys.read_known_keys(world.disk, world.profile_folder)
    known.remember(people, world.today())
    await world.disk.replace(known_keys_path(world), known.encode())


# -- own identity --------------------------------------------------------------------------


class ProfileInUse(Exception):
    """Another process plays under this profile now."""


@contextmanager
def locked_profile(world: World) -> Iterator[None]:
    if not lock_profile(world):
        raise ProfileInUse
    try:
        yield
    finally:
        world.disk.release(world.profile_folder / "lock")


def count_unfinished(world: World, key: bytes) -> int:
    """Count the games that only this key can go on with; raise FileTrouble."""
    own = key.hex()
    return sum(
        not isinstance(found, CannotResume) and found.folder.name == own
        for found in list_unfinished(world, key)
    )


async def take_over(world: World, identity: known_keys.CarriedIdentity) -> None:
    """Make this identity the profile's; raise FileTrouble."""
    # The key comes last: without it nothing has changed that others could see.
    known = known_keys.read_known_keys(world.disk, world.profile_folder)
    known.add(one for one in identity.known if one.key != identity.key)
    for person in known.people():
        if person.key == identity.key:
            known.forget(person)
    await world.disk.replace(known_keys_path(world), known.encode())
    await write_name(world, identity.name)
    await world.disk.replace(world.profile_folder / "key", identity.secret)


async def write_name(world: World, name: str) -> None:
    path = known_keys.name_path(world.profile_folder)
    await world.disk.replace(path, f"{name}\n".encode())
