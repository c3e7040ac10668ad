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
from tests.support.game_of_one import FakeLink, Here

LINK, SIGNED = cast(Link, SimpleNamespace(number=7)), Signed(BodyKind.HEAD, b"", b"")
NOBODY = cast(Any, None)
ITEMS = [
    (LinkOpened(LINK), "LinkOpened of link 7"), (LinkClosed(LINK), "LinkClosed of link 7"),
    (FrameReceived(LINK, frames.Ping()), "Ping from link 7"),
    (FrameReceived(LINK, SIGNED), "HEAD from link 7"), (commands.Say("hi"), "the command Say"),
    (commands.AnswerGiven(NOBODY, 2, Pass()), "an answer of P3"),
]  # fmt: skip
HANDS = (
    ChangedHands(1, Reason.ABSENT, ((1, 0), (3, 0)), False),
    ChangedHands(2, Reason.LEFT, (), False),
)
SHOWN: list[tuple[notices.Notice, str]] = [
    (notices.LineUpBegun(HANDS, NOBODY), "LineUpBegun: P2 ABSENT P2 by P1 P4 by P1; P3 LEFT "),
    (notices.Gone(2), "Gone: P3"), (notices.Split((1, 0)), "Split: by P1, P2"),
    (notices.Wished(0, (2, 1), (3,)), "Wished: P1, without P2, P3, missing P4"),
    (notices.ChangeStalls((2,)), "ChangeStalls: seats P3"), (notices.Missing((1,)), "Missing"),
]  # fmt: skip
EFFECTS: list[tuple[gossip.Effect, str]] = [
    (gossip.AppendRecord(SIGNED), "append HEAD"), (gossip.EndPeer(EndKind.LEFT), "end: left"),
    (gossip.WithdrawQuestion(1), "WithdrawQuestion, P2"),
    (gossip.SendFrame(2, frames.Ping()), "send Ping to P3"),
    (gossip.CloseLink(0, "silent"), "close the link of P1: silent"),
    *((gossip.ShowNotice(notice), f"show {told}") for notice, told in SHOWN),
]  # fmt: skip
OF_LOBBY: list[tuple[lobby_effects.LobbyEffect, str]] = [
    (lobby_effects.SendToLink(7, frames.Ping()), "SendToLink Ping, link 7"),
    (lobby_effects.HangUp(7, frames.Closed(1)), "HangUp Closed, link 7"),
    (lobby_effects.DialHostAgain(), "DialHostAgain"),
]


async def test_each_line_says_what_happened_and_to_whom(caplog: pytest.LogCaptureFixture) -> None:
    here = Here(0)
    with caplog.at_level(logging.DEBUG, "kotp2p"):
        for item, _ in ITEMS:
            debug_lines.note_item(item, "GameStage")
        debug_lines.note_batch(3, 0.25, 1.5)
        debug_lines.note_effects(effect for effect, _ in EFFECTS)
        debug_lines.note_lobby_effects(effect for effect, _ in OF_LOBBY)
        here.accept(FakeLink(2, 7, True))
    expected = [("kotp2p.loop", f"GameStage takes {told}") for _, told in ITEMS]
    expected.append(("kotp2p.loop", "3 items in 0.250 s, waits for 1.5 s at most"))
    expected += [("kotp2p.game", told) for _, told in EFFECTS]
    expected += [("kotp2p.lobby", told) for _, told in OF_LOBBY]
    expected.append(("kotp2p.game", "link 7 is of P3"))
    lines = [(one.name, one.getMessage()) for one in caplog.records if "kotp2p.net" not in one.name]
    assert lines == expected


def test_no_line_is_made_that_nobody_reads(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "kotp2p"):
        debug_lines.note_effects(pytest.fail(told) for _, told in EFFECTS)
        debug_lines.note_lobby_effects(pytest.fail(told) for _, told in OF_LOBBY)
