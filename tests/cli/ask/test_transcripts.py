"""Every kind of decision, as a person meets it: the question, a wrong line, `?` and an answer."""

import pytest
import trio
import trio.testing

from kotp2p.cli.text.queries import help_lines
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.commands import Leave
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import ask, one_of_each_decision
from tests.support.local_game import Orders, piped, said

WRONG = "zzz"


async def transcript(
    view: SeatView, decision: Decision, *typed: str
) -> tuple[list[str], Answer | Leave | None]:
    front = piped()
    front.attach(Orders())
    found: Answer | Leave | None = None

    async def decide() -> None:
        nonlocal found
        found = await front.decide(view, decision)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(decide)
        for line in (*typed, "y"):  # a costly answer is asked about
            await trio.testing.wait_all_tasks_blocked()
            if found is None:
                front.read_line(line)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return said(front), found


@pytest.mark.parametrize(
    ("view", "decision"), one_of_each_decision(), ids=lambda one: getattr(one, "kind", "")
)
async def test_a_question_wrong_line_help_and_answer(view: SeatView, decision: Decision) -> None:
    answer = ask(view, decision).line_for(decision.default)
    lines, found = await transcript(view, decision, WRONG, "?", answer)
    assert isinstance(found, Answer) and decision.is_legal(found)
    typed = [n for n, text in enumerate(lines) if text.startswith("> ")]
    assert [lines[n][2:] for n in typed[:3]] == [WRONG, "?", answer]
    asked, refused = lines[: typed[0]], lines[typed[0] + 1 : typed[1]]
    assert len(asked) >= 3  # facts, hints, prompt
    assert (len(refused), refused[1]) == (2, asked[-1])
    helped = lines[typed[1] + 1 : typed[2]]
    assert helped == [*asked[:-1], *help_lines(view), asked[-1]]
