"""Starts without end, made by a host or by guests that never follow: few are tried."""

from __future__ import annotations

from dataclasses import replace

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.lobby_effects import SendToLink
from kotp2p.seams.cores import STARTS_AT_ONCE, STARTS_PER_SECOND
from kotp2p.seams.notices import StartDeclined
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import Declined, Ping, Sealed, Sit, Stand, Start
from tests.support.lobby_room import Room

SECONDS = 100
MOST = STARTS_AT_ONCE + SECONDS * STARTS_PER_SECOND
"""Starts in so many seconds."""


def proposed() -> tuple[Room, Start]:
    """A start that Rex has not followed yet."""
    room = Room()
    room.join(1)
    room.deaf.add(1)
    room.host.start_game(0.0)
    room.pump(0.0)
    (start,) = room.said(Start)
    return room, start


def again(start: Start, number: int) -> Start:
    """The same start once more, with another number."""
    return replace(start, charter=replace(start.charter, start=number))


def count_sealed(guest: GuestLobby) -> int:
    """How often it has committed to a row just now."""
    effects = guest.take_effects()
    return sum(isinstance(e, SendToLink) and isinstance(e.frame, Sealed) for e in effects)


def test_a_guest_follows_a_host_that_proposes_without_end_now_and_then() -> None:
    room, start = proposed()
    rex, sealed = room.guests[1], 0
    for tenth in range(10 * SECONDS):
        rex.receive_frame(again(start, 1 + tenth), tenth / 10)
        if rex.deadline <= tenth / 10:
            rex.tick(tenth / 10)
        sealed += count_sealed(rex)
    assert MOST - 1 <= sealed <= MOST


def test_a_start_that_comes_too_soon_is_followed_later() -> None:
    room, start = proposed()
    rex = room.guests[1]
    for number in range(STARTS_AT_ONCE + 1):
        rex.receive_frame(again(start, 1 + number), 0.0)
    rex.take_effects()
    due = 1 / STARTS_PER_SECOND
    rex.receive_frame(Ping(), due / 2)
    for now, count in ((due - 0.01, 0), (due, 1)):
        rex.tick(now)
        assert count_sealed(rex) == count


def mallory_declines(room: Room, start: Start, link: int, now: float) -> None:
    room.host.receive_frame(link, Declined(start.charter.table), now)
    room.pump(now)


def test_a_table_that_starts_by_itself_is_not_kept_busy_by_guests_that_decline() -> None:
    room = Room(seats=2, start_when_full=True)
    for tenth in range(10 * SECONDS):
        now, link = tenth / 10, 100 + tenth
        key = Signer(link.to_bytes(32, "big")).key
        room.host.accept_link(link, key, f"10.{link // 250}.{link % 250}.1", now)
        room.host.receive_frame(link, Sit("Mallory", "", 0, False, bytes(16)), now)
        room.host.tick(now)
        room.pump(now)
        for start in room.said(Start):
            mallory_declines(room, start, link, now)
        room.told.clear()
        room.host.receive_frame(link, Stand(), now)
    assert MOST - 1 <= len(room.seeds) <= MOST


def test_a_host_reads_each_time_which_guest_declines_and_tries_nothing_by_itself() -> None:
    room = Room()
    for link in (1, 2):
        room.join(link)
    room.deaf |= {1, 2}
    for attempt in range(1, 4):
        now = attempt * LOBBY_SEEN_SECONDS
        room.host.start_game(now)
        room.pump(now)
        start = room.said(Start)[-1]
        mallory_declines(room, start, 2, now)
        for later in range(20):
            room.host.tick(now + later / 20)
            room.pump(now + later / 20)
        assert len(room.said(Start)) == 2 * attempt  # one for each of both guests
        told = [n.name for n in room.notices if isinstance(n, StartDeclined)]
        assert told == ["Guest 2"] * attempt
