"""The bot that plays for fun.

Its rules, in words: it keeps hearts when it is hurt, and otherwise the faces that it has two of
or simply likes at the moment; it stops when little is left to roll. It buys about every
second card that it can pay, never looking at what it does. It leaves Tokyo at five hearts or
on a whim. Protection that costs nothing it takes; all else goes the default way.
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.bots.dice import counted
from kotp2p.bots.noise import Noise
from referee.game import Game
from referee.model.answers import Answer, Buy, Face, Reroll, Stay, Stop, Yield
from referee.model.card_decisions import (
    AgainDecision,
    BuyDecision,
    CopyDecision,
    DepositDecision,
    OpportunistDecision,
    SellDecision,
    TileDecision,
)
from referee.model.damage_decisions import (
    ResponseDecision,
    SwapDecision,
    YieldDecision,
)
from referee.model.decisions import (
    Decision,
)
from referee.model.dice_decisions import (
    ChangeDecision,
    HeartsDecision,
    OrderDecision,
    ProbeDecision,
    RollDecision,
)
from referee.model.state import Place

HURT = 7
"""Hearts below which hearts are kept."""
AFRAID = 5
"""Hearts at which Tokyo is left."""


def choose(game: Game, decision: Decision, noise: Noise) -> Answer:
    answer = _wished(game, decision, noise)
    return answer if decision.is_legal(answer) else decision.default


def _wished(game: Game, decision: Decision, noise: Noise) -> Answer:
    match decision:
        case RollDecision():
            return _roll(game, decision, noise)
        case YieldDecision():
            hearts = game.state.monsters[decision.seat].hearts - decision.pending
            return Yield() if hearts <= AFRAID or noise.percent(20) else Stay()
        case BuyDecision() | OpportunistDecision():
            wanted = [o for o in decision.offers if noise.percent(50)]
            return Buy(wanted[0].card) if wanted else decision.default
        case ResponseDecision():
            free = [u for u in decision.uses if not u.cost]
            return next(free[0].legal_answers()) if free else decision.default
        case TileDecision():
            return _any(list(decision.legal_answers()), noise)
        case CopyDecision():
            return (
                decision.default if decision.keep else _any(list(decision.legal_answers()), noise)
            )
        case (
            ProbeDecision() | ChangeDecision() | OrderDecision() | HeartsDecision()
            | SwapDecision() | DepositDecision() | SellDecision() | AgainDecision()
        ):  # fmt: skip
            return decision.default
        case _:
            assert_never(decision)


def _any(answers: list[Answer], noise: Noise) -> Answer:
    return answers[noise.below(len(answers))]


def _roll(game: Game, decision: RollDecision, noise: Noise) -> Answer:
    me = game.state.monsters[decision.seat]
    counts = counted(decision.dice)
    liked = {face for face in Face if noise.percent(40)}
    liked |= {face for face in (Face.ONE, Face.TWO, Face.THREE) if counts[face] >= 2}
    if me.place is Place.OUTSIDE and me.hearts < HURT:
        liked.add(Face.HEART)
    else:
        liked.discard(Face.HEART)
    rolled = tuple(i for i, face in enumerate(decision.dice) if face not in liked)
    return Reroll(rolled) if rolled and decision.rolls_left else Stop()
