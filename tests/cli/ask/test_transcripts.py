"""Every kind of decision, as a person meets it."""

import typing

import pytest
import trio

from kotp2p.cli.text.queries import help_lines
from kotp2p.referee.model import decisions
from kotp2p.seams.front import Leave
from tests.tools import transcripts
from tests.tools.transcripts import SCENES, Scene, play

KINDS = {decision.kind for decision in typing.get_args(decisions.Decision)}


def test_every_kind_of_decision_is_there_once() -> None:
    kinds = [make().decision.kind for make in SCENES]
    assert set(kinds) == KINDS
    assert len(kinds) == len(KINDS)


@pytest.mark.parametrize("make", SCENES)
def test_a_question_a_wrong_line_help_and_an_answer(make: typing.Callable[[], Scene]) -> None:
    scene = make()
    shown = trio.run(play, scene)
    assert shown.answer is not None and not isinstance(shown.answer, Leave)
    assert scene.decision.is_legal(shown.answer)
    typed = [n for n, line in enumerate(shown.lines) if line.startswith("> ")]
    assert [shown.lines[n][2:] for n in typed] == [scene.wrong, "?", *scene.answer]
    asked = shown.lines[: typed[0]]
    refused = shown.lines[typed[0] + 1 : typed[1]]
    helped = shown.lines[typed[1] + 1 : typed[2]]
    assert len(asked) >= 3  # facts, hints, prompt
    assert (len(refused), refused[1]) == (2, asked[-1])
    assert helped == [*asked[:-1], *help_lines(scene.view), asked[-1]]


def test_the_command_prints_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    transcripts.main()
    out = capsys.readouterr().out
    assert {line[3:] for line in out.splitlines() if line.startswith("== ")} == KINDS
