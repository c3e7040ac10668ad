"""What stands on a card or tile: printed data only.

Scope: numbers, names, texts, and the name of the effect that makes a card work.

Not here: the effect itself. `referee.cards.effects` joins names to effects, so that a rule set
is a value without code.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """What stands on a card in one rule set. Numbers and names are facts; `text` is our own."""

    key: str
    """The name of 2016 in small letters with hyphens; the same in every rule set."""
    name: str
    """The name in this rule set."""
    first_name: str
    """The name of 2011; equal to the later one if it never changed."""
    keep: bool
    """Lies in front of its owner; otherwise it is resolved at once and discarded."""
    cost: int
    copies: int
    text: str
    """What it does in this rule set, in one or two sentences for its owner."""
    effect: str | None
    """The name of its effect, mostly its key. None: the card has no effect yet, so it is in no
    deck that a table is played with."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names that the card bears in this rule set or bore in 2011."""
        return tuple(dict.fromkeys((self.name, self.first_name)))


@dataclass(frozen=True, slots=True)
class Tile:
    """One face of a wickedness tile."""

    key: str
    name: str
    step: int
    """Where it lies on the track."""
    side: str
    """Red or green."""
    text: str
    effect: str
    """The name of its effect: its key."""
