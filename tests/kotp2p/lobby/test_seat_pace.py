"""How often guests of one network sit down."""

import pytest

from kotp2p.lobby.host import SeatPace
from kotp2p.seams.cores import SEATS_AT_ONCE, SEATS_PER_SECOND


@pytest.mark.parametrize("again", ["10.0.0.9", "2001:db8::1"])
def test_the_guests_of_one_network_sit_down_at_a_pace(again: str) -> None:
    pace = SeatPace()
    assert [pace.may_sit(again, 0.0) for _ in range(SEATS_AT_ONCE + 1)].count(True) == SEATS_AT_ONCE
    assert pace.may_sit("10.0.1.9", 0.0)
    assert [pace.may_sit(again, 1 / SEATS_PER_SECOND) for _ in range(2)] == [True, False]


def test_players_on_the_machine_of_the_host_sit_down_as_they_come() -> None:
    pace = SeatPace()
    assert all(pace.may_sit("", 0.0) for _ in range(10 * SEATS_AT_ONCE))
