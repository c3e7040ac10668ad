"""Which dice a line of faces keeps, and what is said where equal dice are parted."""

from typing import Any

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ask.dice import bracket_dice, spell_out_faces
from kotp2p.cli.ask.question import Adviser, Confirm, Give, Question, Refuse
from kotp2p.cli.wing import take_default
from kotp2p.referee.model.answers import Reroll, Stop
from kotp2p.referee.model.decisions import RollDecision
from tests.support.laid_decisions import ask, dice, table

ROLLED = "HHHHHC"
MIXED = "33HHB1"


def roll(
    rolled: str = ROLLED, rolls: int = 1, adviser: Adviser = take_default
) -> Question[Any, Any]:
    return ask(table(rolled=rolled, rolls=rolls), RollDecision(0, dice(rolled), 2), adviser)


@pytest.mark.parametrize("typed", ["H", "h*", "H*", "hH", "HH", " H , ", "hhhhh"])
def test_a_capital_or_a_star_keeps_all_hearts(typed: str) -> None:
    assert roll().reply(typed) == Give(Reroll((5,)))


@pytest.mark.parametrize(
    ("typed", "rolled"),
    [
        ("H3*", (4, 5)), ("3*", (2, 3, 4, 5)), ("3*h", (3, 4, 5)), ("h3*", (3, 4, 5)),
        ("BE", (0, 1, 2, 3, 5)), ("۳*", (2, 3, 4, 5)),
    ],
)  # fmt: skip
def test_likewise_for_each_face_and_beside_single_dice(typed: str, rolled: tuple[int, ...]) -> None:
    assert roll(MIXED).reply(typed) == Give(Reroll(rolled))


def test_all_of_a_face_that_no_die_shows_is_refused_and_throws_nothing() -> None:
    assert roll(MIXED).reply("C") == Refuse("None of your dice shows: claw.")
    assert roll(MIXED).reply("2*") == Refuse("None of your dice shows: 2.")
    assert isinstance(roll(MIXED).reply("*"), Refuse)
    assert isinstance(roll(MIXED).reply("**"), Refuse)
    assert isinstance(roll(MIXED).reply("h**"), Refuse)


def test_all_dice_kept_by_capitals_is_a_stop() -> None:
    assert isinstance(
        roll(adviser=lambda view, decision: Reroll(tuple(range(6)))).reply("HC"), Confirm
    )
    assert roll(rolls=2).reply("HC") == Give(Stop())


def test_a_word_in_capitals_is_a_word() -> None:
    assert spell_out_faces("STOP", dice(ROLLED)) == "stop"
    assert roll(rolls=2).reply("D") == Give(Stop())


def test_dice_that_are_kept_stand_in_brackets() -> None:
    assert bracket_dice(dice("3H3HC1"), (1, 4, 5)) == "1 [3] [3] [heart] heart claw"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            Reroll((2, 3, 4, 5)),
            ["Advice: keep 3, 3 and roll 4 dice.", "Dice: 1 [3] [3] heart heart energy."],
        ),
        (
            Stop(),
            [
                "Advice: stop and take 1 energy, 2 hearts.",
                "Dice: [1] [3] [3] [heart] [heart] [energy].",
            ],
        ),
        (Reroll((0, 1, 2, 3, 4, 5)), ["Advice: roll all dice.", "Dice: 1 3 3 heart heart energy."]),
    ],
)
def test_a_proposal_names_and_brackets_its_answer(answer: Stop | Reroll, said: list[str]) -> None:
    view = table(rolled=MIXED)
    question = ask(view, RollDecision(0, dice(MIXED), 2), lambda _view, _decision: answer)
    asking = QuestionDialogue(question, Explained())
    lines = asking.read_line("")
    assert lines[:2] == said
    assert lines[-1] == "Enter does it."
    assert asking.repeat_prompt(beside_dice=True)[0] == said[0]
    assert "Dice: " not in "".join(asking.repeat_prompt(beside_dice=True))
