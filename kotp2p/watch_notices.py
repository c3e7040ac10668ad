"""Notices about watching: how many watch a table, and what somebody is told who does.

Scope: as `kotp2p.notices`, of which these are a part (PROTOCOL.md 9.11).
Not here: when they are told (`kotp2p.watching`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class WatchersChanged:
    """So many only watch this table, as far as this process knows."""

    count: int


@dataclass(frozen=True, slots=True)
class WatchAdmitted:
    """For somebody who watches: the table has let them in."""

    has_begun: bool
    has_chat: bool
    """They hear what the players say to each other."""


@dataclass(frozen=True, slots=True)
class RemarkRefused:
    """For somebody who watches: what they have said is heard by nobody."""


@dataclass(frozen=True, slots=True)
class WatchLinkChanged:
    """For somebody who watches: the link to the table was lost, or is back."""

    up: bool
    seconds: float = 0.0
    """So long a lost one is looked for."""


@dataclass(frozen=True, slots=True)
class NextGameAwaited:
    """For somebody who watches: the game is over, and another one may begin at this table."""

    seconds: float
    """So long it is waited for."""


WatchNotice: TypeAlias = (
    WatchersChanged | WatchAdmitted | WatchLinkChanged | RemarkRefused | NextGameAwaited
)
