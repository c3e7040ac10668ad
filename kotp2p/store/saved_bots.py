"""The bots that come back with their keeper, each from its own files.

Scope: a bot's folder, or the start that it has signed, if its process ended before its log.
Not here: how any one game is read (`kotp2p.store.saved_game`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from kotp2p.game.ledger import Ledger
from kotp2p.store.saved_game import SavedGame, game_folder, is_empty_log, load_game
from kotp2p.store.signed_starts import read_start, start_path
from kotp2p.world import World


def load_bots(world: World, saved: SavedGame) -> Iterator[SavedGame]:
    """The bots that this seat keeps, each from its own folder. Raises CannotResume."""
    for seat, player in enumerate(saved.genesis.players):
        if player.keeper == saved.seat and seat != saved.seat:
            folder = game_folder(world, saved.genesis.id, player.key)
            if is_empty_log(world.disk.read(folder / "log")):
                found = _bot_before_its_log(world, saved, seat, folder)
            else:
                found = load_game(
                    world, folder, saved.signer, was_elsewhere=saved.epoch.was_elsewhere
                )
            if found is not None:
                yield found


def _bot_before_its_log(
    world: World, saved: SavedGame, seat: int, folder: PurePath
) -> SavedGame | None:
    """A bot that ended before it had signed anything in the game; None if its secrets are lost."""
    genesis = saved.genesis
    path = start_path(world, genesis.charter.table, genesis.players[seat].key)
    start = read_start(world, path, saved.signer)
    if start is None or start.genesis.id != genesis.id:
        return None
    return replace(
        saved,
        folder=folder,
        ledger=Ledger(genesis),
        seat=seat,
        signer=start.signer,
        seed=start.seed,
        log_bytes=0,
        log_records=0,
    )
