"""Tables at which things go wrong at random. `tests.tools.storms` plays more of them."""

from __future__ import annotations

import pytest

from tests.tools.storms import judge, storm


@pytest.mark.parametrize("seed", range(8))
def test_a_storm_accuses_nobody_and_leaves_no_wrong_log(seed: int) -> None:
    judge(storm(seed))
