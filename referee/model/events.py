"""What has happened: a closed vocabulary in the past tense.

Scope: events are enough to redraw the table and to tell the game in any language. They hold
numbers, never sentences. `apply` is the one door by which the State changes: folding the events of
a game over its first State gives its last one. So an event holds all that `apply` needs, and it
reads nothing but the State. Whether something may happen was decided before.

The classes are slotted and not frozen: a game makes thousands, and a frozen instance costs three
times as much. No code changes an event. Golden games show the names of classes and fields, so
these names never change either.
"""

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.state import (
    CITY,
    FINAL_PUSH,
    FREEZE_TIME,
    NO_ITEM,
    ORDINARY,
    OUTSIDE,
    Cause,
    DamageKind,
    Holding,
    Place,
    Source,
    State,
    Token,
    TurnKind,
)


class Told:
    """An event that says why other events follow, and changes nothing."""

    __slots__ = ()

    def apply(self, state: State) -> None:
        pass


@dataclass(slots=True)
class FirstRolled(Told):
    """The roll-off: dice of each tied monster, by seat."""

    rolls: tuple[tuple[Seat, tuple[Face, ...]], ...]


@dataclass(slots=True)
class TurnStarted:
    seat: Seat
    extra: TurnKind = TurnKind.ORDINARY

    def apply(self, state: State) -> None:
        extra = self.extra
        state.frozen = state.frozen + 1 if extra is FREEZE_TIME else 0
        if extra is ORDINARY:
            state.home = self.seat
        elif extra is FREEZE_TIME:
            state.freeze = False
        elif extra is FINAL_PUSH:
            state.final_push = False
        elif self.seat == state.active and state.frenzy:  # a frenzy of its own
            state.frenzy -= 1
        else:
            state.others_frenzy.remove(self.seat)
        state.active = self.seat
        state.turn += 1
        state.dice = []
        state.rolls = state.extra_rolls = 0
        state.drew_blood = state.triple_ones = False
        for monster in state.monsters:
            monster.sheltered = False
            for holding in monster.holdings:
                holding.used = 0


@dataclass(slots=True)
class DiceRolled:
    seat: Seat
    positions: tuple[int, ...]
    dice: tuple[Face, ...]

    def apply(self, state: State) -> None:
        state.dice = list(self.dice)
        state.rolls += 1


@dataclass(slots=True)
class DieChanged:
    """A card has set or rerolled one die of the active monster."""

    seat: Seat
    item: Item
    position: int
    face: Face

    def apply(self, state: State) -> None:
        state.dice[self.position] = self.face


@dataclass(slots=True)
class RollGained:
    """An extra roll was paid for."""

    seat: Seat
    item: Item

    def apply(self, state: State) -> None:
        state.extra_rolls += 1


@dataclass(slots=True)
class DiceResolved(Told):
    """The dice are final; the groups are resolved in this order."""

    seat: Seat
    dice: tuple[Face, ...]
    order: tuple[Face, ...]


@dataclass(slots=True)
class TripleOnesScored:
    """The group of ones has been scored, with three or more."""

    seat: Seat

    def apply(self, state: State) -> None:
        state.triple_ones = True


@dataclass(slots=True)
class CardRolled(Told):
    """Dice rolled for a card outside the turn's dice (Camouflage)."""

    seat: Seat
    item: Item
    dice: tuple[Face, ...]


@dataclass(slots=True)
class CardUsed(Told):
    seat: Seat
    item: Item
    effect: str


@dataclass(slots=True)
class AmountChanged:
    seat: Seat
    amount: int
    """The real change: points stop at 20."""
    cause: Cause
    item: Item | None = None


@dataclass(slots=True)
class PointsGained(AmountChanged):
    def apply(self, state: State) -> None:
        state.monsters[self.seat].points += self.amount


@dataclass(slots=True)
class PointsLost(AmountChanged):
    def apply(self, state: State) -> None:
        state.monsters[self.seat].points -= self.amount


@dataclass(slots=True)
class EnergyGained(AmountChanged):
    def apply(self, state: State) -> None:
        state.monsters[self.seat].energy += self.amount


@dataclass(slots=True)
class EnergyLost(AmountChanged):
    def apply(self, state: State) -> None:
        state.monsters[self.seat].energy -= self.amount


@dataclass(slots=True)
class HeartsGained(AmountChanged):
    def apply(self, state: State) -> None:
        state.monsters[self.seat].hearts += self.amount


@dataclass(slots=True)
class HeartsLost:
    seat: Seat
    amount: int
    packet: DamageKind
    dealer: Seat | None
    item: Item | None = None
    """The card that dealt the damage, if a card did."""

    def apply(self, state: State) -> None:
        state.monsters[self.seat].hearts -= self.amount
        if self.dealer == state.active:
            state.drew_blood = True


@dataclass(slots=True)
class HeartsSet:
    """Hearts put to a value without healing or damage, for example by a maximum that fell."""

    seat: Seat
    hearts: int
    item: Item | None = None

    def apply(self, state: State) -> None:
        state.monsters[self.seat].hearts = self.hearts


@dataclass(slots=True)
class DamagePrevented(Told):
    """A hit, or a part of it, did nothing."""

    seat: Seat
    amount: int
    item: Item | None = None


@dataclass(slots=True)
class Sheltered:
    """No damage for the rest of this turn (Wings)."""

    seat: Seat
    item: Item

    def apply(self, state: State) -> None:
        state.monsters[self.seat].sheltered = True


@dataclass(slots=True)
class TokensGained:
    seat: Seat
    token: Token
    amount: int

    def apply(self, state: State) -> None:
        state.monsters[self.seat].add_tokens(self.token, self.amount)


@dataclass(slots=True)
class TokensRemoved:
    seat: Seat
    token: Token
    amount: int

    def apply(self, state: State) -> None:
        state.monsters[self.seat].add_tokens(self.token, -self.amount)


@dataclass(slots=True)
class EnteredTokyo:
    seat: Seat
    place: Place

    def apply(self, state: State) -> None:
        state.monsters[self.seat].place = self.place


@dataclass(slots=True)
class LeftTokyo:
    seat: Seat
    yielded: bool
    """False: the monster was eliminated or thrown out, or the Bay closed."""

    def apply(self, state: State) -> None:
        state.monsters[self.seat].place = OUTSIDE


@dataclass(slots=True)
class MovedToCity:
    """A monster has moved from the Bay to the City, which is no entry."""

    seat: Seat

    def apply(self, state: State) -> None:
        state.monsters[self.seat].place = CITY


@dataclass(slots=True)
class YieldAnswered(Told):
    seat: Seat
    yields: bool


@dataclass(slots=True)
class HeartsReachedZero(Told):
    """Hearts reached 0; the next events say whether the monster is eliminated or saved."""

    seat: Seat


@dataclass(slots=True)
class Eliminated:
    seat: Seat
    left: bool = False
    """The seat left the game or was dropped (A-91)."""

    def apply(self, state: State) -> None:
        monster = state.monsters[self.seat]
        monster.alive = False
        monster.place = OUTSIDE
        monster.hearts = monster.points = monster.energy = 0
        monster.poison = monster.shrink = monster.wickedness = 0
        monster.steps = ()
        monster.zombie = monster.sheltered = False


@dataclass(slots=True)
class Resurrected:
    seat: Seat
    item: Item
    hearts: int

    def apply(self, state: State) -> None:
        state.monsters[self.seat].hearts = self.hearts


@dataclass(slots=True)
class MarketFilled:
    """Cards were turned up in the market."""

    cards: tuple[tuple[int, Item], ...]
    """(slot 0-2, card)"""

    def apply(self, state: State) -> None:
        for slot, item in self.cards:
            state.market[slot] = item
            state.undrawn.remove(item)
        state.seen_by = ()


@dataclass(slots=True)
class DeckRenewed:
    """The undrawn cards ran out; the discard pile is the deck now."""

    def apply(self, state: State) -> None:
        state.undrawn = sorted(state.discard)
        state.discard = []


@dataclass(slots=True)
class MarketSwept:
    seat: Seat
    cards: tuple[Item, ...]

    def apply(self, state: State) -> None:
        state.market = [None] * len(state.market)
        state.discard += self.cards


@dataclass(slots=True)
class TopSeen:
    seat: Seat

    def apply(self, state: State) -> None:
        state.seen_by += (self.seat,)


@dataclass(slots=True)
class TopLost:
    """The seat that withheld the top card is gone: the slot is burnt."""

    def apply(self, state: State) -> None:
        state.seen_by = ()


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

    def apply(self, state: State) -> None:
        if self.source is Source.MARKET:
            assert self.slot is not None, "a market card lies in a slot"
            state.market[self.slot] = None
            state.resolving.append(self.card)
        elif self.source is Source.TOP:
            state.undrawn.remove(self.card)
            state.seen_by = ()
            state.resolving.append(self.card)


@dataclass(slots=True)
class CardKept:
    """A Keep card or tile now lies in front of `seat`."""

    seat: Seat
    item: Item
    counters: int = 0

    def apply(self, state: State) -> None:
        if self.item in state.resolving:
            state.resolving.remove(self.item)
        state.acquisitions += 1
        kept = Holding(self.item, state.acquisitions, self.counters)
        state.monsters[self.seat].holdings.append(kept)


@dataclass(slots=True)
class CardLost:
    """A Keep card or tile leaves `seat`, to the discard pile, or to the seat of the next event."""

    seat: Seat
    item: Item
    discarded: bool = True

    def apply(self, state: State) -> None:
        state.monsters[self.seat].holdings.remove(state.find_holding(self.seat, self.item))
        if self.discarded:
            state.discard.append(self.item)


@dataclass(slots=True)
class CardDiscarded:
    """A resolved Discard card goes to the pile."""

    card: Item

    def apply(self, state: State) -> None:
        state.resolving.remove(self.card)
        state.discard.append(self.card)


@dataclass(slots=True)
class CardSold(Told):
    seat: Seat
    card: Item
    energy: int


@dataclass(slots=True)
class CountersChanged:
    seat: Seat
    item: Item
    counters: int

    def apply(self, state: State) -> None:
        state.find_holding(self.seat, self.item).counters = self.counters


@dataclass(slots=True)
class CopyPlaced:
    seat: Seat
    item: Item
    card: Item
    """NO_ITEM: the link is cut."""

    def apply(self, state: State) -> None:
        """Set the link; counters and uses of the copied card before it are lost (A-34)."""
        holding = state.find_holding(self.seat, self.item)
        holding.copies = self.card
        holding.counters = 0
        holding.used = 0


@dataclass(slots=True)
class ItemMarked:
    """An item has been used once more this turn."""

    seat: Seat
    item: Item

    def apply(self, state: State) -> None:
        state.find_holding(self.seat, self.item).used += 1


@dataclass(slots=True)
class WickednessChanged:
    seat: Seat
    wickedness: int

    def apply(self, state: State) -> None:
        monster = state.monsters[self.seat]
        monster.wickedness = self.wickedness
        if not self.wickedness:
            monster.steps = ()


@dataclass(slots=True)
class TilesLaid:
    """The faces of the tiles lie up: set-up of the dark rule set."""

    tiles: tuple[Item, ...]

    def apply(self, state: State) -> None:
        state.tiles = list(self.tiles)


@dataclass(slots=True)
class TileTaken:
    seat: Seat
    tile: Item
    step: int

    def apply(self, state: State) -> None:
        """Pay out the step; the self CardKept then puts the tile in front of the monster."""
        if self.tile != NO_ITEM:
            state.tiles.remove(self.tile)
        state.monsters[self.seat].steps += (self.step,)


@dataclass(slots=True)
class Zombified:
    seat: Seat
    item: Item

    def apply(self, state: State) -> None:
        state.monsters[self.seat].zombie = True


@dataclass(slots=True)
class ExtraTurnGained:
    seat: Seat
    effect: TurnKind

    def apply(self, state: State) -> None:
        if self.effect is FREEZE_TIME:
            state.freeze = True
        elif self.effect is FINAL_PUSH:
            state.final_push = True
        elif self.seat == state.active:
            state.frenzy += 1
        else:
            state.others_frenzy.append(self.seat)


@dataclass(slots=True)
class ExtraTurnsLost:
    seat: Seat

    def apply(self, state: State) -> None:
        if self.seat == state.active:
            state.freeze = state.final_push = False
            state.frenzy = 0
        state.others_frenzy = [seat for seat in state.others_frenzy if seat != self.seat]


@dataclass(slots=True)
class RoarRecorded:
    seat: Seat

    def apply(self, state: State) -> None:
        state.roar = self.seat


@dataclass(slots=True)
class TurnEnded(Told):
    seat: Seat


@dataclass(slots=True)
class GameEnded:
    winners: tuple[Seat, ...]

    def apply(self, state: State) -> None:
        state.winners = self.winners


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
