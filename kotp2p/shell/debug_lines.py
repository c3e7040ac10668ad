"""The lines of a debug log about line-ups, frames and the loop of a table.

A module of its own, as both stages and their loop write them.
"""

import logging
from collections.abc import Iterable
from typing import Final

from kotp2p.lobby.lobby_effects import HangUp, LobbyEffect, SendToLink
from kotp2p.mesh import gossip
from kotp2p.net.links import FrameReceived, LinkClosed, LinkOpened
from kotp2p.referee.model.answers import Seat
from kotp2p.seams import commands, notices
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame

LOOP: Final = logging.getLogger("kotp2p.loop")
GAME: Final = logging.getLogger("kotp2p.game")
LOBBY: Final = logging.getLogger("kotp2p.lobby")


def are_wanted() -> bool:
    """Return whether the lines are read: to make them costs more than most frames do."""
    return GAME.isEnabledFor(logging.DEBUG)


def player(seat: Seat) -> str:
    return f"P{seat + 1}"


def players(seats: Iterable[Seat]) -> str:
    return ", ".join(map(player, sorted(seats)))


def note_item(item: object, stage: str) -> None:
    match item:
        case FrameReceived(link=link, frame=frame):
            LOOP.debug("%s takes %s from link %d", stage, _frame(frame), link.number)
        case LinkOpened(link=link) | LinkClosed(link=link):
            LOOP.debug("%s takes %s of link %d", stage, type(item).__name__, link.number)
        case commands.AnswerGiven(seat=seat):
            LOOP.debug("%s takes an answer of %s", stage, player(seat))
        case _:  # a command: its type says enough, and its text may be a line of chat
            LOOP.debug("%s takes the command %s", stage, type(item).__name__)


def note_batch(items: int, seconds: float, pause: float) -> None:
    LOOP.debug("%d items in %.3f s, waits for %.1f s at most", items, seconds, pause)


def note_effects(effects: Iterable[gossip.Effect]) -> None:
    for effect in effects if are_wanted() else ():
        match effect:
            case gossip.AppendRecord(signed=signed):
                GAME.debug("append %s", signed.kind.name)
            case gossip.SendFrame(seat=seat, frame=frame):
                GAME.debug("send %s to %s", _frame(frame), player(seat))
            case gossip.ShowNotice(notice=notice):
                GAME.debug("show %s", _notice(notice))
            case gossip.CloseLink(seat=seat, reason=reason):
                GAME.debug("close the link of %s: %s", player(seat), reason)
            case gossip.EndPeer(kind=kind):
                GAME.debug("end: %s", kind)
            case _:  # each is about a seat
                GAME.debug("%s, %s", type(effect).__name__, player(effect.seat))


def note_lobby_effects(effects: Iterable[LobbyEffect]) -> None:
    for effect in effects if are_wanted() else ():
        match effect:
            case SendToLink(link=number, frame=frame) | HangUp(link=number, frame=frame):
                LOBBY.debug("%s %s, link %d", type(effect).__name__, _frame(frame), number)
            case _:  # nothing of it but its type may be told
                LOBBY.debug("%s", type(effect).__name__)


def _frame(frame: Frame) -> str:
    return frame.kind.name if isinstance(frame, Signed) else type(frame).__name__


def _notice(notice: notices.Notice) -> str:
    """Return the type of a notice; with the seats if it is about who plays."""
    name = type(notice).__name__
    if isinstance(notice, notices.LineUpBegun):
        told = (
            f"{player(one.keeper)} {one.reason.name} "
            + " ".join(f"{player(seat)} by {player(by)}" for seat, by in one.seats)
            for one in notice.changes
        )
        return f"{name}: " + "; ".join(told)
    if not isinstance(notice, notices.AbsenceNotice):
        return name  # of the game, which its log tells, or of chat, which nobody is told
    about = [player(notice.seat)] if hasattr(notice, "seat") else []
    for field in ("seats", "by", "without", "missing"):
        if hasattr(notice, field):
            about.append(f"{field} {players(getattr(notice, field))}")
    return f"{name}: " + ", ".join(about)
