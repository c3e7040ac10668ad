"""Values that are kept while what they were worked out from stays the same."""

from __future__ import annotations

from kotp2p.votes.remembered import Remembered


def test_a_value_is_worked_out_once_for_the_same_sources() -> None:
    made: list[int] = []
    remembered: Remembered[int] = Remembered()

    def work_out() -> int:
        made.append(len(made))
        return made[-1]

    assert [remembered.get(sources, work_out) for sources in ("a", "a", "b", "a")] == [0, 0, 1, 2]
    assert len(made) == 3


def _must_not_be_called() -> None:
    raise AssertionError


def test_nothing_is_a_value_too() -> None:
    remembered: Remembered[None] = Remembered()
    remembered.get(1, lambda: None)
    remembered.get(1, _must_not_be_called)
