"""The lobby's state tables against the code: the code can be made to take every transition."""

from collections.abc import Callable
from dataclasses import replace

from kotp2p.lobby.guest import GUEST_LOBBY
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.lobby.start import CEREMONY, HOST_LOBBY, START_STEP_SECONDS
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import (
    Closed,
    Frame,
    GenesisShown,
    Lobby,
    RefusalCode,
    RowShown,
    Sealed,
    Start,
)
from tests.support.lobby_room import Room
from tests.support.table_walk import noted, transitions

OLD = b"old key of some player, 32 bytes"


class Stopped(Room):
    """Guest 1 keeps a kind of frame for itself: the start stops there."""

    kept: type[Frame] | None = None

    def altered(self, link: int, frame: Frame) -> Frame:
        if link == 1 and self.kept is not None and isinstance(frame, self.kept):
            self.deaf.add(link)
            return Sealed(bytes(32), bytes(32))  # of no attempt
        return frame


def started(kept: type[Frame] | None = None) -> Stopped:
    room = Stopped()
    room.kept = kept
    room.join(1)
    room.join(2)
    room.start(1.0)
    return room


def test_the_host_takes_every_transition() -> None:
    with noted() as taken:
        assert set(started().begun) == {0, 1, 2}
        for kept in (Sealed, RowShown, Signed):
            room = started(kept)
            room.host.lose_link(1, 2.0)
            room.pump(2.0)
            room.see_lobby(2.0)
            assert set(room.begun) == {0, 2}
    assert taken[HOST_LOBBY.name] == transitions(HOST_LOBBY)


def guest_frames() -> dict[type[Frame], Frame]:
    """What guest 1 is sent in a start, by its kind."""
    return {type(frame): frame for link, frame in started().told if link == 1}


def close_before() -> None:
    room = Room.of(1)
    room.guests[1].leave_table()


def close_while_starting() -> None:
    started(RowShown).guests[1].receive_frame(Closed(int(RefusalCode.CLOSED)), 2.0)


def propose(room: Stopped) -> None:
    """The next start, as guest 1 is told it."""
    start = guest_frames()[Start]
    assert isinstance(start, Start)
    guest = room.guests[1]
    charter = replace(start.charter, start=guest._newest_start + 1)
    guest.receive_frame(replace(start, charter=charter), 2.0)


def hold(room: Stopped) -> None:
    """A start, with another key under a name that guest 1 knows."""
    known = room.guests[1].known_keys
    known.policy = NewKeyPolicy.ASK
    known.remember([("Guest 2", OLD)])
    propose(room)


def change_lobby(room: Room) -> None:
    """Guest 1 is told that guest 2 has gone."""
    lobby = room.said(Lobby)[-1]
    room.guests[1].receive_frame(replace(lobby, seats=(*lobby.seats[:2], None, None)), 3.0)


def hold_and_hear_of_a_change() -> None:
    room = Stopped()
    room.join(1)
    room.join(2)
    hold(room)
    change_lobby(room)


def hear_of_a_change_while_starting() -> None:
    change_lobby(started(Sealed))


def hold_twice_and_close() -> None:
    room = Stopped()
    room.join(1)
    room.join(2)
    hold(room)
    hold(room)
    room.guests[1].leave_table()


def hold_and_follow_twice() -> None:
    room = Stopped()
    room.join(1)
    room.join(2)
    hold(room)
    room.guests[1].accept_key("Guest 2", 2.0)
    propose(room)


def hold_a_second_start_and_end_the_first() -> None:
    room = started(Signed)
    hold(room)
    room.guests[1].receive_frame(guest_frames()[Signed], 2.0)
    assert room.guests[1].is_over


def lose_the_host_and_hear_of_another_seat() -> None:
    room = started(Signed)
    room.guests[1].lose_host(2.0)
    signed = guest_frames()[Signed]
    assert isinstance(signed, Signed)
    room.guests[1].hear_seals(7, signed)
    assert room.guests[1].is_over


def hear_of_a_change_and_end_the_start_before_it() -> None:
    room = started(Signed)
    change_lobby(room)
    room.guests[1].receive_frame(guest_frames()[Signed], 4.0)
    assert room.guests[1].is_over


def hear_of_a_change_and_lose_the_host() -> None:
    room = started(Signed)
    change_lobby(room)
    room.guests[1].lose_host(4.0)
    assert not room.guests[1].is_over


def hold_a_second_start_and_lose_the_host() -> None:
    room = started(Signed)
    hold(room)
    room.guests[1].lose_host(2.0)
    room.guests[1].tick(2.0 + START_STEP_SECONDS)
    assert room.guests[1].is_over


GUEST_WAYS: tuple[Callable[[], object], ...] = (
    started,
    close_before,
    close_while_starting,
    hold_and_hear_of_a_change,
    hear_of_a_change_while_starting,
    hold_twice_and_close,
    hold_and_follow_twice,
    hold_a_second_start_and_end_the_first,
    lose_the_host_and_hear_of_another_seat,
    hear_of_a_change_and_end_the_start_before_it,
    hear_of_a_change_and_lose_the_host,
    hold_a_second_start_and_lose_the_host,
)


def test_a_guest_takes_every_transition() -> None:
    with noted() as taken:
        for way in GUEST_WAYS:
            way()
    assert taken[GUEST_LOBBY.name] == transitions(GUEST_LOBBY)


def test_a_ceremony_takes_every_transition() -> None:
    frames = guest_frames()
    with noted() as taken:
        room = started(Signed)
        room.guests[1].receive_frame(frames[GenesisShown], 2.0)  # once more
        started()
    assert taken[CEREMONY.name] == transitions(CEREMONY)
