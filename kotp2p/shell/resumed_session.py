"""How a process comes back to its table from saved files; there is no lobby."""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.shell.game_start import reopen_game
from kotp2p.shell.stage import Stage, TableContext, refuse_without_lobby
from kotp2p.store.game_files import start_path
from kotp2p.store.saved_game import SavedGame
from kotp2p.wire.frames import Hello, Refusal


@dataclass(frozen=True, slots=True)
class ResumedSession:
    saved: SavedGame
    also_dial: tuple[str, int] | None = None
    """An address at which somebody of this game may be, besides those in the files."""

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        return refuse_without_lobby(theirs)

    async def open(self, context: TableContext) -> Stage:
        saved = self.saved
        game = await reopen_game(context, saved)
        await game.begin_game({}, also_dial=self.also_dial)
        # All that was kept of the start has its place in the folder now.
        path = start_path(context.world, saved.genesis.charter.table, context.signer.key)
        context.world.disk.remove(path)
        return game
