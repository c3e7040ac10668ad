"""The bot that plays to win.

Its rules, in words:

* **Dice**: it works out what every possible roll would be worth in points (sets, bolts, hearts
  it can use, wounds it deals, and above all a last point or a last heart) and keeps what leads
  to the best on average (`kotp2p.bots.dice`).
* **Cards for the dice**: extra rolls, changed dice and the like are used if the position gets
  better by more than they cost.
* **Tokyo**: it stays while its hearts should last until its next turn, reckoning with
  `BLOWS` for each monster outside that plays before it, and takes the risk when two points
  more would win. Otherwise it yields.
* **Hearts**: each goes where it does most, healing or removing a token; what is left over is
  sold to others.
* **Under attack**: free protection is always taken; what costs energy, if it saves more.
* **Buying**: the offer that improves the position most, if any does; otherwise a look at the
  top card, or, when rich, new cards for 2 energy.
* **Everything else**: every answer is tried on a fork and the best outlook wins; on a tie,
  and where nothing can be foreseen, the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from kotp2p.bots.dice import Counts, Prospects, counted, positions_to_roll
from kotp2p.bots.rolls import heart_uses, roll_worth
from kotp2p.bots.worth import ENERGY, outlook
from referee.game import Game
from referee.model.answers import (
    Answer,
    Answered,
    BuyTop,
    Deposit,
    Face,
    Hearts,
    Item,
    Pass,
    Peek,
    Reroll,
    Stay,
    Stop,
    Sweep,
    Use,
    Yield,
)
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

BLOWS = 2
"""Hearts that a monster outside may well cost the one in Tokyo before its next turn."""
RICH = 9
"""Energy from which new cards for 2 are worth a look."""
CURIOUS = 3
"""Energy from which the top card is worth a look."""
MARGIN = 0.05
"""Less than this is no reason to do anything."""
TOKEN = 0.8
"""The price in points of using up something that costs no energy."""


def choose(game: Game, decision: Decision, top: Item | None) -> Answer:
    """The best legal answer it knows; `top`: the top card of the deck if its seat has seen it."""
    answer = _considered(game, decision, top)
    return answer if decision.is_legal(answer) else decision.default


def _considered(game: Game, decision: Decision, top: Item | None) -> Answer:
    match decision:
        case RollDecision():
            return _roll(game, decision)
        case ProbeDecision():
            return _probe(game, decision)
        case HeartsDecision():
            return _hearts(game, decision)
        case ResponseDecision():
            return _respond(game, decision)
        case YieldDecision():
            return _yield_or_stay(game, decision)
        case BuyDecision():
            return _buy(game, decision, top)
        case DepositDecision():
            return Deposit(decision.most)  # the bank doubles it, and it comes back
        case ChangeDecision():
            return _best(
                game, decision, [a for a in decision.legal_answers() if _matters(a, decision)]
            )
        case OpportunistDecision() | TileDecision() | SwapDecision() | CopyDecision():
            return _best(game, decision, decision.legal_answers())
        case OrderDecision() | SellDecision() | AgainDecision():
            return decision.default
        case _:
            assert_never(decision)


def _best(game: Game, decision: Decision, answers: Iterable[Answer]) -> Answer:
    """Whose outlook beats that of the default, and of all before it."""
    best = decision.default
    aim = outlook(game, best, decision.seat)
    for answer in answers:
        worth = outlook(game, answer, decision.seat)
        if worth is not None and (aim is None or worth > aim + MARGIN):
            best, aim = answer, worth
    return best


def _matters(answer: Answer, decision: ChangeDecision) -> bool:
    """Not a die set to what it shows, nor the second of two equal dice."""
    if not isinstance(answer, Use) or answer.die is None:
        return True
    face = decision.dice[answer.die]
    return answer.face is not face and face not in decision.dice[: answer.die]


def _roll(game: Game, decision: RollDecision) -> Answer:
    dice = decision.dice
    worth = roll_worth(game, decision.seat, len(dice))
    prospects = Prospects(len(dice), decision.rolls_left, worth)
    rolled = positions_to_roll(dice, prospects.keep(dice))
    if rolled and decision.rolls_left:
        return Reroll(rolled)
    now = prospects.worth(dice)
    best: Answer = Stop()
    aim = MARGIN
    for usable in decision.uses:
        for use in usable.legal_answers():
            if use.die is not None:
                # One die anew, for nothing or next to nothing.
                gain = _mean_of_rerolling(dice, use.die, worth) - now - ENERGY * usable.cost
            elif _adds_a_roll(game, decision, use):
                price = ENERGY * usable.cost if usable.cost else TOKEN
                gain = Prospects(len(dice), 1, worth).worth(dice) - now - price
            else:
                continue
            if gain > aim:
                best, aim = use, gain
    return best


def _mean_of_rerolling(
    dice: tuple[Face, ...], position: int, worth: Callable[[Counts], float]
) -> float:
    outcomes = [(*dice[:position], face, *dice[position + 1 :]) for face in Face]
    return sum([worth(counted(outcome)) for outcome in outcomes]) / len(Face)


def _adds_a_roll(game: Game, decision: RollDecision, use: Use) -> bool:
    fork = game.fork()
    fork.submit(Answered(decision.seat, use))
    after = fork.pending
    return isinstance(after, RollDecision) and after.rolls_left > decision.rolls_left


def _probe(game: Game, decision: ProbeDecision) -> Answer:
    """Reroll the die that its owner would miss most."""
    worth = roll_worth(game, decision.target, len(decision.dice))
    now = worth(counted(decision.dice))
    best: Answer = Pass()
    aim = TOKEN
    for usable in decision.uses:
        for use in usable.legal_answers():
            if use.die is None:
                continue
            loss = now - _mean_of_rerolling(decision.dice, use.die, worth) - ENERGY * usable.cost
            if loss > aim:
                best, aim = use, loss
    return best


def _hearts(game: Game, decision: HeartsDecision) -> Answer:
    limits = {"heal": decision.heal, "poison": decision.poison, "shrink": decision.shrink}
    spent = dict.fromkeys(limits, 0)
    left = decision.hearts
    for use, _ in heart_uses(game, decision.seat):
        if left and spent[use] < limits[use]:
            spent[use] += 1
            left -= 1
    gifts = []
    for patient, most in decision.patients:
        given = min(most, left)
        if given:
            gifts.append((patient, given))
            left -= given
    return Hearts(**spent, give=tuple(gifts))


def _respond(game: Game, decision: ResponseDecision) -> Answer:
    for usable in decision.uses:
        if not usable.cost:
            return next(usable.legal_answers())
    return _best(game, decision, decision.legal_answers())


def _yield_or_stay(game: Game, decision: YieldDecision) -> Answer:
    state = game.state
    me = state.monsters[decision.seat]
    hearts = me.hearts - decision.pending
    waiting = state.seats_clockwise(decision.attacker)
    before = [state.monsters[s] for s in waiting[: waiting.index(decision.seat)]]
    dangers = sum([m.alive and m.place is Place.OUTSIDE for m in before])
    if me.points + 2 >= game.setup.rules.goal:
        return Stay() if hearts > dangers else Yield()
    return Stay() if hearts > 1 + BLOWS * dangers else Yield()


def _buy(game: Game, decision: BuyDecision, top: Item | None) -> Answer:
    answers = [a for a in decision.legal_answers() if not isinstance(a, Sweep | Peek)]
    if decision.top and top is not None:
        answers.append(BuyTop(top))
    best = _best(game, decision, answers)
    if best != decision.default:
        return best
    energy = game.state.monsters[decision.seat].energy
    if decision.peek and energy >= CURIOUS:
        return Peek()
    if decision.sweep and energy >= RICH:
        return Sweep()
    return best
