"""Tokyo: entering, leaving, and the closing of the Bay (RULES.md 3.8, 3.9).

Scope: moves of monsters on the board, without a question.

Not here: the question whether to yield (`claws`).
"""

from __future__ import annotations

from kotp2p.referee.model.answers import CLAW, Seat
from kotp2p.referee.model.events import EnteredTokyo, LeftTokyo, MovedToCity
from kotp2p.referee.model.kinds import BY_TOKYO
from kotp2p.referee.model.state import BAY, CITY, OUTSIDE, Place
from kotp2p.referee.rules.values import gain_energy, gain_points
from kotp2p.referee.table.hooks import Effect
from kotp2p.referee.table.table import Table

MIN_ALIVE_FOR_BAY = 5
"""The Bay is open for so many monsters alive or more."""


def is_bay_open(t: Table) -> bool:
    if t.setup.options.bay_for_beginners:
        return False
    return len(t.state.seats_alive()) >= MIN_ALIVE_FOR_BAY


def find_free_place(t: Table) -> Place | None:
    """The City if it is free, else the Bay if it is open and free."""
    if t.state.seat_at(CITY) is None:
        return CITY
    if is_bay_open(t) and t.state.seat_at(BAY) is None:
        return BAY
    return None


def enter_tokyo(t: Table, seat: Seat, place: Place) -> None:
    """Enter for 1 point, or for 1 energy with the two-player option (D-28)."""
    t.record(EnteredTokyo(seat, place))
    if t.setup.options.two_player:
        gain_energy(t, seat, 1, BY_TOKYO)
    else:
        gain_points(t, seat, 1, BY_TOKYO)
    for me in t.of(Effect.entered_tokyo, seat):
        me.effect.entered_tokyo(t, me)


def leave_tokyo(t: Table, seat: Seat, yielded: bool = False) -> None:
    if t.monsters[seat].place is not OUTSIDE:
        t.record(LeftTokyo(seat, yielded))


def close_bay(t: Table) -> None:
    """Close the Bay if too few are alive: no yield, and no point for moving to the City (3.9)."""
    if is_bay_open(t):
        return
    seat = t.state.seat_at(BAY)
    if seat is None:
        return
    if t.rules.bay_moves_to_city and t.state.seat_at(CITY) is None:
        t.record(MovedToCity(seat))
    else:
        t.record(LeftTokyo(seat, False))


def enter_step(t: Table) -> None:
    """ENTER_TOKYO: never optional (3.8)."""
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
    """TURN_START 4 and 5, on extra turns too (D-27)."""
    monster = t.active
    if monster.place is OUTSIDE:
        return
    if t.setup.options.two_player:
        gain_energy(t, monster.seat, 1, BY_TOKYO)
    else:
        gain_points(t, monster.seat, 2, BY_TOKYO)
    for me in t.of(Effect.starts_in_tokyo, monster.seat):
        me.effect.starts_in_tokyo(t, me)
