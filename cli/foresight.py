"""What an answer would lead to, tried out on a fork of the referee."""

from __future__ import annotations

from kotp2p.front import View
from referee.answers import Answer, Answered, Drawn
from referee.decisions import Chance, ChanceKind, Draw, Over, PacketKind, ResponseDecision
from referee.events import Eliminated

STEPS = 12
"""A purchase with its cards turned up and its defences is over long before."""


def kills(view: View, answer: Answer) -> bool:
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
            events = game.submit(Drawn(_any(pending.draws)))
        elif pending.seat != seat:
            events = game.submit(Answered(pending.seat, pending.default))
        elif isinstance(pending, ResponseDecision) and pending.packet is not PacketKind.LOSS:
            events = game.submit(Answered(seat, pending.default))
        else:
            return False
    return False


def _any(draws: tuple[Draw, ...]) -> tuple[int, ...]:
    """The smallest values that fit."""
    used: dict[int, int] = {}
    values = []
    for draw in draws:
        value = used.get(draw.pool, 0) if draw.pool >= 0 else 0
        used[draw.pool] = value + 1
        values.append(value)
    return tuple(values)
