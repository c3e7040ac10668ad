"""Enter shows the advice, and Enter again takes it: not before it can have been read, and never
because the key is held down. In virtual time."""

import io
from collections.abc import Sequence

import pytest
import trio
import trio.testing

from kotp2p.cli.system.output import Output
from kotp2p.cli.ui.plain import seat_plain_player
from kotp2p.referee.model.answers import Answer, Buy
from kotp2p.referee.model.decisions import BuyDecision
from kotp2p.seams.commands import Leave
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support import staged_turns
from tests.support.laid_decisions import item
from tests.support.local_game import Orders, said

pytestmark = pytest.mark.virtual_time


def shop() -> tuple[SeatView, BuyDecision]:
    view = staged_turns.shop("wings", change=staged_turns.has(0, energy=10))
    decision = staged_turns.go_on(view, BuyDecision)
    assert isinstance(decision, BuyDecision)
    return view, decision


async def press_enter(times: Sequence[float]) -> tuple[Answer | Leave | None, float | None, str]:
    """Presses Enter after each of these waits: the answer, when it came, and what was printed."""
    view, decision = shop()
    wings = Buy(item(view, "wings"))
    output = Output(io.StringIO(), io.StringIO(), terminal=True)
    front = seat_plain_player(output, lambda _view, _decision: wings)
    front.attach(Orders())
    front.show(GameStarted(view))
    began = trio.current_time()
    found: list[tuple[Answer | Leave, float]] = []

    async def ask() -> None:
        answer = await front.decide(view, decision)
        found.append((answer, trio.current_time() - began))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        for seconds in times:
            await trio.sleep(seconds)
            front.read_line("", front.prompt_number)
        await trio.sleep(5)
        nursery.cancel_scope.cancel()
    answer, when = found[0] if found else (None, None)
    return answer, when, "\n".join(said(front))


async def test_the_second_enter_buys_the_card_that_was_proposed() -> None:
    answer, _when, text = await press_enter([0, 1])
    assert isinstance(answer, Buy)
    assert "Advice: buy Wings." in text


async def test_the_second_enter_counts_from_0_3_seconds_on() -> None:
    answer, _when, text = await press_enter([0, 0.299])
    assert answer is None
    assert text.count("Too early") == 1
    answer, _when, text = await press_enter([0, 0.301])
    assert isinstance(answer, Buy)
    assert "Too early" not in text


async def test_a_key_that_is_held_down_buys_nothing_at_any_rate_of_repetition() -> None:
    for delay in (0.25, 0.3, 0.5, 0.66, 1.0):
        for rate in (0.02, 0.04, 0.092, 0.149):
            answer, _when, text = await press_enter([0, delay, *[rate] * 30])
            assert answer is None, (delay, rate)
            assert text.count("Too early") == 1


async def test_after_a_held_key_a_press_of_its_own_buys() -> None:
    answer, _when, _text = await press_enter([0, 0.5, *[0.04] * 20, 0.31])
    assert isinstance(answer, Buy)


async def test_the_answer_waits_for_half_of_that_time_only() -> None:
    _answer, when, _text = await press_enter([0, 1])
    assert when is not None
    assert 1.15 <= when < 1.2
