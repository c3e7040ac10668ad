"""Guests and hosts that abuse names, monsters and marks in a lobby."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.lobby.host import LOBBIES_AT_ONCE
from kotp2p.seams.cores import WISHES_AT_ONCE, WISHES_PER_SECOND
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyChanged, LobbyFault, LobbyRefused
from kotp2p.wire.encoding import BadBytes, Unwritable, Value, pack
from kotp2p.wire.frames import Choose, DenialCode, Denied, Frame, Lobby, Mark, decode, encode
from tests.support.lobby_room import Room

REX, KIM, MALLORY = 1, 2, 3


def room_of_three() -> Room:
    room = Room(seats=5)
    for link in (REX, KIM, MALLORY):
        room.join(link)
    room.told.clear()
    room.notices.clear()
    return room


def lobbies_told_to(room: Room, link: int) -> list[Lobby]:
    return [frame for to, frame in room.told if to == link and isinstance(frame, Lobby)]


def test_a_guest_that_renames_itself_a_thousand_times_is_heard_a_few_times() -> None:
    room, now = room_of_three(), 5.0
    for serial in range(1, 1001):
        room.guests[MALLORY].choices.names.add(f"M{serial}")
        room.host.receive_frame(MALLORY, Choose(serial, f"M{serial}", ""), now)
    room.pump(now)
    assert len(lobbies_told_to(room, REX)) == WISHES_AT_ONCE
    assert room.said(Denied).count(Denied(1000, int(DenialCode.TOO_OFTEN))) == 1
    seen = room.guests[REX]._seen.taken_seats
    assert [seat.name for seat in seen] == ["Ana", "Guest 1", "Guest 2", f"M{WISHES_AT_ONCE}"]
    room.guests[KIM].choices.change_name("Otto")  # the others have budgets of their own
    room.pump(now)
    room.host.tick(now + 1)
    room.pump(now + 1)
    assert room.guests[REX]._seen.taken_seats[2].name == "Otto"


def test_marks_that_come_and_go_without_end_cost_the_others_little() -> None:
    room, told = room_of_three(), 0
    for second in range(100):
        now = float(second)
        for wanted in (True, False) * 5:
            room.guests[MALLORY].choices.mark_ready(wanted)
            room.pump(now)
        room.host.tick(now)
        for guest in room.guests.values():
            guest.tick(now)
        room.pump(now)
        told = sum(isinstance(n, LobbyChanged) for n in room.notices)
    assert told <= WISHES_AT_ONCE + 100 * WISHES_PER_SECOND + 1
    assert not room.shut


def test_three_guests_that_change_at_once_are_told_as_the_newest_lobby() -> None:
    room, now = room_of_three(), 5.0
    for turn in range(WISHES_AT_ONCE):
        for link in (REX, KIM, MALLORY):
            room.guests[link].choices.change_name(f"Nick {link}x{turn}")
    room.pump(now)
    assert len(lobbies_told_to(room, REX)) == LOBBIES_AT_ONCE
    room.host.tick(now + 1)
    room.pump(now + 1)
    names = [seat.name for seat in lobbies_told_to(room, REX)[-1].taken_seats]
    assert names == ["Ana", "Nick 1x7", "Nick 2x7", "Nick 3x7"]
    assert not room.shut


@pytest.mark.parametrize("name", ["Ana", "aná", "Guest 1", "GUEST-1", "Guest_1."])
def test_a_modified_guest_takes_no_name_of_another(name: str) -> None:
    room = room_of_three()
    room.host.receive_frame(MALLORY, Choose(1, name, ""), 1.0)
    room.pump(1.0)
    assert room.said(Denied) == [Denied(1, int(DenialCode.NAME_TAKEN))]
    assert not room.said(Lobby)


@pytest.mark.parametrize(
    "fields",
    [
        (86, 1, "x" * 25, ""),
        (86, 1, "", "x" * 25),
        (86, 1, "you", ""),
        (86, 1, "Nobody", ""),
        (86, 1, "a\nb", ""),
        (86, 1, "\u202eanA", ""),
        (86, 1, "x" * 60_000, ""),
        (87, 1, bytes(1024)),
    ],
)
def test_a_wish_that_is_no_name_is_no_frame(fields: Value) -> None:
    with pytest.raises(BadBytes):
        decode(pack(fields))


def test_an_honest_program_writes_no_such_wish() -> None:
    for wish in (Choose(1, "x" * 25, ""), Choose(1, "you", ""), Mark(1, bytes(63))):
        with pytest.raises(Unwritable):
            encode(wish)


def test_nobody_can_be_marked_by_another() -> None:
    room = room_of_three()
    room.guests[REX].choices.mark_ready(True)
    room.pump(1.0)
    mark = room.said(Lobby)[-1].marks[1]
    room.host.receive_frame(MALLORY, Mark(1, mark), 1.0)
    room.pump(1.0)
    assert room.said(Denied) == [Denied(1, int(DenialCode.OTHER_LOBBY))]


class LyingHost(Room):
    """Marks every seat with what the first guest has signed."""

    def altered_by_host(self, link: int, frame: Frame) -> Frame | None:
        if isinstance(frame, Lobby) and frame.marks:
            (mark, *_) = [mark for mark in frame.marks if mark]
            return replace(frame, marks=(mark,) * len(frame.seats))
        return frame


def test_a_host_can_make_no_marks() -> None:
    room = LyingHost(seats=4)
    seen: list[LobbyChanged] = []
    for link in (REX, KIM):
        room.join(link)
    room.guests[REX].choices.mark_ready(True)
    room.pump(1.0)
    lobby = room.said(Lobby)[-1]
    altered = room.altered_by_host(KIM, lobby)
    assert altered is not None
    room.guests[KIM].receive_frame(altered, 2.0)
    for effect in room.guests[KIM].take_effects():
        notice = getattr(effect, "notice", None)
        if isinstance(notice, LobbyChanged):
            seen.append(notice)
    ready = [seat.name for seat in seen[-1].seats if seat is not None and seat.ready]
    assert ready == ["Guest 1"]


def test_a_host_gives_no_name_that_the_guest_has_not_wanted() -> None:
    room = room_of_three()
    lobby = room.host._board.lobby()
    mine = replace(lobby.taken_seats[1], name="Otto")
    room.guests[REX].choices.change_name("Rexy")
    room.guests[REX].take_effects()
    changed = replace(lobby, seats=(lobby.seats[0], mine, *lobby.seats[2:]))
    room.guests[REX].receive_frame(changed, 1.0)
    room.pump(1.0)
    assert room.shut == {REX: EndKind.FALSE_LOBBY}


def test_denials_without_end_tell_the_player_nothing() -> None:
    room = room_of_three()
    for serial in range(1000):
        room.guests[REX].receive_frame(Denied(serial, 3), 1.0)
    room.pump(1.0)
    assert REX not in room.told_to


def test_a_name_that_is_refused_leaves_no_trace_but_one_sentence() -> None:
    room = room_of_three()
    for _ in range(100):
        room.guests[MALLORY].choices.change_name("Ana")
    room.pump(1.0)
    assert not room.told  # the guest's own program knows better than to ask
    why = {n.why for n in room.told_to[MALLORY] if isinstance(n, LobbyRefused)}
    assert why == {LobbyFault.NAME_TAKEN}
