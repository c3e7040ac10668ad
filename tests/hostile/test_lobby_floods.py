"""A guest asks, comes and goes without end: nobody else's link is filled, and the lobby goes on."""

from __future__ import annotations

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.host import ANSWER_PAUSE_SECONDS, LOBBIES_AT_ONCE, LOBBIES_PER_SECOND
from kotp2p.seams.cores import SEATS_AT_ONCE, SEATS_PER_SECOND
from kotp2p.seams.notices import LobbyChanged
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import Closed, Lobby, RefusalCode, Sit, Stand
from tests.support.lobby_room import Room

FRESH = bytes(16)
REX, KIM, MALLORY = 1, 2, 3


def room_of_three() -> Room:
    room = Room(seats=5)
    for link in (REX, KIM, MALLORY):
        room.join(link)
    room.told.clear()
    room.notices.clear()
    return room


def told_to(room: Room, link: int) -> list[Lobby]:
    return [frame for to, frame in room.told if to == link and isinstance(frame, Lobby)]


def comes_and_goes(room: Room, times: int, now: float) -> None:
    """Mallory stands up and sits down by a new link each time."""
    for turn in range(times):
        link = MALLORY + 1 + turn
        room.host.accept_link(link, bytes([turn % 250]) * 31 + b"\1", "10.0.0.9", now)
        room.host.receive_frame(link, Sit("Mallory", "", 0, False, FRESH), now)
        room.host.receive_frame(link, Stand(), now)
    room.pump(now)


def test_a_guest_that_asks_for_its_seat_again_is_answered_alone_and_seldom() -> None:
    """17,000 such frames once threw all honest guests out."""
    room, asks = room_of_three(), Sit("Mallory", "", 0, False, FRESH)
    for _ in range(17_000):
        room.host.receive_frame(MALLORY, asks, 0.0)
    room.pump(0.0)
    assert [to for to, _ in room.told] == [MALLORY]
    room.host.receive_frame(MALLORY, asks, ANSWER_PAUSE_SECONDS - 0.01)
    room.pump(ANSWER_PAUSE_SECONDS)
    assert len(room.told) == 1
    room.host.receive_frame(MALLORY, asks, ANSWER_PAUSE_SECONDS)
    room.pump(ANSWER_PAUSE_SECONDS)
    assert len(room.told) == 2


def test_few_seats_are_given_to_one_network_however_many_keys_it_has() -> None:
    room, taken = Room(seats=5), 0
    for second in range(100):
        now, link = float(second), 10 + second
        room.host.accept_link(link, Signer(bytes([20 + second]) * 32).key, "10.0.0.9", now)
        room.host.receive_frame(link, Sit("Mallory", "", 0, False, FRESH), now)
        taken += room.host.free_seats < 4
        room.host.receive_frame(link, Stand(), now)
        room.pump(now)
    assert taken >= SEATS_AT_ONCE + 100 * SEATS_PER_SECOND - 2
    assert taken <= SEATS_AT_ONCE + 100 * SEATS_PER_SECOND
    assert [c.code for c in room.said(Closed)].count(RefusalCode.BUSY) == 100 - taken
    room.host.accept_link(1, Signer(bytes([200]) * 32).key, "10.0.0.7", 100.0)
    room.host.receive_frame(1, Sit("Rex", "", 0, False, FRESH), 100.0)
    assert room.host.free_seats == 3


def test_guests_that_go_delay_a_start_once_each_and_nobody_else_sits_down_meanwhile() -> None:
    """A start waits until its players could have seen the lobby, which each of these changes."""
    room, now = Room(seats=6), 0.0
    for link in range(1, 6):
        room.join(link, now)
    room.host.start_game(now)
    for link in (3, 4, 5):
        now += LOBBY_SEEN_SECONDS - 0.1  # just before the start would be followed
        for guest in room.guests.values():
            guest.tick(now)
        room.pump(now)
        room.host.receive_frame(link, Stand(), now)
        del room.guests[link]
        for again in range(10):
            new = 100 * link + again
            key = Signer(bytes([100 + again]) * 32).key
            room.host.accept_link(new, key, f"10.0.{again}.9", now)
            room.host.receive_frame(new, Sit("Mallory", "", 0, False, FRESH), now)
        room.pump(now)
        assert room.begun == {}
    room.see_lobby(now)
    assert set(room.begun) == {0, 1, 2}
    assert now + LOBBY_SEEN_SECONDS <= 4 * LOBBY_SEEN_SECONDS


def test_changes_without_end_are_told_as_the_newest_lobby() -> None:
    room, now = room_of_three(), 5.0
    comes_and_goes(room, 1_000, now)
    assert len(told_to(room, REX)) == len(told_to(room, KIM)) == LOBBIES_AT_ONCE
    assert sum(isinstance(n, LobbyChanged) for n in room.notices) == LOBBIES_AT_ONCE
    assert room.host.deadline <= now + 1 / LOBBIES_PER_SECOND
    for later, more in ((0.0, 0), (0.99, 0), (1 / LOBBIES_PER_SECOND, 1)):
        room.host.tick(now + later)
        room.pump(now + later)
        assert len(told_to(room, REX)) == LOBBIES_AT_ONCE + more
    names = [seat.name for seat in told_to(room, REX)[-1].taken_seats]
    assert names == ["Ana", "Guest 1", "Guest 2", "Guest 3"]


def test_a_start_is_exactly_the_lobby_that_was_told_last_whatever_waits() -> None:
    room = room_of_three()
    comes_and_goes(room, 2 * LOBBIES_AT_ONCE, 0.0)
    room.host.receive_frame(MALLORY, Stand(), 0.0)  # which waits, as too much was told already
    assert "Guest 3" in [seat.name for seat in told_to(room, REX)[-1].taken_seats]
    room.host.start_game(0.0)
    room.pump(0.0)
    assert "Guest 3" not in [seat.name for seat in told_to(room, REX)[-1].taken_seats]
    room.see_lobby(LOBBY_SEEN_SECONDS)
    assert set(room.begun) >= {0, REX, KIM}
