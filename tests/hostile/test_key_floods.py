"""Somebody comes under a known name with another key each time: the player is told now and then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.seams.cores import NOTICES_AT_ONCE, NOTICES_PER_SECOND
from kotp2p.seams.notices import KeyAccepted, KeyChanged, LobbyFault, LobbyRefused
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import Lobby, Ping, Sit, Stand
from tests.support.lobby_room import Room
from tests.support.lying_host import LyingRoom, with_seats

OLD, SECONDS = bytes([99]) * 32, 100
MOST = NOTICES_AT_ONCE + SECONDS * NOTICES_PER_SECOND


def key(number: int) -> bytes:
    return Signer((1_000 + number).to_bytes(32, "big")).key


def told(notices: list[object]) -> list[bytes]:
    return [notice.new for notice in notices if isinstance(notice, KeyChanged)]


def remember(known: KnownKeys, policy: NewKeyPolicy, name: str) -> None:
    known.policy = policy
    known.remember([(name, OLD)])


def comes(room: Room, number: int, now: float) -> int:
    """Mallory sits down as Rex, from a network of her own."""
    room.host.accept_link(100 + number, key(number), f"10.{number // 250}.{number % 250}.1", now)
    room.host.receive_frame(100 + number, Sit("Rex", "", 0, False, bytes(16)), now)
    room.pump(now)
    return 100 + number


@pytest.mark.parametrize("policy", [NewKeyPolicy.ASK, NewKeyPolicy.REFUSE])
def test_a_host_is_told_now_and_then_of_new_keys_that_come_without_end(
    policy: NewKeyPolicy,
) -> None:
    room = Room()
    remember(room.host.known_keys, policy, "Rex")
    for tenth in range(10 * SECONDS):
        now = tenth / 10
        link = comes(room, tenth, now)
        room.host.tick(now)
        room.host.receive_frame(link, Stand(), now)
        room.pump(now)
    assert MOST - 1 <= len(told(room.notices)) <= MOST


def lying_room() -> tuple[LyingRoom, Callable[[int, float], None]]:
    """A host that tells Guest 1 another key of Guest 2 each time."""
    room = LyingRoom()
    room.join(1)
    remember(room.guests[1].known_keys, NewKeyPolicy.ASK, "Guest 2")
    room.join(2)
    room.told_to.clear()

    def tells_key(number: int, now: float) -> None:
        def swapped(lobby: Lobby) -> Lobby:
            return with_seats(
                lobby,
                lambda seat: replace(seat, owner=key(number)) if seat.name == "Guest 2" else seat,
            )

        room.lobby_lies[1] = swapped
        room.host._board.note_time(now)
        room.host.publish_seats()
        room.pump(now)

    return room, tells_key


def test_a_guest_is_told_now_and_then_of_new_keys_that_come_without_end() -> None:
    room, tells_key = lying_room()
    for second in range(SECONDS):
        tells_key(second, float(second))
        room.guests[1].tick(float(second))
        room.pump(float(second))
    assert MOST - 3 <= len(told(room.told_to[1])) <= MOST


def test_a_key_that_came_too_soon_is_told_later() -> None:
    room = Room()
    remember(room.host.known_keys, NewKeyPolicy.ASK, "Rex")
    link = 0
    for number in range(NOTICES_AT_ONCE + 1):
        if link:
            room.host.receive_frame(link, Stand(), 0.0)
        link = comes(room, number, 0.0)
    assert len(told(room.notices)) == NOTICES_AT_ONCE
    due = 1 / NOTICES_PER_SECOND
    assert room.host.deadline <= due
    room.host.receive_frame(link, Ping(), due / 2)
    room.host.tick(due - 0.1)
    room.host.tick(due)
    room.pump(due)
    assert told(room.notices)[NOTICES_AT_ONCE:] == [key(NOTICES_AT_ONCE)]
    room.host.tick(due + 1)
    room.pump(due + 1)
    assert len(told(room.notices)) == NOTICES_AT_ONCE + 1


def test_a_host_accepts_no_key_that_it_was_not_told_of() -> None:
    room = Room()
    remember(room.host.known_keys, NewKeyPolicy.ASK, "Rex")
    link = 0
    for number in range(NOTICES_AT_ONCE + 1):
        if link:
            room.host.receive_frame(link, Stand(), 0.0)
        link = comes(room, number, 0.0)
    room.notices.clear()
    newest = key(NOTICES_AT_ONCE)
    for now, expected in (
        (LOBBY_SEEN_SECONDS, LobbyRefused(LobbyFault.JUST_SEATED, "Rex")),
        (LOBBY_SEEN_SECONDS + 1, KeyAccepted("Rex", newest)),
    ):
        room.host.accept_key("Rex", now)
        room.pump(now)
        assert room.notices[-1] == expected
    assert told(room.notices) == [newest]


def test_a_guest_accepts_no_key_that_it_was_not_told_of() -> None:
    room, tells_key = lying_room()
    for number in range(NOTICES_AT_ONCE + 1):
        tells_key(number, number / 10)
    later = 1.0 + LOBBY_SEEN_SECONDS
    assert key(NOTICES_AT_ONCE) not in told(room.told_to[1])
    for now, expected in (
        (later, LobbyRefused(LobbyFault.JUST_SEATED, "Guest 2")),
        (later + 1, KeyAccepted("Guest 2", key(NOTICES_AT_ONCE))),
    ):
        room.guests[1].accept_key("Guest 2", now)
        room.pump(now)
        assert room.told_to[1][-1] == expected
    assert told(room.told_to[1])[-1] == key(NOTICES_AT_ONCE)
