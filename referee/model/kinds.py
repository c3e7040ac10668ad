"""The short lists of kinds that events and decisions name: causes, damage, tokens, turns.

Scope: enumerations only. Their values stand in golden games and scenario files and never change.
"""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """Why something was gained or lost."""

    DICE = "dice"
    """Numbers, hearts or bolts of the monster's own dice."""
    TOKYO = "tokyo"
    """Entering Tokyo, or starting a turn there."""
    CARD = "card"
    """A card, which is the `item` of the event."""
    PAYMENT = "payment"
    """The price of a card, a sweep or an ability; or the income from a sale."""


BY_DICE, BY_TOKYO, BY_CARD, BY_PAYMENT = Cause
"""The causes as the rules name them, like the faces."""


class Token(StrEnum):
    """What lies on a monster until a heart die removes it."""

    POISON = "poison"
    SHRINK = "shrink"


POISON, SHRINK = Token


class Source(StrEnum):
    """Where a bought card comes from."""

    MARKET = "market"
    TOP = "top"
    """The top of the deck."""
    MONSTER = "monster"
    """A card in front of another monster."""


class DamageKind(StrEnum):
    """Where damage comes from (RULES 0.2)."""

    CLAWS = "claws"
    CARD = "card"
    POISON = "poison"
    LOSS = "loss"
    """No damage: the last moment before another monster's card takes energy (A-86)."""


CLAWS = DamageKind.CLAWS


class TurnKind(StrEnum):
    """Why a monster has this turn. An extra turn bears the key of the card or tile that gave it."""

    ORDINARY = ""
    FREEZE_TIME = "freeze-time"
    FINAL_PUSH = "final-push"
    FRENZY = "frenzy"


ORDINARY, FREEZE_TIME, FINAL_PUSH, FRENZY = TurnKind
