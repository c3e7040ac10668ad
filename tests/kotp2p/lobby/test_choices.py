"""Names and monsters that are changed in an open lobby, and the marks of ready players."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.guest import MAX_OPEN_WISHES
from kotp2p.lobby.host import LOBBIES_AT_ONCE, LOBBIES_PER_SECOND, HostLobby
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.lobby.lobby_effects import ShowNotice, ready_places
from kotp2p.lobby.seating import read_monster, read_name
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.cores import WISHES_AT_ONCE, WISHES_PER_SECOND
from kotp2p.seams.notices import KeyChanged, LobbyChanged, LobbyFault, LobbyRefused
from kotp2p.wire.frames import Choose, DenialCode, Denied, Lobby, Stand
from kotp2p.wire.genesis import Clocks
from tests.support.lobby_room import Room

ANA, REX, KIM = 0, 1, 2


def room_of_three() -> Room:
    return Room.of(REX, KIM, seats=4)


def last_lobby(room: Room) -> LobbyChanged:
    return [n for n in room.notices if isinstance(n, LobbyChanged)][-1]


def names(room: Room) -> list[str]:
    return [seat.name for seat in last_lobby(room).seats if seat is not None]


def monsters(room: Room) -> list[str]:
    return [seat.monster for seat in last_lobby(room).seats if seat is not None]


def who_is_ready(room: Room) -> list[str]:
    return [seat.name for seat in last_lobby(room).seats if seat is not None and seat.ready]


def refusals(room: Room, link: int) -> list[LobbyFault]:
    told = room.notices if link == ANA else room.told_to.get(link, [])
    return [n.why for n in told if isinstance(n, LobbyRefused)]


# -- names and monsters --------------------------------------------------------------------


def test_a_guest_changes_name_and_monster_and_everybody_sees_it() -> None:
    room = room_of_three()
    room.guests[REX].choices.change_name("Otto")
    room.guests[REX].choices.change_monster("kraken")
    room.pump(1.0)
    assert names(room) == ["Ana", "Otto", "Guest 2"]
    assert monsters(room)[1] == "Kraken"
    assert not room.shut
    for link in (REX, KIM):
        seen = room.guests[link]._seen.taken_seats
        assert [(seat.name, seat.monster) for seat in seen][1] == ("Otto", "Kraken")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("Ana", LobbyFault.NAME_TAKEN), ("ána", LobbyFault.NAME_TAKEN),
        ("Guest-2", LobbyFault.NAME_TAKEN), ("the host", LobbyFault.RESERVED_NAME),
        ("Nobody 7", LobbyFault.RESERVED_NAME), ("!", LobbyFault.NO_NAME),
        ("Otto\x1b[2J", LobbyFault.NO_NAME), ("x" * 25, LobbyFault.NO_NAME),
        ("Rexy " * 1000, LobbyFault.NO_NAME),
    ],
)  # fmt: skip
def test_a_name_that_is_taken_is_refused_to_its_author_alone(typed: str, why: LobbyFault) -> None:
    room = room_of_three()
    room.guests[REX].choices.change_name(typed)
    room.pump(1.0)
    assert refusals(room, REX) == [why]
    assert not refusals(room, KIM)
    assert not refusals(room, ANA)
    assert not room.said(Denied), "the guest's own program knows better than to ask"
    assert names(room) == ["Ana", "Guest 1", "Guest 2"]


def test_a_monster_that_another_player_has_is_refused() -> None:
    room = room_of_three()
    room.guests[REX].choices.change_monster("Gigazaur")
    room.host.choices.change_monster(monsters(room)[2], 1.0)
    room.guests[KIM].choices.change_monster("Hydra")
    room.pump(1.0)
    assert refusals(room, REX) == refusals(room, ANA) == [LobbyFault.MONSTER_TAKEN]
    assert refusals(room, KIM) == [LobbyFault.NO_MONSTER]


def test_nothing_is_changed_while_a_start_is_under_way() -> None:
    room = room_of_three()
    room.deaf.add(KIM)
    room.start(0.0)
    room.guests[REX].choices.change_name("Otto")
    room.guests[REX].choices.mark_ready(True)
    room.host.choices.change_monster("Kraken", 0.0)
    room.pump(0.0)
    assert refusals(room, REX) == [LobbyFault.STARTING] * 2
    assert refusals(room, ANA) == [LobbyFault.STARTING]
    assert names(room)[1] == "Guest 1"


def test_the_game_has_the_names_and_monsters_that_were_chosen_last() -> None:
    room = room_of_three()
    room.guests[REX].choices.change_name("Otto")
    room.guests[KIM].choices.change_monster("Kraken")
    room.host.choices.change_name("Zoe", 0.0)
    room.pump(0.0)
    room.start(0.0)
    assert not room.begun  # its players must have had time to see the lobby
    room.see_lobby(0.0)
    charter = room.begun[REX].genesis.charter
    assert [player.name for player in charter.players] == ["Zoe", "Otto", "Guest 2"]
    assert charter.players[2].monster == "Kraken"


def test_a_name_that_is_known_by_another_key_asks_as_a_newcomer_does() -> None:
    room = Room(seats=4)
    room.host.known_keys.remember([("Otto", b"\x07" * 32)])
    room.join(REX)
    room.guests[REX].choices.change_name("Otto")
    room.pump(1.0)
    assert [n.name for n in room.notices if isinstance(n, KeyChanged)] == ["Otto"]
    room.start(5.0)
    assert refusals(room, ANA) == [LobbyFault.NEW_KEY]
    room.host.accept_key("Otto", 1.0 + LOBBY_SEEN_SECONDS - 0.1)
    assert not room.host.known_keys.known_other_key("Rex", b"\x07" * 32)
    room.pump(5.0)
    assert refusals(room, ANA)[-1] is LobbyFault.JUST_SEATED


def test_a_name_that_is_known_by_another_key_is_refused_where_nobody_can_be_asked() -> None:
    room = Room(seats=4)
    known = KnownKeys(NewKeyPolicy.REFUSE)
    known.remember([("Otto", b"\x07" * 32)])
    room.host.known_keys = room.host._keys.known_keys = known
    room.join(REX)
    room.guests[REX].choices.change_name("Otto")
    room.pump(1.0)
    assert refusals(room, REX) == [LobbyFault.NAME_KNOWN]
    assert not room.shut


def test_of_many_wishes_at_once_the_player_reads_what_came_of_the_last_ones() -> None:
    room = room_of_three()
    guest = room.guests[REX]
    for _ in range(MAX_OPEN_WISHES + 1):
        guest.choices.mark_ready(True)
    told = []
    for serial in (1, 2, MAX_OPEN_WISHES + 1):
        guest.take_effects()
        guest.receive_frame(Denied(serial, DenialCode.TOO_OFTEN), 1.0)
        notices = [e.notice for e in guest.take_effects() if isinstance(e, ShowNotice)]
        told += [serial for notice in notices if isinstance(notice, LobbyRefused)]
    assert told == [2, MAX_OPEN_WISHES + 1]


@pytest.mark.parametrize(
    ("typed", "monster"),
    [
        ("The King", "The King"), ("king", "The King"), ("KING ", "The King"), ("kra", "Kraken"),
        ("space penguin", "Space Penguin"), ("dragon", "Meka Dragon"), ("cyber k", "Cyber Kitty"),
        ("cyber", LobbyFault.NO_MONSTER), ("", LobbyFault.NO_MONSTER),
        ("zaur", LobbyFault.NO_MONSTER),
    ],
)  # fmt: skip
def test_the_beginning_of_a_word_names_one_monster(typed: str, monster: str) -> None:
    assert read_monster(typed) == monster


def test_a_typed_name_loses_spaces_alone() -> None:
    assert read_name("  Otto   von  Rex ") == "Otto von Rex"
    assert read_name("Otto!") is LobbyFault.NO_NAME


# -- marks ---------------------------------------------------------------------------------


def room_of_ready_players() -> Room:
    room = room_of_three()
    for link in (REX, KIM):
        room.guests[link].choices.mark_ready(True)
    room.host.choices.mark_ready(True, 1.0)
    room.pump(1.0)
    assert who_is_ready(room) == ["Ana", "Guest 1", "Guest 2"]
    return room


def test_everybody_sees_who_is_ready_and_who_is_not_any_more() -> None:
    room = room_of_ready_players()
    room.guests[REX].choices.mark_ready(False)
    room.pump(1.0)
    assert who_is_ready(room) == ["Ana", "Guest 2"]
    lobby = room.said(Lobby)[-1]
    assert [mark != b"" for mark in lobby.marks] == [True, False, True, False]


def test_marks_stay_when_somebody_comes_or_goes() -> None:
    room = room_of_ready_players()
    room.join(3, 1.0)
    assert who_is_ready(room) == ["Ana", "Guest 1", "Guest 2"]
    room.guests[KIM].leave_table()
    room.pump(1.0)
    assert who_is_ready(room) == ["Ana", "Guest 1"]


def test_marks_stay_when_a_third_player_ends_the_option_for_two() -> None:
    room = Room(seats=3, energy_for_two=True)
    room.join(REX, 0.0)
    room.guests[REX].choices.mark_ready(True)
    room.pump(0.0)
    assert room.said(Lobby)[-1].options.options.two_player
    room.join(KIM, 1.0)
    assert not room.said(Lobby)[-1].options.options.two_player
    assert who_is_ready(room) == ["Guest 1"]


def test_marks_stay_when_seats_names_and_monsters_change() -> None:
    room = room_of_ready_players()
    room.host.move_player("Guest 1", 1)
    room.guests[REX].choices.change_name("Otto")
    room.host.choices.change_monster("Kraken", 1.0)
    room.pump(1.0)
    assert who_is_ready(room) == ["Otto", "Ana", "Guest 2"]


@pytest.mark.parametrize(
    "changed",
    [
        lambda lobby: replace(lobby, rules="dark"),
        lambda lobby: replace(lobby, options=replace(lobby.options, clocks=Clocks(60, 60))),
        lambda lobby: replace(
            lobby, options=replace(lobby.options, options=Options(bay_for_beginners=True))
        ),
    ],
)
def test_a_mark_ends_with_the_rules_that_it_was_made_for(changed: Callable[[Lobby], Lobby]) -> None:
    lobby = room_of_ready_players().said(Lobby)[-1]
    assert ready_places(lobby) == {0, 1, 2}
    assert ready_places(changed(lobby)) == set()


def test_changes_come_back_with_time() -> None:
    room, now = room_of_three(), 1.0
    for count in range(WISHES_AT_ONCE + 1):
        room.guests[REX].choices.mark_ready(count % 2 == 0)
        room.pump(now)
    assert refusals(room, REX) == [LobbyFault.TOO_OFTEN]
    now += 1 / WISHES_PER_SECOND
    room.host.tick(now)
    room.guests[REX].choices.change_name("Otto")
    room.pump(now)
    room.tick(now + 1)
    assert refusals(room, REX) == [LobbyFault.TOO_OFTEN]
    assert names(room)[1] == "Otto"


@pytest.mark.parametrize(
    "change",
    [
        lambda host, now: host.choices.change_name("Zoe", now),
        lambda host, now: host.choices.change_monster("Kraken", now),
        lambda host, now: host.choices.mark_ready(True, now),
        lambda host, now: host.remove_player("Guest 1", now),
        lambda host, now: host.lose_link(REX, now),
        lambda host, now: host.receive_frame(REX, Stand(), now),
    ],
)
def test_what_changes_later_is_told_at_once(change: Callable[[HostLobby, float], None]) -> None:
    room = room_of_three()
    for count in range(2 * LOBBIES_AT_ONCE):
        room.host.choices.change_name(f"Ana {count}", 0.0)
    room.pump(0.0)
    shown = len(room.notices)
    change(room.host, 1 / LOBBIES_PER_SECOND)
    room.pump(1.0)
    assert [type(notice) for notice in room.notices[shown:]] == [LobbyChanged]


def test_what_changes_nothing_costs_nothing() -> None:
    room = room_of_three()
    for serial in range(1, 10 * WISHES_AT_ONCE):
        room.host.receive_frame(REX, Choose(serial, "Guest 1", ""), 1.0)
    before = len(room.said(Lobby))
    room.guests[REX].choices.change_name("Otto")
    room.pump(1.0)
    assert names(room)[1] == "Otto"
    assert len(room.said(Lobby)) == before + 2
