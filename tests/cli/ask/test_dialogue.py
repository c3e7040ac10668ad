"""The states of a question: every transition of the table is driven by typed lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from kotp2p.cli.ask.dialogue import (
    QUESTION,
    Explained,
    QuestionDialogue,
    QuestionEvent,
    QuestionState,
)
from kotp2p.cli.ask.question import Confirm, Give, Propose, Question, Refuse, Reply
from kotp2p.referee.model.answers import Pass, Stop
from kotp2p.referee.model.decisions import RollDecision
from kotp2p.seams.cores import NoTransition
from tests.support.laid_decisions import ask, dice, table

REPLIES: Mapping[str, Reply] = {
    "give": Give(Stop()),
    "confirm": Confirm("Sure?", Stop()),
    "propose": Propose("Advice.", Pass()),
    "refuse": Refuse("No."),
}
WAYS: Mapping[QuestionState, list[str]] = {
    QuestionState.OPEN: [],
    QuestionState.CONFIRMING: ["confirm"],
    QuestionState.PROPOSED: ["propose"],
    QuestionState.ANSWERED: ["give"],
}
LINES: Mapping[tuple[QuestionState, QuestionEvent], list[str]] = {
    (QuestionState.OPEN, QuestionEvent.ANSWER): ["give"],
    (QuestionState.OPEN, QuestionEvent.COSTLY_ANSWER): ["confirm"],
    (QuestionState.OPEN, QuestionEvent.PROPOSAL): ["propose"],
    (QuestionState.OPEN, QuestionEvent.REFUSAL): ["refuse"],
    (QuestionState.CONFIRMING, QuestionEvent.ANSWER): ["y", "yes"],
    (QuestionState.CONFIRMING, QuestionEvent.GO_BACK): ["", "n", "no"],
    (QuestionState.PROPOSED, QuestionEvent.ANSWER): ["", "give"],
    (QuestionState.PROPOSED, QuestionEvent.COSTLY_ANSWER): ["confirm"],
    (QuestionState.PROPOSED, QuestionEvent.PROPOSAL): ["propose"],
    (QuestionState.PROPOSED, QuestionEvent.REFUSAL): ["refuse"],
}
"""The lines that make each transition."""


class Scripted:
    """A question that replies as the line says."""

    def __init__(self) -> None:
        self.decision = RollDecision(0, dice("33CHB1"), 2)
        self.view = table(rolled="33CHB1")
        self.prompt = ask(self.view, self.decision).prompt

    def reply(self, line: str) -> Reply:
        return REPLIES[line]

    def weigh(self, reply: Reply) -> Reply:
        return reply


def in_state(state: QuestionState) -> QuestionDialogue:
    dialogue = QuestionDialogue(cast("Question[RollDecision, Stop]", Scripted()), Explained())
    for line in WAYS[state]:
        dialogue.read_line(line)
    assert dialogue.phase.state is state
    return dialogue


def test_each_transition_of_the_table_has_a_line_here() -> None:
    in_table = {(state, event) for state, row in QUESTION.transitions.items() for event in row}
    assert in_table == set(LINES)


@pytest.mark.parametrize(("state", "event"), LINES)
def test_a_typed_line_makes_the_transition(state: QuestionState, event: QuestionEvent) -> None:
    for line in LINES[state, event]:
        dialogue = in_state(state)
        dialogue.read_line(line)
        after = dialogue.phase.state
        assert after is QUESTION.transitions[state][event]
        assert (dialogue.answer is not None) == (after is QuestionState.ANSWERED)
        assert isinstance(dialogue.waiting, Confirm) == (after is QuestionState.CONFIRMING)
        assert isinstance(dialogue.waiting, Propose) == (after is QuestionState.PROPOSED)


def test_a_costly_answer_waits_for_its_word_whatever_else_is_typed() -> None:
    dialogue = in_state(QuestionState.CONFIRMING)
    assert dialogue.read_line("give") == [
        "Type y to do it, or press Enter to go back.",
        *dialogue.repeat_prompt(),
    ]
    assert dialogue.phase.state is QuestionState.CONFIRMING


def test_an_answered_question_reads_nothing_more() -> None:
    with pytest.raises(NoTransition):
        in_state(QuestionState.ANSWERED).read_line("give")
