"""What a question waits for, driven by typed lines."""

from collections.abc import Mapping
from typing import cast

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ask.question import Confirm, Give, Propose, Question, Refuse, Reply
from kotp2p.referee.model.answers import Pass, Stop
from kotp2p.referee.model.decisions import RollDecision
from tests.support.laid_decisions import ask, dice, table

REPLIES: Mapping[str, Reply] = {
    "give": Give(Stop()),
    "confirm": Confirm("Sure?", Stop()),
    "propose": Propose("Advice.", Pass()),
    "refuse": Refuse("No."),
}
LINES = {
    ("", "give"): "answered", ("", "confirm"): "confirm", ("", "propose"): "propose",
    ("", "refuse"): "", ("confirm", "y"): "answered", ("confirm", "yes"): "answered",
    ("confirm", ""): "", ("confirm", "n"): "", ("confirm", "no"): "", ("propose", ""): "answered",
    ("propose", "give"): "answered", ("propose", "confirm"): "confirm",
    ("propose", "propose"): "propose", ("propose", "refuse"): "",
}  # fmt: skip
"""What a question waits for, the line that is typed, and what it waits for then."""


class Scripted:
    """A question that replies as the line says."""

    def __init__(self) -> None:
        self.decision = RollDecision(0, dice("33CHB1"), 2)
        self.view = table(rolled="33CHB1")
        asked = ask(self.view, self.decision)
        self.prompt, self.preview = asked.prompt, asked.preview

    def reply(self, line: str) -> Reply:
        return REPLIES[line]

    def weigh(self, reply: Reply) -> Reply:
        return reply


def waiting_for(what: str) -> QuestionDialogue:
    dialogue = QuestionDialogue(cast("Question[RollDecision, Stop]", Scripted()), Explained())
    if what:
        dialogue.read_line(what)
    return dialogue


@pytest.mark.parametrize(("before", "line"), LINES)
def test_a_typed_line_answers_or_changes_what_is_waited_for(before: str, line: str) -> None:
    dialogue = waiting_for(before)
    dialogue.read_line(line)
    after = LINES[before, line]
    assert (dialogue.answer is not None) == (after == "answered")
    assert isinstance(dialogue.waiting, Confirm) == (after == "confirm")
    assert isinstance(dialogue.waiting, Propose) == (after == "propose")


def test_a_costly_answer_waits_for_its_word_whatever_else_is_typed() -> None:
    dialogue = waiting_for("confirm")
    assert dialogue.read_line("give") == [
        "Type y to do it, or press Enter to go back.",
        *dialogue.repeat_prompt(),
    ]
    assert isinstance(dialogue.waiting, Confirm)
