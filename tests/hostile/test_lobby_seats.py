"""A lying host: what it says of a guest is true, and a kept seat is for its key alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyChanged, LobbyFault, LobbyRefused
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frames import Closed, Lobby, RefusalCode, TakenSeat
from tests.support.lying_host import LobbyLie, LyingRoom, with_seats

STRANGER = Signer(bytes([99]) * 32)


def of_key(key_of: int, change: Callable[[TakenSeat], TakenSeat]) -> LobbyLie:
    """A lie about the seat at this place."""

    def lie(lobby: Lobby) -> Lobby:
        owner = lobby.taken_seats[min(key_of, len(lobby.taken_seats) - 1)].owner
        return with_seats(lobby, lambda seat: change(seat) if seat.owner == owner else seat)

    return lie


def swap_lobby_names(lobby: Lobby) -> Lobby:
    names = {"Guest 1": "Guest 2", "Guest 2": "Guest 1"}
    return with_seats(lobby, lambda seat: replace(seat, name=names.get(seat.name, seat.name)))


def second_host(lobby: Lobby) -> Lobby:
    return with_seats(lobby, lambda seat: replace(seat, host=True))


LOBBIES: dict[str, LobbyLie] = {
    "a bot that the guest keeps": lambda lobby: replace(
        lobby, seats=(*lobby.seats[:3], TakenSeat(1, "Rex", "Kraken", automatic=True))
    ),
    "another name": of_key(1, lambda seat: replace(seat, name="Loser")),
    "a number behind another name": of_key(1, lambda seat: replace(seat, name="Loser 2")),
    "a number that is none": of_key(1, lambda seat: replace(seat, name="Guest 1 the 2")),
    "names swapped": swap_lobby_names,
    "a monster of another box": of_key(1, lambda seat: replace(seat, monster="Godzilla")),
    "one monster twice": of_key(1, lambda seat: replace(seat, monster="Gigazaur")),
    "a key for one game": of_key(1, lambda seat: replace(seat, one_game=True)),
    "bytes of another evening": of_key(1, lambda seat: replace(seat, fresh=bytes(16))),
    "a bot in the guest's place": of_key(1, lambda seat: replace(seat, automatic=True)),
    "no host": of_key(0, lambda seat: replace(seat, host=False)),
    "two hosts": second_host,
    "another host's key": of_key(0, lambda seat: replace(seat, owner=STRANGER.key)),
    "the guest's key twice": lambda lobby: replace(
        lobby, seats=(*lobby.seats[:3], replace(lobby.taken_seats[1], name="Rex", monster="Kraken"))
    ),
}


UNREADABLE: dict[str, LobbyLie] = {
    "no name": of_key(1, lambda seat: replace(seat, name=" ")),
    "a host that looks like the guest": of_key(0, lambda seat: replace(seat, name="Guest l")),
    "a name that is none": of_key(0, lambda seat: replace(seat, name="Ana ")),
    "a key that proves nothing": of_key(0, lambda seat: replace(seat, owner=bytes(32))),
    "a place that keeps itself": of_key(1, lambda seat: replace(seat, owner=1, fresh=b"")),
    "a place that a free one keeps": of_key(1, lambda seat: replace(seat, owner=3, fresh=b"")),
    "a kept place with fresh bytes": of_key(1, lambda seat: replace(seat, owner=0)),
    "a kept host": of_key(0, lambda seat: replace(seat, owner=1, fresh=b"")),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_guest_reads_no_lobby_in_which_somebody_could_be_somebody_else(name: str) -> None:
    room = LyingRoom(lobby_lies={1: UNREADABLE[name]})
    with pytest.raises(BadBytes):
        room.join(1)


@pytest.mark.parametrize("name", LOBBIES)
def test_a_guest_leaves_a_lobby_that_is_not_what_it_has_told_the_host(name: str) -> None:
    room = LyingRoom(lobby_lies={1: LOBBIES[name]})
    room.join(1)
    if name == "names swapped":
        room.join(2)
    assert room.shut == {1: EndKind.FALSE_LOBBY}
    assert not room.seeds


def test_a_name_with_a_number_is_the_guests_own() -> None:
    room = LyingRoom()
    room.host.name = "Guest 1"
    room.host.seating.guests[0].name = "Guest 1"
    room.join(1)
    assert not room.shut
    assert [seat.name for seat in room.said(Lobby)[-1].taken_seats] == ["Guest 1", "Guest 1 2"]


# -- seats that are kept --------------------------------------------------------------------------


def rematch(*kept: bytes) -> LyingRoom:
    return LyingRoom(seats=len(kept), start_when_full=True, kept_for=kept)


def last_shown(room: LyingRoom) -> LobbyChanged:
    return [n for n in room.notices if isinstance(n, LobbyChanged)][-1]


HOST = Signer(bytes([1]) * 32).key


def key_of(link: int) -> bytes:
    return Signer(bytes([10 + link]) * 32).key


def test_a_kept_seat_is_for_its_key_alone() -> None:
    room = rematch(HOST, key_of(2), key_of(3))
    room.join(1)
    room.host.tick(1.0)
    room.pump(1.0)
    assert not room.begun
    assert (1, Closed(int(RefusalCode.KEPT))) in room.told
    assert room.shut == {1: EndKind.KEPT_FOR_OTHERS}
    for link in (3, 2):
        room.join(link)
    room.host.tick(2.0)
    room.pump(2.0)
    assert [p.key for p in room.begun[0].genesis.players] == [HOST, key_of(2), key_of(3)]


def test_the_seat_of_a_bot_is_kept_for_a_bot() -> None:
    room = rematch(HOST, b"", key_of(2))
    room.join(1)
    assert room.shut == {1: EndKind.KEPT_FOR_OTHERS}
    room.host.add_bot()
    room.join(2)
    room.host.tick(1.0)
    room.pump(1.0)
    assert [p.automatic for p in room.begun[0].genesis.players] == [False, True, False]


def test_a_host_opens_the_seats_that_were_kept() -> None:
    room = rematch(HOST, key_of(2), key_of(3))
    room.join(2)
    assert last_shown(room).has_kept_seats
    room.host.open_seats()
    room.pump(0.0)
    assert not last_shown(room).has_kept_seats
    room.host.open_seats()
    room.pump(0.0)
    assert LobbyRefused(LobbyFault.NOTHING_KEPT) in room.notices
    room.join(1)
    room.host.tick(1.0)
    room.pump(1.0)
    assert [p.key for p in room.begun[0].genesis.players] == [HOST, key_of(2), key_of(1)]


def test_a_host_gives_a_kept_seat_to_a_bot() -> None:
    room = rematch(HOST, key_of(2), key_of(3))
    room.join(2)
    room.host.add_bot()
    room.pump(0.0)
    room.host.tick(2.0)
    room.pump(2.0)
    room.see_lobby(2.0)
    assert [p.automatic for p in room.begun[0].genesis.players] == [False, False, True]


def test_a_guest_that_is_known_and_not_kept_for_waits_outside() -> None:
    """A guest that comes under the name of a friend waits, too."""
    room = rematch(HOST, key_of(2))
    room.host.known_keys.policy = NewKeyPolicy.ACCEPT
    room.join(1)
    assert room.shut == {1: EndKind.KEPT_FOR_OTHERS}
    assert room.host.free_seats == 1
