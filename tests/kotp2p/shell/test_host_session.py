"""What the host's player types in the lobby does what it says."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import cast

from kotp2p.seams.commands import StartGame
from kotp2p.shell.game_stage import SeatSetup
from kotp2p.shell.lobby_stage import Announcer, HostStage
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.saved_game import SavedPlaces
from tests.support.lobby_room import Room


def stage_of(room: Room) -> HostStage:
    """Without a LAN."""
    loop = SimpleNamespace(world=None, signer=None, own_faults=nullcontext())
    setup = SeatSetup(False, SavedPlaces())
    return HostStage(
        loop=cast(TableLoop, loop), lobby=room.host, setup=setup, announcer=cast(Announcer, None)
    )


def test_start_begins_the_game_before_all_seats_are_taken() -> None:
    room = Room.of(1, 2, seats=4)
    stage_of(room).accept_item(StartGame(), 0.0)
    room.pump(0.0)
    assert set(room.begun) == {0, 1, 2}
