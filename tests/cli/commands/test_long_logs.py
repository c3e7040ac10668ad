"""Long logs: what is done with a log costs as much for a late turn as for an early one."""

import sys
from collections import deque
from collections.abc import Callable, Iterable
from functools import cache, partial
from types import FrameType

import pytest

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.extras.forms.lines import export_lines, pack_line
from kotp2p.cli.extras.forms.text import export_text
from kotp2p.cli.extras.replay.player import find_draws_of_turn
from kotp2p.cli.extras.replay.reel import START, Place, Reel
from kotp2p.extras.recording import LogRecording, Recording, record_log
from kotp2p.game.verify import verify_log
from tests.support.endless_log import endless_log, up_to_turn


def executed_lines(work: Callable[[], object]) -> int:
    """How many lines of Python `work` executes. Each turn of a loop counts."""
    count, before = 0, sys.gettrace()

    def note(_frame: FrameType, event: str, _given: object) -> object:
        nonlocal count
        count += event == "line"
        return note

    sys.settrace(note)  # type: ignore[arg-type]
    try:
        work()
    finally:
        sys.settrace(before)
    return count


TURNS = (15, 30, 60)
MOST_GROWTH = 2.8
"""From the first step to the second what is linear grows by 2, what is quadratic by 4."""


@cache
def logs() -> tuple[bytes, ...]:
    """One game, up to each of these turns."""
    data = endless_log(TURNS[-1])
    return (*(up_to_turn(data, turn) for turn in TURNS[:-1]), data)


@cache
def of(data: bytes) -> LogRecording:
    return record_log(data)


def reel_of(data: bytes) -> Reel:
    log = of(data)
    assert log.recording is not None
    return Reel(log, log.recording)


def take_all(parts: Iterable[object]) -> None:
    deque(parts, maxlen=0)


def replay_forward(data: bytes) -> None:
    reel, place = reel_of(data), START
    while (following := reel.step(place, 1)) is not None:
        show(reel, place := following)


def replay_back(data: bytes) -> None:
    reel = reel_of(data)
    place = reel.last
    while (before := reel.step(place, -1)) is not None:
        show(reel, place := before)


def show(reel: Reel, place: Place) -> None:
    """What a frame takes, beside drawing it."""
    reel.view_at(place), reel.lines_at(place), reel.step_of_turn(place), reel.fallen_by(place)


def jump(data: bytes) -> None:
    reel = reel_of(data)
    show(reel, reel.last)
    show(reel, START)


def explain_last(data: bytes) -> None:
    reel = reel_of(data)
    find_draws_of_turn(reel, reel.recording.turns)


LINEAR: dict[str, Callable[[bytes], object]] = {
    "verify": verify_log,
    "record": record_log,
    "text": lambda data: take_all(export_text("game.kotlog", of(data))),
    "json": lambda data: take_all(map(pack_line, export_lines(of(data)))),
    "html": lambda data: build_page(of(data)),
    "forward": replay_forward,
    "back": replay_back,
    "explain": explain_last,
}


@pytest.mark.parametrize("name", LINEAR)
def test_work_grows_with_the_turns_and_not_with_their_square(name: str) -> None:
    LINEAR[name](logs()[0])  # fills what is kept for the whole process
    few, some, many = (executed_lines(partial(LINEAR[name], log)) for log in logs())
    assert 0 < many - some < MOST_GROWTH * (some - few)


def test_a_jump_costs_the_same_in_a_long_game() -> None:
    for log in logs():
        jump(log)  # the log is read once, however often one jumps
    few, _some, many = (executed_lines(partial(jump, log)) for log in logs())
    assert many < 1.5 * few


def test_a_game_that_was_cut_is_no_other_game() -> None:
    """The logs above are of this game and of these lengths."""
    recordings = [of(log).recording for log in logs()]
    assert [r.turns for r in recordings if isinstance(r, Recording)] == list(TURNS)
