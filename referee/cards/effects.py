"""Which effect stands behind which card or tile: one table for all rule sets.

Scope: a card of a rule set names its effect (`Card.effect`). Where two rule sets differ in what a
card does, their cards name two effects.
"""

from __future__ import annotations

from collections.abc import Mapping

from kotp2p.referee.box.printed import Card, Tile
from kotp2p.referee.box.setup import Setup
from kotp2p.referee.cards import (
    attack,
    copying,
    dark,
    defence,
    dice,
    discards,
    economy,
    tile_effects,
)
from kotp2p.referee.table.hooks import Effect

EFFECTS: Mapping[str, Effect] = {
    **discards.EFFECTS,
    **attack.EFFECTS,
    **defence.EFFECTS,
    **dice.EFFECTS,
    **economy.EFFECTS,
    **copying.EFFECTS,
    **dark.EFFECTS,
    **tile_effects.EFFECTS,
}


def effect_of(face: Card | Tile) -> Effect | None:
    """What makes a card or tile work; None for a card that has no effect yet."""
    return None if face.effect is None else EFFECTS[face.effect]


def effects_by_item(setup: Setup) -> list[Effect | None]:
    """The effects of a table: those of the deck, then those of the tiles."""
    cards = [effect_of(card) for card in setup.deck]
    return cards + [effect_of(tile) for tile in setup.rules.tiles]
