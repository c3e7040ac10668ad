"""A whole game in the referee alone: fair chance from a key, answers from each seat that is asked.

Scope: the dealing of chance, and the order of asking. No seat is shown what it may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kotp2p.extras.bots import Noise
from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Answered, Drawn, Input, Item, Looked, Seat
from kotp2p.referee.model.decisions import Chance, ChanceKind, Decision, Over
from kotp2p.referee.model.events import Event

Player = Callable[[Game, Decision, Item | None], Answer]
"""Answers for one seat; the last argument is the top card, if that seat has looked at it."""
Listener = Callable[[Sequence[Event]], None]
"""A function that is called with the events of each input."""


@dataclass(slots=True)
class Played:
    game: Game
    inputs: int
    winners: tuple[Seat, ...]


class TooLong(Exception):
    """The game did not end within the given number of inputs."""


def play(
    start: Setup | Game,
    players: Sequence[Player],
    noise: Noise,
    most: int = 20_000,
    listener: Listener | None = None,
) -> Played:
    """Play from the set-up, or from the node of a game, to the end; raise TooLong."""
    game = start if isinstance(start, Game) else Game(start)
    top: Item | None = None
    for inputs in range(most):
        pending = game.pending
        if isinstance(pending, Over):
            return Played(game, inputs, pending.winners)
        if not game.state.seen_by:
            top = None
        given: Input
        if isinstance(pending, Chance):
            if pending.kind is ChanceKind.LOOK:
                assert pending.seat is not None, "a look is offered to a seat"
                if top is None:
                    top = game.state.undrawn[noise.below(len(game.state.undrawn))]
                given = Looked(0, pending.seat)
            else:
                given = Drawn(draw(pending, noise, top))
        else:
            seen = top if pending.seat in game.state.seen_by else None
            given = Answered(pending.seat, players[pending.seat](game, pending, seen))
        events = game.submit(given)
        if listener is not None:
            listener(events)
    raise TooLong(f"no end after {most} inputs, in turn {game.state.turn}")


def draw(chance: Chance, noise: Noise, top: Item | None) -> tuple[int, ...]:
    """Return a fair outcome; the first undrawn card is `top` if a seat has seen it."""
    values: list[int] = []
    taken: set[tuple[int, int]] = set()
    for one in chance.draws:
        value = noise.below(one.size)
        if one.pool == 0 and top is not None and top in chance.piles[0] and not taken:
            value = chance.piles[0].index(top)
        while one.pool >= 0 and (one.pool, value) in taken:
            value = noise.below(one.size)
        taken.add((one.pool, value))
        values.append(value)
    return tuple(values)
