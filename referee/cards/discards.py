"""Discard cards: resolved at once when they are bought (RULES.md 1.5).

Scope: cards without an attack and without a yield; points come before damage to the buyer. A card
with plain numbers is a value of `Windfall`, `Blast` or `Evacuation`; the others have a class of
their own.
"""

from collections.abc import Mapping

from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.events import ExtraTurnGained, MovedToCity
from kotp2p.referee.model.state import BAY, CITY, OUTSIDE, Cause, DamageKind, TurnKind
from kotp2p.referee.rules import monsters
from kotp2p.referee.rules.damage import deal_damage, deal_damage_to_others, take_energy
from kotp2p.referee.table.table import Effect, Hit, Rules, Table


class Windfall(Effect):
    """Points, energy or hearts for the buyer."""

    def __init__(self, points: int = 0, energy: int = 0, hearts: int = 0) -> None:
        self.points = points
        self.energy = energy
        self.hearts = hearts

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        monsters.gain_points(t, seat, self.points, Cause.CARD, item)
        monsters.gain_energy(t, seat, self.energy, Cause.CARD, item)
        monsters.gain_hearts(t, seat, self.hearts, Cause.CARD, item)
        yield from ()


class Blast(Effect):
    """Points for the buyer, then damage to others, to the buyer, or to both, the buyer last."""

    def __init__(self, points: int = 0, others: int = 0, buyer: int = 0) -> None:
        self.points = points
        self.others = others
        self.buyer = buyer

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        monsters.gain_points(t, seat, self.points, Cause.CARD, item)
        if self.others:
            yield from deal_damage_to_others(t, seat, self.others, item)
        if self.buyer:
            yield from deal_damage(t, Hit(seat, self.buyer, DamageKind.CARD, seat, item))


class Evacuation(Effect):
    """Points lost by all others, and by the buyer too if the card says so."""

    def __init__(self, points: int, buyer_too: bool = False) -> None:
        self.points = points
        self.buyer_too = buyer_too

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        for other in t.state.seats_clockwise(seat) + [seat] * self.buyer_too:
            monsters.lose_points(t, other, self.points, Cause.CARD, item)
        yield from ()


class VastStorm(Effect):
    """2 points; each other monster loses half of its energy, rounded down."""

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        monsters.gain_points(t, seat, 2, Cause.CARD, item)
        for other in t.state.seats_clockwise(seat):
            yield from take_energy(t, other, 2, seat, item)


class Frenzy(Effect):
    """Another turn after this one (A-36)."""

    ends_buying = False

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        t.record(ExtraTurnGained(seat, TurnKind.FRENZY))
        if self.ends_buying and seat == t.state.active:
            t.buying_over = True
        yield from ()


class FrenzyAtOnce(Frenzy):
    """2011: the active monster's buying is over (A-36, A-90)."""

    ends_buying = True


class DeathFromAbove(Effect):
    """2 points; the buyer takes the City and all others leave Tokyo, without a yield (A-16)."""

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        monsters.gain_points(t, seat, 2, Cause.CARD, item)
        for other in t.seats_in_tokyo():
            if other != seat:
                monsters.leave_tokyo(t, other)
        place = t.monsters[seat].place
        if place is OUTSIDE:
            monsters.enter_tokyo(t, seat, CITY)
        elif place is BAY:
            t.record(MovedToCity(seat))
        yield from ()


class DropFromHighAltitude(Effect):
    """2011: only from outside, and only the City's monster is thrown out (A-16)."""

    def resolve(self, t: Table, seat: Seat, item: Item) -> Rules[None]:
        monsters.gain_points(t, seat, 2, Cause.CARD, item)
        if t.monsters[seat].place is OUTSIDE:
            there = t.state.seat_at(CITY)
            if there is not None:
                monsters.leave_tokyo(t, there)
            monsters.enter_tokyo(t, seat, CITY)
        yield from ()


EFFECTS: Mapping[str, Effect] = {
    "apartment-building": Windfall(points=3),
    "commuter-train": Windfall(points=2),
    "corner-store": Windfall(points=1),
    "skyscraper": Windfall(points=4),
    "energize": Windfall(energy=9),
    "heal": Windfall(hearts=2),
    "nuclear-power-plant": Windfall(points=2, hearts=3),
    "flame-thrower": Blast(others=2),
    "gas-refinery": Blast(points=2, others=3),
    "high-altitude-bombing": Blast(others=3, buyer=3),
    "jet-fighters": Blast(points=5, buyer=4),
    "national-guard": Blast(points=2, buyer=2),
    "tank": Blast(points=4, buyer=3),
    "evacuation-orders": Evacuation(5),
    "monster-pets": Evacuation(3, buyer_too=True),
    "vast-storm": VastStorm(),
    "frenzy": Frenzy(),
    "death-from-above": DeathFromAbove(),
    "frenzy-2011": FrenzyAtOnce(),
    "death-from-above-2011": DropFromHighAltitude(),
}
