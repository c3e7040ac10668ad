"""What the files of a profile hold: its key, and the keys that it has met.

Scope: reading them from any disk, without a world and without a front.
Not here: making the key of a new profile (`kotp2p.shell.profile`), and what known keys are good for
(`kotp2p.lobby.known_keys`).
"""

from __future__ import annotations

from pathlib import PurePath

from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.world import Disk, FileTrouble


def profile_folder(data: PurePath, profile: str) -> PurePath:
    """`data`: the folder of the games and profiles of a user."""
    return data / "profiles" / profile


def read_identity(disk: Disk, folder: PurePath) -> Signer | None:
    """The profile's key, if it has one. Raises FileTrouble."""
    path = folder / "key"
    secret = disk.read(path)
    if secret is not None and len(secret) != KEY_BYTES:
        raise FileTrouble(f"{path}: not a key (32 bytes)")
    return None if secret is None else Signer(secret)


def read_known_keys(disk: Disk, folder: PurePath, policy: NewKeyPolicy) -> KnownKeys:
    """Raises FileTrouble."""
    known, path = KnownKeys(policy), folder / "known"
    data = disk.read(path)
    try:
        if data is not None:
            known.decode(data)
    except BadBytes as fault:
        raise FileTrouble(f"{path}: {fault}; move it away to forget whom you know") from fault
    return known
