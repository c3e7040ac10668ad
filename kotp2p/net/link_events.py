"""What happens on links, as values: what `kotp2p.net.connections` reports to its owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.net.links import Link
from kotp2p.wire.frames import Frame


@dataclass(frozen=True, slots=True)
class LinkOpened:
    """Both keys are proved."""

    link: Link


@dataclass(frozen=True, slots=True)
class FrameReceived:
    link: Link
    frame: Frame


@dataclass(frozen=True, slots=True)
class LinkClosed:
    link: Link


LinkEvent: TypeAlias = LinkOpened | FrameReceived | LinkClosed
