"""How often a host tries to begin the game without having been asked to."""

from kotp2p.seams.cores import STARTS_AT_ONCE
from tests.support.lobby_room import Room


def test_a_host_tries_so_many_starts_at_once_and_then_waits() -> None:
    room = Room.of(1)
    start, tries = room.host.start, 0
    is_open = start.phase.state
    while start.may_begin_alone(0.0):
        room.host.start_game(0.0)
        assert start.is_under_way
        start.phase.state = is_open  # nobody has followed
        tries += 1
    assert tries == STARTS_AT_ONCE
