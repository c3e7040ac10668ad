"""Why a command in the lobby is refused: a part of `kotp2p.notices`.

Scope: the reasons, and the notice that tells one.
Not here: when they are told (`kotp2p.lobby`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LobbyFault(StrEnum):
    """Why a command in the lobby is refused."""

    TOO_FEW = "too-few"
    """A game needs two players."""
    FULL = "full"
    NO_SUCH_NAME = "no-such-name"
    NO_SUCH_SEAT = "no-such-seat"
    NOT_YOURSELF = "not-yourself"
    """The host cannot be removed."""
    STARTING = "starting"
    TWO_ONLY = "two-only"
    """The table has the two-player option and more than two players."""
    NEW_KEY = "new-key"
    """A known name has another key, and the host has not accepted it yet."""
    NOTHING_KEPT = "nothing-kept"
    """No seat is kept for anybody."""
    JUST_SEATED = "just-seated"
    """The player of this name sits there for a moment only: the other side may mean another key."""
    UNSURE = "unsure"
    """The guest `name` has not accepted the key of `other`, so no start can succeed."""
    NO_NAME = "no-name"
    """Nobody can be called `name`."""
    RESERVED_NAME = "reserved-name"
    """Nobody can be called `name`, as it reads like a word of the game."""
    NAME_TAKEN = "name-taken"
    """Somebody else is called `name`, or nearly so."""
    NAME_KNOWN = "name-known"
    """The host knows `name` by another key, and nobody is there to be asked."""
    NO_MONSTER = "no-monster"
    """No monster of the box, or more than one, is meant by `name`."""
    MONSTER_TAKEN = "monster-taken"
    TOO_OFTEN = "too-often"
    """This player has changed name, monster or mark too often just now."""
    OTHER_LOBBY = "other-lobby"
    """The lobby has changed just as this player was ready."""
    DENIED = "denied"
    """The host has not done it, for a reason of a later version."""


@dataclass(frozen=True, slots=True)
class LobbyRefused:
    """A command could not be done. It or the fault is about `name`; `other` is the second player
    of an UNSURE."""

    why: LobbyFault
    name: str = ""
    other: str = ""
