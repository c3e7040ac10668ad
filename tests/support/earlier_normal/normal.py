"""The bot that plays to win.

Scope: the rules of this level, in words and in code.

* **Dice**: it works out the worth of every possible roll in points: sets, bolts, hearts that it
  can use, wounds that it deals, and above all a last point or a last heart. It keeps the dice
  that lead to the best average (`kotp2p.extras.bots.dice`).
* **Cards for the dice**: it uses an extra roll or a changed die if that improves the position by
  more than it costs.
* **Tokyo**: it stays while its hearts should last until its next turn. It reckons with
  `HEARTS_LOST_PER_ATTACKER` for each monster outside that plays before it. It takes the risk if
  two more points would win; otherwise it yields.
* **Hearts**: it spends each heart where it helps most, to heal or to remove a token. It sells
  the rest to others.
* **Under attack**: it always takes free protection. It pays for protection that saves more than
  it costs.
* **Buying**: it buys the offer that improves the position most. If none does, it peeks at the
  top card, or sweeps the market when it is rich.
* **Everything else**: it tries every answer on a fork and takes the best outlook. It takes the
  default on a tie, and where nothing can be foreseen.
"""

from collections.abc import Callable, Iterable
from typing import assert_never

from kotp2p.extras.bots.dice import Counts, Prospects, count_faces, positions_to_roll
from kotp2p.referee.game import GameReading
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import (
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
from kotp2p.referee.model.state import Place
from tests.support.earlier_normal.rolls import heart_uses, roll_worth
from tests.support.earlier_normal.worth import ENERGY_WORTH, outlook

HEARTS_LOST_PER_ATTACKER = 2
"""How many hearts a monster outside may cost the monster in Tokyo before its next turn."""
SWEEP_FROM_ENERGY = 9
"""A monster with so much energy pays 2 for new cards if it likes no offer."""
PEEK_FROM_ENERGY = 3
"""A monster with so much energy pays for a peek at the top card if it likes no offer."""
MIN_GAIN = 0.05
"""In points. A smaller gain is no reason to depart from the default."""
TOKEN_WORTH = 0.8
"""The price in points of using up something that costs no energy."""


def choose_answer(game: GameReading, decision: decisions.Decision, top: Item | None) -> Answer:
    """The best legal answer that this level finds.

    `top` is the top card of the deck, if the seat has peeked at it.
    """
    answer = _best_answer(game, decision, top)
    return answer if decision.is_legal(answer) else decision.default


def _best_answer(game: GameReading, decision: decisions.Decision, top: Item | None) -> Answer:
    match decision:
        case decisions.RollDecision():
            return _choose_roll(game, decision)
        case decisions.ProbeDecision():
            return _choose_probe(game, decision)
        case decisions.HeartsDecision():
            return _spend_hearts(game, decision)
        case decisions.ResponseDecision():
            return _choose_response(game, decision)
        case decisions.YieldDecision():
            return _yield_or_stay(game, decision)
        case decisions.BuyDecision():
            return _choose_purchase(game, decision, top)
        case decisions.DepositDecision():
            return Deposit(decision.max_energy)  # the bank doubles it, and it comes back
        case decisions.ChangeDecision():
            return _best_by_outlook(
                game,
                decision,
                [a for a in decision.legal_answers() if _changes_something(a, decision)],
            )
        case (
            decisions.OpportunistDecision()
            | decisions.TileDecision()
            | decisions.SwapDecision()
            | decisions.CopyDecision()
        ):
            return _best_by_outlook(game, decision, decision.legal_answers())
        case decisions.OrderDecision() | decisions.SellDecision() | decisions.AgainDecision():
            return decision.default
        case _:
            assert_never(decision)


def _best_by_outlook(
    game: GameReading, decision: decisions.Decision, answers: Iterable[Answer]
) -> Answer:
    """The answer with the best outlook; the default unless another beats it by `MIN_GAIN`."""
    best = decision.default
    aim = outlook(game, best, decision.seat)
    for answer in answers:
        worth = outlook(game, answer, decision.seat)
        if worth is not None and (aim is None or worth > aim + MIN_GAIN):
            best, aim = answer, worth
    return best


def _changes_something(answer: Answer, decision: decisions.ChangeDecision) -> bool:
    """Whether a change is worth trying.

    It is not if the die keeps its face, or if an equal die stands before it.
    """
    if not isinstance(answer, Use) or answer.die is None:
        return True
    face = decision.dice[answer.die]
    return answer.face is not face and face not in decision.dice[: answer.die]


def _choose_roll(game: GameReading, decision: decisions.RollDecision) -> Answer:
    dice = decision.dice
    worth = roll_worth(game, decision.seat, len(dice))
    prospects = Prospects(dice, decision.rolls_left, worth)
    rolled = positions_to_roll(dice, prospects.dice_to_keep())
    if rolled and decision.rolls_left:
        return Reroll(rolled)
    now = prospects.worth()
    best: Answer = Stop()
    aim = MIN_GAIN
    for usable in decision.uses:
        for use in usable.legal_answers():
            if use.die is not None:
                # One die anew, for nothing or next to nothing.
                gain = (
                    _mean_worth_of_rerolling(dice, use.die, worth)
                    - now
                    - ENERGY_WORTH * usable.cost
                )
            elif _adds_a_roll(game, decision, use):
                price = ENERGY_WORTH * usable.cost if usable.cost else TOKEN_WORTH
                gain = Prospects(dice, 1, worth).worth() - now - price
            else:
                continue
            if gain > aim:
                best, aim = use, gain
    return best


def _mean_worth_of_rerolling(
    dice: tuple[Face, ...], position: int, worth: Callable[[Counts], float]
) -> float:
    outcomes = [(*dice[:position], face, *dice[position + 1 :]) for face in Face]
    return sum([worth(count_faces(outcome)) for outcome in outcomes]) / len(Face)


def _adds_a_roll(game: GameReading, decision: decisions.RollDecision, use: Use) -> bool:
    fork = game.fork()
    fork.submit(Answered(decision.seat, use))
    after = fork.pending
    return isinstance(after, decisions.RollDecision) and after.rolls_left > decision.rolls_left


def _choose_probe(game: GameReading, decision: decisions.ProbeDecision) -> Answer:
    """Reroll the die that its owner would miss most."""
    worth = roll_worth(game, decision.target, len(decision.dice))
    now = worth(count_faces(decision.dice))
    best: Answer = Pass()
    aim = TOKEN_WORTH
    for usable in decision.uses:
        for use in usable.legal_answers():
            if use.die is None:
                continue
            loss = (
                now
                - _mean_worth_of_rerolling(decision.dice, use.die, worth)
                - ENERGY_WORTH * usable.cost
            )
            if loss > aim:
                best, aim = use, loss
    return best


def _spend_hearts(game: GameReading, decision: decisions.HeartsDecision) -> Answer:
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


def _choose_response(game: GameReading, decision: decisions.ResponseDecision) -> Answer:
    for usable in decision.uses:
        if not usable.cost:
            return next(usable.legal_answers())
    return _best_by_outlook(game, decision, decision.legal_answers())


def _yield_or_stay(game: GameReading, decision: decisions.YieldDecision) -> Answer:
    state = game.state
    me = state.monsters[decision.seat]
    hearts = me.hearts - decision.pending
    waiting = state.seats_clockwise(decision.attacker)
    before = [state.monsters[s] for s in waiting[: waiting.index(decision.seat)]]
    dangers = sum([m.alive and m.place is Place.OUTSIDE for m in before])
    if me.points + 2 >= game.setup.rules.goal:
        return Stay() if hearts > dangers else Yield()
    return Stay() if hearts > 1 + HEARTS_LOST_PER_ATTACKER * dangers else Yield()


def _choose_purchase(
    game: GameReading, decision: decisions.BuyDecision, top: Item | None
) -> Answer:
    answers = [a for a in decision.legal_answers() if not isinstance(a, Sweep | Peek)]
    if decision.top and top is not None:
        answers.append(BuyTop(top))
    best = _best_by_outlook(game, decision, answers)
    if best != decision.default:
        return best
    energy = game.state.monsters[decision.seat].energy
    if decision.peek and energy >= PEEK_FROM_ENERGY:
        return Peek()
    if decision.sweep and energy >= SWEEP_FROM_ENERGY:
        return Sweep()
    return best
