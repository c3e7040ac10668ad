"""The referee's reasons as sentences: to the player who is refused, and of a player who cheated."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text.i18n import N_, _
from kotp2p.referee.model.answers import Reason

_DICE = N_("the dice did not allow it")
_CARDS = N_("the cards did not allow it")
_CHOICE = N_("what it named could not be chosen")
_TOP_CARD = N_("the top card was not to be had like that")
_BROKEN: Mapping[str, str] = MappingProxyType({
    Reason.NO_SUCH_DIE: _DICE, Reason.NO_SUCH_FACE: _DICE, Reason.NOT_THE_GROUPS: _DICE,
    Reason.NO_ROLL_LEFT: N_("no roll was left"),
    Reason.NOT_USABLE: _CARDS, Reason.FORBIDDEN: _CARDS,
    Reason.CANNOT_PAY: N_("there was not enough energy for it"),
    Reason.NOT_FOR_SALE: N_("the card was not for sale"),
    Reason.FULL_HEARTS: N_("no heart was missing"),
    Reason.TOO_MANY: _CHOICE, Reason.NOT_A_TARGET: _CHOICE,
    Reason.ALREADY_SEEN: _TOP_CARD, Reason.NOT_SEEN: _TOP_CARD,
})  # fmt: skip
_NOT_ASKED = N_("nothing of the kind was asked")


def describe_broken_rule(detail: str) -> str:
    """Against which rule an illegal move was, as a clause; `detail`: that of the proof."""
    return _(_BROKEN.get(detail.partition(":")[0], _NOT_ASKED))


def describe_refusal(reason: Reason) -> str:
    return _answer(reason) or _place(reason)


def _answer(reason: Reason) -> str:
    """Reasons about the thing that was named; empty for the others."""
    match reason:
        case Reason.NO_SUCH_DIE:
            return _("That die cannot be used for this.")
        case Reason.NO_SUCH_FACE:
            return _("The die cannot become that.")
        case Reason.CANNOT_PAY:
            return _("You do not have enough energy for that.")
        case Reason.NOT_FOR_SALE:
            return _("That card is not for sale to you now.")
        case Reason.TOO_MANY:
            return _("That is more than there is.")
        case Reason.NOT_A_TARGET:
            return _("That one cannot be chosen.")
        case Reason.NOT_THE_GROUPS:
            return _("Name each group of dice once.")
        case Reason.FULL_HEARTS:
            return _("You have all your hearts already.")
        case _:  # `_place` tells the others, and ends in assert_never
            return ""


def _place(reason: Reason) -> str:
    match reason:
        case Reason.NO_ROLL_LEFT:
            return _("You have no roll left.")
        case Reason.NOT_USABLE:
            return _("That card cannot be used here.")
        case Reason.FORBIDDEN:
            return _("A card forbids that.")
        case Reason.ALREADY_SEEN:
            return _("You have seen the top card already; it is still there.")
        case Reason.NOT_SEEN:
            return _("You can buy the top card only after looking at it.")
        case Reason.NOT_ASKED | Reason.WRONG_KIND | Reason.BAD_OUTCOME:
            return _("That is not an answer to this question.")
        case Reason.NOT_ALIVE:
            return _("That monster is out of the game.")
        case Reason.OVER:
            return _("The game is over.")
        case (
            Reason.NO_SUCH_DIE | Reason.NO_SUCH_FACE | Reason.CANNOT_PAY | Reason.NOT_FOR_SALE
            | Reason.TOO_MANY | Reason.NOT_A_TARGET | Reason.NOT_THE_GROUPS | Reason.FULL_HEARTS
        ):  # fmt: skip
            raise AssertionError(reason)  # told by _answer
        case _:
            assert_never(reason)
