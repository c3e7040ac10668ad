"""The position: plain mutable data, changed through one door only (`referee.model.apply`).

Everything that outlives the end of a turn is a field here (extra turns, marks, protections),
so that a game can be set up at any TURN_START and go on (`Game.at`). What lives shorter than
a turn and is still public (dice, rolls used, who was asked) is here too, for the table to draw.

Mutable and slotted because that is an order of magnitude faster than copying values per
step; copies are made once a turn, by `State.copy`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from referee.model.answers import Face, Item, Seat

NO_ITEM: Item = -1
"""In `Holding.copies`: the copying card has no target."""


class Place(IntEnum):
    OUTSIDE = 0
    CITY = 1
    BAY = 2


@dataclass(slots=True)
class Holding:
    """A Keep card or tile in front of a monster. Effects belong to it, not to the card's name."""

    item: Item
    acquired: int
    """Acquisition number: later is greater, over the whole game."""
    counters: int = 0
    copies: Item = NO_ITEM
    """Mimic, Fluxling: the card copied."""
    used: int = 0
    """Uses this turn (Wings, Psychic Probe, Herd Culler, …)."""


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

    def copy(self) -> Monster:
        """Field by field: `dataclasses.replace` takes ten times as long."""
        return Monster(
            self.seat,
            self.hearts,
            self.points,
            self.energy,
            self.place,
            self.alive,
            self.poison,
            self.shrink,
            self.wickedness,
            self.steps,
            self.zombie,
            self.sheltered,
            [Holding(h.item, h.acquired, h.counters, h.copies, h.used) for h in self.holdings],
        )


@dataclass(slots=True)
class State:
    """One table. Seats index `monsters`; items index the deck (`referee.game.Table`)."""

    monsters: list[Monster]
    active: Seat = 0
    turn: int = 0
    """Turns begun; 0 during the roll-off."""
    market: list[Item | None] = field(default_factory=lambda: [None, None, None])
    """Face-up cards, left to right; None where a card could not be replaced."""
    undrawn: list[Item] = field(default_factory=list)
    """Ascending; as a set it is public, its order does not exist (drawn lazily)."""
    discard: list[Item] = field(default_factory=list)
    """In order of arrival; as a pile to draw from it is taken in ascending order."""
    resolving: list[Item] = field(default_factory=list)
    """Bought and not yet resolved: in no pile (A-87)."""
    seen_by: tuple[Seat, ...] = ()
    """Who has looked at the current top card, in order; the first one's opening is withheld."""
    tiles: list[Item] = field(default_factory=list)
    """Wickedness tiles still on the track, ascending."""
    acquisitions: int = 0

    # This turn
    dice: list[Face] = field(default_factory=list)
    """The active monster's, by position; empty before its first roll."""
    rolls: int = 0
    """Rolls used."""
    extra_rolls: int = 0
    """Paid for by cards this turn."""
    drew_blood: bool = False
    """The active monster has made somebody (itself included) lose hearts this turn (A-23)."""
    triple_ones: bool = False
    """This turn's final dice show three ones or more (Freeze Time)."""

    # Between turns
    frozen: int = 0
    """Dice fewer in this turn: how many Freeze Time turns have followed each other."""
    freeze: bool = False
    """A Freeze Time turn of the active monster is pending."""
    final_push: bool = False
    frenzy: int = 0
    """Frenzy turns pending for the active monster."""
    others_frenzy: list[Seat] = field(default_factory=list)
    """Extra turns bought by Opportunists, in order."""
    home: Seat = 0
    """Whose turn it is in the clockwise order; differs from `active` in others' extra turns."""
    roar: Seat | None = None
    """The recorded Final Roar winner (A-71)."""
    winners: tuple[Seat, ...] | None = None
    """None while the game goes on."""

    def copy(self) -> State:
        """Shares nothing mutable with the original; field by field, as that of a monster."""
        return State(
            [m.copy() for m in self.monsters],
            self.active,
            self.turn,
            list(self.market),
            list(self.undrawn),
            list(self.discard),
            list(self.resolving),
            self.seen_by,
            list(self.tiles),
            self.acquisitions,
            list(self.dice),
            self.rolls,
            self.extra_rolls,
            self.drew_blood,
            self.triple_ones,
            self.frozen,
            self.freeze,
            self.final_push,
            self.frenzy,
            list(self.others_frenzy),
            self.home,
            self.roar,
            self.winners,
        )

    def seats_alive(self) -> list[Seat]:
        return [m.seat for m in self.monsters if m.alive]

    def seats_clockwise(self, start: Seat) -> list[Seat]:
        """All seats but `start`, from its left neighbour on."""
        n = len(self.monsters)
        return [(start + i) % n for i in range(1, n)]

    def seat_at(self, place: Place) -> Seat | None:
        """Who stands in the City or the Bay."""
        for m in self.monsters:
            if m.place is place:
                return m.seat
        return None
