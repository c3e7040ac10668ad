"""The profile that a process plays under: its identity, and the players it has met."""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy, profile_folder, read_known_keys
from kotp2p.seams.front import Front
from kotp2p.seams.notices import GuestIdentity
from kotp2p.seams.world import FileFault, FileTrouble, World
from kotp2p.store.game_files import sweep_secrets
from kotp2p.wire.crypto import KEY_BYTES, Signer


@dataclass(frozen=True, slots=True)
class Profile:
    signer: Signer
    one_game: bool
    """The key is made for one game only, as another process plays under the profile's."""
    known: KnownKeys

    @property
    def one_game_key(self) -> Signer | None:
        return self.signer if self.one_game else None


async def open_profile(
    world: World, front: Front, policy: NewKeyPolicy, one_game_key: Signer | None = None
) -> Profile:
    """Opens the profile; the first run makes its key. A rematch goes on with `one_game_key`, if the
    game before had one. Raises FileTrouble."""
    if one_game_key is not None:
        return Profile(
            one_game_key,
            True,
            read_known_keys(world.disk, profile_folder(world.data, world.profile), policy),
        )
    signer, one_game = await _open_identity(world, front)
    sweep_secrets(world)
    return Profile(
        signer,
        one_game,
        read_known_keys(world.disk, profile_folder(world.data, world.profile), policy),
    )


def lock_profile(world: World) -> bool:
    """Whether this process may play under the profile's key. Raises FileTrouble.

    Two processes that signed with one key at one table would look like a seat that cheats.
    """
    return world.disk.lock(world.data / "profiles" / world.profile / "lock")


async def _open_identity(world: World, front: Front) -> tuple[Signer, bool]:
    if not lock_profile(world):
        front.show(GuestIdentity(world.profile))
        return Signer(world.entropy(32)), True
    path = world.data / "profiles" / world.profile / "key"
    secret = world.disk.read(path)
    if secret is None:
        secret = world.entropy(32)
        await world.disk.write_secret(path, secret)
    if len(secret) != KEY_BYTES:
        raise FileTrouble(FileFault(path, f"not a key ({KEY_BYTES} bytes)"))
    return Signer(secret), False
