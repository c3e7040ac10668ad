"""What has happened: a closed vocabulary in the past tense.

Scope: events are enough to redraw the table and to tell the game in any language. Folding them
over the first State gives the last one (`referee.model.apply`). They hold numbers, never
sentences.

The classes are slotted and not frozen: a game makes thousands, and a frozen instance costs three
times as much. No code changes an event. Golden games show the names of classes and fields, so
these names never change either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.state import Cause, DamageKind, Place, Source, Token, TurnKind


@dataclass(slots=True)
class FirstRolled:
    """The roll-off: dice of each tied monster, by seat."""

    rolls: tuple[tuple[Seat, tuple[Face, ...]], ...]


@dataclass(slots=True)
class TurnStarted:
    seat: Seat
    extra: TurnKind = TurnKind.ORDINARY


@dataclass(slots=True)
class DiceRolled:
    seat: Seat
    positions: tuple[int, ...]
    """Which dice were rolled."""
    dice: tuple[Face, ...]
    """All dice afterwards."""


@dataclass(slots=True)
class DieChanged:
    """A card has set or rerolled one die of the active monster."""

    seat: Seat
    """The seat that used the card, not always the active one."""
    item: Item
    position: int
    face: Face


@dataclass(slots=True)
class RollGained:
    """An extra roll was paid for."""

    seat: Seat
    item: Item


@dataclass(slots=True)
class DiceResolved:
    """The dice are final; the groups are resolved in this order."""

    seat: Seat
    dice: tuple[Face, ...]
    order: tuple[Face, ...]


@dataclass(slots=True)
class TripleOnesScored:
    """The group of ones has been scored, with three or more."""

    seat: Seat


@dataclass(slots=True)
class CardRolled:
    """Dice rolled for a card outside the turn's dice (Camouflage)."""

    seat: Seat
    item: Item
    dice: tuple[Face, ...]


@dataclass(slots=True)
class CardUsed:
    seat: Seat
    item: Item
    effect: str
    """Key of the card whose effect it is."""


@dataclass(slots=True)
class PointsGained:
    seat: Seat
    amount: int
    """The real gain: points stop at 20."""
    cause: Cause
    item: Item | None = None


@dataclass(slots=True)
class PointsLost:
    seat: Seat
    amount: int
    cause: Cause
    item: Item | None = None


@dataclass(slots=True)
class EnergyGained:
    seat: Seat
    amount: int
    cause: Cause
    item: Item | None = None


@dataclass(slots=True)
class EnergyLost:
    seat: Seat
    amount: int
    cause: Cause
    item: Item | None = None


@dataclass(slots=True)
class HeartsGained:
    seat: Seat
    amount: int
    cause: Cause
    item: Item | None = None


@dataclass(slots=True)
class HeartsLost:
    seat: Seat
    amount: int
    """The real loss."""
    packet: DamageKind
    dealer: Seat | None
    item: Item | None = None
    """The card that dealt the damage, if a card did."""


@dataclass(slots=True)
class HeartsSet:
    """Hearts put to a value without healing or damage, for example by a maximum that fell."""

    seat: Seat
    hearts: int
    item: Item | None = None


@dataclass(slots=True)
class DamagePrevented:
    """A hit, or a part of it, did nothing."""

    seat: Seat
    amount: int
    item: Item | None = None


@dataclass(slots=True)
class Sheltered:
    """No damage for the rest of this turn (Wings)."""

    seat: Seat
    item: Item


@dataclass(slots=True)
class TokensGained:
    seat: Seat
    token: Token
    amount: int


@dataclass(slots=True)
class TokensRemoved:
    seat: Seat
    token: Token
    amount: int


@dataclass(slots=True)
class EnteredTokyo:
    seat: Seat
    place: Place


@dataclass(slots=True)
class LeftTokyo:
    seat: Seat
    yielded: bool
    """False: the monster was eliminated or thrown out, or the Bay closed."""


@dataclass(slots=True)
class MovedToCity:
    """A monster has moved from the Bay to the City, which is no entry."""

    seat: Seat


@dataclass(slots=True)
class YieldAnswered:
    seat: Seat
    yields: bool


@dataclass(slots=True)
class HeartsReachedZero:
    """Hearts reached 0; the next events say whether the monster is eliminated or saved."""

    seat: Seat


@dataclass(slots=True)
class Eliminated:
    seat: Seat
    left: bool = False
    """The seat left the game or was dropped (A-91)."""


@dataclass(slots=True)
class Resurrected:
    seat: Seat
    item: Item
    hearts: int


@dataclass(slots=True)
class MarketFilled:
    """Cards were turned up in the market."""

    cards: tuple[tuple[int, Item], ...]
    """(slot 0-2, card)"""


@dataclass(slots=True)
class DeckRenewed:
    """The undrawn cards ran out; the discard pile is the deck now."""


@dataclass(slots=True)
class MarketSwept:
    seat: Seat
    cards: tuple[Item, ...]


@dataclass(slots=True)
class TopSeen:
    seat: Seat


@dataclass(slots=True)
class TopLost:
    """The seat that withheld the opening of the top card is gone.

    The slot is burnt, and the next look sees another card.
    """


@dataclass(slots=True)
class CardBought:
    seat: Seat
    card: Item
    price: int
    source: Source
    slot: int | None = None
    """For MARKET: the slot in which the card lay."""
    owner: Seat | None = None
    """For MONSTER: the owner before."""


@dataclass(slots=True)
class CardKept:
    """A Keep card or tile now lies in front of `seat`."""

    seat: Seat
    item: Item
    counters: int = 0


@dataclass(slots=True)
class CardLost:
    """A Keep card or tile is no longer in front of `seat`.

    A card goes to the discard pile if `discarded`; otherwise the next event puts it in front of
    another monster.
    """

    seat: Seat
    item: Item
    discarded: bool = True


@dataclass(slots=True)
class CardDiscarded:
    """A resolved Discard card goes to the pile."""

    card: Item


@dataclass(slots=True)
class CardSold:
    seat: Seat
    card: Item
    energy: int


@dataclass(slots=True)
class CountersChanged:
    seat: Seat
    item: Item
    counters: int


@dataclass(slots=True)
class CopyPlaced:
    seat: Seat
    item: Item
    card: Item
    """NO_ITEM: the link is cut."""


@dataclass(slots=True)
class ItemMarked:
    """An item has been used once more this turn."""

    seat: Seat
    item: Item


@dataclass(slots=True)
class WickednessChanged:
    seat: Seat
    wickedness: int


@dataclass(slots=True)
class TilesLaid:
    """The faces of the tiles lie up: set-up of the dark rule set."""

    tiles: tuple[Item, ...]


@dataclass(slots=True)
class TileTaken:
    seat: Seat
    tile: Item
    step: int


@dataclass(slots=True)
class Zombified:
    seat: Seat
    item: Item


@dataclass(slots=True)
class ExtraTurnGained:
    seat: Seat
    effect: TurnKind


@dataclass(slots=True)
class ExtraTurnsLost:
    seat: Seat


@dataclass(slots=True)
class RoarRecorded:
    seat: Seat


@dataclass(slots=True)
class TurnEnded:
    seat: Seat


@dataclass(slots=True)
class GameEnded:
    winners: tuple[Seat, ...]


Event: TypeAlias = (
    FirstRolled | TurnStarted | DiceRolled | DieChanged | RollGained | DiceResolved
    | TripleOnesScored | CardRolled | CardUsed | PointsGained | PointsLost | EnergyGained
    | EnergyLost | HeartsGained | HeartsLost | HeartsSet | DamagePrevented | Sheltered
    | TokensGained | TokensRemoved | EnteredTokyo | LeftTokyo | MovedToCity | YieldAnswered
    | HeartsReachedZero | Eliminated | Resurrected | MarketFilled | DeckRenewed | MarketSwept
    | TopSeen | TopLost | CardBought | CardKept | CardLost | CardDiscarded | CardSold
    | CountersChanged | CopyPlaced | ItemMarked | WickednessChanged | TilesLaid | TileTaken
    | Zombified | ExtraTurnGained | ExtraTurnsLost | RoarRecorded | TurnEnded | GameEnded
)  # fmt: skip
