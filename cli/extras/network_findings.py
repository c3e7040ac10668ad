"""What `kotp2p doctor` finds on this machine's network.

Scope: one class for each kind of finding, with its words.
Not here: how the facts are found out (`cli.extras.doctor_network`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, assert_never

from kotp2p.cli.extras.finding import Finding, Severity, Words
from kotp2p.cli.text.firewall_words import FirewallKind, Verdict
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.own_command import typeable


class PortUse(StrEnum):
    FREE = "free"
    OURS = "ours"
    """A table of kotp2p listens there."""
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class Address(Finding):
    severity: ClassVar[Severity] = Severity.OK
    interface: str
    address: str
    is_bridge: bool
    is_private: bool

    def words(self) -> Words:
        what = _("{interface} has the address {address}.",
                 interface=self.interface, address=self.address)  # fmt: skip
        if self.is_bridge:
            return Words(
                what, _("It leads to containers of this machine only, so no player needs it.")
            )
        if self.is_private:
            return Words(what, _("Players on that network can type it behind: kotp2p join"))
        return Words(
            what, _("It is public: players elsewhere can type it, if the router lets them in.")
        )


@dataclass(frozen=True, slots=True)
class NoAddress(Finding):
    severity: ClassVar[Severity] = Severity.PROBLEM

    def words(self) -> Words:
        return Words(
            _("This machine has no address that another one can reach."),
            _("Only this machine can play at its tables."),
            _("Connect it to a network, by Wi-Fi or cable."),
        )


@dataclass(frozen=True, slots=True)
class Port(Finding):
    port: int
    use: PortUse

    @property
    def severity(self) -> Severity:
        return Severity.NOTE if self.use is PortUse.TAKEN else Severity.OK

    def words(self) -> Words:
        port = self.port
        match self.use:
            case PortUse.FREE:
                what = _("TCP port {port} is free.", port=port)
                return Words(what, _("kotp2p host can use it."))
            case PortUse.OURS:
                what = _("A table of kotp2p is open on TCP port {port} of this machine.", port=port)
                return Words(what, _("Others join that table there."))
            case PortUse.TAKEN:
                return Words(
                    _("Another program uses TCP port {port}.", port=port),
                    _("kotp2p host then takes the next free port, which the others must type."),
                    _("Read the port off the host's screen, or choose one: {command}",
                      command=typeable("kotp2p host --port PORT")),
                )  # fmt: skip
            case _:
                assert_never(self.use)


@dataclass(frozen=True, slots=True)
class NoFirewall(Finding):
    severity: ClassVar[Severity] = Severity.OK

    def words(self) -> Words:
        return Words(
            _("No firewall was seen on this machine."),
            _("Others can be kept out by a router all the same."),
        )


@dataclass(frozen=True, slots=True)
class FirewallSeen(Finding):
    firewall: FirewallKind
    verdict: Verdict
    port: int
    command: str
    """It opens the port."""

    @property
    def severity(self) -> Severity:
        match self.verdict:
            case Verdict.OFF | Verdict.ALLOWS:
                return Severity.OK
            case Verdict.UNREADABLE:
                return Severity.NOTE
            case Verdict.BLOCKS:
                return Severity.PROBLEM
            case _:
                assert_never(self.verdict)

    def words(self) -> Words:
        fields: dict[str, object] = {"firewall": self.firewall, "port": self.port}
        todo = _("To let the others in, type: {command}", command=self.command)
        match self.verdict:
            case Verdict.OFF:
                return Words(_("{firewall} is here, and filters nothing that comes in.", **fields))
            case Verdict.ALLOWS:
                return Words(_("{firewall} seems to let TCP port {port} in.", **fields))
            case Verdict.BLOCKS:
                return Words(
                    _("{firewall} seems to keep TCP port {port} out.", **fields),
                    _("Nobody can join a table of this machine."),
                    todo,
                )
            case Verdict.UNREADABLE:
                return Words(
                    _("{firewall} may be on; its rules cannot be read without a password.",
                      **fields),
                    _("It matters to a host only, if others cannot join."),
                    todo,
                )  # fmt: skip
            case _:
                assert_never(self.verdict)


@dataclass(frozen=True, slots=True)
class Multicast(Finding):
    interface: str
    is_heard: bool
    """Own announcements come back."""
    others: int
    """Other machines that have answered."""
    fault: str = ""

    @property
    def severity(self) -> Severity:
        return Severity.OK if self.is_heard else Severity.PROBLEM

    def words(self) -> Words:
        interface = self.interface
        if self.is_heard and self.others:
            what = plural(
                "Multicast works on {interface}, and {n} other machine answers.",
                "Multicast works on {interface}, and {n} other machines answer.",
                self.others, interface=interface,
            )  # fmt: skip
            return Words(what, _("kotp2p join can find tables there."))
        if self.is_heard:
            return Words(
                _("Own announcements are heard on {interface}, and no other machine answers.",
                  interface=interface),
                _("Other machines need not answer; a Wi-Fi that keeps its devices apart looks the "
                  "same."),
            )  # fmt: skip
        what = _("Own announcements are not heard on {interface}.", interface=interface)
        if self.fault:
            what = _("Nothing can be announced on {interface}: {fault}.", interface=interface,
                     fault=self.fault)  # fmt: skip
        return Words(
            what,
            _("Tables are not found there. Joining by address works all the same."),
            _("Let UDP port 5353 through the firewall, or give the others the address."),
        )
