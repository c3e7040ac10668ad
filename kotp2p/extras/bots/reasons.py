"""Why advice is given: the figures by which the bot itself has judged, as data.

Scope: the reason for one answer to one decision. Every figure is worked out on forks of the game
and with the tables that `normal` uses, and checked against the answer: an answer that the bot would
not give gets no reason that does not hold for it.
Not here: sentences (`cli.extras.advice`), and how an answer is found (`normal`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TypeAlias

from kotp2p.extras.bots import chances
from kotp2p.extras.bots.card_worths import lasting_worths, with_gains
from kotp2p.extras.bots.dice import (
    Figure,
    count_faces,
    final_roll_worths,
    foresee,
    list_weighty_figures,
)
from kotp2p.extras.bots.judgement import (
    MAX_FORESEEN_STEPS,
    MIN_GAIN,
    Judgement,
    first_values,
    promising_answers,
)
from kotp2p.referee.game import Game, GameReading
from kotp2p.referee.model import answers, decisions
from kotp2p.referee.model.state import Place
from kotp2p.seams.notices import SeatView

LEAST_GAIN = 0.01
"""Of the chance to win. The figures are no more exact than that."""
LIKELY_WIN = 0.15
"""From this chance on to win with the dice of this turn, nothing else counts as the reason."""
LIKELY_TO_HOLD_OUT = 0.6
"""With this chance or more, holding out is a reason to stay."""
UNLIKELY_TO_HOLD_OUT = 0.75
"""With this chance or less, the danger is a reason to leave."""
FEW_HEARTS = 5
"""With this many hearts or fewer, healing is explained by them."""


class Plain(Enum):
    """A reason without figures."""

    WINS_NOW = auto()
    """The game is won by it before anybody else is asked."""
    SURVIVES = auto()
    """Otherwise the monster would be out of the game in this turn."""
    STOPS_ANOTHER = auto()
    """Otherwise another monster would win in this turn."""
    ROLLING_BRINGS_NO_MORE = auto()
    """No way to roll on is worth more on average."""
    CANNOT_PAY = auto()
    """The energy is enough for no card on offer."""
    NOTHING_IS_WORTH_IT = auto()
    """No card that could be paid for improves the chance to win."""
    IS_WORTH_IT = auto()
    """The purchase improves the chance to win, if not by much."""


@dataclass(frozen=True, slots=True)
class MayWinThisTurn:
    chance: float
    """That the dice of this turn win the game."""


@dataclass(frozen=True, slots=True)
class RollBrings:
    """What the final roll gives on average."""

    figures: Mapping[Figure, float]
    """One or two, what weighs most first."""
    few_hearts: int | None
    """The hearts of the monster, if they are why it heals."""
    cannot_heal: bool
    """It has few hearts, and stands where no dice heal it."""


@dataclass(frozen=True, slots=True)
class HoldsOut:
    """In Tokyo, until the own turn."""

    hearts: int
    """After this turn, if it stays."""
    attackers: int
    """How many monsters outside Tokyo play before it does."""
    chance: float
    wins: bool
    """The points for it would win the game."""


@dataclass(frozen=True, slots=True)
class KeepsOut:
    """A turn in Tokyo would win the game for the attacker, who would go in."""

    attacker: answers.Seat
    points: int
    """That it would have then."""


@dataclass(frozen=True, slots=True)
class IsWornDown:
    """It survives in Tokyo, but loses hearts there that no dice heal."""

    hearts: float
    """How many on average, until the own turn."""


@dataclass(frozen=True, slots=True)
class SavesFor:
    """The energy reaches for a better card, which cannot be paid yet."""

    item: answers.Item


@dataclass(frozen=True, slots=True)
class RaisesChance:
    """The estimated chance to win."""

    chance: float
    otherwise: float
    """Without it, or with the best other answer."""


Reason: TypeAlias = (
    Plain | MayWinThisTurn | RollBrings | HoldsOut | KeepsOut | IsWornDown | SavesFor | RaisesChance
)


def explain_advice(
    view: SeatView, decision: decisions.Decision, answer: answers.Answer
) -> Reason | None:
    """Return why `answer` is sound, or None if there is no short and true reason."""
    game = view.game
    if game.pending != decision or not decision.is_legal(answer):
        return None
    judgement = Judgement(decision.seat, view=chances.View(lasting_worths(game)))
    if isinstance(decision, decisions.BuyDecision):
        judgement = with_gains(game, judgement)
    if _wins_now(game, judgement, answer):
        return Plain.WINS_NOW
    match decision, answer:
        case decisions.RollDecision(), _:
            return _explain_roll(game, decision, answer, judgement)
        case decisions.YieldDecision(), _:
            return _explain_yield(game, decision, answer, judgement)
        case decisions.BuyDecision(), answers.Done() | answers.Sweep() | answers.Peek():
            return _explain_saving(game, decision, judgement)
        case _:  # all other answers are judged by their outlook alone
            compared = _compare(game, decision, answer, judgement)
    if compared is None:
        return None
    gain, reason = compared
    is_bought = isinstance(answer, answers.Buy | answers.BuyTop) and gain > MIN_GAIN
    return reason or (Plain.IS_WORTH_IT if is_bought else None)


def _wins_now(game: GameReading, judgement: Judgement, answer: answers.Answer) -> bool:
    """Return whether the answer wins before dice are rolled or anybody else is asked."""
    fork = game.fork()
    fork.submit(answers.Answered(judgement.seat, answer))
    for _ in range(MAX_FORESEEN_STEPS):
        pending = fork.pending
        if isinstance(pending, decisions.Over) or fork.state.turn != game.state.turn:
            break
        if isinstance(pending, decisions.Chance):
            if pending.kind is not decisions.ChanceKind.CARDS:
                break
            fork.submit(answers.Drawn(first_values(pending)))
        elif isinstance(pending, decisions.RollDecision) or pending.seat != judgement.seat:
            break
        else:
            fork.submit(answers.Answered(pending.seat, pending.default))
    return fork.state.winners == (judgement.seat,)


# -- dice ----------------------------------------------------------------------------------


def _explain_roll(
    game: GameReading,
    decision: decisions.RollDecision,
    answer: answers.Answer,
    judgement: Judgement,
) -> Reason | None:
    if not decision.rolls_left:
        return None
    dice, worths = decision.dice, final_roll_worths(game, decision, judgement)
    prospects = foresee(game, decision, judgement)
    match answer:
        case answers.Stop():
            stopping, rolling = worths[count_faces(dice)], prospects.worth_of_rolling()
            if stopping - rolling >= LEAST_GAIN:
                return RaisesChance(stopping, rolling)
            return Plain.ROLLING_BRINGS_NO_MORE if stopping >= rolling else None
        case answers.Reroll(dice=rolled):
            keep = count_faces([face for n, face in enumerate(dice) if n not in rolled])
        case _:  # a card is used, and what follows is no plan for dice
            return None
    wins = prospects.mean_after_keeping(keep, lambda counts: worths[counts] == 1.0)
    if wins >= LIKELY_WIN:
        return MayWinThisTurn(wins)
    figures = list_weighty_figures(game, judgement.seat, prospects, keep, worths)
    if not figures:
        return None
    me = game.state.monsters[judgement.seat]
    is_weak = me.hearts <= FEW_HEARTS
    heals = is_weak and Figure.HEARTS in figures
    return RollBrings(
        figures, me.hearts if heals else None, is_weak and me.place is not Place.OUTSIDE
    )


# -- Tokyo ---------------------------------------------------------------------------------


def _explain_yield(
    game: GameReading,
    decision: decisions.YieldDecision,
    answer: answers.Answer,
    judgement: Judgement,
) -> Reason | None:
    compared = _compare(game, decision, answer, judgement)
    if compared is None:
        return None
    gain, reason = compared
    end = _foresee(game, judgement, answers.Stay())
    is_told = reason in (Plain.SURVIVES, Plain.STOPS_ANOTHER)
    is_sound = gain >= -MIN_GAIN  # as the bot would have it
    if is_told or not is_sound or end is None or not _lives(end, judgement):
        return reason
    hearts = end.state.monsters[decision.seat].hearts
    attackers = chances.attackers_before(end.state, decision.seat, end.state.active)
    chance = chances.chance_to_hold_out(hearts, attackers)
    match answer:
        case answers.Stay():
            wins = _is_won_by_a_turn_in_tokyo(end, decision.seat)
            left = None if wins else _foresee(game, judgement, answers.Yield())
            if attackers and left and _is_won_by_a_turn_in_tokyo(left, decision.attacker):
                return KeepsOut(decision.attacker, left.state.monsters[decision.attacker].points)
            if chance >= LIKELY_TO_HOLD_OUT or wins:
                return HoldsOut(hearts, attackers, chance, wins)
        case answers.Yield():
            if chance <= UNLIKELY_TO_HOLD_OUT:
                return HoldsOut(hearts, attackers, chance, wins=False)
            if attackers:
                return IsWornDown(attackers * sum(n * p for n, p in enumerate(chances.BLOWS)))
        case _:  # a card is used
            pass
    return reason


def _is_won_by_a_turn_in_tokyo(game: GameReading, seat: answers.Seat) -> bool:
    if game.setup.options.two_player:  # it brings energy there
        return False
    missing = game.setup.rules.goal - game.state.monsters[seat].points
    return missing <= chances.POINTS_FOR_A_TURN_IN_TOKYO


# -- cards ---------------------------------------------------------------------------------


def _explain_saving(
    game: GameReading, decision: decisions.BuyDecision, judgement: Judgement
) -> Reason | None:
    energy = game.state.monsters[decision.seat].energy
    if not decision.offers:
        prices = [game.card(item).cost for item in game.state.market if item is not None]
        return Plain.CANNOT_PAY if prices and min(prices) > energy else None
    if _helpful_offer(game, decision, judgement):
        return None
    gains = judgement.view.gains
    paid = {offer.card for offer in decision.offers}
    wanted = {item: gain for item, gain in gains.items() if item not in paid}
    if wanted:
        item = max(wanted, key=lambda one: chances.energy_worth(game, {one: wanted[one]})(energy))
        without = {one: gain for one, gain in gains.items() if one != item}
        unaware = replace(judgement, view=chances.View(judgement.view.worths, without))
        if _helpful_offer(game, decision, unaware):
            return SavesFor(item)
    return Plain.NOTHING_IS_WORTH_IT


def _helpful_offer(
    game: GameReading, decision: decisions.BuyDecision, judgement: Judgement
) -> bool:
    buys = [answers.Buy(offer.card) for offer in decision.offers]
    return judgement.best_answer(game, decision, buys) != decision.default


# -- other answers -------------------------------------------------------------------------


def _compare(
    game: GameReading, decision: decisions.Decision, answer: answers.Answer, judgement: Judgement
) -> tuple[float, Reason | None] | None:
    """Return what the answer gains against silence or the next best, and why; None if unknown."""
    mine = _foresee(game, judgement, answer)
    ends = [_foresee(game, judgement, other) for other in _others(decision, answer)]
    found = [end for end in ends if end is not None]
    if mine is None or not found or len(found) < len(ends):
        return None
    other = max(found, key=judgement.chance)
    chance, otherwise = judgement.chance(mine), judgement.chance(other)
    gain = chance - otherwise
    if _lives(mine, judgement) and not _lives(other, judgement):
        return gain, Plain.SURVIVES
    if other.state.winners and not mine.state.winners:
        return gain, Plain.STOPS_ANOTHER
    return gain, RaisesChance(chance, otherwise) if gain >= LEAST_GAIN else None


def _others(decision: decisions.Decision, answer: answers.Answer) -> list[answers.Answer]:
    if answer != decision.default:
        return [decision.default]
    return [other for other in promising_answers(decision) if other != answer]


def _lives(end: Game, judgement: Judgement) -> bool:
    return end.state.monsters[judgement.seat].alive


def _foresee(game: GameReading, judgement: Judgement, answer: answers.Answer) -> Game | None:
    """Return the end of the turn after an answer; None if chance decides before."""
    fork = game.fork()
    try:
        fork.submit(answers.Answered(judgement.seat, answer))
    except answers.IllegalAction:
        return None
    judgement.finish_turn(fork)
    is_over = fork.state.turn != game.state.turn or isinstance(fork.pending, decisions.Over)
    return fork if is_over else None
