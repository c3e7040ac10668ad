"""The bot that plays to win.

Scope: the rules of this level, in words and in code.

* **Dice**: it resolves every possible roll on a fork of the game and estimates its chance to win
  at the end of the turn. It keeps the dice that lead to the best average (`bots.dice`).
* **Cards for the dice**: it uses an extra roll or a changed die if its chance improves by more
  than a trifle.
* **Energy**: it buys the offer that adds most to its chance (`bots.card_worths`). Bolts are
  worth what they will buy this turn, and less for later as the game grows old.
* **Hearts**: it spends each where it helps most, to heal or to remove a token, and sells the rest.
* **Under attack**: it takes free protection, and pays for protection that is worth it.
* **Buying**: if no offer helps, it peeks at the top card, or sweeps the market when it is rich.
* **Everything else**: it tries every answer on a fork and takes the best outlook. It takes the
  default on a tie, and where nothing can be foreseen.
"""

from typing import assert_never

from kotp2p.extras.bots.card_worths import lasting_worths, with_gains
from kotp2p.extras.bots.chances import Appraiser, View
from kotp2p.extras.bots.dice import foresee, positions_to_roll
from kotp2p.extras.bots.judgement import MIN_GAIN, Judgement, promising_answers, spend_hearts
from kotp2p.referee.game import GameReading
from kotp2p.referee.model import answers, decisions

SWEEP_FROM_ENERGY = 8
"""A monster with so much energy pays 2 for new cards if it likes no offer."""
PEEK_FROM_ENERGY = 3
"""A monster with so much energy pays for a peek at the top card if it likes no offer."""
PRICE_OF_A_TOKEN = 0.02
"""The price, in chance to win, of using up something that costs no energy."""


def choose_answer(
    game: GameReading, decision: decisions.Decision, top: answers.Item | None, appraise: Appraiser
) -> answers.Answer:
    """Return the best answer that is found with `appraise`."""
    judgement = Judgement(decision.seat, View(lasting_worths(game)), appraise)
    match decision:
        case decisions.RollDecision():
            return _choose_roll(game, decision, judgement)
        case decisions.ProbeDecision():
            return _use_something(game, decision, judgement)
        case decisions.HeartsDecision():
            return spend_hearts(game, decision)
        case decisions.ResponseDecision():
            free = [usable for usable in decision.uses if not usable.cost]
            if free:
                return next(free[0].legal_answers())
            return judgement.best_answer(game, decision, decision.legal_answers())
        case decisions.BuyDecision():
            return _choose_purchase(game, decision, top, judgement)
        case decisions.DepositDecision():
            return answers.Deposit(decision.max_energy)  # the bank doubles it, and it comes back
        case decisions.AgainDecision():
            return decision.default
        case (
            decisions.ChangeDecision() | decisions.OrderDecision() | decisions.SellDecision()
            | decisions.YieldDecision() | decisions.OpportunistDecision()
            | decisions.TileDecision() | decisions.SwapDecision() | decisions.CopyDecision()
        ):  # fmt: skip
            return judgement.best_answer(game, decision, promising_answers(decision))
        case _:
            assert_never(decision)


def _choose_roll(
    game: GameReading, decision: decisions.RollDecision, judgement: Judgement
) -> answers.Answer:
    if not decision.rolls_left:
        if not decision.uses:
            return answers.Stop()
        return _use_something(game, decision, with_gains(game, judgement))
    prospects = foresee(game, decision, judgement)
    rolled = positions_to_roll(decision.dice, prospects.dice_to_keep())
    return answers.Reroll(rolled) if rolled else answers.Stop()


def _use_something(
    game: GameReading,
    decision: decisions.RollDecision | decisions.ProbeDecision,
    judgement: Judgement,
) -> answers.Answer:
    """Return a use that rerolls a die or gives another roll, where no roll is left."""
    best = decision.default
    aim = judgement.outlook(game, best) or 0.0
    aim += PRICE_OF_A_TOKEN if isinstance(decision, decisions.ProbeDecision) else MIN_GAIN
    for usable in decision.uses:
        for use in usable.legal_answers():
            fork = game.fork()
            fork.submit(answers.Answered(decision.seat, use))
            after = fork.pending
            if isinstance(after, decisions.RollDecision) and after.rolls_left:
                found = foresee(fork, after, judgement).worth()
                found -= 0 if usable.cost else PRICE_OF_A_TOKEN
            elif isinstance(after, decisions.Chance) and len(after.draws) == 1:
                found = _mean_after_a_die(fork, judgement)
            else:
                continue
            if found > aim:
                best, aim = use, found
    return best


def _mean_after_a_die(game: GameReading, judgement: Judgement) -> float:
    """Return the mean outlook over the faces of the die that is about to be rolled."""
    found = 0.0
    for face in answers.Face:
        fork = game.fork()
        fork.submit(answers.Drawn((face,)))
        if isinstance(fork.pending, decisions.RollDecision):
            fork.submit(answers.Answered(fork.pending.seat, answers.Stop()))
        judgement.finish_turn(fork)
        found += judgement.chance(fork) / len(answers.Face)
    return found


def _choose_purchase(
    game: GameReading,
    decision: decisions.BuyDecision,
    top: answers.Item | None,
    judgement: Judgement,
) -> answers.Answer:
    judgement = with_gains(game, judgement)
    given = [a for a in decision.legal_answers() if not isinstance(a, answers.Sweep | answers.Peek)]
    if decision.top and top is not None:
        given.append(answers.BuyTop(top))
    best = judgement.best_answer(game, decision, given)
    if best != decision.default:
        return best
    energy = game.state.monsters[decision.seat].energy
    if decision.peek and energy >= PEEK_FROM_ENERGY:
        return answers.Peek()
    if decision.sweep and energy >= SWEEP_FROM_ENERGY:
        return answers.Sweep()
    return best
