"""Guests for whom a bot answers: in all but their mark they are like persons."""

from __future__ import annotations

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.notices import LobbyChanged
from tests.support.lobby_room import Room


def test_a_guest_for_whom_a_bot_answers_is_marked_in_the_lobby_and_in_the_game() -> None:
    room = Room(seats=3)
    room.join(1)
    guest = room._guest(2, one_game=False)
    guest.automatic = True
    room._sit_down(2, -LOBBY_SEEN_SECONDS, guest)
    shown = [notice for notice in room.notices if isinstance(notice, LobbyChanged)][-1]
    seats = [seat for seat in shown.seats if seat is not None]
    assert [seat.is_played_by_bot for seat in seats] == [False, False, True]
    assert [seat.ready for seat in seats] == [False, False, True]
    room.host.start_game(0.0)
    room.pump(0.0)
    players = room.begun[2].genesis.players
    assert players == room.begun[0].genesis.players
    assert [(p.bot, p.automatic, p.keeper) for p in players] == [
        (False, False, 0), (False, False, 1), (False, True, 2),
    ]  # fmt: skip


def test_a_bot_of_the_host_needs_no_second_mark() -> None:
    room = Room(seats=2)
    room.join_bot(1)
    guest = room.guests[1]
    assert not guest.automatic
    room.host.start_game(0.0)
    room.pump(0.0)
    assert [(p.bot, p.automatic) for p in room.begun[0].genesis.players] == [
        (False, False), (True, False),
    ]  # fmt: skip
