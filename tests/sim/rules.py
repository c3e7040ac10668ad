"""Short tables: the rule sets with few hearts and a low goal, known to the simulation only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from unittest.mock import patch

from referee.rulesets import RULE_SETS

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
