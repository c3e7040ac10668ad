"""A process that comes back to a game of very many turns: from its own log, and from another's.

Scope: two keepers in memory, of whom one has lost its files; the CPU of both.
"""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from time import process_time

import trio

from bench.adapters.in_memory import run_table
from bench.program import LongGame
from kotp2p.game.verify import verify_log
from kotp2p.seams.world import World
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.resume import fetch_game, resume
from kotp2p.store.saved_game import SavedPlaces, game_folder, load_game
from kotp2p.wire.addresses import DEFAULT_PORT
from kotp2p.wire.records import RecordReader, read_genesis, read_salt
from tests.support.endless_log import endless_log
from tests.support.five_players import SEEDS, SIGNERS
from tests.support.memory_tables import HOST, Recorder
from tests.support.memory_world import MemoryNet, memory_disk, world

LOSER = "10.0.0.2"


def long_game(turns: int) -> LongGame:
    log = endless_log(turns)
    return LongGame(partial(time_own, log), partial(time_fetched, log), verify_log(log).entries)


def time_own(log: bytes) -> float:
    """Return the CPU seconds in which a process makes its game of its log."""
    keeper, folder = _keeper(MemoryNet(), log)
    began = process_time()
    assert load_game(keeper, folder, SIGNERS[0]) is not None
    return process_time() - began


def time_fetched(log: bytes) -> float:
    """Return the CPU seconds in which a process has the log of the other one, and its game."""
    net, spent = MemoryNet(), [0.0]
    keeper, _folder = _keeper(net, log)

    async def fetch() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(resume, keeper, None, None, Recorder("keeper"))
            while (HOST, DEFAULT_PORT) not in net.listening:
                await trio.sleep(0.1)
            began = process_time()
            table = TableAddress((HOST,), DEFAULT_PORT)
            await fetch_game(world(net, LOSER, "loser"), SIGNERS[1], table)
            spent[0] = process_time() - began
            nursery.cancel_scope.cancel()

    run_table(fetch)
    return spent[0]


def _keeper(net: MemoryNet, log: bytes) -> tuple[World, PurePath]:
    """Return a machine with the files of the first seat, and their folder."""
    genesis = read_genesis(RecordReader(log, read_salt(log)))
    assert genesis is not None, "the log of a game"
    keeper = world(net, HOST, "keeper")
    folder = game_folder(keeper, genesis.id, SIGNERS[0].key)
    files = {
        "log": log, "seed": SEEDS[0], "key": SIGNERS[0].secret(),
        "places": SavedPlaces.unknown(genesis).encode(),
    }  # fmt: skip
    memory_disk(keeper).files |= {folder / name: data for name, data in files.items()}
    return keeper, folder
