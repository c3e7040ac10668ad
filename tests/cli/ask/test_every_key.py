"""Every key of a keyboard, pressed at every kind of question: nothing is answered by a slip.

What a key may do is what the prompt or its hints name. Everything else is refused by a sentence,
and the question stays.
"""

import re
import string

import pytest

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue
from kotp2p.cli.ask.question import NO_WORDS, Confirm
from kotp2p.referee.model import decisions
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, one_of_each_decision

KEYS = sorted({*string.printable, "é", "ß", "۳", "€", "y", "n"} - set(string.whitespace))
WORDS = ("yes", "no", "ok", "y y", "yy", "ny", "leave", "none of it", "-1", "99", "h h h h h h h")
CASES = one_of_each_decision()


KEYS_OF_KIND: dict[type[decisions.Decision], str] = {
    decisions.RollDecision: '13hebcHEBC0dD۳&"', decisions.ProbeDecision: "13hebcHEBCnNdD۳",
    decisions.ChangeDecision: "nNdD", decisions.OrderDecision: "3hebcHEBC۳",
    decisions.HeartsDecision: "hpsabHPSAB", decisions.ResponseDecision: "nN",
    decisions.YieldDecision: "slSL", decisions.BuyDecision: "a1rlndARLND",
    decisions.OpportunistDecision: "bynBYNdD", decisions.DepositDecision: "01234۳",
    decisions.CopyDecision: "12nN", decisions.TileDecision: "12", decisions.SwapDecision: "12nN",
    decisions.SellDecision: "12nNdD", decisions.AgainDecision: "ynYN",
}  # fmt: skip
"""What the prompts and hints of the laid decisions name, in either case."""


def keys_that_answer(decision: decisions.Decision) -> frozenset[str]:
    keys = frozenset(KEYS_OF_KIND[type(decision)])
    match decision:
        case decisions.RollDecision(rolls_left=0):
            return frozenset("dD")
        case decisions.CopyDecision(keep=False):
            return keys - {"n", "N"}
        case _:  # laid out once
            return keys


def is_sentence(text: str) -> bool:
    """Whole: it begins like one, or with what was typed, and ends like one."""
    return len(text.split()) >= 3 and text[-1] in ".?"


@pytest.mark.parametrize(("view", "decision"), CASES, ids=[case[1].kind for case in CASES])
def test_a_key_answers_only_what_names_it(view: SeatView, decision: decisions.Decision) -> None:
    answers = keys_that_answer(decision)
    for key in KEYS:
        asking = QuestionDialogue(ask(view, decision), Explained())
        lines = asking.read_line(key)
        has_answered = asking.answer is not None or isinstance(asking.waiting, Confirm)
        assert has_answered == (key in answers), (decision.kind, key, asking.answer, lines)
        if not has_answered:
            assert asking.answer is None and asking.waiting is None
            assert is_sentence(lines[0]), (decision.kind, key, lines)
            assert lines[1:] == [asking.question.prompt()]


@pytest.mark.parametrize(("view", "decision"), CASES, ids=[case[1].kind for case in CASES])
def test_a_word_no_question_names_is_told(view: SeatView, decision: decisions.Decision) -> None:
    for word in WORDS:
        if word in NO_WORDS or (word == "yes" and keys_that_answer(decision) & {"y"}):
            continue
        asking = QuestionDialogue(ask(view, decision), Explained())
        lines = asking.read_line(word)
        assert asking.answer is None and not isinstance(asking.waiting, Confirm), (decision, word)
        assert is_sentence(lines[0]), (decision.kind, word, lines)


@pytest.mark.parametrize(("view", "decision"), CASES, ids=[case[1].kind for case in CASES])
def test_an_answer_that_is_asked_about_again_is_given_by_y_alone(
    view: SeatView, decision: decisions.Decision
) -> None:
    """For each question the same, since one mechanism asks."""
    for key in KEYS:
        asking = QuestionDialogue(ask(view, decision), Explained())
        answer = decision.default
        asking._follow_reply(Confirm("Do it?", answer))
        asking.read_line(key)
        assert (asking.answer == answer) == (key in "yY"), (decision.kind, key)
        if key in "nN":
            assert asking.answer is None and asking.waiting is None
    asking = QuestionDialogue(ask(view, decision), Explained())
    asking._follow_reply(Confirm("Do it?", decision.default))
    asking.read_line("")
    assert asking.answer is None
    assert asking.answer is None and asking.waiting is None


def test_each_prompt_names_the_keys_that_answer_it() -> None:
    for view, decision in CASES:
        asking = QuestionDialogue(ask(view, decision), Explained())
        said = " ".join(asking.first_lines())
        assert is_sentence(asking.question.prompt()), asking.question.prompt()
        for key in "sl" if isinstance(decision, decisions.YieldDecision) else "":
            assert re.search(rf"\b{key}\b", said)
