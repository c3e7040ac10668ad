"""Which effect stands behind which card: a shared table, and what a rule set has differently.

A card of a rule set that is in no table here is printed but not in its deck.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.hooks import Effect

SHARED: Mapping[str, Effect] = {}
CLASSIC: Mapping[str, Effect] = {**SHARED}
SECOND: Mapping[str, Effect] = {**SHARED}
DARK: Mapping[str, Effect] = {**SHARED}
