"""Short tables: the rule sets with few hearts and a low goal, and one at which two monsters look
at the same card; known to the simulation only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from unittest.mock import patch

from kotp2p.line import Line
from referee.rulesets import RULE_SETS
from referee.state import Holding

SHORT = {
    f"short-{name}": replace(rules, name=f"short-{name}", hearts=5, goal=6)
    for name, rules in RULE_SETS.items()
}
KNOWN = {**RULE_SETS, **SHORT}
MODULES = ("kotp2p.genesis", "kotp2p.lobby_host", "kotp2p.run")


@contextmanager
def short_rules() -> Iterator[None]:
    """Tables of these names can be opened, and their logs read."""
    with ExitStack() as stack:
        for module in MODULES:
            stack.enter_context(patch(f"{module}.RULE_SETS", KNOWN))
        yield


@contextmanager
def looking() -> Iterator[None]:
    """Seat 0 has Made in a Lab and seat 1 a Mimic of it, from the start on."""
    begin = Line.__post_init__

    def equip(line: Line) -> None:
        begin(line)
        game = line.game
        items = {card.key: item for item, card in enumerate(game.setup.deck)}
        lab, mimic = items["made-in-a-lab"], items["mimic"]
        game.state.undrawn.remove(lab)
        game.state.undrawn.remove(mimic)
        game.state.monsters[0].holdings.append(Holding(lab, 1))
        game.state.monsters[1].holdings.append(Holding(mimic, 2, copies=lab))
        game.state.acquisitions = 2
        line._find_step(None)  # the first draw is from these cards

    with patch.object(Line, "__post_init__", equip):
        yield
