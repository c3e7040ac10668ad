"""Chat in the lobby: a host passes on what guests have signed, and nothing in their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kotp2p.lobby.lobby_chat import MAX_LOBBIES_KEPT, LobbyLine
from kotp2p.seams.cores import CHAT_WINDOW_SECONDS, MAX_CHAT_LINES
from kotp2p.seams.notices import Said
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import pack
from kotp2p.wire.frames import Lobby, LobbyChat, Stand, TakenSeat
from kotp2p.wire.genesis import MAX_SEATS, Clocks, LobbyOptions
from tests.support.lying_host import LyingRoom
from tests.support.memory_world import seeded

HOST, STRANGER = Signer(bytes([1]) * 32), Signer(bytes([99]) * 32)
WORDS = "I am a fool"


def two_guests() -> LyingRoom:
    room = LyingRoom()
    room.join(1)
    room.join(2)
    return room


def heard_by(room: LyingRoom, link: int) -> list[Said]:
    return [n for n in room.told_to.get(link, []) if isinstance(n, Said)]


def tell(room: LyingRoom, *lines: LobbyChat, now: float = 1.0) -> list[Said]:
    """What guest 1 hears if the host sends these lines."""
    for line in lines:
        room.guests[1].receive_frame(line, now)
    room.pump(now)
    return heard_by(room, 1)


def test_a_line_goes_from_its_author_to_all_others() -> None:
    room = two_guests()
    room.guests[2].send_chat("  hello ")
    room.pump(1.0)
    assert heard_by(room, 1) == [Said("Guest 2", "hello", False)]
    assert heard_by(room, 2) == [Said("Guest 2", "hello", True)]
    assert Said("Guest 2", "hello", False) in room.notices
    room.host.send_chat("welcome")
    room.pump(1.0)
    assert [heard_by(room, link)[-1] for link in (1, 2)] == [Said("Ana", "welcome", False)] * 2


def line_by(signer: Signer, author: bytes, lobby: bytes, words: str = WORDS) -> LobbyChat:
    return LobbyLine(lobby, author, 1, words).sign(signer)


Forgery = Callable[[LyingRoom], LobbyChat]
FORGERIES: dict[str, Forgery] = {
    "signed by the host": lambda room: line_by(HOST, key_of(2), lobby_of(room)),
    "signed by nobody": lambda room: replace(room.line_of(2, WORDS), signature=bytes(64)),
    "of another lobby": lambda room: line_by(signer_of(2), key_of(2), bytes(32)),
    "of a player that is not here": lambda room: line_by(STRANGER, STRANGER.key, lobby_of(room)),
    "of the reader": lambda room: room.line_of(1, WORDS),
    "with other words": lambda room: reworded(room.line_of(2, "I am no fool")),
    "without a form": lambda room: LobbyChat(b"\xc0", bytes(64)),
    "with a word too many": lambda room: LobbyChat(
        body := pack((lobby_of(room), key_of(2), 1, WORDS, 0)), signer_of(2).sign(Tag.SAID, body)
    ),
}


def signer_of(link: int) -> Signer:
    return Signer(bytes([10 + link]) * 32)


def key_of(link: int) -> bytes:
    return signer_of(link).key


def lobby_of(room: LyingRoom) -> bytes:
    return room.said(Lobby)[-1].id


def reworded(line: LobbyChat) -> LobbyChat:
    said = LobbyLine.parse(line.body)
    return LobbyChat(pack((said.lobby, said.author, said.serial, WORDS)), line.signature)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_host_puts_no_words_into_the_mouth_of_a_guest(name: str) -> None:
    room = two_guests()
    assert tell(room, FORGERIES[name](room)) == []
    assert not room.shut, "a line is passed over, as a host may pass on what it cannot judge"


def test_a_line_is_heard_once_however_often_the_host_sends_it() -> None:
    room = two_guests()
    first, second = room.line_of(2, "first"), room.line_of(2, "second")
    heard = tell(room, first, first, second, first, second)
    assert [said.text for said in heard] == ["first", "second"]


def test_a_line_of_an_earlier_evening_is_not_heard_again() -> None:
    """The same people at the same seats of the same host, and other bytes of each process."""
    before = two_guests()
    line = before.line_of(2, "I agree to a bet")
    today = two_guests()
    today.guests.pop(1)
    today.host.lose_link(1, 0.0)
    today.entropy_of[1] = seeded("guest 1, another evening")
    today.join(1)
    assert [seat.name for seat in today.said(Lobby)[-1].taken_seats] == [
        seat.name for seat in before.said(Lobby)[-1].taken_seats
    ]
    assert tell(today, line) == []


def test_a_line_that_crosses_a_change_of_the_lobby_is_heard() -> None:
    room = two_guests()
    line = room.line_of(2, "who comes there?")
    room.join(3)
    room.host.receive_frame(2, line, 1.0)
    room.pump(1.0)
    assert [said.text for said in heard_by(room, 1)] == ["who comes there?"]
    assert heard_by(room, 3) == [], "it was said before guest 3 was there"


def test_a_line_of_a_player_that_has_gone_is_not_heard() -> None:
    room = two_guests()
    line = room.line_of(2, "good bye")
    room.host.receive_frame(2, Stand(), 1.0)
    room.pump(1.0)
    assert tell(room, line) == []


def test_few_lobbies_of_before_are_kept() -> None:
    room = two_guests()
    lobby, old, older = room.said(Lobby)[-1], room.line_of(2, "old"), room.line_of(2, "older")
    for n in range(MAX_LOBBIES_KEPT):
        if n == MAX_LOBBIES_KEPT - 1:
            assert len(tell(room, old)) == 1
        changed = replace(lobby, options=LobbyOptions(clocks=Clocks(1 + n)))
        room.guests[1].receive_frame(changed, 1.0)
    assert len(tell(room, older)) == 1


def test_a_guest_hears_few_lines_of_a_host_that_floods() -> None:
    room = two_guests()
    lines = [LobbyLine(lobby_of(room), HOST.key, n, "!").sign(HOST) for n in range(1, 100)]
    assert len(tell(room, *lines)) == MAX_CHAT_LINES
    later = LobbyLine(lobby_of(room), HOST.key, 100, "again").sign(HOST)
    assert tell(room, later, now=1.0 + CHAT_WINDOW_SECONDS)[-1].text == "again"


def test_a_guest_hears_few_lines_of_players_that_a_host_makes_up() -> None:
    room = LyingRoom()
    room.join(1)
    lobby = room.said(Lobby)[-1]
    for n in range(100, 200):
        invented = Signer(bytes([n]) * 32)
        seat = TakenSeat(invented.key, f"Somebody {n}", "Kraken", fresh=bytes(16))
        told = replace(lobby, seats=(*lobby.seats[:2], seat, None))
        room.guests[1].receive_frame(told, 1.0)
        tell(room, line_by(invented, invented.key, told.id))
    assert len(heard_by(room, 1)) == MAX_SEATS * MAX_CHAT_LINES


def test_a_forged_line_costs_its_alleged_author_no_line() -> None:
    room = two_guests()
    forged = [
        LobbyLine(lobby_of(room), key_of(2), n, "!").sign(STRANGER) for n in range(50, 50 + 20)
    ]
    assert [said.text for said in tell(room, *forged, room.line_of(2, "true"))] == ["true"]
