"""What a player of a lobby says: which lines are written, and whose they are shown to be."""

import pytest

from kotp2p.lobby.lobby_chat import LobbyTalk
from kotp2p.lobby.lobby_effects import SendToLink
from kotp2p.seams.notices import Said
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import LobbyChat
from tests.support.lobby_room import Room


@pytest.mark.parametrize("words", ["", "   ", "\x1b\u202e\n"])
def test_a_line_of_which_nothing_is_left_is_not_said(words: str) -> None:
    room = Room.of(1)
    room.pump(1.0)
    room.guests[1].send_chat(words)
    sent = [e.frame for e in room.guests[1].take_effects() if isinstance(e, SendToLink)]
    assert not [frame for frame in sent if isinstance(frame, LobbyChat)]
    room.host.send_chat(words)
    room.pump(2.0)
    assert not [notice for notice in room.notices if isinstance(notice, Said)]


def test_before_a_lobby_is_shown_nobody_is_there_to_hear_a_line() -> None:
    assert LobbyTalk(Signer(bytes(32))).write_line("hello") is None


def test_a_line_stands_before_its_author_under_the_name_that_the_others_read() -> None:
    room = Room.of(1, 2)
    room.guests[1].choices.change_name("Otto")
    room.pump(1.0)
    room.guests[1].send_chat("hello")
    room.pump(1.0)
    said = {link: [n for n in room.told_to[link] if isinstance(n, Said)] for link in (1, 2)}
    assert said == {1: [Said("Otto", "hello", True)], 2: [Said("Otto", "hello", False)]}
