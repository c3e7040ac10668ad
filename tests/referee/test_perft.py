"""Counts of lines from small tables; the first two are worked out by hand in
`tests.tools.perft`."""

import pytest

from tests.tools.perft import COUNTS, count, tables


@pytest.mark.parametrize("name", COUNTS)
def test_the_ways_of_a_small_table_are_counted(name: str) -> None:
    game = tables()[name].game
    assert tuple(count(game, depth) for depth in (1, 2, 3)) == COUNTS[name]


def test_every_table_has_its_counts() -> None:
    assert tables().keys() == COUNTS.keys()
