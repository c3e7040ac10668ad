"""Findings of `kotp2p doctor`: what is, whether it matters, and what to do.

Scope: one function for each check, from facts to a finding.
Not here: how the facts are found out (`cli.commands.doctor`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cli.text.firewall_words import Firewall, Verdict, opening_command
from cli.text.i18n import _, plural
from cli.text.no_answer import is_older
from cli.text.own_command import typeable


class Weight(StrEnum):
    FINE = "fine"
    NOTE = "note"
    """It may matter."""
    OBSTACLE = "obstacle"
    """It stands in the way."""


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    """A fixed word for programs."""
    weight: Weight
    what: str
    matters: str = ""
    todo: str = ""

    def line(self) -> str:
        sentences = (self.what, self.matters, self.todo)
        return f"{self._mark()} {' '.join(filter(None, sentences))}"

    def _mark(self) -> str:
        match self.weight:
            case Weight.FINE:
                return _("ok:")
            case Weight.NOTE:
                return _("note:")
            case Weight.OBSTACLE:
                return _("PROBLEM:")

    def as_object(self) -> dict[str, str]:
        return {
            "check": self.check,
            "weight": self.weight.value,
            "what": self.what,
            "matters": self.matters,
            "todo": self.todo,
        }


class PortUse(StrEnum):
    FREE = "free"
    OURS = "ours"
    """A table of kotp2p listens there."""
    TAKEN = "taken"


def find_address(interface: str, address: str, *, is_bridge: bool, is_private: bool) -> Finding:
    what = _("{interface} has the address {address}.", interface=interface, address=address)
    if is_bridge:
        matters = _("It leads to containers of this machine only, so no player needs it.")
    elif is_private:
        matters = _("Players on that network can type it behind: kotp2p join")
    else:
        matters = _("It is public: players elsewhere can type it, if the router lets them in.")
    return Finding("address", Weight.FINE, what, matters)


def find_no_address() -> Finding:
    return Finding(
        "address", Weight.OBSTACLE, _("This machine has no address that another one can reach."),
        _("Only this machine can play at its tables."),
        _("Connect it to a network, by Wi-Fi or cable."),
    )  # fmt: skip


def find_port(port: int, use: PortUse) -> Finding:
    match use:
        case PortUse.FREE:
            what = _("TCP port {port} is free.", port=port)
            return Finding("port", Weight.FINE, what, _("kotp2p host can use it."))
        case PortUse.OURS:
            what = _("A table of kotp2p is open on TCP port {port} of this machine.", port=port)
            return Finding("port", Weight.FINE, what, _("Others join that table there."))
        case PortUse.TAKEN:
            return Finding(
                "port", Weight.NOTE, _("Another program uses TCP port {port}.", port=port),
                _("kotp2p host then takes the next free port, which the others must type."),
                _("Read the port off the host's screen, or choose one: {command}",
                  command=typeable("kotp2p host --port PORT")),
            )  # fmt: skip


def find_firewall(firewall: Firewall | None, port: int, program: str) -> Finding:
    if firewall is None:
        return Finding(
            "firewall", Weight.FINE, _("No firewall was seen on this machine."),
            _("Others can be kept out by a router all the same."),
        )  # fmt: skip
    fields: dict[str, object] = {"firewall": firewall.kind, "port": port}
    command = opening_command(firewall.kind, port, program)
    match firewall.verdict:
        case Verdict.OFF:
            what = _("{firewall} is here, and filters nothing that comes in.", **fields)
            return Finding("firewall", Weight.FINE, what)
        case Verdict.ALLOWS:
            what = _("{firewall} seems to let TCP port {port} in.", **fields)
            return Finding("firewall", Weight.FINE, what)
        case Verdict.BLOCKS:
            return Finding(
                "firewall", Weight.OBSTACLE,
                _("{firewall} seems to keep TCP port {port} out.", **fields),
                _("Nobody can join a table of this machine."),
                _("To let the others in, type: {command}", command=command),
            )  # fmt: skip
        case Verdict.UNREADABLE:
            return Finding(
                "firewall", Weight.NOTE,
                _("{firewall} may be on; its rules cannot be read without a password.", **fields),
                _("It matters to a host only, if others cannot join."),
                _("To let the others in, type: {command}", command=command),
            )  # fmt: skip


def find_multicast(interface: str, *, is_heard: bool, others: int, fault: str = "") -> Finding:
    if is_heard and others:
        what = plural(
            "Multicast works on {interface}, and {n} other machine answers.",
            "Multicast works on {interface}, and {n} other machines answer.",
            others, interface=interface,
        )  # fmt: skip
        return Finding("multicast", Weight.FINE, what, _("kotp2p find can work there."))
    if is_heard:
        return Finding(
            "multicast", Weight.FINE,
            _("Own announcements are heard on {interface}, and no other machine answers.",
              interface=interface),
            _("Other machines need not answer; a Wi-Fi that keeps its devices apart looks the "
              "same."),
        )  # fmt: skip
    what = _("Own announcements are not heard on {interface}.", interface=interface)
    if fault:
        what = _("Nothing can be announced on {interface}: {fault}.", interface=interface,
                 fault=fault)  # fmt: skip
    return Finding(
        "multicast", Weight.OBSTACLE, what,
        _("Tables are not found there by kotp2p find. Joining by address works all the same."),
        _("Let UDP port 5353 through the firewall, or give the others the address."),
    )  # fmt: skip


def find_route(host: str, interface: str, source: str) -> Finding:
    if source:
        what = _("The way to {host} goes over {interface}, from the address {source}.",
                 host=host, interface=interface or "?", source=source)  # fmt: skip
        return Finding("route", Weight.FINE, what)
    return Finding(
        "route", Weight.OBSTACLE, _("There is no route from this machine to {host}.", host=host),
        _("No table there can be joined."),
        _("Connect to the network of the host (Wi-Fi, cable or VPN), or take another address from "
          "the host's screen."),
    )  # fmt: skip


def find_unknown_name(host: str) -> Finding:
    return Finding(
        "name", Weight.OBSTACLE, _("No machine is known by the name {host}.", host=host),
        _("No table there can be joined."),
        _("Check the spelling, or take the numeric address from the host's screen."),
    )  # fmt: skip


def find_tcp(host: str, port: int) -> Finding:
    return Finding(
        "tcp", Weight.FINE, _("{host} takes connections on TCP port {port}.", host=host, port=port)
    )


def find_no_tcp(what: str, todo: str) -> Finding:
    """`what`, `todo`: why nobody answers, as `join` says it."""
    return Finding("tcp", Weight.OBSTACLE, what, _("No table there can be joined."), todo)


def find_refused_tcp(host: str, port: int) -> Finding:
    return find_no_tcp(
        _("The machine {host} is there, but nothing listens on TCP port {port}.", host=host,
          port=port),
        _("Ask the host whether the table is still open, and which port their screen shows."),
    )  # fmt: skip


def find_tls(*, is_ours: bool, is_closed: bool = False) -> Finding:
    if is_closed:
        return Finding(
            "tls", Weight.NOTE, _("A table of kotp2p is there, for invited players only."),
            _("It can be joined by its invitation, and its version cannot be seen without."),
            _("Ask the host for the link, then type: {command}",
              command=typeable("kotp2p join LINK")),
        )  # fmt: skip
    if is_ours:
        return Finding("tls", Weight.FINE, _("The connection is encrypted (TLS)."))
    return Finding(
        "tls", Weight.OBSTACLE, _("What answers there is not a table of kotp2p."),
        _("No table there can be joined."),
        _("Compare the port with the host's screen; a proxy or a security program may also stand "
          "between."),
    )  # fmt: skip


def find_busy() -> Finding:
    return Finding(
        "tls", Weight.NOTE, _("A table is there, and it is busy with other connections."),
        _("It lets nobody in for some seconds."), _("Try again in a minute."),
    )  # fmt: skip


def find_version(theirs: str, ours: str) -> Finding:
    """Both are PROTOCOL.RULES."""
    if theirs == ours:
        what = _("Both programs have the version {ours} of protocol and rules.", ours=ours)
        return Finding("version", Weight.FINE, what)
    todo = _("Ask the host to update kotp2p.")
    if is_older(ours, theirs):
        todo = _("Update kotp2p on this machine.")
    return Finding(
        "version", Weight.OBSTACLE,
        _("The table has the version {theirs} of protocol and rules, this machine {ours}.",
          theirs=theirs, ours=ours),
        _("They cannot play together."), todo,
    )  # fmt: skip


def find_closed_door(words: str) -> Finding:
    """`words`: the table's own."""
    return Finding(
        "version", Weight.NOTE, _("The table is there, and takes nobody now: {words}.", words=words)
    )


def sum_up(findings: list[Finding]) -> str:
    count = sum(one.weight is Weight.OBSTACLE for one in findings)
    if not count:
        return _("Nothing that was looked at stands in the way.")
    return plural("{n} thing stands in the way.", "{n} things stand in the way.", count)
