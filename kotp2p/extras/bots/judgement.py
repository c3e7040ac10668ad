"""How a bot judges an answer: it gives it on a fork of the game and looks at the turn's end.

Scope: playing a fork to the end of the turn, and the chance to win there. All decisions on the way
are taken by habit: cheap answers that approximate what the seats are likely to do. Not here: which
answers are tried (`normal`); chance, whose dice end every outlook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from kotp2p.extras.bots import chances
from kotp2p.referee.game import Game, GameReading
from kotp2p.referee.model import answers, decisions
from kotp2p.referee.model.state import Place

MIN_GAIN = 0.0005
"""Of the chance to win. A smaller gain is no reason to depart from the default."""
MAX_FORESEEN_STEPS = 40
"""How many steps an outlook follows before it stops."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The eyes of one seat at one moment."""

    seat: answers.Seat
    view: chances.View = chances.UNKNOWING
    appraise: chances.Appraiser = chances.standings_by_figures

    def chance(self, position: chances.Position) -> float:
        return chances.winning_chance(position, self.seat, self.view, self.appraise)

    def outlook(self, game: GameReading, answer: answers.Answer) -> float | None:
        """Return the chance to win after `answer` of this seat; None if it is refused."""
        fork = game.fork()
        try:
            fork.submit(answers.Answered(self.seat, answer))
        except answers.IllegalAction:
            return None
        self.finish_turn(fork)
        return self.chance(fork)

    def best_answer(
        self, game: GameReading, decision: decisions.Decision, given: Iterable[answers.Answer]
    ) -> answers.Answer:
        """Return the answer with the best outlook; it must beat the default by `MIN_GAIN`."""
        best = decision.default
        aim = self.outlook(game, best)
        for answer in given:
            found = None if answer == best else self.outlook(game, answer)
            if found is not None and (aim is None or found > aim + MIN_GAIN):
                best, aim = answer, found
        return best

    def finish_turn(self, fork: Game, to_purchase: bool = False) -> None:
        """Take `fork` to the end of the turn, or to the next roll in it.

        With `to_purchase` the first decision to buy is where it stops, if there is one before.
        """
        turn = fork.state.turn
        for _ in range(MAX_FORESEEN_STEPS):
            pending = fork.pending
            if fork.state.turn != turn or isinstance(pending, decisions.Over):
                return
            if isinstance(pending, decisions.Chance):
                if pending.kind is not decisions.ChanceKind.CARDS:
                    return
                fork.submit(answers.Drawn(first_values(pending)))
            elif to_purchase and isinstance(pending, decisions.BuyDecision):
                return
            else:
                fork.submit(answers.Answered(pending.seat, self.habitual_answer(fork, pending)))

    def habitual_answer(self, game: GameReading, decision: decisions.Decision) -> answers.Answer:
        """Return a legal answer of the seat that is asked, likely and cheap."""
        match decision:
            case decisions.HeartsDecision():
                answer = spend_hearts(game, decision)
            case decisions.YieldDecision():
                answer = yield_or_stay(game, decision)
            case decisions.BuyDecision(seat=self.seat):
                return self.best_offer(game, decision.offers) or decision.default
            case _:  # no habit is known for the other kinds
                return decision.default
        return answer if decision.is_legal(answer) else decision.default

    def best_offer(
        self, position: chances.Position, offers: Iterable[decisions.Offer]
    ) -> answers.Buy | None:
        """Return the purchase that adds most to the standing, if the energy is enough for one."""
        energy = position.state.monsters[self.seat].energy
        gains = [(offer, self.view.gains.get(offer.card, 0.0)) for offer in offers]
        gains = [(offer, gain) for offer, gain in gains if gain > 0 and offer.price <= energy]
        if not gains:
            return None
        best, aim = None, MIN_GAIN
        worth = chances.energy_worth(position, self.view.gains)
        kept = worth(energy)
        for offer, gain in gains:
            net = gain - (kept - worth(energy - offer.price))
            if net > aim:
                best, aim = answers.Buy(offer.card), net
        return best


def yield_or_stay(position: chances.Position, decision: decisions.YieldDecision) -> answers.Answer:
    """Stay where that is the better standing."""
    state = position.state
    me = state.monsters[decision.seat]
    hearts = me.hearts - decision.pending
    if hearts <= 0:
        return answers.Yield()
    after_attacker = (decision.attacker + 1) % len(state.monsters)
    return (
        answers.Stay()
        if chances.tokyo_standing(position, me.seat, hearts, after_attacker) > 0
        else answers.Yield()
    )


def promising_answers(decision: decisions.Decision) -> Iterable[answers.Answer]:
    """Return the answers that are worth trying; most decisions have few.

    Changes by which a die keeps its face are left out, and of equal dice only the first is changed.
    Of hundreds of orders those are tried that put one group last. Cards are sold one at a time, as
    the question comes again.
    """
    match decision:
        case decisions.ChangeDecision(dice=dice):
            return [
                answer
                for answer in decision.legal_answers()
                if not isinstance(answer, answers.Use)
                or answer.die is None
                or (
                    answer.face is not dice[answer.die]
                    and dice[answer.die] not in dice[: answer.die]
                )
            ]
        case decisions.OrderDecision(groups=groups):
            places = range(len(groups))
            orders = [answers.Order((*groups[:i], *groups[i + 1 :], groups[i])) for i in places]
            return [*(use for usable in decision.uses for use in usable.legal_answers()), *orders]
        case decisions.SellDecision(cards=cards):
            return [answers.Sell((card,)) for card in sorted(cards)]
        case _:  # all other kinds
            return decision.legal_answers()


def first_values(chance: decisions.Chance) -> tuple[int, ...]:
    """Return any legal values for a draw whose outcome does not matter to the outlook."""
    given = Counter[int]()
    values = []
    for draw in chance.draws:
        values.append(given[draw.pool] if draw.pool >= 0 else 0)
        given[draw.pool] += 1
    return tuple(values)


# -- what heart dice are good for ----------------------------------------------------------
#
# The uses of each heart, and the answer that spends them best.


def heart_uses(game: GameReading, seat: answers.Seat) -> list[str]:
    """Return the uses of heart dice (heal, poison, shrink), the best first."""
    state = game.state
    me = state.monsters[seat]
    if me.place is not Place.OUTSIDE or me.zombie:
        return []
    hearts = chances.figures_for(game).hearts
    most = min(game.max_hearts(seat), len(hearts) - 1)
    uses = [("heal", hearts[n + 1] - hearts[n]) for n in range(me.hearts, most)]
    uses += [("poison", -chances.POISON_STANDING)] * me.poison + [
        ("shrink", -chances.SHRINK_STANDING)
    ] * me.shrink
    return [use for use, _ in sorted(uses, key=lambda use: -use[1])]


def spend_hearts(game: GameReading, decision: decisions.HeartsDecision) -> answers.Answer:
    """Spend each heart where it helps most; sell the rest to others."""
    limits = {"heal": decision.heal, "poison": decision.poison, "shrink": decision.shrink}
    spent = dict.fromkeys(limits, 0)
    left = decision.hearts
    for use in heart_uses(game, decision.seat):
        if left and spent[use] < limits[use]:
            spent[use] += 1
            left -= 1
    gifts = []
    for patient, most in decision.patients:
        given = min(most, left)
        if given:
            gifts.append((patient, given))
            left -= given
    return answers.Hearts(**spent, give=tuple(gifts))
