"""Hostile guests break a start, so that the host takes the honest guests out for it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.start import START_STEP_SECONDS
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import StartFailed
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame, GenesisShown, Ping, RowShown, Sealed
from kotp2p.wire.genesis import GenesisRow
from tests.support.lobby_room import Room, ends_start

RowChange = Callable[[GenesisRow], GenesisRow]
TWICE: dict[str, RowChange] = {
    "dice": lambda row: replace(row, dice=(row.dice[0],) * len(row.dice)),
    "cards": lambda row: replace(row, cards=(*row.cards[:-1], row.cards[0])),
    "dice and cards": lambda row: replace(row, cards=(*row.cards[:-1], row.dice[0])),
}


class HostileRoom(Room):
    """Some guests seal and show another row than their own."""

    rows: dict[int, RowChange]

    def altered(self, link: int, frame: Frame) -> Frame:
        change, followed = self.rows.get(link), self.guests[link]._followed
        if change is None or not isinstance(frame, Sealed):
            return frame
        assert followed is not None  # it has just sealed
        followed.ceremony.row = change(followed.ceremony.row)
        return replace(frame, commitment=followed.ceremony.own_commitment)


def started(rows: dict[int, RowChange], guests: int = 3) -> HostileRoom:
    room = HostileRoom(guests + 1)
    room.rows = rows
    for link in range(1, guests + 1):
        room.join(link)
    room.start(1.0)
    for attempt in range(guests):
        room.see_lobby(1.0 + attempt * LOBBY_SEEN_SECONDS)
    return room


@pytest.mark.parametrize("name", TWICE)
@pytest.mark.parametrize("link", [1, 2, 3])
def test_a_row_with_a_commitment_twice_costs_its_own_guest_the_seat(link: int, name: str) -> None:
    """Once the guest whose row came last lost its seat, whatever the other rows were."""
    room = started({link: TWICE[name]})
    failed = [notice.missing for notice in room.notices if isinstance(notice, StartFailed)]
    assert failed == [(f"Guest {link}",)]
    assert set(room.begun) == {0, 1, 2, 3} - {link}


def test_two_guests_that_show_each_others_commitments_go_one_after_the_other() -> None:
    shared = bytes(range(32))
    copies: RowChange = lambda row: replace(row, dice=(shared, *row.dice[1:]))  # noqa: E731
    room = started({1: copies, 2: copies}, guests=4)
    failed = [notice.missing for notice in room.notices if isinstance(notice, StartFailed)]
    assert {name for missing in failed for name in missing} <= {"Guest 1", "Guest 2"}
    assert set(room.begun) >= {0, 3, 4}


@pytest.mark.parametrize("part", [RowShown, Signed])
def test_a_part_that_is_wrong_in_itself_costs_its_own_guest_the_seat(part: type[Frame]) -> None:
    room = Room.of(1, 2, 3, 4)

    def altered(link: int, frame: Frame) -> Frame:
        if link != 1 or not isinstance(frame, part):
            return frame
        match frame:
            case RowShown():
                return replace(frame, row=replace(frame.row, nonce=bytes(32)))
            case Signed():
                return frame._replace(signature=frame.signature[:1] + bytes(64))
            case _:
                raise AssertionError(frame)

    room.altered = altered  # type: ignore[method-assign]
    room.start(1.0)
    room.see_lobby(1.0)
    failed = [notice.missing for notice in room.notices if isinstance(notice, StartFailed)]
    assert failed == [("Guest 1",)]
    # Who has signed looks for the others.
    assert room.shut.get(1) is (EndKind.REMOVED if part is RowShown else None)
    assert set(room.begun) == {0, 2, 3}


class KeepingRoom(Room):
    def altered_by_host(self, link: int, frame: Frame) -> Frame | None:
        return None if ends_start(frame) else frame


def test_a_player_whose_signed_start_never_ends_can_leave() -> None:
    room = KeepingRoom.of(1)
    room.start(1.0)
    assert room.guests[1].is_bound
    room.guests[1].leave_unless_begun(1.0)
    for now in (9.0, 17.0, 25.0, 1.0 + START_STEP_SECONDS):
        assert not room.guests[1].is_over
        room.guests[1].receive_frame(Ping(), now)
        room.guests[1].tick(now)
    room.pump(40.0)
    assert room.shut == {1: EndKind.LEFT}


class HalfDeafRoom(Room):
    """One guest does not get the genesis, so the start fails."""

    def altered_by_host(self, link: int, frame: Frame) -> Frame | None:
        return None if link == 2 and isinstance(frame, GenesisShown) else frame


def test_a_player_who_wants_to_leave_signs_no_further_start() -> None:
    room, failed = HalfDeafRoom.of(1, 2), 1.0 + START_STEP_SECONDS
    room.start(1.0)
    signed = room.guests[1]._followed
    assert room.guests[1].is_bound
    room.guests[1].leave_unless_begun(10.0)
    for link in (1, 2):
        room.host.receive_frame(link, Ping(), failed)
    room.tick(failed)
    assert room.shut[1] is EndKind.LEFT
    assert room.guests[1]._signed == [signed]


class EmptyHanded(Room):
    def altered_by_host(self, link: int, frame: Frame) -> Frame | None:
        if isinstance(frame, Signed):
            return frame._replace(signature=frame.signature[: 1 + 64])
        return frame


def test_no_guest_begins_without_the_signatures_of_all() -> None:
    room = EmptyHanded.of(1, 2)
    room.start(1.0)
    assert room.said(Signed)
    assert set(room.begun) == {0}
