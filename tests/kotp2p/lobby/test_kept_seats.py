"""The seat of a guest whose link is lost in the lobby: kept for two minutes, and taken again."""

import pytest

from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.seams.notices import HostLinkChanged, LobbyChanged, LobbyFault, LobbyRefused, LobbySeat
from kotp2p.wire.frames import SEAT_KEPT_SECONDS, Closed, Ping, RefusalCode, Sit
from tests.support.lobby_room import Room


def seated_room(guests: int = 2, *, start_when_full: bool = False) -> Room:
    links = range(1, guests + 1)
    return Room.of(*links, seats=guests + 1, start_when_full=start_when_full)


def lose(room: Room, link: int, now: float) -> None:
    room.host.lose_link(link, now)
    room.guests[link].lose_host(now)
    room.deaf.add(link)
    room.pump(now)


def come_back(room: Room, link: int, newer: int, now: float) -> None:
    guest = room.guests.pop(link)
    room.guests[newer] = guest
    room.host.accept_link(newer, guest.signer.key, "10.0.0.9", now)
    assert guest.return_to_host(room.host.signer.key, now)
    room.pump(now)


def shown(room: Room) -> list[LobbySeat | None]:
    return list([n for n in room.notices if isinstance(n, LobbyChanged)][-1].seats)


def who_sits(room: Room) -> list[str]:
    return [guest.name for guest in room.host.seating.seated_guests()]


@pytest.mark.parametrize(
    ("seconds", "players"),
    [
        (SEAT_KEPT_SECONDS - 1, ["Ana", "Guest 1", "Guest 2"]),
        (SEAT_KEPT_SECONDS, ["Ana", "Guest 2"]),
    ],
)
def test_a_lost_guest_keeps_its_seat_for_two_minutes(seconds: float, players: list[str]) -> None:
    room = seated_room()
    lose(room, 1, 10.0)
    now = 10.0
    while now < 10.0 + seconds:  # the other guest is heard all the time
        now = min(now + 5, 10.0 + seconds)
        room.guests[2].tick(now)
        room.pump(now)
        room.host.tick(now)
    assert who_sits(room) == players


def test_the_host_sees_who_is_away_and_who_is_back() -> None:
    room = seated_room()
    lose(room, 1, 10.0)
    assert [seat.away for seat in shown(room) if seat is not None] == [False, True, False]
    come_back(room, 1, 7, 20.0)
    assert [seat.away for seat in shown(room) if seat is not None] == [False, False, False]
    assert room.told_to[7] == [HostLinkChanged(stands=True)]


def test_a_guest_that_comes_back_has_its_seat_name_and_monster_again() -> None:
    room = seated_room()
    guest = room.guests[1]
    guest.choices.change_name("Rex")
    guest.choices.change_monster("Kraken")
    room.pump(1.0)
    lose(room, 1, 10.0)
    come_back(room, 1, 7, 20.0)
    back = shown(room)[1]
    assert back is not None
    assert (back.name, back.monster, back.key) == ("Rex", "Kraken", guest.signer.key)
    assert who_sits(room) == ["Ana", "Rex", "Guest 2"]


def test_a_guest_that_comes_back_says_anew_whom_it_does_not_know() -> None:
    room = Room.of(1)
    room.guests[1].known_keys.remember([("Guest 2", bytes(32))])
    room.join(2)
    lose(room, 1, 10.0)
    come_back(room, 1, 7, 20.0)
    room.start(30.0)
    assert room.notices[-1] == LobbyRefused(LobbyFault.UNSURE, "Guest 1", "Guest 2")
    assert not room.begun


def test_a_guest_whose_key_is_refused_when_it_comes_back_frees_its_seat() -> None:
    room = seated_room()
    lose(room, 1, 10.0)
    room.host.known_keys.policy = NewKeyPolicy.REFUSE
    room.host.known_keys.remember([("Guest 1", bytes(32))])
    come_back(room, 1, 7, 20.0)
    assert [seat and seat.name for seat in shown(room)] == ["Ana", None, "Guest 2"]


def test_one_key_keeps_one_seat_also_from_another_process() -> None:
    """Its player has started the program again."""
    room = seated_room()
    lose(room, 1, 10.0)
    room.guests.pop(1)
    room.deaf.clear()
    again = room._guest(1, one_game=False)
    room._sit_down(7, 20.0, again)
    assert who_sits(room) == ["Ana", "Guest 1", "Guest 2"]
    assert room.host.seating.seats == [0, 7, 2]
    room.host.accept_link(8, again.signer.key, "10.0.0.77", 30.0)
    back = room.host.seating.find_key(again.signer.key)
    assert back is not None
    assert (back.link, back.address) == (8, "10.0.0.77")


def test_who_comes_back_without_asking_for_the_seat_is_sent_away_when_its_time_is_up() -> None:
    room = seated_room()
    lose(room, 1, 10.0)
    room.host.accept_link(7, room.guests[1].signer.key, "10.0.0.9", 11.0)
    for now in (*range(12, 10 + int(SEAT_KEPT_SECONDS), 4), 10 + SEAT_KEPT_SECONDS):
        assert who_sits(room) == ["Ana", "Guest 1", "Guest 2"]
        for link in (2, 7):
            room.host.receive_frame(link, Ping(), now)
        room.tick(now)
    assert who_sits(room) == ["Ana", "Guest 2"]
    assert (7, Closed(int(RefusalCode.BAD))) in room.told


def test_a_table_that_fills_up_by_itself_waits_for_who_is_away() -> None:
    room = seated_room(start_when_full=True)
    lose(room, 1, 10.0)
    room.tick(11.0)
    assert 0 not in room.begun
    assert room.host.start.is_open


@pytest.mark.parametrize("asks", [False, True])
def test_a_guest_that_comes_back_again_and_again_holds_no_start_up(asks: bool) -> None:
    """It is gone whenever the host looks whether all are there."""
    room = seated_room(start_when_full=True)
    signer = room.guests[1].signer
    room.guests[2].tick(9.0)
    lose(room, 1, 10.0)
    for second in range(11, 11 + int(SEAT_KEPT_SECONDS)):
        room.guests[2].tick(second)
        if room.host.seating.find_key(signer.key) is not None:
            room.host.accept_link(second, signer.key, "10.0.0.9", second)
            if asks:
                room.host.receive_frame(second, Sit("Guest 1", "", 0), second)
            room.host.lose_link(second, second)
        room.tick(second)
    room.see_lobby(second)
    assert who_sits(room) == ["Ana", "Guest 2"]
    assert (0 in room.begun) is asks, "else it waits for another guest"


def test_nobody_alone_starts_with_players_who_are_away() -> None:
    room = seated_room(1)
    lose(room, 1, 10.0)
    room.start(11.0)
    assert room.host.start.is_open
    assert who_sits(room) == ["Ana", "Guest 1"], "a start that is refused takes no seat"


def test_a_guest_does_not_come_back_to_another_host() -> None:
    room = seated_room()
    lose(room, 1, 10.0)
    assert not room.guests[1].return_to_host(b"x" * 32, 11.0)
    assert room.guests[1].is_away
