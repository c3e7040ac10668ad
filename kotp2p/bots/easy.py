"""The bot that plays for fun.

Scope: the rules of this level, in words and in code.

* Dice: it keeps hearts when it is hurt. It keeps numbers that it has two of, and the faces that it
  happens to like at the moment.
* Buying: it buys about every second card that it can pay, whatever the card does.
* Tokyo: it leaves at five hearts, or on a whim.
* It takes protection that costs nothing. In everything else it answers with the default.
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.bots.dice import count_faces
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

KEEP_HEARTS_BELOW = 7
"""A monster with fewer hearts keeps the hearts that it rolls."""
LEAVE_TOKYO_AT_HEARTS = 5
"""A monster that a blow leaves with so many hearts, or fewer, leaves Tokyo."""


def choose_answer(game: Game, decision: Decision, noise: Noise) -> Answer:
    """A legal answer of this level; `noise` decides its whims."""
    answer = _wanted_answer(game, decision, noise)
    return answer if decision.is_legal(answer) else decision.default


def _wanted_answer(game: Game, decision: Decision, noise: Noise) -> Answer:
    match decision:
        case RollDecision():
            return _choose_roll(game, decision, noise)
        case YieldDecision():
            hearts = game.state.monsters[decision.seat].hearts - decision.pending
            return Yield() if hearts <= LEAVE_TOKYO_AT_HEARTS or noise.percent(20) else Stay()
        case BuyDecision() | OpportunistDecision():
            wanted = [o for o in decision.offers if noise.percent(50)]
            return Buy(wanted[0].card) if wanted else decision.default
        case ResponseDecision():
            free = [u for u in decision.uses if not u.cost]
            return next(free[0].legal_answers()) if free else decision.default
        case TileDecision():
            return _pick_any(list(decision.legal_answers()), noise)
        case CopyDecision():
            return (
                decision.default
                if decision.keep
                else _pick_any(list(decision.legal_answers()), noise)
            )
        case (
            ProbeDecision() | ChangeDecision() | OrderDecision() | HeartsDecision()
            | SwapDecision() | DepositDecision() | SellDecision() | AgainDecision()
        ):  # fmt: skip
            return decision.default
        case _:
            assert_never(decision)


def _pick_any(answers: list[Answer], noise: Noise) -> Answer:
    return answers[noise.below(len(answers))]


def _choose_roll(game: Game, decision: RollDecision, noise: Noise) -> Answer:
    me = game.state.monsters[decision.seat]
    counts = count_faces(decision.dice)
    liked = {face for face in Face if noise.percent(40)}
    liked |= {face for face in (Face.ONE, Face.TWO, Face.THREE) if counts[face] >= 2}
    if me.place is Place.OUTSIDE and me.hearts < KEEP_HEARTS_BELOW:
        liked.add(Face.HEART)
    else:
        liked.discard(Face.HEART)
    rolled = tuple(i for i, face in enumerate(decision.dice) if face not in liked)
    return Reroll(rolled) if rolled and decision.rolls_left else Stop()
