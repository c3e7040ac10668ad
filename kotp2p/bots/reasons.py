"""Why advice is given: the figures by which the bot itself has judged, as data.

Scope: the reason for one answer to one decision. Every figure is worked out on forks of the game
and with the tables that `normal` uses, and checked against the answer: an answer that the bot would
not give gets no reason that does not hold for it.
Not here: sentences (`cli.text.statistics`), and how an answer is found (`normal`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from kotp2p.bots.card_worths import lasting_worths, offer_gains
from kotp2p.bots.chances import (
    BLOWS,
    POINTS_FOR_A_TURN_IN_TOKYO,
    View,
    chance_to_hold_out,
    energy_worth,
)
from kotp2p.bots.dice import (
    Figure,
    FigureMean,
    Prospects,
    count_faces,
    final_roll_worths,
    list_weighty_figures,
)
from kotp2p.bots.judgement import MAX_FORESEEN_STEPS, MIN_GAIN, Judgement, first_values
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import (
    Answer,
    Answered,
    Buy,
    BuyTop,
    Done,
    Drawn,
    IllegalAction,
    Item,
    Peek,
    Reroll,
    Seat,
    Stay,
    Stop,
    Sweep,
    Yield,
)
from kotp2p.referee.model.decisions import (
    BuyDecision,
    Chance,
    ChanceKind,
    Decision,
    Over,
    RollDecision,
    YieldDecision,
)
from kotp2p.referee.model.state import Place, State
from kotp2p.seams.notices import SeatView

LEAST_GAIN = 0.01
"""Of the chance to win. The figures are no more exact than that."""
MOST_ANSWERS_TRIED = 40
LIKELY_WIN = 0.15
"""From this chance on to win with the dice of this turn, nothing else counts as the reason."""
LIKELY_TO_HOLD_OUT = 0.6
"""With this chance or more, holding out is a reason to stay."""
UNLIKELY_TO_HOLD_OUT = 0.75
"""With this chance or less, the danger is a reason to leave."""
FEW_HEARTS = 5
"""With this many hearts or fewer, healing is explained by them."""


@dataclass(frozen=True, slots=True)
class WinsNow:
    """The game is won by it before anybody else is asked."""


@dataclass(frozen=True, slots=True)
class Survives:
    """Otherwise the monster would be out of the game in this turn."""


@dataclass(frozen=True, slots=True)
class MayWinThisTurn:
    chance: float
    """That the dice of this turn win the game."""


@dataclass(frozen=True, slots=True)
class RollBrings:
    """What the final roll gives on average."""

    figures: tuple[FigureMean, ...]
    """One or two, what weighs most first."""
    few_hearts: int | None
    """The hearts of the monster, if they are why it heals."""
    cannot_heal: bool
    """It has few hearts, and stands where no dice heal it."""


@dataclass(frozen=True, slots=True)
class RollingBringsNoMore:
    """No way to roll on is worth more on average."""


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
class IsWornDown:
    """It survives in Tokyo, but loses hearts there that no dice heal."""

    hearts: float
    """How many on average, until the own turn."""


@dataclass(frozen=True, slots=True)
class SavesFor:
    """The energy reaches for a better card, which cannot be paid yet."""

    item: Item


@dataclass(frozen=True, slots=True)
class CannotPay:
    """The energy is enough for no card on offer."""


@dataclass(frozen=True, slots=True)
class NothingIsWorthIt:
    """No card that could be paid for improves the chance to win."""


@dataclass(frozen=True, slots=True)
class IsWorthIt:
    """The purchase improves the chance to win, if not by much."""


@dataclass(frozen=True, slots=True)
class RaisesChance:
    """The estimated chance to win."""

    chance: float
    otherwise: float
    """Without it, or with the best other answer."""


Reason: TypeAlias = (
    WinsNow | Survives | MayWinThisTurn | RollBrings | RollingBringsNoMore | HoldsOut | IsWornDown
    | SavesFor | CannotPay | NothingIsWorthIt | IsWorthIt | RaisesChance
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Look:
    """The end of the turn after an answer, as far as it can be foreseen."""

    chance: float
    is_out: bool
    end: GameReading


def explain_advice(view: SeatView, decision: Decision, answer: Answer) -> Reason | None:
    """Return why `answer` is sound, or None if there is no short and true reason."""
    game = view.game
    if game.pending != decision or not decision.is_legal(answer):
        return None
    seat = decision.seat
    judgement = Judgement(seat, view=View(lasting_worths(game)))
    if isinstance(decision, RollDecision | BuyDecision):
        worths = judgement.view.worths
        judgement = replace(judgement, view=View(worths, offer_gains(game, seat, worths)))
    if _wins_now(game, judgement, answer):
        return WinsNow()
    match decision:
        case RollDecision():
            return _explain_roll(game, decision, answer, judgement)
        case YieldDecision():
            return _explain_yield(game, decision, answer, judgement)
        case BuyDecision():
            return _explain_purchase(game, decision, answer, judgement)
        case _:  # all other kinds are judged by their outlook alone
            return _explain_by_outlook(game, decision, answer, judgement)


def _wins_now(game: GameReading, judgement: Judgement, answer: Answer) -> bool:
    if isinstance(answer, Reroll):
        return False
    fork = game.fork()
    fork.submit(Answered(judgement.seat, answer))
    for _ in range(MAX_FORESEEN_STEPS):
        pending = fork.pending
        if isinstance(pending, Over):
            return fork.state.winners == (judgement.seat,)
        if isinstance(pending, Chance) and pending.kind is ChanceKind.CARDS:
            fork.submit(Drawn(first_values(pending)))
            continue
        if (
            isinstance(pending, Chance | RollDecision)
            or pending.seat != judgement.seat
            or fork.state.turn != game.state.turn
        ):
            return False
        fork.submit(Answered(pending.seat, pending.default))
    return False


# -- dice ----------------------------------------------------------------------------------


def _explain_roll(
    game: GameReading, decision: RollDecision, answer: Answer, judgement: Judgement
) -> Reason | None:
    if not decision.rolls_left:
        return None
    worths = final_roll_worths(game, decision, judgement)
    prospects = Prospects(len(decision.dice), decision.rolls_left, worths.__getitem__)
    match answer:
        case Stop():
            stopping = worths[count_faces(decision.dice)]
            return _compare_stop(stopping, prospects.worth_of_rolling(decision.dice))
        case Reroll(dice=rolled):
            keep = count_faces([face for n, face in enumerate(decision.dice) if n not in rolled])
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
    heals = any(one.figure is Figure.HEARTS for one in figures)
    return RollBrings(
        figures, me.hearts if is_weak and heals else None, is_weak and me.place is not Place.OUTSIDE
    )


def _compare_stop(now: float, rolling: float) -> Reason | None:
    if now - rolling >= LEAST_GAIN:
        return RaisesChance(now, rolling)
    return RollingBringsNoMore() if now >= rolling else None


# -- Tokyo ---------------------------------------------------------------------------------


def _explain_yield(
    game: GameReading, decision: YieldDecision, answer: Answer, judgement: Judgement
) -> Reason | None:
    pair = _compare(game, decision, answer, judgement)
    staying = _look(game, judgement, Stay())
    if pair is None or staying is None or pair.is_saved or not pair.is_sound or staying.is_out:
        return None if pair is None else pair.reason()
    hearts = staying.end.state.monsters[decision.seat].hearts
    attackers = _attackers_until_turn(staying.end.state, decision.seat)
    chance = chance_to_hold_out(hearts, attackers)
    match answer:
        case Stay():
            wins = _is_won_by_a_turn_in_tokyo(staying.end, decision.seat)
            if chance >= LIKELY_TO_HOLD_OUT or wins:
                return HoldsOut(hearts, attackers, chance, wins)
        case Yield():
            if chance <= UNLIKELY_TO_HOLD_OUT:
                return HoldsOut(hearts, attackers, chance, wins=False)
            if attackers:
                return IsWornDown(attackers * sum(n * share for n, share in enumerate(BLOWS)))
        case _:  # a card is used
            pass
    return pair.reason()


def _attackers_until_turn(state: State, seat: Seat) -> int:
    """Return how many monsters outside Tokyo play before `seat`, after this turn."""
    seats = len(state.monsters)
    waiting = (seat - state.active) % seats
    order = [state.monsters[(state.active + n) % seats] for n in range(waiting)]
    return sum(m.alive and m.place is Place.OUTSIDE for m in order)


def _is_won_by_a_turn_in_tokyo(game: GameReading, seat: Seat) -> bool:
    if game.setup.options.two_player:  # it brings energy there
        return False
    missing = game.setup.rules.goal - game.state.monsters[seat].points
    return missing <= POINTS_FOR_A_TURN_IN_TOKYO


# -- cards ---------------------------------------------------------------------------------


def _explain_purchase(
    game: GameReading, decision: BuyDecision, answer: Answer, judgement: Judgement
) -> Reason | None:
    match answer:
        case Buy() | BuyTop():
            pair = _compare(game, decision, answer, judgement)
            if pair is None:
                return None
            return pair.reason() or (IsWorthIt() if pair.gain > MIN_GAIN else None)
        case Done() | Sweep() | Peek():
            return _explain_saving(game, decision, judgement)
        case _:  # a card is used
            return _explain_by_outlook(game, decision, answer, judgement)


def _explain_saving(
    game: GameReading, decision: BuyDecision, judgement: Judgement
) -> Reason | None:
    energy = game.state.monsters[decision.seat].energy
    if not decision.offers:
        cards = [item for item in game.state.market if item is not None]
        return CannotPay() if cards and all(game.card(i).cost > energy for i in cards) else None
    if _helpful_offer(game, decision, judgement):
        return None
    gains = judgement.view.gains
    paid = {offer.card for offer in decision.offers}
    wanted = {item: gain for item, gain in gains.items() if item not in paid}
    if wanted:
        item = max(wanted, key=lambda one: energy_worth(game, {one: wanted[one]})(energy))
        without = {one: gain for one, gain in gains.items() if one != item}
        unaware = replace(judgement, view=View(judgement.view.worths, without))
        if _helpful_offer(game, decision, unaware):
            return SavesFor(item)
    return NothingIsWorthIt()


def _helpful_offer(game: GameReading, decision: BuyDecision, judgement: Judgement) -> bool:
    buys = [Buy(offer.card) for offer in decision.offers]
    return judgement.best_answer(game, decision, buys) != decision.default


# -- other answers -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pair:
    """An answer, and what it is compared with: silence, or the best other answer instead of it."""

    mine: _Look
    other: _Look

    @property
    def gain(self) -> float:
        return self.mine.chance - self.other.chance

    @property
    def is_saved(self) -> bool:
        return self.other.is_out and not self.mine.is_out

    @property
    def is_sound(self) -> bool:
        """Return whether the bot would prefer this answer to the other."""
        return self.gain >= -MIN_GAIN

    def reason(self) -> Reason | None:
        if self.is_saved:
            return Survives()
        if self.gain >= LEAST_GAIN:
            return RaisesChance(self.mine.chance, self.other.chance)
        return None


def _explain_by_outlook(
    game: GameReading, decision: Decision, answer: Answer, judgement: Judgement
) -> Reason | None:
    pair = _compare(game, decision, answer, judgement)
    return None if pair is None else pair.reason()


def _compare(
    game: GameReading, decision: Decision, answer: Answer, judgement: Judgement
) -> _Pair | None:
    """Compare the answer with the best other one; None if there is none, or chance decides."""
    mine = _look(game, judgement, answer)
    looks = [_look(game, judgement, other) for other in _others(decision, answer)]
    found = [look for look in looks if look is not None]
    if mine is None or not found or len(found) < len(looks):
        return None
    return _Pair(mine, max(found, key=lambda look: look.chance))


def _others(decision: Decision, answer: Answer) -> Iterator[Answer]:
    if answer != decision.default:
        return iter([decision.default])
    return islice((a for a in decision.legal_answers() if a != answer), MOST_ANSWERS_TRIED)


def _look(game: GameReading, judgement: Judgement, answer: Answer) -> _Look | None:
    """Return the outlook of an answer; None if chance decides before the end of the turn."""
    fork = game.fork()
    try:
        fork.submit(Answered(judgement.seat, answer))
    except IllegalAction:
        return None
    judgement.finish_turn(fork)
    if fork.state.turn == game.state.turn and not isinstance(fork.pending, Over):
        return None
    alive = fork.state.monsters[judgement.seat].alive
    return _Look(judgement.chance(fork), not alive, fork)
