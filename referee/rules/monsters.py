"""The properties and the place of a monster: points, energy, hearts, tokens, and Tokyo.

Scope: the operations that cards and steps of a turn call. Each records what really changed, and
nothing if nothing did. A seat that is out gains nothing. No operation asks a question.
"""

from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import CLAW, Item, Seat
from kotp2p.referee.model.state import BAY, BY_TOKYO, CITY, OUTSIDE, Cause, Place, Token
from kotp2p.referee.table.table import Effect, Table

# -- gaining and losing --------------------------------------------------------------------


def gain_points(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> None:
    """Add points, up to the end of the dial (A-03)."""
    monster = t.monsters[seat]
    real = min(amount, t.rules.points_on_dial - monster.points)
    if monster.alive and real > 0:
        t.record(ev.PointsGained(seat, real, cause, item))


def lose_points(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> int:
    """Lose points down to 0; return how many were lost."""
    monster = t.monsters[seat]
    real = min(amount, monster.points)
    if not monster.alive or real <= 0:
        return 0
    t.record(ev.PointsLost(seat, real, cause, item))
    return real


def gain_energy(
    t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None, refund: bool = False
) -> None:
    """Add energy, and what cards add to one gain unless it is a refund (A-22)."""
    if not t.monsters[seat].alive or amount <= 0:
        return
    if not refund:
        amount += t.total(Effect.extra_energy_gained, seat)
    t.record(ev.EnergyGained(seat, amount, cause, item))


def lose_energy(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> None:
    """Take energy as a payment or loss; the seat must have `amount`."""
    if amount > 0:
        t.record(ev.EnergyLost(seat, amount, cause, item))


def max_hearts(t: Table, seat: Seat) -> int:
    """Return the most hearts that a monster can have now (A-18)."""
    if t.monsters[seat].zombie:
        return t.rules.hearts_on_dial
    more = t.total(Effect.extra_max_hearts, seat)
    return min(t.rules.hearts + more, t.rules.hearts_on_dial)


def gain_hearts(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> None:
    """Add hearts within the maximum, and what cards add to one gain."""
    monster = t.monsters[seat]
    if not monster.alive or amount <= 0:
        return
    amount += t.total(Effect.extra_hearts_gained, seat)
    real = min(amount, max_hearts(t, seat) - monster.hearts)
    if real > 0:
        t.record(ev.HeartsGained(seat, real, cause, item))


def cap_hearts(t: Table, seat: Seat) -> None:
    """Lower the hearts to the maximum, which may have fallen."""
    monster = t.monsters[seat]
    most = max_hearts(t, seat)
    if monster.alive and monster.hearts > most:
        t.record(ev.HeartsSet(seat, most))


def gain_tokens(t: Table, seat: Seat, token: Token, amount: int) -> None:
    if t.monsters[seat].alive and amount > 0:
        t.record(ev.TokensGained(seat, token, amount))


def remove_tokens(t: Table, seat: Seat, token: Token, amount: int) -> None:
    if amount > 0:
        t.record(ev.TokensRemoved(seat, token, amount))


# -- Tokyo: entering, leaving, and the closing of the Bay (RULES.md 3.8, 3.9) --------------


MIN_ALIVE_FOR_BAY = 5
"""The Bay is open while this many monsters or more are alive."""


def is_bay_open(t: Table) -> bool:
    if t.setup.options.bay_for_beginners:
        return False
    return len(t.state.seats_alive()) >= MIN_ALIVE_FOR_BAY


def find_free_place(t: Table) -> Place | None:
    """Return the City if it is free, else the Bay if it is open and free, else None."""
    if t.state.seat_at(CITY) is None:
        return CITY
    if is_bay_open(t) and t.state.seat_at(BAY) is None:
        return BAY
    return None


def enter_tokyo(t: Table, seat: Seat, place: Place) -> None:
    """Enter for 1 point, or for 1 energy with the two-player option (D-28)."""
    t.record(ev.EnteredTokyo(seat, place))
    if t.setup.options.two_player:
        gain_energy(t, seat, 1, BY_TOKYO)
    else:
        gain_points(t, seat, 1, BY_TOKYO)
    for me in t.of(Effect.entered_tokyo, seat):
        me.effect.entered_tokyo(t, me)


def leave_tokyo(t: Table, seat: Seat, yielded: bool = False) -> None:
    if t.monsters[seat].place is not OUTSIDE:
        t.record(ev.LeftTokyo(seat, yielded))


def close_bay(t: Table) -> None:
    """Close the Bay if too few are alive: no yield, and no point for moving to the City (3.9)."""
    if is_bay_open(t):
        return
    seat = t.state.seat_at(BAY)
    if seat is None:
        return
    if t.rules.bay_moves_to_city and t.state.seat_at(CITY) is None:
        t.record(ev.MovedToCity(seat))
    else:
        t.record(ev.LeftTokyo(seat, False))


def enter_step(t: Table) -> None:
    """Do ENTER_TOKYO, which is never optional (3.8)."""
    monster = t.active
    if not monster.alive or monster.place is not OUTSIDE:
        return
    if t.rules.entering_takes_a_claw and CLAW not in t.state.dice:
        return
    if t.of(Effect.is_dormant, monster.seat):
        return
    place = find_free_place(t)
    if place is not None:
        enter_tokyo(t, monster.seat, place)


def start_in_tokyo(t: Table) -> None:
    """Do TURN_START 4 and 5, on extra turns too (D-27)."""
    monster = t.active
    if monster.place is OUTSIDE:
        return
    if t.setup.options.two_player:
        gain_energy(t, monster.seat, 1, BY_TOKYO)
    else:
        gain_points(t, monster.seat, 2, BY_TOKYO)
    for me in t.of(Effect.starts_in_tokyo, monster.seat):
        me.effect.starts_in_tokyo(t, me)
