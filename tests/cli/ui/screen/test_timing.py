"""The time that is left, as the drawn table shows it: when it shows another one."""

from kotp2p.cli.ui.screen.screen import AnswerClock
from kotp2p.seams.notices import OwnClock


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_what_is_described_changes_exactly_when_it_is_said_to() -> None:
    time = Time()
    clock = AnswerClock(time)
    clock.note_clock(OwnClock(seconds_left=3.25, limit=60))
    shown = []
    while (wait := clock.seconds_to_change) is not None:
        shown.append((clock.describe(), wait))
        time.now += wait / 2
        assert clock.describe() == shown[-1][0]
        time.now += wait / 2
    assert shown == [
        ("0:04 left of 1:00", 0.25),
        ("0:03 left of 1:00", 1.0),
        ("0:02 left of 1:00", 1.0),
        ("0:01 left of 1:00", 1.0),
    ]
    assert clock.describe() == "time is up"


def test_without_a_clock_nothing_changes() -> None:
    assert AnswerClock(Time()).seconds_to_change is None
