"""What becomes of the files of a profile when its player changes their own identity."""

import pytest

from kotp2p.lobby import known_keys
from kotp2p.seams.world import World
from kotp2p.shell.profile import ProfileInUse, locked_profile, take_over
from kotp2p.store.saved_game import known_keys_path
from kotp2p.wire.crypto import Signer
from tests.support.memory_world import MemoryNet, world

SECRET = b"a" * 32
OWN = Signer(SECRET).key
REX, MIA = (
    known_keys.KnownPerson("Rex", b"r" * 32, "2026-10-02"),
    known_keys.KnownPerson("Mia", b"m" * 32),
)
MYSELF = known_keys.KnownPerson("Ana at work", OWN)


def here() -> World:
    return world(MemoryNet(), "10.0.0.1", "a")


def key_of(machine: World) -> bytes | None:
    signer = known_keys.read_identity(
        machine.disk, known_keys.profile_folder(machine.data, machine.profile)
    )
    return None if signer is None else signer.key


def test_nobody_plays_under_a_profile_while_it_is_changed() -> None:
    machine = here()
    with locked_profile(machine):
        with pytest.raises(ProfileInUse), locked_profile(machine):
            pytest.fail("two hold one profile")
        with pytest.raises(ProfileInUse), locked_profile(machine):
            pytest.fail("a lock that was refused has freed that of another one")
    with locked_profile(machine):
        pass  # it is free again


async def test_who_takes_an_identity_over_has_its_key_its_name_and_whom_both_know() -> None:
    machine = here()
    known = known_keys.KnownKeys()
    known.add([REX])
    await machine.disk.replace(known_keys_path(machine), known.encode())
    await take_over(machine, known_keys.CarriedIdentity(SECRET, "Ana", (MIA,)))
    folder = known_keys.profile_folder(machine.data, machine.profile)
    assert key_of(machine) == OWN
    assert known_keys.read_profile_name(machine.disk, folder) == "Ana"
    found = known_keys.read_known_keys(machine.disk, folder, known_keys.NewKeyPolicy.ASK).people()
    assert set(found) == {REX, MIA}


@pytest.mark.parametrize("knows_it", ["this profile", "the other one"])
async def test_nobody_knows_themselves_by_the_key_that_they_have_taken_over(knows_it: str) -> None:
    """The two have played with each other before."""
    machine = here()
    is_here = knows_it == "this profile"
    known = known_keys.KnownKeys()
    known.add([REX, MYSELF] if is_here else [REX])
    await machine.disk.replace(known_keys_path(machine), known.encode())
    await take_over(
        machine, known_keys.CarriedIdentity(SECRET, "Ana", (MIA,) if is_here else (MIA, MYSELF))
    )
    folder = known_keys.profile_folder(machine.data, machine.profile)
    found = known_keys.read_known_keys(machine.disk, folder, known_keys.NewKeyPolicy.ASK).people()
    assert set(found) == {REX, MIA}
