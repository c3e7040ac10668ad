"""What a peer wants done to the world: values, which the shell performs in order.

Scope: the closed union `Effect`. `kotp2p.shell.game_stage` performs it.
Not here: the effects of a lobby (`kotp2p.lobby.effects`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.endings import EndKind
from kotp2p.notices import Notice
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.wire.entries import Place, Signed
from kotp2p.wire.frames import Frame


@dataclass(frozen=True, slots=True)
class AppendRecord:
    """Append a body to the log. It MUST be on disk before any later effect is performed."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class SendFrame:
    """Send a frame over the link of `seat`."""

    seat: Seat
    frame: Frame


@dataclass(frozen=True, slots=True)
class ShowNotice:
    """Show the front what has happened."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class AskDecision:
    """Put a decision to the player of a seat. The reply (`Peer.accept_answer`) counts while
    `place` does."""

    place: Place
    seat: Seat
    """Of this keeper, or one that it keeps: then a bot answers, or the second person at this
    machine."""
    decision: Decision


@dataclass(frozen=True, slots=True)
class WithdrawQuestion:
    """Take back the question about a seat, if one is open."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CloseLink:
    """Close the link of `seat`: it sent what no unmodified program sends, or nothing at all."""

    seat: Seat
    reason: str
    """Technical, in English: no player reads it."""


@dataclass(frozen=True, slots=True)
class KeepEvidence:
    """A seat has cheated: write the file that proves it, and show its path."""

    seat: Seat
    height: int
    data: bytes
    """The content of the file (`kotp2p.game.verify`)."""


@dataclass(frozen=True, slots=True)
class EndPeer:
    """The peer has nothing more to do. No effect follows."""

    kind: EndKind
    detail: str = ""


Effect: TypeAlias = (
    AppendRecord
    | SendFrame
    | ShowNotice
    | AskDecision
    | WithdrawQuestion
    | CloseLink
    | KeepEvidence
    | EndPeer
)
