"""The bot that plays for fun.

Scope: the rules of this level, in words and in code.

* Dice: it keeps hearts when it is hurt. It keeps numbers that it has two of, any useful face that
  it has three of, and the faces that it happens to like at the moment.
* Buying: it buys on a whim, whatever the card does; with much energy it always buys.
* Tokyo: it leaves at few hearts, or on a whim.
* Hearts: it spends each where it helps most.
* It takes protection that costs nothing.
* It makes a mistake, but no obvious one: it gives no answer by which it dies in this turn, if
  another answer saves it, and it takes an offer that wins.
* For everything else it takes the default.

How likely its whims are is a matter of its temper.
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.bots.dice import count_faces
from kotp2p.bots.judgement import Judgement, spend_hearts
from kotp2p.bots.tempers import EVEN, Noise, Temper, Whims
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Answer, Buy, Face, Reroll, Seat, Stay, Stop, Yield
from kotp2p.referee.model.decisions import (
    AgainDecision,
    BuyDecision,
    ChangeDecision,
    CopyDecision,
    Decision,
    DepositDecision,
    HeartsDecision,
    OpportunistDecision,
    OrderDecision,
    ProbeDecision,
    ResponseDecision,
    RollDecision,
    SellDecision,
    SwapDecision,
    TileDecision,
    YieldDecision,
)
from kotp2p.referee.model.state import Place

NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
LEAVES_ON_A_WHIM = 20
"""In percent: Tokyo, however many hearts it has."""
RICH = 8
"""With so much energy it buys something."""
KEPT_TOGETHER = 3
"""This many equal dice are kept, if they are of use."""


def choose_answer(
    game: GameReading, decision: Decision, noise: Noise, temper: Temper = EVEN
) -> Answer:
    """Return a legal answer of this level; `noise` decides its whims."""
    answer = _wanted_answer(game, decision, noise, temper.whims)
    return answer if decision.is_legal(answer) else decision.default


def _wanted_answer(game: GameReading, decision: Decision, noise: Noise, whims: Whims) -> Answer:
    match decision:
        case RollDecision():
            return _choose_roll(game, decision, noise, whims)
        case YieldDecision():
            hearts = game.state.monsters[decision.seat].hearts - decision.pending
            leaves = hearts <= whims.leaves_at or noise.percent(LEAVES_ON_A_WHIM)
            return _unless_deadly(game, decision, Yield() if leaves else Stay())
        case BuyDecision() | OpportunistDecision():
            return _choose_offer(game, decision, noise, whims)
        case ResponseDecision():
            free = [u for u in decision.uses if not u.cost]
            wanted = next(free[0].legal_answers()) if free else decision.default
            return _unless_deadly(game, decision, wanted)
        case HeartsDecision():
            return spend_hearts(game, decision)
        case TileDecision():
            return _pick_any(list(decision.legal_answers()), noise)
        case CopyDecision():
            return (
                decision.default
                if decision.keep
                else _pick_any(list(decision.legal_answers()), noise)
            )
        case (
            ProbeDecision() | ChangeDecision() | OrderDecision()
            | SwapDecision() | DepositDecision() | SellDecision() | AgainDecision()
        ):  # fmt: skip
            return decision.default
        case _:
            assert_never(decision)


def _pick_any(answers: list[Answer], noise: Noise) -> Answer:
    return answers[noise.below(len(answers))]


def _choose_offer(
    game: GameReading, decision: BuyDecision | OpportunistDecision, noise: Noise, whims: Whims
) -> Answer:
    seat = decision.seat
    offers = [(Buy(offer.card), _chance(game, seat, Buy(offer.card))) for offer in decision.offers]
    if wins := [buy for buy, chance in offers if chance == 1]:
        return wins[0]
    bearable = [buy for buy, chance in offers if chance]
    wanted = [buy for buy in bearable if noise.percent(whims.buys)]
    if game.state.monsters[seat].energy >= RICH:
        wanted = wanted or bearable
    return wanted[0] if wanted else decision.default


def _unless_deadly(
    game: GameReading, decision: YieldDecision | ResponseDecision, wanted: Answer
) -> Answer:
    """Return `wanted`, or the first answer that saves the monster if this one does not."""
    if _chance(game, decision.seat, wanted):
        return wanted
    saving = (a for a in decision.legal_answers() if _chance(game, decision.seat, a))
    return next(saving, wanted)


def _chance(game: GameReading, seat: Seat, answer: Answer) -> float:
    """Return the outlook of `answer`: 0 if the monster dies this turn, 1 if it wins."""
    return Judgement(seat).outlook(game, answer) or 0.0


def _choose_roll(game: GameReading, decision: RollDecision, noise: Noise, whims: Whims) -> Answer:
    me = game.state.monsters[decision.seat]
    counts = count_faces(decision.dice)
    likes = dict.fromkeys(NUMBERS, whims.likes_numbers)
    likes |= {Face.BOLT: whims.likes_bolts, Face.CLAW: whims.likes_claws}
    liked = {face for face, percent in likes.items() if noise.percent(percent)}
    liked |= {face for face in NUMBERS if counts[face] >= 2}
    liked |= {face for face in likes if counts[face] >= KEPT_TOGETHER}
    if me.place is Place.OUTSIDE and me.hearts < whims.heals_below:
        liked.add(Face.HEART)
    rolled = tuple(i for i, face in enumerate(decision.dice) if face not in liked)
    return Reroll(rolled) if rolled and decision.rolls_left else Stop()
