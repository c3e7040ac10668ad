"""Which effect stands behind which card: shared tables, and what a rule set has differently.

A card of a rule set that is in no table here is printed but not in its deck.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.cards import attack, copying, dark, defence, dice, discards, economy
from referee.hooks import Effect

SHARED: Mapping[str, Effect] = {
    **discards.SHARED,
    **attack.SHARED,
    **defence.SHARED,
    **dice.SHARED,
    **economy.SHARED,
    **copying.SHARED,
}
CLASSIC: Mapping[str, Effect] = {
    **SHARED,
    **discards.CLASSIC,
    **attack.CLASSIC,
    **defence.CLASSIC,
    **economy.CLASSIC,
}
SECOND: Mapping[str, Effect] = SHARED
DARK: Mapping[str, Effect] = {**SHARED, **dark.DARK}
