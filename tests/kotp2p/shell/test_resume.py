"""Going on with a game: which one, and what is said if there is none."""

import errno
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import pytest
import trio

from kotp2p.net.connections import ANYWHERE, ListenAt
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import PortTaken, World
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.resume import find_game_at, resume
from kotp2p.store.game_files import UnfinishedGame, glance
from kotp2p.wire.crypto import Signer, key_fingerprint
from tests.support import memory_world
from tests.support.log_bytes import boundaries, cut_to
from tests.support.memory_tables import PORT, Recorder, TestTable
from tests.support.whole_games import Slow

pytestmark = pytest.mark.virtual_time


def broken_off() -> tuple[World, PurePath, Signer]:
    return cut_to(list(boundaries())[-2])


def resumed(world: World, words: str | None = None, here: ListenAt = ANYWHERE) -> Ending:
    async def go_on() -> Ending:
        return await resume(world, words, None, Recorder("me"), here)

    return trio.run(go_on)


def test_without_an_unfinished_game_there_is_nothing_to_go_on_with() -> None:
    world, _, _ = broken_off()
    assert resumed(replace(world, disk=memory_world.MemoryDisk())).kind is EndKind.NO_GAME


def test_a_profile_that_has_lost_its_key_is_told_so_and_not_that_it_has_no_game() -> None:
    world, _, _ = broken_off()
    key = world.profile_folder / "key"
    trio.run(world.disk.replace, world.profile_folder / "known", b"")
    world.disk.remove(key)
    fault = resumed(world).file_fault
    assert fault is not None
    assert (fault.path, fault.error) == (key, errno.ENOENT)


def test_who_has_no_game_of_these_words_is_told_the_words() -> None:
    world, _, _ = broken_off()
    ending = resumed(world, "no such words")
    assert (ending.kind, ending.detail) == (EndKind.NO_GAME, "no such words")


@pytest.mark.parametrize(("name", "data"), [("log", b"\xff" * 100), ("seed", b"short")])
def test_a_game_that_cannot_go_on_is_named(name: str, data: bytes) -> None:
    world, folder, _ = broken_off()
    memory_world.memory_disk(world).files[folder / name] = data
    ending = resumed(world)
    assert ending.kind is EndKind.FILES
    assert str(folder) in ending.detail


def test_no_game_is_found_at_an_address_of_another_table() -> None:
    world, folder, signer = broken_off()
    found = glance(world, folder)
    assert isinstance(found, UnfinishedGame)
    host, port = min(found.targets())
    assert find_game_at(world, signer, TableAddress((host,), port)) is not None
    assert find_game_at(world, signer, TableAddress((host,), port + 1)) is None
    keys = [key_fingerprint(player.key) for player in found.genesis.players]
    for key, is_found in [(keys[-1], True), (bytes(len(keys[0])), False)]:
        there = find_game_at(world, signer, TableAddress((host,), port + 1, host=key))
        assert (there is not None) is is_found


def test_a_game_is_found_behind_one_whose_files_are_wrong() -> None:
    world, folder, signer = broken_off()
    found = glance(world, folder)
    assert isinstance(found, UnfinishedGame)
    assert isinstance(world.disk, memory_world.MemoryDisk)
    wrong = folder.parent.with_name("f" * 64) / folder.name
    world.disk.files[wrong / "places"] = world.disk.files[wrong / "log"] = b"\xff" * 100
    host, port = min(found.targets())
    assert find_game_at(world, signer, TableAddress((host,), port)) is not None


@dataclass
class Ears(memory_world.MemoryHost):
    """Notes where it was to listen, and cannot."""

    asked: list[str | None] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)

    async def listen(
        self, bind: str | None, port: int, tries: int = 1
    ) -> memory_world.MemoryAcceptor:
        self.asked.append(bind)
        self.ports.append(port)
        raise PortTaken("in this test")


async def test_a_player_alone_with_bots_opens_no_port() -> None:
    table = TestTable(players=3, bots=2)
    table.fronts[0] = Slow("slow")
    await table.run(table.keep_seat)
    assert table.endings[0].kind is EndKind.KEPT
    ears = Ears(memory_world.MemoryNet(), "10.0.0.1")
    table.worlds[0] = replace(table.world_of(0), net=ears)
    table.free(0)
    here = table.world_of(0)
    ending = await resume(here, None, None, Recorder("me"))
    assert ending.kind is EndKind.FINISHED
    assert ears.asked == []


@pytest.mark.parametrize(("wanted", "port"), [(5151, 5151), (None, PORT)])
def test_a_game_goes_on_at_the_port_of_before_or_the_wanted(wanted: int | None, port: int) -> None:
    world, _, _ = broken_off()
    ears = Ears(memory_world.MemoryNet(), "10.0.0.1")
    here = ListenAt(port=wanted)
    assert resumed(replace(world, net=ears), here=here).kind is EndKind.PORT_TAKEN
    assert ears.ports[0] == port
