"""The coach: one or two sentences about a decision, for a player in their first turns.

Scope: a pure function of what the seat may see, the decision, and what a sound player would do. The
first sentence gives the reason, the second says what to type.
Not here: when the coach speaks (`cli.ui.player_commands`).
"""

from collections import Counter
from typing import assert_never

from kotp2p.cli.ask.foresight import DICE_OF_A_TRIPLE
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.typed_words import own_letter_of_face
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Buy, Face, Reroll, Stop, Sweep, Yield
from kotp2p.referee.model.state import Monster, Place
from kotp2p.referee.rules.market import SWEEP_COST
from kotp2p.seams.notices import SeatView

NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
MANY_HEARTS = 2
"""A beginner wonders if this many hearts are rolled again."""


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
    if not kept:
        return [
            _("None of these dice leads far."),
            _("Type 0 and press Enter: all of them are rolled again."),
        ]
    typed = "".join(own_letter_of_face(face) for face in sorted(kept))
    thrown = [decision.dice[n] for n in rolled]
    return [
        _reason_to_roll_hearts(view, kept, thrown) or _reason_to_keep(view, kept),
        plural(
            "Type {typed} and press Enter: you keep that, and {n} die is rolled again.",
            "Type {typed} and press Enter: you keep that, and {n} dice are rolled again.",
            len(rolled),
            typed=typed,
        ),
    ]


def _reason_to_roll_hearts(view: SeatView, kept: list[Face], thrown: list[Face]) -> str:
    """Say why many hearts are rolled again; empty if few are, or if they help."""
    if thrown.count(Face.HEART) < max(MANY_HEARTS, len(kept)):
        return ""
    if _me(view).place is not Place.OUTSIDE:
        return _("Hearts do not heal you in Tokyo, so roll them again.")
    if _me(view).hearts >= view.game.setup.rules.hearts:
        return _("You have all your hearts, so more of them bring nothing.")
    return ""


def _reason_to_keep(view: SeatView, kept: list[Face]) -> str:
    counted = Counter(kept)
    face = max(counted, key=lambda one: (counted[one], one in NUMBERS, one))
    count = counted[face]
    match face:
        case Face.ONE | Face.TWO | Face.THREE:
            return _reason_for_number(face, count)
        case Face.HEART:
            return _reason_for_heart(view)
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


def _reason_for_heart(view: SeatView) -> str:
    me = _me(view)
    return _("You have {hearts} and stand outside Tokyo, where each of these dice heals 1.",
             hearts=names.hearts(me.hearts))  # fmt: skip


def _reason_for_claw(view: SeatView) -> str:
    me = _me(view)
    if me.place is not Place.OUTSIDE:
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
