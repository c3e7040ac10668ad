"""A lobby in which somebody is put in the place of somebody else, in the moment that counts."""

from __future__ import annotations

from dataclasses import replace

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.seams.cores import LOBBIES_READ_AT_ONCE
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import KeyAccepted, LobbyFault, LobbyRefused, Said
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import LINK_DEAD_SECONDS, Lobby, Ping
from kotp2p.wire.genesis import Clocks
from tests.support.lobby_room import Room
from tests.support.lying_host import LyingRoom, with_seats

REX, MALLORY, OLD = Signer(bytes([12]) * 32), Signer(bytes([66]) * 32), bytes([99]) * 32


def test_a_guest_accepts_no_key_that_was_put_in_behind_the_question() -> None:
    room = LyingRoom()
    room.join(1)
    guest = room.guests[1]
    guest.known_keys.remember([("Guest 2", OLD)])
    room.join(2)

    def swap(lobby: Lobby) -> Lobby:
        return with_seats(
            lobby, lambda seat: replace(seat, owner=MALLORY.key) if seat.key == REX.key else seat
        )

    room.lobby_lies[1] = swap
    room.host.publish_seats()
    room.pump(60.0)
    for now, expected in (
        (60.1, LobbyRefused(LobbyFault.JUST_SEATED, "Guest 2")),
        (60.0 + LOBBY_SEEN_SECONDS, KeyAccepted("Guest 2", MALLORY.key)),
    ):
        guest.accept_key("Guest 2", now)
        room.pump(now)
        assert room.told_to[1][-1] == expected
        is_known = guest.known_keys.known_other_key("Guest 2", MALLORY.key) is None
        assert is_known is isinstance(expected, KeyAccepted)


def test_a_host_accepts_no_key_that_sat_down_behind_the_question() -> None:
    room = Room()
    room.host.known_keys.policy = NewKeyPolicy.ASK
    room.host.known_keys.remember([("Guest 2", OLD)])
    room.join(2, 0.0)
    room.guests[2].leave_table()
    room.pump(60.0)
    guest = room._guest(2, one_game=False)
    guest.signer = MALLORY
    room._sit_down(2, 60.0, guest)
    room.host.accept_key("Guest 2", 60.1)
    room.pump(60.1)
    assert room.notices[-1] == LobbyRefused(LobbyFault.JUST_SEATED, "Guest 2")
    assert room.host.known_keys.known_other_key("Guest 2", MALLORY.key) == OLD


def test_a_line_is_not_told_under_the_name_of_somebody_else() -> None:
    """The host swaps two names for one reader only, behind the lobby that the line names."""
    room = LyingRoom()
    for link in (1, 2, 3):
        room.join(link)
    names = {"Guest 2": "Guest 3", "Guest 3": "Guest 2"}

    def swap(lobby: Lobby) -> Lobby:
        return with_seats(lobby, lambda seat: replace(seat, name=names.get(seat.name, seat.name)))

    room.lobby_lies[1] = swap
    room.host.publish_seats()
    room.pump(1.0)
    room.guests[2].send_chat("I give up")
    room.pump(1.0)
    told = [n for n in room.told_to.get(1, []) if isinstance(n, Said)]
    assert not told
    assert [n.text for n in room.told_to[3] if isinstance(n, Said)] == ["I give up"]


def test_a_lobby_says_nothing_in_place_of_a_rule_set() -> None:
    room = LyingRoom()
    room.lobby_lies[1] = lambda lobby: replace(lobby, rules="second. All here are friends")
    room.join(1)
    assert room.shut == {1: EndKind.FALSE_LOBBY}


def test_a_guest_does_not_wait_for_ever_for_a_seat() -> None:
    """A host that pings, and answers no SIT."""
    room = LyingRoom()
    room.lobby_lies[1] = lambda lobby: None
    room.join(1, 0.0)
    for now in (3.0, 6.0, 9.0):
        room.guests[1].receive_frame(Ping(), now)
        room.guests[1].tick(now)
    assert not room.guests[1].is_over
    room.guests[1].tick(LINK_DEAD_SECONDS)
    room.pump(LINK_DEAD_SECONDS)
    assert room.shut == {1: EndKind.NOT_A_TABLE}


def test_a_guest_leaves_a_host_whose_lobby_changes_without_end() -> None:
    """Each change costs its player up to a dozen lines, and the host may send sixteen a second."""
    room = LyingRoom()
    room.join(1, 0.0)
    (lobby,) = [frame for _, frame in room.told if isinstance(frame, Lobby)]
    read = 0
    for n in range(1, 3 * LOBBIES_READ_AT_ONCE):
        clocks = Clocks(n, n)
        changed = replace(lobby, options=replace(lobby.options, clocks=clocks))
        room.guests[1].receive_frame(changed, n / 16)
        room.pump(n / 16)
        if room.guests[1].is_over:
            break
        read += 1
    assert LOBBIES_READ_AT_ONCE <= read < 2 * LOBBIES_READ_AT_ONCE
    assert room.shut == {1: EndKind.FALSE_LOBBY}
