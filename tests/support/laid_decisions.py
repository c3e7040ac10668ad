"""Decisions laid out by hand, for the tests of the questions."""

from __future__ import annotations

from typing import Any

from cli.ask.dialogue import question
from cli.ask.question import Adviser, Question, no_advice
from kotp2p.seat_view import SeatView
from referee.box.rulesets import SECOND, RuleSet
from referee.model.answers import Face, Item
from referee.model.decision_base import Usable
from referee.model.decisions import Decision
from tests.support.local_game import new_view


def item(view: SeatView, key: str) -> Item:
    """The first card of that key in the deck."""
    return next(n for n, card in enumerate(view.game.setup.deck) if card.key == key)


def dice(letters: str) -> tuple[Face, ...]:
    return tuple(Face.of(letter) for letter in letters)


def ask(view: SeatView, decision: Decision, adviser: Adviser = no_advice) -> Question[Any]:
    return question(view, decision, adviser)


def heal(view: SeatView, cost: int = 2) -> Usable:
    return Usable(item(view, "rapid-healing"), "rapid-healing", cost)


def tile(view: SeatView, key: str) -> Item:
    """The face of a wickedness tile."""
    faces = [face.key for face in view.game.setup.rules.tiles]
    return len(view.game.setup.deck) + faces.index(key)


def table(seats: int = 3, rolled: str = "", rolls: int = 1, rules: RuleSet = SECOND) -> SeatView:
    """Any card may lie here, also one that does not work yet: nothing is played."""
    view = new_view(seats, rules, deck=rules.full_deck())
    view.game.state.dice = list(dice(rolled))
    view.game.state.rolls = rolls
    return view
