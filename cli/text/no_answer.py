"""Why nobody answers at an address, and what a player can do about it now.

Scope: what a failed attempt to connect and this machine's own networks say together.
Not here: reading the networks of this machine (`cli.system.network`).
"""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from enum import StrEnum

from kotp2p.cli.text.i18n import _

_NUMBER = re.compile(r"\[(?:Errno|WinError) (\d+)\]")
_NO_ROUTE = {errno.ENETUNREACH, errno.EHOSTUNREACH, 10051, 10065}
"""Also as Windows counts them."""
_FORBIDDEN_HERE = {errno.EACCES, errno.EPERM, 10013}


@dataclass(frozen=True, slots=True)
class WayThere:
    """What this machine knows of an address before anything is sent."""

    interface: str = ""
    """The own interface on whose network the address is; empty if it is on none of them."""
    has_neighbour: bool = False
    """A machine of that network has answered to the address below IP. False also where this
    system does not tell."""


ELSEWHERE = WayThere()


class NoAnswer(StrEnum):
    FORBIDDEN_HERE = "forbidden-here"
    """This machine does not let the connection out."""
    NO_ROUTE = "no-route"
    SILENT = "silent"
    """On another network, and nothing comes back."""
    NOBODY_NEAR = "nobody-near"
    """On an own network, where no machine answers to the address."""
    SILENT_NEAR = "silent-near"
    """On an own network, and nothing comes back."""
    TURNED_BACK = "turned-back"
    """On an own network: the machine is there, and says that the port is not for us."""


def judge_no_answer(detail: str, way: WayThere) -> NoAnswer:
    """`detail` is the message of the operating system, empty if the time was up."""
    found = _NUMBER.search(detail)
    number = int(found[1]) if found else 0
    if number in _FORBIDDEN_HERE:
        return NoAnswer.FORBIDDEN_HERE
    if not way.interface:
        return NoAnswer.NO_ROUTE if number in _NO_ROUTE else NoAnswer.SILENT
    if number not in _NO_ROUTE:
        return NoAnswer.SILENT_NEAR
    return NoAnswer.TURNED_BACK if way.has_neighbour else NoAnswer.NOBODY_NEAR


def describe_no_answer(kind: NoAnswer, host: str, port: int, way: WayThere) -> str:
    fields: dict[str, object] = {"host": host, "port": port, "interface": way.interface}
    match kind:
        case NoAnswer.FORBIDDEN_HERE:
            return _("This machine does not let a connection to {host} port {port} out.", **fields)
        case NoAnswer.NO_ROUTE:
            return _("There is no route from this machine to {host}.", **fields)
        case NoAnswer.SILENT:
            return _("Nobody answers at {host} port {port} (tried for 10 s).", **fields)
        case NoAnswer.NOBODY_NEAR:
            return _("{host} belongs to your own network ({interface}), but no machine there "
                     "answers to it.", **fields)  # fmt: skip
        case NoAnswer.SILENT_NEAR:
            return _("{host} is on your own network ({interface}), but nothing comes back from "
                     "port {port} (tried for 10 s).", **fields)  # fmt: skip
        case NoAnswer.TURNED_BACK:
            return _("The machine {host} is there, on your own network ({interface}), but its "
                     "firewall turns you back at port {port}.", **fields)  # fmt: skip


def advise_on_no_answer(kind: NoAnswer, port: int) -> str:
    """What to do now."""
    match kind:
        case NoAnswer.FORBIDDEN_HERE:
            return _("Allow kotp2p to connect in this machine's firewall or security program, "
                     "then join again.")  # fmt: skip
        case NoAnswer.NO_ROUTE:
            return _("Connect to the network of the host (Wi-Fi, cable or VPN), or take another "
                     "address from the host's screen, then join again.")  # fmt: skip
        case NoAnswer.SILENT:
            return _("Compare the address with the host's screen, and ask the host to let TCP port "
                     "{port} through their firewall and router.", port=port)  # fmt: skip
        case NoAnswer.NOBODY_NEAR:
            return _("Compare the address with the host's screen, and wake that machine; if both "
                     "are right, the Wi-Fi keeps its devices apart, as guest Wi-Fi does: use the "
                     "main Wi-Fi, a cable or a phone's hotspot for both.")  # fmt: skip
        case NoAnswer.SILENT_NEAR:
            return _("Ask the host to let TCP port {port} through their firewall; if there is "
                     "none, the Wi-Fi keeps its devices apart, as guest Wi-Fi does: use the main "
                     "Wi-Fi, a cable or a phone's hotspot for both.", port=port)  # fmt: skip
        case NoAnswer.TURNED_BACK:
            return _("Ask the host to let TCP port {port} through their firewall, then join "
                     "again.", port=port)  # fmt: skip


def is_older(ours: str, theirs: str) -> bool:
    """Whether this program has the lower version. Both are PROTOCOL.RULES."""
    return _version(ours) < _version(theirs)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())
