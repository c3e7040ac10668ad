"""A guest that has signed one start and is shown another: what becomes of the two."""

from dataclasses import replace

import pytest

from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.lobby.start import START_STEP_SECONDS
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame, GenesisShown, Sealed, Start
from tests.support.lobby_room import Room

OLD = b"old key of some player, 32 bytes"


class Stopped(Room):
    """Guest 1 keeps its signature for itself: the start stops there."""

    def altered(self, link: int, frame: Frame) -> Frame:
        if link == 1 and isinstance(frame, Signed):
            self.deaf.add(link)
            return Sealed(bytes(32), bytes(32))  # of no attempt
        return frame


def started(room: Room) -> Room:
    room.join(1)
    room.join(2)
    room.start(1.0)
    return room


@pytest.fixture
def frames() -> dict[type[Frame], Frame]:
    """What guest 1 is sent in a start that comes to its end, by its kind."""
    return {type(frame): frame for link, frame in started(Room()).told if link == 1}


def hold_another(room: Room, start: Frame) -> None:
    """Guest 1 is shown the next start, with another key under a name that it knows."""
    assert isinstance(start, Start)
    guest = room.guests[1]
    guest.known_keys.policy = NewKeyPolicy.ASK
    guest.known_keys.remember([("Guest 2", OLD)])
    charter = replace(start.charter, start=guest._newest_start + 1)
    guest.receive_frame(replace(start, charter=charter), 2.0)


def test_the_signed_start_can_still_become_the_game(frames: dict[type[Frame], Frame]) -> None:
    room = started(Stopped())
    hold_another(room, frames[Start])
    room.guests[1].receive_frame(frames[Signed], 2.0)
    assert room.guests[1].is_over


def test_a_host_that_is_lost_meanwhile_leaves_the_signed_start_in_doubt(
    frames: dict[type[Frame], Frame],
) -> None:
    room = started(Stopped())
    hold_another(room, frames[Start])
    room.guests[1].lose_host(2.0)
    room.guests[1].tick(2.0 + START_STEP_SECONDS)
    assert room.guests[1].is_over


def test_a_guest_that_was_asked_about_a_key_can_leave(frames: dict[type[Frame], Frame]) -> None:
    room = Room()
    room.join(1)
    room.join(2)
    hold_another(room, frames[Start])
    room.guests[1].leave_table()
    assert room.guests[1].is_over


def test_a_genesis_that_is_shown_again_changes_nothing(frames: dict[type[Frame], Frame]) -> None:
    room = started(Stopped())
    room.guests[1].receive_frame(frames[GenesisShown], 2.0)
    assert not room.guests[1].is_over
