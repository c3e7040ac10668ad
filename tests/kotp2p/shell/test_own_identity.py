"""A profile: the key that it plays under, whom it remembers, and a change of its identity."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from kotp2p.lobby import known_keys
from kotp2p.seams.world import World
from kotp2p.shell.profile import (
    ProfileInUse,
    count_unfinished,
    locked_profile,
    open_profile,
    remember_players,
    take_over,
)  # fmt: skip
from kotp2p.store.game_files import UnfinishedGame, list_unfinished
from kotp2p.store.saved_game import known_keys_path
from kotp2p.wire.crypto import Signer
from kotp2p.wire.genesis import Genesis
from tests.support.five_players import genesis
from tests.support.log_bytes import boundaries, cut_to
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryNet, memory_disk, world

SECRET = b"a" * 32
OWN = Signer(SECRET).key
REX = known_keys.KnownPerson("Rex", b"r" * 32, "2026-10-02")
MIA = known_keys.KnownPerson("Mia", b"m" * 32)
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


@pytest.mark.parametrize("own_once", [True, False])
async def test_a_key_for_one_game_leaves_no_trace_of_whom_it_has_met(own_once: bool) -> None:
    machine, game = here(), genesis()
    players = [replace(p, one_game=(p.name == "Ana" and own_once)) for p in game.players]
    told = cast(Genesis, SimpleNamespace(players=players))
    await remember_players(machine, told, game.players[0].key)
    found = known_keys.read_known_keys(machine.disk, machine.profile_folder).people()
    met = [(p.name, p.key, machine.today()) for p in players[1:]]
    assert [(p.name, p.key, p.since) for p in found] == met * (not own_once)


async def test_a_rematch_plays_under_the_key_that_was_made_for_the_last_game() -> None:
    machine, once = here(), Signer(SECRET)
    policy = known_keys.NewKeyPolicy.ACCEPT
    profile = await open_profile(machine, Recorder("Ana"), policy, once)
    assert (profile.signer, profile.one_game, profile.known.policy) == (once, True, policy)
    assert machine.disk.lock(machine.profile_folder / "lock"), "the profile is left alone"


def test_of_unfinished_games_those_count_that_no_key_of_their_own_can_go_on_with() -> None:
    world, folder, signer = cut_to(list(boundaries())[-2])
    (game,) = list_unfinished(world, signer.key)
    assert isinstance(game, UnfinishedGame)
    once = next(p.key for p in game.genesis.players if p.key != signer.key).hex()
    files, wrong = memory_disk(world).files, folder.parent.with_name("f" * 64) / folder.name
    files |= {folder.with_name(once) / name: files[folder / name] for name in ("log", "places")}
    files |= {folder.with_name(once) / "key": SECRET, wrong / "places": b"", wrong / "log": b""}
    assert len(list(list_unfinished(world, signer.key))) == 3
    assert count_unfinished(world, signer.key) == 1
