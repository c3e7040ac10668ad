"""The three rule sets as values: their cards, numbers, and where they differ in a rule.

Scope: no other module knows which rule set is which. The rules read fields of `t.rules` and never
compare a rule set or its name. A test may make its own with `dataclasses.replace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kotp2p.referee.box import editions
from kotp2p.referee.box.printed import Card, Tile
from kotp2p.referee.box.tiles import TILES

RULES_VERSION = 2
"""Raised by every change after which a recorded game would replay differently."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    name: str
    cards: tuple[Card, ...]
    """All cards of the box, by key; some may have no effect yet."""
    hearts: int = 10
    """Hearts at the start, and the maximum without cards."""
    hearts_on_dial: int = 12
    """The end of the dial, whatever cards say (A-18)."""
    goal: int = 20
    """Points that win at the end of a turn."""
    points_on_dial: int = 20
    """The end of the dial (A-03)."""
    dice: int = 6
    rolls: int = 3
    entering_takes_a_claw: bool = False
    """Whether a monster needs a claw among its dice to enter Tokyo (D-01)."""
    bay_moves_to_city: bool = True
    """Whether the monster in the Bay moves to a free City when the Bay closes (D-12)."""
    tiles: tuple[Tile, ...] = ()
    """The faces of the wickedness tiles; without tiles there is no track."""
    for_beginners: bool = False
    """Whether the option of a Bay that stays shut exists (D-43)."""

    def deck(self) -> tuple[Card, ...]:
        """The cards of a table: each card that works, as often as it is printed."""
        return tuple(card for card in self.full_deck() if card.effect is not None)

    def full_deck(self) -> tuple[Card, ...]:
        """All cards of the box, each as often as it is printed, sorted by key."""
        return tuple(card for card in self.cards for _ in range(card.copies))


CLASSIC = RuleSet(
    "classic",
    editions.CLASSIC,
    entering_takes_a_claw=True,
    bay_moves_to_city=False,
    for_beginners=True,
)
SECOND = RuleSet("second", editions.SECOND)
DARK = RuleSet("dark", editions.DARK, tiles=TILES)

RULE_SETS: Mapping[str, RuleSet] = MappingProxyType(
    {rules.name: rules for rules in (CLASSIC, SECOND, DARK)}
)
