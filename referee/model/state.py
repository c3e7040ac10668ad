"""The position: plain mutable data, changed by events only (`referee.model.events`).

Scope: all that outlives the end of a turn is a field here (extra turns, marks, protections), so
that a game can go on from any TURN_START (`Game.at_turn_start`). Public facts that last for less
than a turn (dice, rolls used) are here too, so that the table can be drawn.

The classes are mutable and slotted, since copying values at each step would be ten times slower.
`State.copy` makes a copy once a turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from kotp2p.referee.model.answers import Face, Item, Seat

# -- kinds ---------------------------------------------------------------------------------
#
# Causes, damage, tokens, turns: short lists that events and decisions name, too. Their values
# stand in golden games and scenario files and never change.


class Cause(StrEnum):
    """Why something was gained or lost."""

    DICE = "dice"
    """Numbers, hearts or bolts of the monster's own dice."""
    TOKYO = "tokyo"
    """Entering Tokyo, or starting a turn there."""
    CARD = "card"
    PAYMENT = "payment"
    """The price of a card, a sweep or an ability; or the income from a sale."""


BY_DICE, BY_TOKYO, BY_CARD, BY_PAYMENT = Cause


class Token(StrEnum):
    """What lies on a monster until a heart die removes it."""

    POISON = "poison"
    SHRINK = "shrink"


POISON, SHRINK = Token


class Source(StrEnum):
    """Where a bought card comes from."""

    MARKET = "market"
    TOP = "top"
    MONSTER = "monster"


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


# -- the position --------------------------------------------------------------------------


NO_ITEM: Item = -1
"""In `Holding.copies`: the copying card has no target."""


class Place(IntEnum):
    OUTSIDE = 0
    CITY = 1
    BAY = 2


OUTSIDE, CITY, BAY = Place

_new = object.__new__
"""Found once, as copies are made in each turn."""


@dataclass(slots=True)
class Holding:
    """A Keep card or tile in front of a monster. An effect belongs to a holding, not to a name."""

    item: Item
    acquired: int
    """Acquisition number: later is greater, over the whole game."""
    counters: int = 0
    copies: Item = NO_ITEM
    used: int = 0
    """Uses this turn of an effect with a limit for each turn (Herd Culler, Super Jump)."""

    def copy(self) -> Holding:
        made = _new(Holding)
        made.item = self.item
        made.acquired = self.acquired
        made.counters = self.counters
        made.copies = self.copies
        made.used = self.used
        return made


@dataclass(slots=True)
class Monster:
    seat: Seat
    hearts: int = 10
    points: int = 0
    energy: int = 0
    place: Place = Place.OUTSIDE
    alive: bool = True
    poison: int = 0
    shrink: int = 0
    wickedness: int = 0
    steps: tuple[int, ...] = ()
    """Steps of the wickedness track paid out since the marker was last at 0."""
    zombie: bool = False
    sheltered: bool = False
    """Wings: no damage for the rest of this turn."""
    holdings: list[Holding] = field(default_factory=list)
    """Cards and tiles in front of the monster, in order of acquisition."""

    def add_tokens(self, token: Token, amount: int) -> None:
        if token is POISON:
            self.poison += amount
        else:
            self.shrink += amount

    def copy(self) -> Monster:
        """Return a copy, made field by field, as `dataclasses.replace` is ten times slower."""
        made = _new(Monster)
        made.seat = self.seat
        made.hearts = self.hearts
        made.points = self.points
        made.energy = self.energy
        made.place = self.place
        made.alive = self.alive
        made.poison = self.poison
        made.shrink = self.shrink
        made.wickedness = self.wickedness
        made.steps = self.steps
        made.zombie = self.zombie
        made.sheltered = self.sheltered
        made.holdings = [held.copy() for held in self.holdings] if self.holdings else []
        return made


@dataclass(slots=True)
class State:
    """One table. Seats index `monsters`; items index the deck of the set-up, then its tiles."""

    monsters: list[Monster]
    active: Seat = 0
    turn: int = 0
    """Turns begun; 0 during the roll-off."""
    market: list[Item | None] = field(default_factory=lambda: [None, None, None])
    """Face-up cards, left to right; None where a card could not be replaced."""
    undrawn: list[Item] = field(default_factory=list)
    """Ascending. The set is public; an order does not exist, since cards are drawn lazily."""
    discard: list[Item] = field(default_factory=list)
    """In order of arrival. When it becomes the deck, it is taken in ascending order."""
    resolving: list[Item] = field(default_factory=list)
    """Cards bought and not yet resolved, which are in no pile (A-87)."""
    seen_by: tuple[Seat, ...] = ()
    """The seats that have looked at the top card, in order. The first one withholds its opening."""
    tiles: list[Item] = field(default_factory=list)
    acquisitions: int = 0

    # This turn
    dice: list[Face] = field(default_factory=list)
    """The dice of the active monster, by position; empty before its first roll."""
    rolls: int = 0
    extra_rolls: int = 0
    drew_blood: bool = False
    """The active monster has made a monster (even itself) lose hearts this turn (A-23)."""
    triple_ones: bool = False
    """Three ones or more have been scored this turn (Freeze Time)."""

    # Between turns
    frozen: int = 0
    """How many Freeze Time turns have followed each other; each takes one die away."""
    freeze: bool = False
    final_push: bool = False
    frenzy: int = 0
    others_frenzy: list[Seat] = field(default_factory=list)
    """The seats with an extra turn bought out of turn, in order."""
    home: Seat = 0
    """The seat at which the clockwise order stands. In an extra turn that another seat has bought
    it is not `active`."""
    roar: Seat | None = None
    """The seat that Final Roar makes the winner at the end of the turn (A-71)."""
    winners: tuple[Seat, ...] | None = None

    def copy(self) -> State:
        """Return a State that shares nothing mutable with this one, field by field for speed."""
        made = _new(State)
        made.monsters = [m.copy() for m in self.monsters]
        made.active = self.active
        made.turn = self.turn
        made.market = [*self.market]
        made.undrawn = [*self.undrawn]
        made.discard = [*self.discard]
        made.resolving = [*self.resolving]
        made.seen_by = self.seen_by
        made.tiles = [*self.tiles]
        made.acquisitions = self.acquisitions
        made.dice = [*self.dice]
        made.rolls = self.rolls
        made.extra_rolls = self.extra_rolls
        made.drew_blood = self.drew_blood
        made.triple_ones = self.triple_ones
        made.frozen = self.frozen
        made.freeze = self.freeze
        made.final_push = self.final_push
        made.frenzy = self.frenzy
        made.others_frenzy = [*self.others_frenzy]
        made.home = self.home
        made.roar = self.roar
        made.winners = self.winners
        return made

    def find_holding(self, seat: Seat, item: Item) -> Holding:
        return next(held for held in self.monsters[seat].holdings if held.item == item)

    def seats_alive(self) -> list[Seat]:
        return [m.seat for m in self.monsters if m.alive]

    def seats_clockwise(self, start: Seat) -> list[Seat]:
        """Return all seats but `start`, from its left neighbour on."""
        return [*range(start + 1, len(self.monsters)), *range(start)]

    def others_alive(self, start: Seat) -> list[Seat]:
        """Return what `seats_clockwise` returns, without seats that are out."""
        monsters = self.monsters
        return [m.seat for m in monsters[start + 1 :] + monsters[:start] if m.alive]

    def seat_at(self, place: Place) -> Seat | None:
        """Return the seat whose monster is in the City or the Bay, or None."""
        for m in self.monsters:
            if m.place is place:
                return m.seat
        return None
