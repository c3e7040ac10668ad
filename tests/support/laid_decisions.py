"""Decisions laid out by hand, for the tests of the questions."""

from dataclasses import replace
from typing import Any

from kotp2p.cli.ask.dialogue import question_for
from kotp2p.cli.ask.question import Adviser, Question
from kotp2p.cli.wing import take_default
from kotp2p.referee.box.rulesets import DARK, SECOND, RuleSet
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams.notices import SeatView
from tests.support.local_game import new_view


def item(view: SeatView, key: str) -> Item:
    return next(n for n, card in enumerate(view.game.setup.deck) if card.key == key)


def dice(letters: str) -> tuple[Face, ...]:
    return tuple(Face.of(letter) for letter in letters)


def ask(
    view: SeatView, decision: decisions.Decision, adviser: Adviser = take_default
) -> Question[Any, Any]:
    return question_for(view, decision, adviser)


def heal(view: SeatView, cost: int = 2) -> decisions.Usable:
    return decisions.Usable(item(view, "rapid-healing"), "rapid-healing", cost)


def tile(view: SeatView, key: str) -> Item:
    faces = [face.key for face in view.game.setup.rules.tiles]
    return len(view.game.setup.deck) + faces.index(key)


def table(seats: int = 3, rolled: str = "", rolls: int = 1, rules: RuleSet = SECOND) -> SeatView:
    view = new_view(seats, rules, deck=rules.deck())
    view.game.state.dice = list(dice(rolled))
    view.game.state.rolls = rolls
    return view


def among_persons(*away: Seat, seats: int = 3, rules: RuleSet = SECOND) -> SeatView:
    """A table without bots; Ana's program plays for those who are away."""
    view = table(seats, rules=rules)
    view.players = tuple(replace(p, keeper=s, automatic=False) for s, p in enumerate(view.players))
    view.keepers = {seat: 0 if seat in away else seat for seat in range(seats)}
    return view


def one_of_each_decision() -> list[tuple[SeatView, decisions.Decision]]:
    """Each kind of decision once or more, with cards that can be used at it."""
    dark = table(rules=DARK)
    second = table(rolled="33CHB1")
    wings, jets = item(second, "wings"), item(second, "jets")
    second.game.state.market[:] = [wings, jets, item(second, "energize")]
    second.game.state.monsters[0].energy = 9
    offers = (decisions.Offer(wings, 6), decisions.Offer(item(second, "camouflage"), 3, 1))
    rolled = dice("33CHB1")
    probe = decisions.Usable(item(second, "psychic-probe"), "psychic-probe", 0, tuple(range(6)))
    stretchy = decisions.Usable(
        item(second, "stretchy"), "stretchy", 2, tuple(range(6)), tuple(Face)
    )
    healing = (heal(second),)
    return [
        (second, decisions.RollDecision(0, rolled, 2, uses=healing)),
        (second, decisions.RollDecision(0, rolled, 0)),
        (second, decisions.ProbeDecision(0, 1, rolled, uses=(probe,))),
        (second, decisions.ChangeDecision(0, rolled, uses=(stretchy, *healing))),
        (
            second,
            decisions.OrderDecision(
                0, (Face.THREE, Face.HEART, Face.BOLT, Face.CLAW), uses=healing
            ),
        ),
        (second, decisions.HeartsDecision(0, 3, 2, 1, 1, ((1, 2), (2, 1)))),
        (
            second,
            decisions.ResponseDecision(
                0, DamageKind.CLAWS, 2, 1, uses=(decisions.Usable(wings, "wings", 2),)
            ),
        ),
        (second, decisions.ResponseDecision(0, DamageKind.LOSS, 2, 1, uses=healing)),
        (second, decisions.YieldDecision(0, 1, uses=healing)),
        (second, decisions.SwapDecision(0, 1, (wings, jets))),
        (second, decisions.BuyDecision(0, offers, True, True, False, uses=healing)),
        (second, decisions.OpportunistDecision(0, (decisions.Offer(jets, 5),))),
        (second, decisions.DepositDecision(0, 4)),
        (second, decisions.CopyDecision(0, item(second, "mimic"), (wings, jets), True, 1)),
        (second, decisions.CopyDecision(0, item(second, "mimic"), (wings, jets), False)),
        (dark, decisions.TileDecision(0, 3, (tile(dark, "devious"), tile(dark, "eternal")))),
        (second, decisions.SellDecision(0, (wings, jets))),
        (second, decisions.AgainDecision(0)),
    ]
