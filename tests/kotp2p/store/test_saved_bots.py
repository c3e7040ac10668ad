"""Bots whose process ended before their log said anything: which of them come back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.lobby.ceremony import Ceremony
from kotp2p.store.saved_bots import load_bots
from kotp2p.store.saved_game import SavedGame, game_folder
from kotp2p.store.signed_starts import SignedStart, start_path
from kotp2p.wire.genesis import Genesis
from kotp2p.world import World
from tests.support.memory_world import MemoryDisk, MemoryNet, world
from tests.tools.fuzz.seeds import START
from tests.tools.vector_table import SEATS, SEEDS, fill

KEEPER, BOT = 0, 2
OF_BOT = replace(START, signer=SEATS[BOT], seed=SEEDS[BOT])


def keeper_and(*starts: SignedStart) -> tuple[World, SavedGame]:
    """The machine of a keeper with its game, and the starts that its bot has signed."""
    here, genesis, own = world(MemoryNet(), "10.0.0.1", "a"), START.genesis, SEATS[KEEPER]
    assert isinstance(here.disk, MemoryDisk)
    for start in starts:
        path = start_path(here, start.genesis.charter.table, start.signer.key)
        here.disk.files[path] = start.encode()
    folder = game_folder(here, genesis.id, own.key)
    ledger = Ledger(genesis)
    saved = SavedGame(folder, genesis, ledger, KEEPER, own, SEEDS[KEEPER], START.places, 0, 0)
    return here, saved


def another_game_of_that_table() -> Genesis:
    """A second attempt of the host to start it."""
    charter = START.genesis.charter
    rows = [
        Ceremony(charter, signer, seed, fill(0x70 + n)).row
        for n, (signer, seed) in enumerate(zip(SEATS, SEEDS, strict=True))
    ]
    return Genesis.build(charter, rows)


def test_a_bot_comes_back_with_the_secrets_of_its_start() -> None:
    (bot,) = load_bots(*keeper_and(OF_BOT))
    assert (bot.seat, bot.signer.key, bot.seed) == (BOT, SEATS[BOT].key, SEEDS[BOT])


@pytest.mark.parametrize(
    "starts", [(), (replace(OF_BOT, genesis=another_game_of_that_table()),)], ids=["none", "other"]
)
def test_a_bot_without_a_start_of_this_game_stays_away(starts: tuple[SignedStart, ...]) -> None:
    assert not list(load_bots(*keeper_and(*starts)))
