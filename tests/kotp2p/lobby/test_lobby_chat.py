"""What a player of a lobby says: lines that there is nothing to say of are not written."""

from __future__ import annotations

import pytest

from kotp2p.lobby.effects import SendToLink
from kotp2p.lobby.lobby_chat import LobbyTalk
from kotp2p.notices import Said
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames_lobby import LobbyChat
from tests.support.lobby_room import Room


@pytest.mark.parametrize("words", ["", "   ", "\x1b\u202e\n"])
def test_a_line_of_which_nothing_is_left_is_not_said(words: str) -> None:
    room = Room()
    room.join(1)
    room.pump(1.0)
    room.guests[1].send_chat(words)
    sent = [e.frame for e in room.guests[1].take_effects() if isinstance(e, SendToLink)]
    assert not [frame for frame in sent if isinstance(frame, LobbyChat)]
    room.host.send_chat(words)
    room.pump(2.0)
    assert not [notice for notice in room.notices if isinstance(notice, Said)]


def test_before_a_lobby_is_shown_nobody_is_there_to_hear_a_line() -> None:
    assert LobbyTalk(Signer(bytes(32))).write_line("hello") is None
