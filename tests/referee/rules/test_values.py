"""Gains and losses of points, hearts and energy."""

import pytest

from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.state import Cause
from kotp2p.referee.rules.monsters import lose_points
from tests.support.referee_table import CITY, Sits, seated


@pytest.mark.parametrize(("points", "lost"), [(0, 0), (1, 1), (3, 2)])
def test_a_monster_loses_no_more_points_than_it_has(points: int, lost: int) -> None:
    play = seated(SECOND, Sits(points=points), Sits(CITY))
    assert lose_points(play.game._table, 0, 2, Cause.CARD) == lost
    assert play.monster(0).points == points - lost
