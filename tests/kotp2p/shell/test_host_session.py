"""What the host's player types in the lobby does what it says."""

from __future__ import annotations

from typing import cast

from kotp2p.shell.commands import StartGame
from kotp2p.shell.game_stage import SeatSetup
from kotp2p.shell.lobby_stage import Announcer, HostSession
from tests.support.lobby_room import Room


def session_of(room: Room) -> HostSession:
    """Without a LAN."""
    setup = SeatSetup(one_game=False)
    return HostSession(room.host, setup, cast(Announcer, None))


def test_start_begins_the_game_before_all_seats_are_taken() -> None:
    room = Room(seats=4)
    for link in (1, 2):
        room.join(link)
    session_of(room).accept_item(StartGame(), 0.0)
    room.pump(0.0)
    assert set(room.begun) == {0, 1, 2}
