"""The end in plain mode: one question, for which the process stays at the table."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import trio
import trio.testing

from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameFinished, GameStarted
from tests.support.laid_decisions import table
from tests.support.local_game import at_terminal, piped, said

PEOPLE = "Another game with the same people? y plays it, n ends."
ENTER_ALONE = "Enter alone does nothing here."
BOTS = "Another game against the same bots? y plays it, n ends."


def end(kind: EndKind = EndKind.FINISHED, *, solo: bool = False) -> Ending:
    view = table()
    view.players = tuple(
        replace(p, automatic=solo and n > 0, keeper=0 if solo else n)
        for n, p in enumerate(view.players)
    )
    return Ending(kind, view=view, winners=(1,))


async def close(front: LinePlayer, ending: Ending, *acts: Callable[[], object]) -> bool:
    """Whether the end is closed after these; before the last of them it is not."""
    assert ending.view is not None
    front.show(GameStarted(ending.view))
    front.show(GameFinished((1,), (0, 1), ending.view))
    closed = False

    async def read() -> None:
        nonlocal closed
        await front.show_ending(ending)
        closed = True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        await trio.testing.wait_all_tasks_blocked()
        for act in acts:
            assert not closed
            act()
            await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert front.is_over is (closed and front.state.wants_another is not None)
    return closed


def lines(front: LinePlayer, *texts: str) -> list[Callable[[], object]]:
    return [lambda text=text: front.read_line(text, front.prompt_number) for text in texts]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("line", "wants"), [("y", True), (" YES ", True), ("n", False), ("quit", False)]
)
async def test_the_process_stays_until_another_game_is_sure_or_none(line: str, wants: bool) -> None:
    front = at_terminal()
    assert not await close(front, end())
    assert said(front).count(PEOPLE) == 1
    front = at_terminal()
    assert await close(front, end(), *lines(front, line))
    assert front.state.wants_another is wants


async def test_against_bots_the_question_speaks_of_bots() -> None:
    front = at_terminal()
    await close(front, end(solo=True))
    assert said(front)[-2:] == [BOTS, "> "]


async def test_neither_enter_nor_any_other_word_is_an_answer() -> None:
    front = at_terminal()
    assert not await close(front, end(), *lines(front, "", "maybe"))
    assert said(front)[-5:] == [
        f"> {ENTER_ALONE}", PEOPLE, "> That is neither y nor n.", PEOPLE, "> "
    ]  # fmt: skip


async def test_a_line_that_was_begun_before_the_question_is_no_answer() -> None:
    front = at_terminal()
    before = front.prompt_number
    assert not await close(front, end(), lambda: front.read_line("y", before))


async def test_the_end_of_the_input_is_a_no() -> None:
    for act in ("end_input", "keep_seat"):
        front = at_terminal()
        how = {"terminal": True} if act == "end_input" else {}
        assert await close(front, end(), lambda: getattr(front.leaving, act)(**how))  # noqa: B023
        assert front.state.wants_another is False


@pytest.mark.parametrize(
    ("sit", "kind"),
    [
        (piped, EndKind.FINISHED),
        *((at_terminal, kind) for kind in EndKind if kind is not EndKind.FINISHED),
    ],
)
async def test_nobody_is_asked_after_any_other_end_or_at_a_pipe(
    sit: Callable[[], LinePlayer], kind: EndKind
) -> None:
    front = sit()
    assert await close(front, end(kind))
    assert front.state.wants_another is None
