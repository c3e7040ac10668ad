"""What the files of a profile hold: its key, its name, and the keys that it has met.

Scope: reading them from any disk, without a world and without a front.
Not here: making the key of a new profile (`kotp2p.shell.profile`), and what known keys are good for
(`kotp2p.lobby.known_keys`).
"""

from __future__ import annotations

from pathlib import PurePath

from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.seams.world import Disk, FileFault, FileTrouble
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.names import read_name


def profile_folder(data: PurePath, profile: str) -> PurePath:
    """`data`: the folder of the games and profiles of a user."""
    return data / "profiles" / profile


def read_identity(disk: Disk, folder: PurePath) -> Signer | None:
    """The profile's key, if it has one. Raises FileTrouble."""
    path = folder / "key"
    secret = disk.read(path)
    if secret is not None and len(secret) != KEY_BYTES:
        raise FileTrouble(FileFault(path, f"not a key ({KEY_BYTES} bytes)"))
    return None if secret is None else Signer(secret)


def name_path(folder: PurePath) -> PurePath:
    """The file with the name of the profile's player, a line of text."""
    return folder / "name"


def read_profile_name(disk: Disk, folder: PurePath) -> str | None:
    """The name that the player has given to this identity, if any. Raises FileTrouble."""
    path = name_path(folder)
    data = disk.read(path)
    try:
        return None if data is None else read_name(data.decode().removesuffix("\n"))
    except ValueError as fault:  # no UTF-8, or no name
        raise FileTrouble(FileFault(path, "not a name")) from fault


def read_known_keys(disk: Disk, folder: PurePath, policy: NewKeyPolicy) -> KnownKeys:
    """Raises FileTrouble."""
    known, path = KnownKeys(policy), folder / "known"
    data = disk.read(path)
    try:
        if data is not None:
            known.decode(data)
    except BadBytes as fault:
        raise FileTrouble(FileFault(path, str(fault))) from fault
    return known
