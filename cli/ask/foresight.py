"""What an answer would lead to, tried out on a fork of the referee."""

from __future__ import annotations

from itertools import permutations

from kotp2p.seat_view import SeatView
from referee.game import Game
from referee.model.answers import Answer, Answered, Drawn, Order, Stay, Yield
from referee.model.damage_decisions import ResponseDecision, YieldDecision
from referee.model.decisions import (
    Chance,
    ChanceKind,
    Draw,
    Over,
)
from referee.model.dice_decisions import (
    HeartsDecision,
    OrderDecision,
)
from referee.model.events import Eliminated
from referee.model.kinds import DamageKind

STEPS = 12
"""A purchase with its cards turned up and its defences is over long before."""


def kills(view: SeatView, answer: Answer) -> bool:
    """True if this seat falls through its own answer, before anybody else acts.

    New cards do not matter to it, so any stand for them; a defence of its own is left out, and
    so is what others may do.
    """
    game = view.game.fork()
    seat = view.seat
    events = game.submit(Answered(seat, answer))
    for _step in range(STEPS):
        if any(isinstance(event, Eliminated) and event.seat == seat for event in events):
            return True
        pending = game.pending
        if isinstance(pending, Over):
            return False
        if isinstance(pending, Chance):
            if pending.kind is ChanceKind.LOOK:
                return False
            events = game.submit(Drawn(any_of(pending.draws)))
        elif pending.seat != seat:
            events = game.submit(Answered(pending.seat, pending.default))
        elif isinstance(pending, ResponseDecision) and pending.damage is not DamageKind.LOSS:
            events = game.submit(Answered(seat, pending.default))
        else:
            return False
    return False


def only_heals(decision: HeartsDecision) -> bool:
    """True if a heart can do nothing but heal its owner: nobody wants to be asked for that."""
    return not (decision.poison or decision.shrink or decision.patients or decision.uses)


def order_matters(view: SeatView, decision: OrderDecision) -> bool:
    """False if the groups come to the same in every order, whether others stay in Tokyo or leave.

    Where nobody owns a card it never matters; where somebody does, all orders are tried.
    """
    if decision.uses:
        return True
    state = view.game.state
    if not any(monster.holdings or monster.wickedness for monster in state.monsters):
        return False
    orders = list(permutations(decision.groups))  # six groups at most: a tenth of a second
    for yielding in (False, True):
        outcomes = {_outcome(view.game.fork(), Order(order), yielding) for order in orders}
        if len(outcomes) > 1 or None in outcomes:
            return True
    return False


def _outcome(game: Game, order: Order, yielding: bool) -> bytes | None:
    """Where the turn stands when its player is asked again; None if that cannot be foreseen."""
    me = game.state.active
    game.submit(Answered(me, order))
    for _step in range(STEPS):
        pending = game.pending
        if isinstance(pending, Over) or game.state.active != me:
            return game.digest()
        if isinstance(pending, YieldDecision) and pending.seat != me:
            game.submit(Answered(pending.seat, Yield() if yielding else Stay()))
        elif isinstance(pending, HeartsDecision) and only_heals(pending):
            game.submit(Answered(me, pending.default))
        elif isinstance(pending, Chance) and pending.kind is not ChanceKind.CARDS:
            return None
        elif isinstance(pending, Chance) or pending.seat == me:
            return game.digest()
        else:
            return None
    return None


def any_of(draws: tuple[Draw, ...]) -> tuple[int, ...]:
    """The smallest values that fit."""
    used: dict[int, int] = {}
    values = []
    for draw in draws:
        value = used.get(draw.pool, 0) if draw.pool >= 0 else 0
        used[draw.pool] = value + 1
        values.append(value)
    return tuple(values)
