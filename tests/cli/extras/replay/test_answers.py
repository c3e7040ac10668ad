"""An answer that no event shows has a sentence, for its player and for others."""

import pytest

from kotp2p.cli.extras.replay.causes import describe_answer
from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Answer
from tests.support.laid_decisions import table

ROLLED = "33CHB1"


def described(answer: Answer) -> list[str]:
    view = table(rolled=ROLLED)
    return [describe_answer(view, seat, answer) for seat in (view.seat, 1)]


SAID: list[tuple[Answer, str, str]] = [
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
    (answers.Done(), "You do nothing here.", "Rex does nothing here."),
    (answers.Keep(), "You do nothing here.", "Rex does nothing here."),
    (answers.Yield(), "You have decided.", "Rex has decided."),
]


@pytest.mark.parametrize(("answer", "to_me", "of_another"), SAID)
def test_an_answer_is_told_to_its_player_and_to_others(
    answer: Answer, to_me: str, of_another: str
) -> None:
    assert described(answer) == [to_me, of_another]
