"""Notices about the code of a table: what it is, and whether its servers answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class CodeStep(StrEnum):
    OPEN = "open"
    """Guests can ask at this code."""
    MOVED = "moved"
    """It has another number than before."""
    NO_MAILBOX = "no-mailbox"
    """Its server does not answer; it is asked again."""
    NO_RELAY = "no-relay"
    """That of the relay does not answer; guests that can dial this machine can still come."""
    USED_UP = "used-up"
    """Too many wrong words were said."""


@dataclass(frozen=True, slots=True)
class TableCode:
    """How the code of this player's table stands."""

    step: CodeStep
    code: str
    """A number and two words."""
    in_numbers: str
    """The same without letters."""
    mailbox: str
    """The name of the server that introduces guests."""
    relay: str
    """The name of the server that carries links; empty: there is none."""


@dataclass(frozen=True, slots=True)
class AskingByCode:
    """A guest asks for its table; `is_again`: nobody has answered yet."""

    number: int
    mailbox: str
    is_again: bool = False


CodeNotice: TypeAlias = TableCode | AskingByCode
