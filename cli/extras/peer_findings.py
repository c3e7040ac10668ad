"""What `kotp2p doctor` finds on the way to one table.

Scope: one class for each kind of finding, with its words.
Not here: how the facts are found out (`cli.extras.doctor_network`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, assert_never

from kotp2p.cli.extras.finding import Finding, Severity, Words
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.no_answer import (
    NoAnswer,
    WayThere,
    advise_on_no_answer,
    describe_no_answer,
    is_older,
)
from kotp2p.cli.text.own_command import typeable


class DoorState(StrEnum):
    """What answers at an address behind TCP."""

    OPEN = "open"
    INVITED_ONLY = "invited-only"
    BUSY = "busy"
    FOREIGN = "foreign"
    """No table of kotp2p."""


@dataclass(frozen=True, slots=True)
class Route(Finding):
    host: str
    interface: str
    source: str
    """The own address from which connections go there; empty if there is no way."""

    @property
    def severity(self) -> Severity:
        return Severity.OK if self.source else Severity.PROBLEM

    def words(self) -> Words:
        if self.source:
            return Words(
                _("The way to {host} goes over {interface}, from the address {source}.",
                  host=self.host, interface=self.interface or "?", source=self.source)
            )  # fmt: skip
        return Words(
            _("There is no route from this machine to {host}.", host=self.host),
            _("No table there can be joined."),
            _("Connect to the network of the host (Wi-Fi, cable or VPN), or take another address "
              "from the host's screen."),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnknownName(Finding):
    severity: ClassVar[Severity] = Severity.PROBLEM
    host: str

    def words(self) -> Words:
        return Words(
            _("No machine is known by the name {host}.", host=self.host),
            _("No table there can be joined."),
            _("Check the spelling, or take the numeric address from the host's screen."),
        )


@dataclass(frozen=True, slots=True)
class Tcp(Finding):
    """A connection was made."""

    severity: ClassVar[Severity] = Severity.OK
    host: str
    port: int

    def words(self) -> Words:
        return Words(
            _("{host} takes connections on TCP port {port}.", host=self.host, port=self.port)
        )


@dataclass(frozen=True, slots=True)
class NoTcp(Finding):
    """No connection could be made."""

    severity: ClassVar[Severity] = Severity.PROBLEM
    host: str
    port: int
    why: NoAnswer | None
    """None: the machine says that nothing listens there."""
    interface: str = ""
    """The own one on whose network the address is; empty if it is on none of them."""

    def words(self) -> Words:
        matters = _("No table there can be joined.")
        if self.why is None:
            return Words(
                _("The machine {host} is there, but nothing listens on TCP port {port}.",
                  host=self.host, port=self.port),
                matters,
                _("Ask the host whether the table is still open, and which port their screen "
                  "shows."),
            )  # fmt: skip
        way = WayThere(self.interface)
        what = describe_no_answer(self.why, self.host, self.port, way)
        return Words(what, matters, advise_on_no_answer(self.why, self.port))


@dataclass(frozen=True, slots=True)
class Tls(Finding):
    door: DoorState

    @property
    def severity(self) -> Severity:
        match self.door:
            case DoorState.OPEN:
                return Severity.OK
            case DoorState.INVITED_ONLY | DoorState.BUSY:
                return Severity.NOTE
            case DoorState.FOREIGN:
                return Severity.PROBLEM
            case _:
                assert_never(self.door)

    def words(self) -> Words:
        match self.door:
            case DoorState.OPEN:
                return Words(_("The connection is encrypted (TLS)."))
            case DoorState.INVITED_ONLY:
                return Words(
                    _("A table of kotp2p is there, for invited players only."),
                    _("It can be joined by its invitation, and its version cannot be seen "
                      "without."),
                    _("Ask the host for the link, then type: {command}",
                      command=typeable("kotp2p join LINK")),
                )  # fmt: skip
            case DoorState.BUSY:
                return Words(
                    _("A table is there, and it is busy with other connections."),
                    _("It lets nobody in for some seconds."),
                    _("Try again in a minute."),
                )
            case DoorState.FOREIGN:
                return Words(
                    _("What answers there is not a table of kotp2p."),
                    _("No table there can be joined."),
                    _("Compare the port with the host's screen; a proxy or a security program may "
                      "also stand between."),
                )  # fmt: skip
            case _:
                assert_never(self.door)


@dataclass(frozen=True, slots=True)
class Closed(Finding):
    severity: ClassVar[Severity] = Severity.NOTE
    said: str
    """The table's own words."""

    def words(self) -> Words:
        return Words(_("The table is there, and takes nobody now: {words}.", words=self.said))


@dataclass(frozen=True, slots=True)
class Version(Finding):
    """Both are PROTOCOL.RULES."""

    theirs: str
    ours: str

    @property
    def severity(self) -> Severity:
        return Severity.OK if self.theirs == self.ours else Severity.PROBLEM

    def words(self) -> Words:
        if self.theirs == self.ours:
            return Words(
                _("Both programs have the version {ours} of protocol and rules.", ours=self.ours)
            )
        todo = _("Ask the host to update kotp2p.")
        if is_older(self.ours, self.theirs):
            todo = _("Update kotp2p on this machine.")
        return Words(
            _("The table has the version {theirs} of protocol and rules, this machine {ours}.",
              theirs=self.theirs, ours=self.ours),
            _("They cannot play together."),
            todo,
        )  # fmt: skip
