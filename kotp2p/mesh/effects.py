"""What a peer wants done to the world: performed by the shell, in order
(`kotp2p.shell.game_stage`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.endings import EndKind
from kotp2p.notices import Notice
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame
from referee.model.answers import Seat
from referee.model.decisions import Decision


@dataclass(frozen=True, slots=True)
class AppendRecord:
    """To the log, on disk before any later effect."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class SendFrame:
    seat: Seat
    frame: Frame


@dataclass(frozen=True, slots=True)
class ShowNotice:
    notice: Notice


@dataclass(frozen=True, slots=True)
class AskDecision:
    """Put this decision to the front; `answer` takes the reply while `place` is current."""

    place: tuple[int, int]
    """View and height."""
    decision: Decision


@dataclass(frozen=True, slots=True)
class WithdrawQuestion:
    """The last question is not to be answered any more."""


@dataclass(frozen=True, slots=True)
class CloseLink:
    """Close the link to this seat: it sent what no unmodified program sends, or nothing."""

    seat: Seat
    why: str


@dataclass(frozen=True, slots=True)
class KeepEvidence:
    """A seat has cheated: keep this file, and show where."""

    seat: Seat
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class EndPeer:
    """The peer has nothing more to do."""

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
