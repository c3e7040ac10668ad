"""What a sound player would do, in words: the reason for a proposal, and what a coach says."""

from collections import Counter
from collections.abc import Callable, Mapping
from math import floor
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.ask.foresight import DICE_OF_A_TRIPLE
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import N_, _, list_with_and, plural
from kotp2p.cli.text.typed_words import own_letter_of_face
from kotp2p.extras.bots import reasons
from kotp2p.extras.bots.dice import Figure
from kotp2p.extras.bots.reasons import Plain
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Buy, Face, Reroll, Stay, Stop, Sweep, Yield
from kotp2p.referee.model.state import Monster, Place
from kotp2p.referee.rules.market import SWEEP_COST
from kotp2p.seams import notices
from kotp2p.seams.notices import SeatView

NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
MANY_HEARTS = 2
"""A beginner wonders if this many hearts are rolled again."""


# -- the coach -----------------------------------------------------------------------------


def coach(view: SeatView, decision: decisions.Decision, advice: Answer) -> list[str]:
    match decision:
        case decisions.RollDecision():
            return _coach_roll(view, decision, advice)
        case decisions.YieldDecision():
            return _coach_yield(view, decision, advice)
        case decisions.BuyDecision():
            return _coach_purchase(view, decision, advice)
        case decisions.OrderDecision():
            return [
                _("Your dice count one kind after the other, and here the order matters. Enter "
                  "shows a good one.")
            ]  # fmt: skip
        case decisions.HeartsDecision():
            return [_("Your hearts can do more than heal you. Enter shows what is best.")]
        case decisions.ChangeDecision() | decisions.ProbeDecision():
            return [_("A card of yours can still change a die. Enter shows what is best.")]
        case decisions.ResponseDecision():
            return [_("You are about to be hurt, and a card of yours can help.")]
        case _:  # the question is clear by itself
            return []


# -- dice --------------------------------------------------------------------------------------


def _coach_roll(view: SeatView, decision: decisions.RollDecision, advice: Answer) -> list[str]:
    worth = names.worth_for(view, decision.seat, decision.dice)
    if not decision.rolls_left:
        return [
            _("That was your last roll, so the dice count as they are: {worth}. Enter goes on.",
              worth=worth)
        ]  # fmt: skip
    match advice:
        case Stop():
            return [
                _("These dice are worth keeping as they are: {worth}.", worth=worth),
                _("Type d and press Enter to stop rolling."),
            ]
        case Reroll(dice=rolled):
            return _coach_reroll(view, decision, rolled)
        case _:  # a card is used, which the proposal explains
            return [_("One of your cards helps here: press Enter, and it is proposed.")]


def _coach_reroll(
    view: SeatView, decision: decisions.RollDecision, rolled: tuple[int, ...]
) -> list[str]:
    kept = [face for n, face in enumerate(decision.dice) if n not in rolled]
    reason = _reason_to_roll(view, kept, [decision.dice[n] for n in rolled])
    if not kept:
        return [
            reason or _("None of these dice leads far."),
            _("Type 0 and press Enter: all of them are rolled again."),
        ]
    typed = "".join(own_letter_of_face(face) for face in sorted(kept))
    return [
        reason or _reason_to_keep(view, kept),
        plural(
            "Type {typed} and press Enter: you keep that, and {n} die is rolled again.",
            "Type {typed} and press Enter: you keep that, and {n} dice are rolled again.",
            len(rolled),
            typed=typed,
        ),
    ]


def _reason_to_roll(view: SeatView, kept: list[Face], thrown: list[Face]) -> str:
    """Say why points, or many hearts, are rolled again; empty if they are not, or help."""
    for face in NUMBERS:
        count = kept.count(face) + thrown.count(face)
        if count >= DICE_OF_A_TRIPLE > kept.count(face):
            points = names.points(names.points_of_face(face, count))
            return _("Your {number}s are {points} as they lie, but rolling them again is worth "
                     "more here.", number=NUMBERS.index(face) + 1, points=points)  # fmt: skip
    if thrown.count(Face.HEART) < max(MANY_HEARTS, len(kept)):
        return ""
    if _me(view).place is not Place.OUTSIDE:
        return _("Hearts do not heal you in Tokyo, so roll them again.")
    if _me(view).hearts >= view.game.setup.rules.hearts:
        return _("You have all your hearts, so more of them bring nothing.")
    return ""


def _reason_to_keep(view: SeatView, kept: list[Face]) -> str:
    counts = Counter(kept).items()
    face, count = max(counts, key=lambda one: (one[1], one[0] in NUMBERS, one[0]))
    match face:
        case Face.ONE | Face.TWO | Face.THREE:
            return _reason_for_number(face, count)
        case Face.HEART:
            return _("You have {hearts} and stand outside Tokyo, where each of these dice heals 1.",
                     hearts=names.hearts(_me(view).hearts))  # fmt: skip
        case Face.BOLT:
            return _("Energy is kept until you spend it: at the end of your turn it buys cards.")
        case Face.CLAW:
            return _reason_for_claw(view)
        case _:
            assert_never(face)


def _reason_for_number(face: Face, count: int) -> str:
    number = NUMBERS.index(face) + 1
    if count >= DICE_OF_A_TRIPLE:
        return _("Three {number}s are {points}, and each further {number} adds 1.", number=number,
                 points=names.points(number))  # fmt: skip
    if count == 1:
        return _("A {number} alone is worth nothing, but three of them would be {points}.",
                 number=number, points=names.points(number))  # fmt: skip
    return _("With one more, three {number}s are {points}; two of them are worth nothing.",
             number=number, points=names.points(number))  # fmt: skip


def _reason_for_claw(view: SeatView) -> str:
    if _me(view).place is not Place.OUTSIDE:
        return _("You are in Tokyo, so each claw takes a heart from every monster outside.")
    hit = [
        names.player_name(view, monster.seat)
        for monster in view.game.state.monsters
        if monster.alive and monster.place is not Place.OUTSIDE
    ]
    if hit:
        return _("Each claw takes a heart from {names}, in Tokyo.", names=list_with_and(hit))
    return _("Claws hit the monsters in Tokyo, and it is empty now; they may let you in.")


# -- Tokyo and the shop --------------------------------------------------------------------


def _coach_yield(view: SeatView, decision: decisions.YieldDecision, advice: Answer) -> list[str]:
    hearts = names.hearts(_me(view).hearts)
    attacker = names.player_name(view, decision.attacker)
    if isinstance(advice, Yield):
        return [
            _("You have {hearts}, all others hit you here, and dice do not heal you in Tokyo.",
              hearts=hearts),
            _("Leave: {name} goes in and has to stand there, and you can heal.", name=attacker),
        ]  # fmt: skip
    reason = reasons.explain_advice(view, decision, advice)
    if isinstance(reason, reasons.KeepsOut) or reason is Plain.STOPS_ANOTHER:
        return [describe_reason(view, advice, reason)]
    return [
        _("With {hearts} you can stay: if you are still here when your turn begins, that is worth "
          "more than what {name} would get.", hearts=hearts, name=attacker)
    ]  # fmt: skip


def _coach_purchase(view: SeatView, decision: decisions.BuyDecision, advice: Answer) -> list[str]:
    match advice:
        case Buy(card=card):
            return [
                _("{card} is worth its price.", card=names.item_name(view.game, card)),
                _("Enter, and Enter again, buys it. F2 shows what all cards do."),
            ]
        case Sweep():
            return [
                _("None of these helps you much; {energy} bring three others.",
                  energy=names.energy(SWEEP_COST))
            ]  # fmt: skip
        case _:  # nothing is bought, or a rare card is used
            pass
    if not decision.offers:
        return [_("You cannot pay for a card yet. Energy stays with you, so n ends your turn.")]
    return [_("You could buy, but saving is sound, too: energy stays with you. n ends your turn.")]


def _me(view: SeatView) -> Monster:
    return view.game.state.monsters[view.seat]


# -- why an answer is proposed, in one sentence --------------------------------------------
#
# The words for each `Reason`. Figures are no more exact than they are meant: amounts to the half,
# chances in tenths, estimates of who wins in hundredths.


_REASONS: Mapping[Plain, str] = MappingProxyType({
    Plain.WINS_NOW: N_("That wins the game."),
    Plain.SURVIVES: N_("Otherwise you would be out of the game."),
    Plain.STOPS_ANOTHER: N_("Otherwise another monster would win."),
    Plain.ROLLING_BRINGS_NO_MORE: N_("Another roll would bring no more on average."),
    Plain.CANNOT_PAY: N_("You cannot pay for a card yet, and energy stays with you."),
    Plain.NOTHING_IS_WORTH_IT: N_("No card that you can pay for is worth its price to you now."),
    Plain.IS_WORTH_IT: N_("It is worth its price to you now."),
})  # fmt: skip


def give_reason(view: notices.SeatView, decision: decisions.Decision, answer: Answer) -> str:
    reason = reasons.explain_advice(view, decision, answer)
    return "" if reason is None else describe_reason(view, answer, reason)


def describe_reason(view: notices.SeatView, answer: Answer, reason: reasons.Reason) -> str:
    match reason:
        case reasons.MayWinThisTurn(chance=chance):
            return _("Your dice then win the game in this turn {odds}.", odds=_odds(chance))
        case reasons.RollBrings():
            return _describe_means(reason)
        case reasons.HoldsOut():
            return _describe_holding_out(view, answer, reason)
        case reasons.KeepsOut(attacker=seat, points=n):
            return _("Otherwise {name} enters with {points}, and wins by beginning a turn there.",
                     name=names.player_name(view, seat), points=names.points(n))  # fmt: skip
        case reasons.IsWornDown(hearts=lost):
            return _("You would lose about {hearts} there until your turn, and dice do not heal "
                     "you in Tokyo.", hearts=_amount(Figure.HEARTS, lost))  # fmt: skip
        case reasons.SavesFor(item=item):
            return _("It is better to save for {card}.", card=names.item_name(view.game, item))
        case reasons.RaisesChance():
            return _(
                "Wins about {n} %, otherwise {other} %.",
                n=_round(100 * reason.chance),
                other=_round(100 * reason.otherwise),
            )
        case Plain():
            return _(_REASONS[reason])
        case _:
            assert_never(reason)


def _describe_means(reason: reasons.RollBrings) -> str:
    what = list_with_and([_amount(figure, mean) for figure, mean in reason.figures.items()])
    if reason.few_hearts is not None:
        return _("That brings about {what}, and you have only {hearts}.",
                 what=what, hearts=names.hearts(reason.few_hearts))  # fmt: skip
    if reason.cannot_heal:
        return _("That brings about {what}; dice do not heal you in Tokyo.", what=what)
    return _("That brings about {what}.", what=what)


def _describe_holding_out(view: notices.SeatView, answer: Answer, reason: reasons.HoldsOut) -> str:
    hearts = names.hearts(reason.hearts)
    if not isinstance(answer, Stay):
        return _("With {hearts} you would be out of the game before your turn {odds}.",
                 hearts=hearts, odds=_odds(1 - reason.chance))  # fmt: skip
    if reason.wins and not reason.attackers:
        return _("Your turn comes next, and to begin it in Tokyo wins the game.")
    odds = _odds(reason.chance)
    if reason.wins:
        return _("With {hearts} you survive there until your turn {odds}, and then you win.",
                 hearts=hearts, odds=odds)  # fmt: skip
    two = view.game.setup.options.two_player  # D-28: energy instead of points
    gain = names.energy(1) if two else names.points(2)
    if not reason.attackers:
        return _("Your turn comes next, and to begin it in Tokyo brings {gain}.", gain=gain)
    return _("With {hearts} you survive there until your turn {odds}, and that brings {gain}.",
             hearts=hearts, odds=odds, gain=gain)  # fmt: skip


def _odds(chance: float) -> str:
    tenths = _round(10 * chance)
    if tenths <= 0:
        return _("hardly ever")
    if tenths >= 10:
        return _("nearly always")
    return plural("about {n} time out of 10", "about {n} times out of 10", tenths)


def _amount(figure: Figure, mean: float) -> str:
    """Describe an amount to the half: `half a point`, `1 point`, `1-2 points`."""
    halves = max(1, _round(2 * mean))
    less, has_half = divmod(halves, 2)
    counted, half, between = _AMOUNTS[figure]
    if has_half:
        return _(between, less=less, n=less + 1) if less else _(half)
    return counted(less)


_AMOUNTS: Mapping[Figure, tuple[Callable[[int], str], str, str]] = MappingProxyType({
    Figure.POINTS: (names.points, N_("half a point"), N_("{less}-{n} points")),
    Figure.HEARTS: (names.hearts, N_("half a heart"), N_("{less}-{n} hearts")),
    Figure.ENERGY: (names.energy, N_("half an energy"), N_("{less}-{n} energy")),
    Figure.CLAWS: (names.claws, N_("half a claw"), N_("{less}-{n} claws")),
})  # fmt: skip


def _round(number: float) -> int:
    return floor(number + 0.5)
