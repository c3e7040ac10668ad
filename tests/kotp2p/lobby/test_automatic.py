"""Guests for whom a bot answers: in all but their mark they are like persons."""

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.seams.notices import LobbyChanged
from kotp2p.wire.frames import Lobby
from kotp2p.wire.genesis import Genesis
from tests.support.lobby_room import Room


def test_a_guest_for_whom_a_bot_answers_is_marked_in_the_lobby_and_in_the_game() -> None:
    room = Room.of(1, seats=3)
    guest = room._guest(2, one_game=False)
    guest.automatic = True
    room._sit_down(2, -LOBBY_SEEN_SECONDS, guest)
    shown = [notice for notice in room.notices if isinstance(notice, LobbyChanged)][-1]
    seats = [seat for seat in shown.seats if seat is not None]
    assert [seat.is_played_by_bot for seat in seats] == [False, False, True]
    assert [seat.ready for seat in seats] == [False, False, True]
    room.start(0.0)
    players = room.begun[2].genesis.players
    assert players == room.begun[0].genesis.players
    assert [(p.automatic, p.keeper) for p in players] == [(False, 0), (False, 1), (True, 2)]


def test_a_bot_of_the_host_has_no_key_and_no_row_and_is_marked() -> None:
    room = Room(seats=4)
    room.host.add_bot()
    room.join(1)
    room.host.add_bot()
    room.pump(0.0)
    shown = room.said(Lobby)[-1].taken_seats
    assert [(seat.owner, seat.automatic, seat.fresh) for seat in shown if seat.is_kept] == [
        (0, True, b""), (0, True, b""),
    ]  # fmt: skip
    notice = [notice for notice in room.notices if isinstance(notice, LobbyChanged)][-1]
    seats = [seat for seat in notice.seats if seat is not None]
    assert [(seat.bot, seat.automatic, seat.ready) for seat in seats] == [
        (False, False, False), (True, False, True), (False, False, False), (True, False, True),
    ]  # fmt: skip
    room.see_lobby(0.0)
    room.start(2.0)
    genesis = room.begun[1].genesis
    host = room.host.signer.key
    assert [(p.automatic, p.keeper) for p in genesis.players] == [
        (False, 0), (True, 0), (False, 2), (True, 0),
    ]  # fmt: skip
    assert [p.key for p in genesis.players][1::2] == [host, host]
    assert len(genesis.rows) == 2
    assert genesis.seals.keys() == {0, 2}


def test_a_bot_keeps_the_host_as_its_keeper_when_places_change() -> None:
    room = Room(seats=3)
    room.host.add_bot()
    room.join(1)
    room.host.move_player("Ana", 3)
    room.pump(0.0)
    shown = room.said(Lobby)[-1].seats
    assert [seat and seat.owner for seat in shown] == [
        room.guests[1].signer.key, 2, room.host.signer.key,
    ]  # fmt: skip
    room.see_lobby(0.0)
    room.start(2.0)
    assert [p.keeper for p in room.begun[1].genesis.players] == [0, 2, 2]


def test_a_table_with_bots_alone_begins_without_anybody_else() -> None:
    room = Room(seats=3, start_when_full=True)
    room.host.add_bot()
    room.host.add_bot()
    room.tick(0.0)
    genesis = room.begun[0].genesis
    assert (genesis.keepers, genesis.charter.start) == ((0,), 1)
    assert Genesis.parse(genesis.body, genesis.signed.signature) == genesis
