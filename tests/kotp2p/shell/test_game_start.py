"""The files of a seat whose game goes on: what is written anew, and what never is."""

from types import SimpleNamespace
from typing import cast

import trio

from kotp2p.net.entrance import Entrance
from kotp2p.seams.cores import OwnFaultGuard
from kotp2p.seams.world import World
from kotp2p.shell.game_stage import reopen_game
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.saved_game import SavedGame, load_game
from tests.support.log_bytes import boundaries, cut_to
from tests.support.memory_world import memory_disk


def reopen(world: World, saved: SavedGame) -> set[str]:
    """Goes on with a game. Returns the names of the files that were written meanwhile."""
    disk = memory_disk(world)
    before = dict(disk.files)
    connections = SimpleNamespace(instance=bytes(8), entrance=Entrance())
    loop = SimpleNamespace(
        world=world,
        signer=saved.signer,
        connections=connections,
        own_faults=OwnFaultGuard(lambda _: None),
        listener=None,
    )
    trio.run(reopen_game, cast(TableLoop, loop), saved)
    return {path.name for path, data in disk.files.items() if before.get(path) != data}


def test_a_game_that_goes_on_keeps_no_copy_of_the_key_of_its_profile() -> None:
    world, folder, signer = cut_to(list(boundaries())[-2])
    saved = load_game(world, folder, signer)
    assert saved is not None
    assert reopen(world, saved) == {"epoch"}
    assert world.disk.read(folder / "key") is None
