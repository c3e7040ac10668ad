"""Why an answer is proposed, in one sentence.

Scope: the words for each `Reason`. Figures are said no more exactly than they are meant: amounts
to the half, chances in tenths, estimates of who wins in hundredths.
Not here: the figures (`kotp2p.bots.reasons`).
"""

from __future__ import annotations

from math import floor
from typing import assert_never

from kotp2p.bots.dice import Figure
from kotp2p.bots.reasons import (
    CannotPay,
    HoldsOut,
    IsWornDown,
    IsWorthIt,
    MayWinThisTurn,
    NothingIsWorthIt,
    RaisesChance,
    Reason,
    RollBrings,
    RollingBringsNoMore,
    SavesFor,
    Survives,
    WinsNow,
)
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.referee.model.answers import Answer, Stay
from kotp2p.seams.seat_view import SeatView


def describe_reason(view: SeatView, answer: Answer, reason: Reason) -> str:
    """One sentence that stands behind the advice to give `answer`."""
    match reason:
        case WinsNow():
            return _("That wins the game.")
        case Survives():
            return _("Otherwise you would be out of the game.")
        case MayWinThisTurn() | RollBrings() | RollingBringsNoMore():
            return _describe_roll(reason)
        case HoldsOut():
            return _describe_holding_out(view, answer, reason)
        case IsWornDown(hearts=lost):
            return _("You would lose about {hearts} there until your turn, and dice do not heal "
                     "you in Tokyo.", hearts=_amount(Figure.HEARTS, lost))  # fmt: skip
        case SavesFor(item=item):
            return _("It is better to save for {card}.", card=names.item_name(view.game, item))
        case CannotPay():
            return _("You cannot pay for a card yet, and energy stays with you.")
        case NothingIsWorthIt():
            return _("No card that you can pay for is worth its price to you now.")
        case IsWorthIt():
            return _("It is worth its price to you now.")
        case RaisesChance():
            return _(
                "So you win about {n} times of 100, otherwise {other}.",
                n=_round(100 * reason.chance),
                other=_round(100 * reason.otherwise),
            )
        case _:
            assert_never(reason)


def _describe_roll(reason: MayWinThisTurn | RollBrings | RollingBringsNoMore) -> str:
    match reason:
        case MayWinThisTurn(chance=chance):
            return _("Your dice then win the game in this turn {odds}.", odds=_odds(chance))
        case RollBrings():
            return _describe_means(reason)
        case RollingBringsNoMore():
            return _("Another roll would bring no more on average.")
        case _:
            assert_never(reason)


def _describe_means(reason: RollBrings) -> str:
    what = list_with_and([_amount(one.figure, one.mean) for one in reason.figures])
    if reason.few_hearts is not None:
        return _("That brings about {what} on average, and you have only {hearts}.",
                 what=what, hearts=names.hearts(reason.few_hearts))  # fmt: skip
    if reason.cannot_heal:
        return _("That brings about {what} on average; dice do not heal you in Tokyo.", what=what)
    return _("That brings about {what} on average.", what=what)


def _describe_holding_out(view: SeatView, answer: Answer, reason: HoldsOut) -> str:
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
    """To the half: `half a point`, `1 point`, `1 or 2 points`."""
    halves = max(1, _round(2 * mean))
    less, has_half = divmod(halves, 2)
    if not has_half:
        return _count(figure, less)
    return _half(figure) if not less else _between(figure, less)


def _count(figure: Figure, n: int) -> str:
    match figure:
        case Figure.POINTS:
            return names.points(n)
        case Figure.HEARTS:
            return names.hearts(n)
        case Figure.ENERGY:
            return names.energy(n)
        case Figure.CLAWS:
            return names.claws(n)
        case _:
            assert_never(figure)


def _half(figure: Figure) -> str:
    match figure:
        case Figure.POINTS:
            return _("half a point")
        case Figure.HEARTS:
            return _("half a heart")
        case Figure.ENERGY:
            return _("half an energy")
        case Figure.CLAWS:
            return _("half a claw")
        case _:
            assert_never(figure)


def _between(figure: Figure, less: int) -> str:
    fields = {"less": less, "n": less + 1}
    match figure:
        case Figure.POINTS:
            return _("{less} or {n} points", **fields)
        case Figure.HEARTS:
            return _("{less} or {n} hearts", **fields)
        case Figure.ENERGY:
            return _("{less} or {n} energy", **fields)
        case Figure.CLAWS:
            return _("{less} or {n} claws", **fields)
        case _:
            assert_never(figure)


def _round(number: float) -> int:
    """A half goes up."""
    return floor(number + 0.5)
