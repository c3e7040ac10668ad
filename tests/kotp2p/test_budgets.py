"""A budget at its boundary: what a seat or a stranger may cost at once, and again later."""

import pytest

from kotp2p.seams.cores import BYTES_OF_UNIT, Allowance, units_of_frame


def test_an_allowance_is_spent_with_its_last_unit_and_comes_back_with_time() -> None:
    found = Allowance(10, 2)
    found.charge(9, 100.0)
    assert found.has(1, 100.0)
    found.charge(1, 100.0)
    assert not found.has(1, 100.0)
    assert found.next_time(1, 100.0) == 100.5
    assert not found.has(1, 100.499)
    assert found.has(1, 100.5)


def test_an_allowance_never_holds_more_than_its_capacity() -> None:
    found = Allowance(10, 2)
    found.charge(1, 0.0)
    assert found.has(10, 1_000.0)
    assert not found.has(10.1, 1_000.0)


def test_what_costs_more_than_is_left_is_paid_off_later() -> None:
    found = Allowance(10, 2)
    found.charge(30, 0.0)
    assert found.next_time(1, 0.0) == 10.5
    assert found.next_time(1, 10.0) == 10.5
    assert found.next_time(1, 11.0) == 11.0


@pytest.mark.parametrize("per_second", [0.1, 1.0, 16, 512])
def test_what_was_promised_for_a_time_is_there_at_that_time(per_second: float) -> None:
    """However the times are rounded: a tick at that time once came for ever."""
    for start in range(1, 2_000):
        now = 1_000_000 * start / 7
        found = Allowance(6, per_second)
        for _ in range(8):
            found.charge(1, now)
        later = found.next_time(1, now)
        assert later > now
        assert found.has(1, later)
        assert found.next_time(1, later) == later


def test_a_clock_that_goes_back_gives_nothing() -> None:
    found = Allowance(10, 2)
    found.charge(10, 100.0)
    found.charge(1, 50.0)
    assert found.next_time(1, 100.0) == 101.0


@pytest.mark.parametrize(
    ("size", "units"), [(1, 1), (BYTES_OF_UNIT - 1, 1), (BYTES_OF_UNIT, 2), (65_536, 17)]
)
def test_a_long_frame_costs_more(size: int, units: int) -> None:
    assert units_of_frame(size) == units
