"""The presentation queue: when something is due, by a clock that is handed in."""

import pytest

from kotp2p.cli.system.options import Speed
from kotp2p.cli.ui import shown_game


def filled(
    *dwells: float, speed: Speed = Speed.NORMAL, now: float = 0.0
) -> shown_game.PresentationQueue[int]:
    queue: shown_game.PresentationQueue[int] = shown_game.PresentationQueue(speed)
    for number, dwell in enumerate(dwells):
        queue.put(number, dwell, now)
    return queue


def play(queue: shown_game.PresentationQueue[int], now: float = 0.0) -> list[tuple[float, int]]:
    """Everything with the time at which it is shown, if nothing comes in between."""
    shown: list[tuple[float, int]] = []
    while queue.is_behind:
        now = max(now, queue.next_due())
        due = queue.take_due(now)
        assert due, "next_due has promised something"
        shown += [(round(now, 6), number) for number in due]
    return shown


def test_the_first_is_shown_at_once_and_each_other_after_the_dwell_time_before_it() -> None:
    assert play(filled(0.6, 0.8, 0.4)) == [(0.0, 0), (0.6, 1), (1.4, 2)]


def test_nothing_is_due_before_its_time() -> None:
    queue = filled(0.6, 0.8)
    assert queue.take_due(0.0) == [0]
    assert queue.take_due(0.59) == []
    assert queue.is_behind
    assert queue.take_due(0.6) == [1]
    assert not queue.is_behind


def test_what_comes_later_still_waits_for_the_dwell_time_of_what_stands_there() -> None:
    queue = filled(0.6)
    assert queue.take_due(0.0) == [0]
    queue.put(1, 0.4, 0.2)
    assert play(queue, 0.2) == [(0.6, 1)]


def test_what_needs_no_time_is_shown_together_with_what_comes_before_it() -> None:
    assert play(filled(0.6, 0.0, 0.0, 0.4)) == [(0.0, 0), (0.0, 1), (0.0, 2), (0.6, 3)]
    assert play(filled(0.6, 0.4, 0.0)) == [(0.0, 0), (0.6, 1), (0.6, 2)]


def test_what_the_player_has_answered_stands_no_longer() -> None:
    queue = filled(1.2)
    assert queue.take_due(0.0) == [0]
    queue.end_dwell()
    queue.put(1, 0.6, 0.3)
    assert queue.take_due(0.3) == [1]


def test_a_jump_shows_all_that_waits_and_nothing_stands_behind_it() -> None:
    queue = filled(0.6, 0.8, 0.4)
    assert queue.take_due(0.0) == [0]
    queue.jump()
    assert queue.take_due(0.1) == [1, 2]
    queue.put(3, 0.6, 0.1)
    queue.put(4, 0.6, 0.1)
    assert queue.take_due(0.1) == [3], "the pace is as before"


def test_a_jump_in_the_present_skips_nothing_that_comes_later() -> None:
    queue = filled()
    queue.jump()
    queue.put(0, 0.6, 0.0)
    queue.put(1, 0.6, 0.0)
    assert queue.take_due(0.0) == [0]


def test_the_speeds_differ_as_their_names_say() -> None:
    assert [shown_game.DWELL_FACTORS[speed] for speed in Speed] == sorted(
        shown_game.DWELL_FACTORS.values()
    )[::-1]
    assert shown_game.DWELL_FACTORS[Speed.NORMAL] == 1
    assert shown_game.DWELL_FACTORS[Speed.INSTANT] == 0


def test_instant_shows_at_once_what_has_waited() -> None:
    queue = filled(0.6, 0.8, 0.4)
    assert queue.take_due(0.0) == [0]
    queue.choose_speed(Speed.INSTANT)
    assert queue.take_due(0.0) == [1, 2]


def test_more_than_fits_skips_the_oldest_and_shows_the_latest_at_a_pace() -> None:
    shown = play(filled(*[1.0] * 100))
    skipped = [number for now, number in shown if now == 0]
    assert 85 < len(skipped) < 95
    assert skipped == list(range(len(skipped)))
    late = [now for now, _ in shown[len(skipped) :]]
    assert late == sorted(set(late))
    assert late[-1] == pytest.approx(shown_game.MAX_SECONDS_BEHIND)


def test_nothing_is_shown_more_than_ten_seconds_late_in_a_stream_that_never_ends() -> None:
    queue: shown_game.PresentationQueue[float] = shown_game.PresentationQueue(Speed.SLOW)
    now, latest, moments = 0.0, 0.0, 0
    for step in range(3000):
        now = step * 0.02  # fifty in a second
        queue.put(now, 0.8, now)
        due = queue.take_due(now)
        moments += bool(due)
        latest = max([latest, *(now - arrived for arrived in due)])
    assert latest <= shown_game.MAX_SECONDS_BEHIND + 0.02
    assert moments > 40, "it still shows one thing after the other"


def test_a_single_long_dwell_time_does_not_outlast_a_clock_of_ones_own() -> None:
    queue = filled(9.0, 0.6)
    assert queue.take_due(0.0) == [0]
    queue.start_clock(shown_game.RunningClock.QUESTION, 0.5)
    assert queue.next_due() == 2.5


def test_while_a_clock_goes_on_running_nothing_waits_any_more() -> None:
    queue = filled(0.6)
    queue.start_clock(shown_game.RunningClock.OFFER, 0.0)
    queue.take_due(0.0)
    for number in (1, 2, 3):
        queue.put(number, 0.8, 5.0)
    assert queue.take_due(5.0) == [1, 2, 3]


def test_a_clock_that_has_stopped_hurries_nobody() -> None:
    queue = filled(*[0.6] * 10)
    queue.start_clock(shown_game.RunningClock.QUESTION, 0.0)
    queue.stop_clock(shown_game.RunningClock.QUESTION)
    queue.stop_clock(shown_game.RunningClock.OFFER)
    assert play(queue)[-1][0] == pytest.approx(5.4)


def test_however_much_waits_nothing_is_shown_later_than_it_must_be() -> None:
    queue = filled(*[0.8] * 500, speed=Speed.SLOW)
    assert play(queue)[-1][0] <= shown_game.MAX_SECONDS_BEHIND
    for number in range(500):
        queue.put(number, 0.8, 20.0)
    queue.start_clock(shown_game.RunningClock.QUESTION, 20.0)
    assert play(queue, 20.0)[-1][0] <= 20.0 + shown_game.MAX_SECONDS_OF_OWN_CLOCK


def test_a_lesson_is_slow_and_shows_three_turns_of_bots_without_hurry() -> None:
    queue = filled()
    queue.begin_lesson()
    for number in range(23):
        queue.put(number, 0.6, 0.0)
    slow = 0.6 * shown_game.DWELL_FACTORS[Speed.SLOW]
    shown = play(queue)
    assert [number for _now, number in shown] == list(range(23))
    assert [now for now, _number in shown] == pytest.approx([n * slow for n in range(23)])
    assert 22 * slow > 2 * shown_game.MAX_SECONDS_BEHIND, "elsewhere half of that would be skipped"


def test_a_lesson_is_no_later_than_it_may_be_nor_than_any_game_once_it_is_not_slow() -> None:
    for speed, latest in ((Speed.SLOW, shown_game.MAX_SECONDS_BEHIND_IN_LESSON),
                          (Speed.NORMAL, shown_game.MAX_SECONDS_BEHIND)):  # fmt: skip
        queue = filled()
        queue.begin_lesson()
        queue.choose_speed(speed)
        for number in range(500):
            queue.put(number, 0.6, 0.0)
        assert latest - 1 < play(queue)[-1][0] <= latest
