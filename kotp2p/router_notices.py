"""Notices about the router in front of this machine, which is asked for a port.

Scope: as `kotp2p.notices`, of which these are a part.
Not here: asking it (`kotp2p.net.router`), and for how long (`kotp2p.shell.router_port`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias


class RouterFault(Enum):
    """Why the port of a router leads nowhere."""

    NO_ANSWER = auto()
    """No router answers, or none that can be asked."""
    REFUSED = auto()
    TAKEN = auto()
    """It passes the port on to another machine."""
    NOT_PUBLIC = auto()
    """It has no public address itself, so nobody elsewhere can dial it."""


class LetsIn(Enum):
    """The people that may come in at the table behind the port."""

    ALL = auto()
    """Anybody may sit down."""
    INVITED = auto()
    PLAYERS = auto()
    """The game has begun, and nobody watches it without an invitation."""
    WATCHERS = auto()
    """The game has begun, and anybody may watch it."""


@dataclass(frozen=True, slots=True)
class RouterAsked:
    """The answer comes within seconds."""

    port: int


@dataclass(frozen=True, slots=True)
class RouterOpened:
    """The router passes the port on to this machine. Comes again when its address has changed."""

    port: int
    address: str
    """The public address of the router."""
    lets_in: LetsIn


@dataclass(frozen=True, slots=True)
class RouterClosed:
    """The router does not pass the port on."""

    port: int
    fault: RouterFault
    detail: str = ""
    """NOT_PUBLIC: the address that the router has, if it has told one. Else technical."""
    was_open: bool = False
    """It did so until now."""
    ipv6: str = ""
    """A public address of this machine at which the router may let others in all the same."""


RouterNotice: TypeAlias = RouterAsked | RouterOpened | RouterClosed
