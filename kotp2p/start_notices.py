"""Notices about the start of a game: that it is signed, fails, is declined, or is in doubt.

Scope: as `kotp2p.notices`, of which these are a part (PROTOCOL.md 6.2).
Not here: when they are told (`kotp2p.lobby`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.genesis import Charter


@dataclass(frozen=True, slots=True)
class StartFailed:
    """The start was broken off, and the lobby goes on."""

    missing: tuple[str, ...]
    """The names of the players that did not follow."""


class StartDifference(StrEnum):
    """In what a proposed start is not the lobby that its guests have seen."""

    PLAYERS = "players"
    ORDER = "order"
    NAMES = "names"
    MONSTERS = "monsters"
    BOTS = "bots"
    """Which seats are bots of the host."""
    HOST = "host"
    KEYS = "keys"
    """Whose keys are for this game only."""
    RULES = "rules"
    OPTIONS = "options"
    CLOCKS = "clocks"


@dataclass(frozen=True, slots=True)
class StartDeclined:
    """A guest takes no part in a start, as it is not the lobby that it saw. The lobby goes on."""

    name: str
    """For the host: the guest. Empty for the guest itself."""
    differences: tuple[StartDifference, ...] = ()
    """For the guest: in what the start was not the lobby."""


@dataclass(frozen=True, slots=True)
class StartSigned:
    """All players have signed the start: this is what the game is bound to."""

    charter: Charter
    strangers: tuple[Seat, ...] = ()
    """The other players whose keys this player does not know, if at some time of this game they
    may be more than half of the players. More than half can put out anybody. Else empty."""


@dataclass(frozen=True, slots=True)
class StartInDoubt:
    """The host is lost after this seat has signed a start. The game may have begun for the others,
    who are asked for a while."""


StartNotice: TypeAlias = StartFailed | StartDeclined | StartSigned | StartInDoubt
