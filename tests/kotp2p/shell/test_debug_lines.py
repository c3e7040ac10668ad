"""The lines of a debug log: what happened and to whom, and no word that anybody has said."""

import logging
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kotp2p.game.steps import ChangedHands
from kotp2p.lobby import lobby_effects
from kotp2p.mesh import gossip
from kotp2p.net.links import FrameReceived, Link, LinkClosed, LinkOpened
from kotp2p.referee.model.answers import Pass
from kotp2p.seams import commands, notices
from kotp2p.seams.endings import EndKind
from kotp2p.shell import debug_lines
from kotp2p.wire import frames
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.lineups import Reason

SIGNED, PING = Signed(BodyKind.HEAD, b"", b""), frames.Ping()
LINK, NOBODY = cast(Link, SimpleNamespace(number=7)), cast(Any, None)
AWAY = ChangedHands(1, Reason.ABSENT, ((1, 0), (3, 0)), False)
HANDS = (AWAY, ChangedHands(2, Reason.LEFT, (), False))
LINES: list[tuple[str, object]] = [
    ("S takes LinkOpened of link 7", LinkOpened(LINK)),
    ("S takes LinkClosed of link 7", LinkClosed(LINK)),
    ("S takes Ping from link 7", FrameReceived(LINK, PING)),
    ("S takes HEAD from link 7", FrameReceived(LINK, SIGNED)),
    ("S takes an answer of P3", commands.AnswerGiven(NOBODY, 2, Pass())),
    ("S takes the command Say", commands.Say("hi")), ("append HEAD", gossip.AppendRecord(SIGNED)),
    ("WithdrawQuestion, P2", gossip.WithdrawQuestion(1)),
    ("end: left", gossip.EndPeer(EndKind.LEFT)), ("send Ping to P3", gossip.SendFrame(2, PING)),
    ("close the link of P1: silent", gossip.CloseLink(0, "silent")),
    ("show LineUpBegun: P2 ABSENT P2 by P1 P4 by P1; P3 LEFT ", notices.LineUpBegun(HANDS, NOBODY)),
    ("show Wished: P1, without P2, P3, missing P4", notices.Wished(0, (2, 1), (3,))),
    ("show Split: by P1, P2", notices.Split((1, 0))), ("show Missing", notices.Missing((1,))),
    ("show ChangeStalls: seats P3", notices.ChangeStalls((2,))),
    ("SendToLink Ping, link 7", lobby_effects.SendToLink(7, PING)),
    ("HangUp Closed, link 7", lobby_effects.HangUp(7, frames.Closed(1))),
    ("DialHostAgain", lobby_effects.DialHostAgain()),
]  # fmt: skip


@pytest.mark.parametrize(("line", "told"), LINES)
def test_lines_say_what_to_whom(line: str, told: Any, caplog: pytest.LogCaptureFixture) -> None:
    for level in (logging.DEBUG, logging.INFO):
        with caplog.at_level(level, "kotp2p"):
            if line.startswith("S takes"):
                debug_lines.note_item(told, "S")
            elif isinstance(told, lobby_effects.LobbyEffect):
                debug_lines.note_lobby_effects([told])
            else:
                debug_lines.note_effects([gossip.ShowNotice(told) if "show" in line else told])
    assert caplog.messages == [line]
