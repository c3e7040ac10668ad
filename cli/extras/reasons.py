"""Why an answer is proposed, in one sentence: the words for each `Reason` of a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import floor
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import N_, _, list_with_and, plural
from kotp2p.extras.bots import reasons
from kotp2p.extras.bots.dice import Figure
from kotp2p.extras.bots.reasons import Plain
from kotp2p.referee.model.answers import Answer, Stay
from kotp2p.seams import notices

# -- why an answer is proposed, in one sentence --------------------------------------------
#
# The words for each `Reason`. Figures are no more exact than they are meant: amounts to the half,
# chances in tenths, estimates of who wins in hundredths.


_REASONS: Mapping[Plain, str] = MappingProxyType({
    Plain.WINS_NOW: N_("That wins the game."),
    Plain.SURVIVES: N_("Otherwise you would be out of the game."),
    Plain.ROLLING_BRINGS_NO_MORE: N_("Another roll would bring no more on average."),
    Plain.CANNOT_PAY: N_("You cannot pay for a card yet, and energy stays with you."),
    Plain.NOTHING_IS_WORTH_IT: N_("No card that you can pay for is worth its price to you now."),
    Plain.IS_WORTH_IT: N_("It is worth its price to you now."),
})  # fmt: skip


def describe_reason(view: notices.SeatView, answer: Answer, reason: reasons.Reason) -> str:
    match reason:
        case reasons.MayWinThisTurn(chance=chance):
            return _("Your dice then win the game in this turn {odds}.", odds=_odds(chance))
        case reasons.RollBrings():
            return _describe_means(reason)
        case reasons.HoldsOut():
            return _describe_holding_out(view, answer, reason)
        case reasons.IsWornDown(hearts=lost):
            return _("You would lose about {hearts} there until your turn, and dice do not heal "
                     "you in Tokyo.", hearts=_amount(Figure.HEARTS, lost))  # fmt: skip
        case reasons.SavesFor(item=item):
            return _("It is better to save for {card}.", card=names.item_name(view.game, item))
        case reasons.RaisesChance():
            return _(
                "So you win about {n} times of 100, otherwise {other}.",
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
        return _("That brings about {what} on average, and you have only {hearts}.",
                 what=what, hearts=names.hearts(reason.few_hearts))  # fmt: skip
    if reason.cannot_heal:
        return _("That brings about {what} on average; dice do not heal you in Tokyo.", what=what)
    return _("That brings about {what} on average.", what=what)


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
    """Describe an amount to the half: `half a point`, `1 point`, `1 or 2 points`."""
    halves = max(1, _round(2 * mean))
    less, has_half = divmod(halves, 2)
    counted, half, between = _AMOUNTS[figure]
    if has_half:
        return _(between, less=less, n=less + 1) if less else _(half)
    return counted(less)


_AMOUNTS: Mapping[Figure, tuple[Callable[[int], str], str, str]] = MappingProxyType({
    Figure.POINTS: (names.points, N_("half a point"), N_("{less} or {n} points")),
    Figure.HEARTS: (names.hearts, N_("half a heart"), N_("{less} or {n} hearts")),
    Figure.ENERGY: (names.energy, N_("half an energy"), N_("{less} or {n} energy")),
    Figure.CLAWS: (names.claws, N_("half a claw"), N_("{less} or {n} claws")),
})  # fmt: skip


def _round(number: float) -> int:
    return floor(number + 0.5)
