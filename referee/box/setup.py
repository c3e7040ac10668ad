"""What a game starts from: the rule set, the number of seats, the deck and the options.

Scope: plain values, checked when they are made, so that no other module meets a table that the
rules do not know.

Not here: the first position and the order of play (`referee.game`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.referee.box.printed import Card, Tile
from kotp2p.referee.box.rulesets import RuleSet
from kotp2p.referee.box.tiles import MIXED
from kotp2p.referee.box.tiles import SIDES as FACES
from kotp2p.referee.model.answers import Item

MIN_SEATS, MAX_SEATS = 2, 6
TILE_SIDE_OPTIONS = (*FACES, MIXED)


@dataclass(frozen=True, slots=True)
class Options:
    two_player: bool = False
    """Tokyo gives energy instead of points (D-28, A-114)."""
    bay_for_beginners: bool = False
    """The Bay stays shut (D-43)."""
    tile_sides: str = "red"
    """Which faces of the wickedness tiles lie up: red, green or mixed (A-45)."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a game starts from; ValueError if it is no game of these rules."""

    rules: RuleSet
    seats: int
    deck: tuple[Card, ...]
    """`deck[item]` is the card of an item."""
    options: Options = Options()

    def __post_init__(self) -> None:
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise ValueError(f"a game has {MIN_SEATS} to {MAX_SEATS} monsters, not {self.seats}")
        if self.options.two_player and self.seats != 2:
            raise ValueError(f"the two-player option is for two monsters, not {self.seats}")
        if self.options.bay_for_beginners and not self.rules.for_beginners:
            raise ValueError(f"the Bay cannot be shut in {self.rules.name} rules")
        if self.options.tile_sides not in TILE_SIDE_OPTIONS:
            raise ValueError(f"tile sides are red, green or mixed, not {self.options.tile_sides}")
        if self.options.tile_sides != Options().tile_sides and not self.rules.tiles:
            raise ValueError(f"there are no wickedness tiles in {self.rules.name} rules")

    def key(self, item: Item) -> str:
        """The key of a card or a tile."""
        return self.deck[item].key if item < len(self.deck) else self.tile(item).key

    def tile(self, item: Item) -> Tile:
        """The face of a tile; the items of tiles follow those of the deck."""
        return self.rules.tiles[item - len(self.deck)]
