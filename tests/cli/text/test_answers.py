"""Every answer of a game has a sentence, for its player and for others."""

from __future__ import annotations

import pytest

from kotp2p.cli.text.story import describe_answer
from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Answer, Face
from tests.support.laid_decisions import item, table

ROLLED = "33CHB1"


def described(answer: Answer) -> list[str]:
    view = table(rolled=ROLLED)
    return [describe_answer(view, seat, answer) for seat in (view.seat, 1)]


SAID: list[tuple[Answer, str, str]] = [
    (answers.Stop(), "You stop rolling.", "Rex stops rolling."),
    (
        answers.Reroll((2, 3)),
        "You keep 1, 3, 3, energy and roll 2 dice again.",
        "Rex keeps 1, 3, 3, energy and rolls 2 dice again.",
    ),
    (
        answers.Reroll((0, 1, 2, 3, 4, 5)),
        "You roll all dice again.",
        "Rex rolls all dice again.",
    ),
    (answers.Pass(), "You do nothing here.", "Rex does nothing here."),
    (answers.Done(), "You are done here.", "Rex is done here."),
    (
        answers.Order((Face.CLAW, Face.HEART)),
        "You use the dice in this order: claw, heart.",
        "Rex uses the dice in this order: claw, heart.",
    ),
    (
        answers.Hearts(2, 1, 0, ((1, 1),)),
        "Your hearts go here: 2 hearts to heal, 1 against a poison token and 1 heart for Rex.",
        "The hearts of Rex go here: 2 hearts to heal, 1 against a poison token and 1 heart for "
        "Rex.",
    ),
    (answers.Hearts(), "Your hearts go here: nowhere.", "The hearts of Rex go here: nowhere."),
    (answers.Yield(), "You decide to leave Tokyo.", "Rex decides to leave Tokyo."),
    (answers.Stay(), "You decide to stay in Tokyo.", "Rex decides to stay in Tokyo."),
    (
        answers.Peek(),
        "You ask to see the top card of the deck.",
        "Rex asks to see the top card of the deck.",
    ),
    (answers.Sweep(), "You pay for three new cards.", "Rex pays for three new cards."),
    (answers.Deposit(3), "You lay 3 energy on the card.", "Rex lays 3 energy on the card."),
    (
        answers.Keep(),
        "You go on copying the same card.",
        "Rex goes on copying the same card.",
    ),
    (answers.Again(), "You want the extra turn.", "Rex wants the extra turn."),
]


@pytest.mark.parametrize(("answer", "to_me", "of_another"), SAID)
def test_an_answer_is_told_to_its_player_and_to_others(
    answer: Answer, to_me: str, of_another: str
) -> None:
    assert described(answer) == [to_me, of_another]


@pytest.mark.parametrize(
    ("kind", "to_me"),
    [
        (answers.Use, "You use Wings."),
        (answers.Buy, "You want to buy Wings."),
        (answers.BuyTop, "You buy the top card of the deck, Wings."),
        (answers.Copy, "You want to copy Wings."),
        (answers.Swap, "You take Wings."),
    ],
)
def test_an_answer_that_names_a_card_says_its_name(kind: type[answers.Use], to_me: str) -> None:
    assert described(kind(item(table(), "wings")))[0] == to_me


def test_several_cards_are_listed() -> None:
    view = table()
    cards = (item(view, "wings"), item(view, "jet-fighters"))
    assert described(answers.Sell(cards))[0] == "You sell Wings and Jet Fighters."
