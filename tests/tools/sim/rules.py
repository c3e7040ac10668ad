"""Short tables: the rule sets with few hearts and a low goal, and one at which two monsters look
at the same card; known to the simulation only."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from unittest.mock import patch

from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.game import Begin, Game
from kotp2p.referee.model.state import Holding, State
from kotp2p.referee.rules.turn import set_up
from kotp2p.referee.table.table import Table

SHORT = {
    f"short-{name}": replace(rules, name=f"short-{name}", hearts=5, goal=6)
    for name, rules in RULE_SETS.items()
}
KNOWN = {**RULE_SETS, **SHORT}
MODULES = ("kotp2p.wire.genesis", "kotp2p.lobby.agreement", "kotp2p.lobby.host", "kotp2p.shell.run")


@contextmanager
def short_rules() -> Iterator[None]:
    """Tables of these names can be opened, and their logs read."""
    with ExitStack() as stack:
        for module in MODULES:
            stack.enter_context(patch(f"{module}.RULE_SETS", KNOWN))
        yield


@contextmanager
def short_tables() -> Iterator[None]:
    """Games of these names can be played by peers alone, without a lobby and a shell."""
    with patch("kotp2p.wire.genesis.RULE_SETS", KNOWN):
        yield


@contextmanager
def looking() -> Iterator[None]:
    """Seat 0 has Made in a Lab and seat 1 a Mimic of it, from the start on."""
    start_from = Game._start_from

    def equip(
        game: Game,
        table: Table,
        begin: Begin,
        *,
        start: State | None = None,
        turn_end: State | None = None,
    ) -> None:
        if begin is set_up and start is None:  # a fork begins with what its game began with
            state = table.state
            items = {card.key: item for item, card in enumerate(table.setup.deck)}
            lab, mimic = items["made-in-a-lab"], items["mimic"]
            state.undrawn.remove(lab)
            state.undrawn.remove(mimic)
            state.monsters[0].holdings.append(Holding(lab, 1))
            state.monsters[1].holdings.append(Holding(mimic, 2, copies=lab))
            state.acquisitions = 2
            table = Table(table.setup, state, table.effects)
        start_from(game, table, begin, start=start, turn_end=turn_end)

    with patch.object(Game, "_start_from", equip):
        yield
