"""Gaining and losing points, energy, hearts and tokens.

Scope: the operations that cards and steps of a turn call. Each records what really changed, and
nothing if nothing did. A seat that is out gains nothing. No operation asks a question.
"""

from __future__ import annotations

from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.events import (
    EnergyGained,
    EnergyLost,
    HeartsGained,
    HeartsSet,
    PointsGained,
    PointsLost,
    TokensGained,
    TokensRemoved,
)
from kotp2p.referee.model.kinds import Cause, Token
from kotp2p.referee.table.hooks import Effect
from kotp2p.referee.table.table import Table


def gain_points(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> None:
    """Points stop at the end of the dial (A-03)."""
    monster = t.monsters[seat]
    real = min(amount, t.rules.points_on_dial - monster.points)
    if monster.alive and real > 0:
        t.record(PointsGained(seat, real, cause, item))


def lose_points(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> int:
    """Lose points down to 0; how many were lost."""
    monster = t.monsters[seat]
    real = min(amount, monster.points)
    if not monster.alive or real <= 0:
        return 0
    t.record(PointsLost(seat, real, cause, item))
    return real


def gain_energy(
    t: Table,
    seat: Seat,
    amount: int,
    cause: Cause,
    item: Item | None = None,
    refund: bool = False,
) -> None:
    """One gain of energy; cards add to it unless it is a refund (A-22)."""
    if not t.monsters[seat].alive or amount <= 0:
        return
    if not refund:
        amount += t.total(Effect.extra_energy_gained, seat)
    t.record(EnergyGained(seat, amount, cause, item))


def lose_energy(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> None:
    """A payment or loss; the caller has made sure that the seat has `amount`."""
    if amount > 0:
        t.record(EnergyLost(seat, amount, cause, item))


def max_hearts(t: Table, seat: Seat) -> int:
    """The most hearts that a monster can have now (A-18)."""
    if t.monsters[seat].zombie:
        return t.rules.hearts_on_dial
    more = t.total(Effect.extra_max_hearts, seat)
    return min(t.rules.hearts + more, t.rules.hearts_on_dial)


def gain_hearts(t: Table, seat: Seat, amount: int, cause: Cause, item: Item | None = None) -> None:
    """One gain of hearts, within the maximum; cards add to it."""
    monster = t.monsters[seat]
    if not monster.alive or amount <= 0:
        return
    amount += t.total(Effect.extra_hearts_gained, seat)
    real = min(amount, max_hearts(t, seat) - monster.hearts)
    if real > 0:
        t.record(HeartsGained(seat, real, cause, item))


def cap_hearts(t: Table, seat: Seat) -> None:
    """Lower the hearts to the maximum, which may have fallen."""
    monster = t.monsters[seat]
    most = max_hearts(t, seat)
    if monster.alive and monster.hearts > most:
        t.record(HeartsSet(seat, most))


def gain_tokens(t: Table, seat: Seat, token: Token, amount: int) -> None:
    if t.monsters[seat].alive and amount > 0:
        t.record(TokensGained(seat, token, amount))


def remove_tokens(t: Table, seat: Seat, token: Token, amount: int) -> None:
    if amount > 0:
        t.record(TokensRemoved(seat, token, amount))
