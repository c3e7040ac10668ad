"""The network of this machine, and the way to one table, as `kotp2p doctor` looks at them.

Scope: finding out the facts, in order, and the findings with their words. Only read: nothing of
the machine is changed, and no password is asked for.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import struct
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, assert_never

import trio

from kotp2p.cli.extras.finding import Finding, Severity, Words
from kotp2p.cli.system.network import find_way, interface_of_address, likely_firewall
from kotp2p.cli.text.how_to_join import (
    BadAddress,
    FirewallKind,
    NoAnswer,
    WayThere,
    describe_no_answer,
    format_address,
    is_container_bridge,
    is_older,
    judge_no_answer,
    opening_command,
    parse_address,
    parse_invitation,
)
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.program_words import typeable
from kotp2p.net import lan, machine
from kotp2p.net.handshake import (
    Door,
    LinkFault,
    NotInvited,
    OwnSide,
    Refused,
    TableBusy,
    make_hello,
    shake_hands,
)
from kotp2p.net.invitation import is_link
from kotp2p.net.lan import dialable, own_addresses
from kotp2p.net.tls import Tls
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.seams.world import CannotReach, Connection
from kotp2p.store.files import claim_port
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.frames import Refusal, RefusalCode
from kotp2p.wire.genesis import PROTOCOL_VERSION

# -- what is found on this machine's network -----------------------------------------------


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
    port: int
    command: str
    """The command that opens the port."""
    severity: ClassVar[Severity] = Severity.NOTE

    def words(self) -> Words:
        return Words(
            _("{firewall} may be on; its rules cannot be read without a password.",
              firewall=self.firewall),
            _("It matters to a host only, if others cannot join."),
            _("To let the others in, type: {command}", command=self.command),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Multicast(Finding):
    interface: str
    is_heard: bool
    """Whether own announcements come back."""
    others: int
    """The number of other machines that have answered."""
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


# -- what is found on the way to one table -------------------------------------------------


class DoorState(StrEnum):
    """The kind of program that answers at an address."""

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
    """A TCP connection that was made."""

    severity: ClassVar[Severity] = Severity.OK
    host: str
    port: int

    def words(self) -> Words:
        return Words(
            _("{host} takes connections on TCP port {port}.", host=self.host, port=self.port)
        )


@dataclass(frozen=True, slots=True)
class NoTcp(Finding):
    """A TCP connection that could not be made."""

    severity: ClassVar[Severity] = Severity.PROBLEM
    host: str
    port: int
    why: NoAnswer | None
    """The kind of failure; None if the machine says that nothing listens there."""
    interface: str = ""
    """The own interface on the network of the address; empty if there is none."""

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
        what, todo = describe_no_answer(self.why, self.host, self.port, way)
        return Words(what, matters, todo)


@dataclass(frozen=True, slots=True)
class TlsFinding(Finding):
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
    """Two versions that differ, each as PROTOCOL.RULES."""

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


# -- whether multicast DNS works on an interface -------------------------------------------
#
# The bytes of the question, and the sockets. Nothing is announced, so no list of tables shows
# anything of it.
#
# Known limitation: a machine hears its own question even if its interface leads to no network.
# Answers of others prove more, but others need not answer.


GROUP_4, GROUP_6, PORT = "224.0.0.251", "ff02::fb", 5353
LISTEN_SECONDS = 2.0
MAX_PACKET_BYTES = 9000
_POINTER, _INTERNET = 12, 1
_SERVICES = "_services._dns-sd._udp.local"
"""Every machine that speaks DNS-SD answers to this name."""


@dataclass(slots=True)
class Heard:
    own: bool = False
    others: int = 0
    fault: str = ""
    """The reason why nothing could be asked."""


async def listen_on(interface: str, address: str) -> Heard:
    """Listen on the interface that has this address; return what was heard."""
    heard = Heard()
    try:
        sock = _open(interface, address)
    except OSError as fault:
        heard.fault = fault.strerror or str(fault)
        return heard
    others: set[str] = set()
    mark = f"doctor-{os.urandom(4).hex()}._kotp2p._tcp.local"
    packet = make_question((mark, _SERVICES))
    group = GROUP_6 if ":" in address else GROUP_4
    with sock:
        try:
            await sock.sendto(packet, (group, PORT))
        except OSError as fault:
            heard.fault = fault.strerror or str(fault)
            return heard
        with trio.move_on_after(LISTEN_SECONDS):
            while True:
                data, source = await sock.recvfrom(MAX_PACKET_BYTES)
                if data == packet:
                    heard.own = True
                elif is_answer(data):
                    others.add(source[0])
    heard.others = len(others - {address})
    return heard


def make_question(names: tuple[str, ...]) -> bytes:
    """Return a DNS packet that asks for the pointers of these names."""
    parts = [struct.pack("!6H", 0, 0, len(names), 0, 0, 0)]
    for name in names:
        labels = [label.encode("ascii") for label in name.split(".")]
        parts += [bytes([len(label)]) + label for label in labels]
        parts.append(b"\0" + struct.pack("!2H", _POINTER, _INTERNET))
    return b"".join(parts)


def is_answer(packet: bytes) -> bool:
    return len(packet) >= 12 and bool(packet[2] & 0x80)


def _open(interface: str, address: str) -> trio.socket.SocketType:
    """Return a multicast socket on the interface; raise OSError."""
    is_6 = ipaddress.ip_address(address).version == 6
    sock = trio.socket.socket(socket.AF_INET6 if is_6 else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        for name in ("SO_REUSEADDR", "SO_REUSEPORT"):
            if hasattr(socket, name):
                sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)
        if is_6:
            _join_group_6(sock, socket.if_nametoindex(interface))
        else:
            _join_group_4(sock, socket.inet_aton(address))
    except OSError:
        sock.close()
        raise
    return sock


def _join_group_4(sock: trio.socket.SocketType, own: bytes) -> None:
    level = socket.IPPROTO_IP
    _bind(sock, "")
    member = socket.inet_aton(GROUP_4) + own
    sock.setsockopt(level, socket.IP_ADD_MEMBERSHIP, member)
    sock.setsockopt(level, socket.IP_MULTICAST_IF, own)
    sock.setsockopt(level, socket.IP_MULTICAST_LOOP, 1)
    sock.setsockopt(level, socket.IP_MULTICAST_TTL, 255)


def _join_group_6(sock: trio.socket.SocketType, index: int) -> None:
    level = socket.IPPROTO_IPV6
    sock.setsockopt(level, socket.IPV6_V6ONLY, 1)
    _bind(sock, "::")
    member = socket.inet_pton(socket.AF_INET6, GROUP_6) + struct.pack("@I", index)
    sock.setsockopt(level, socket.IPV6_JOIN_GROUP, member)
    sock.setsockopt(level, socket.IPV6_MULTICAST_IF, index)
    sock.setsockopt(level, socket.IPV6_MULTICAST_LOOP, 1)
    sock.setsockopt(level, socket.IPV6_MULTICAST_HOPS, 255)


def _bind(sock: trio.socket.SocketType, address: str) -> None:
    """Bind without a lookup of names, so that trio need not wait for one."""
    bare = socket.socket(fileno=os.dup(sock.fileno()))
    with bare:
        bare.bind((address, PORT))


# -- from facts to findings ----------------------------------------------------------------


NO_FAMILY = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""The errors of a machine without IPv4, or without IPv6."""
OURS = f"{PROTOCOL_VERSION}.{RULES_VERSION}"


@dataclass(frozen=True, slots=True)
class Target:
    """The table to which the way is examined."""

    host: str
    port: int
    secret: bytes = field(default=OPEN_TABLE_SECRET, repr=False)

    @property
    def address(self) -> str:
        return format_address(self.host, self.port)


def read_target(text: str) -> Target:
    """Parse an address, or the link of an invitation; raise BadAddress."""
    if not is_link(text):
        return Target(*parse_address(text))
    try:
        found = parse_invitation(text)
    except BadAddress:
        found = parse_invitation(text, to_watch=True)
    return Target(found.places[0], found.port, found.secret)


# -- this machine --------------------------------------------------------------------------


async def look_at_network(port: int) -> list[Finding]:
    found = _look_at_addresses()
    found.append(Port(port, await _use_of_port(port)))
    found += await trio.to_thread.run_sync(_look_at_firewalls, port)
    return found + await _look_at_multicast()


def _look_at_addresses() -> list[Finding]:
    names = interface_of_address()
    found: list[Finding] = [
        Address(
            names[address],
            address,
            is_bridge=is_container_bridge(names[address]),
            is_private=ipaddress.ip_address(address).is_private,
        )
        for address in dialable(own_addresses())
    ]
    return found or [NoAddress()]


def _look_at_firewalls(port: int) -> list[Finding]:
    kind = likely_firewall()
    if kind is None:
        return [NoFirewall()]
    return [FirewallSeen(kind, port, opening_command(kind, port, sys.executable))]


async def _use_of_port(port: int) -> PortUse:
    for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as sock:
                claim_port(sock)
                if family == socket.AF_INET6:
                    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                sock.bind((address, port))
                sock.listen(1)
        except OSError as fault:
            if fault.errno in NO_FAMILY:
                continue
            is_ours = any([await _is_table(here, port) for here in ("127.0.0.1", "::1")])
            return PortUse.OURS if is_ours else PortUse.TAKEN
    return PortUse.FREE


async def _is_table(address: str, port: int) -> bool:
    try:
        connection = await machine.MachineNet().dial(address, port)
    except CannotReach:
        return False
    found = await _greet(connection, OPEN_TABLE_SECRET)
    return not any(one.severity is Severity.PROBLEM for one in found)


async def _look_at_multicast() -> list[Finding]:
    names, chosen = interface_of_address(), dict[str, str]()
    allowed = os.environ.get(lan.INTERFACES_VARIABLE)
    for address in dialable(own_addresses()):  # IPv4 first
        if allowed is not None and address not in allowed.split(","):
            continue
        if not is_container_bridge(names[address]):
            chosen.setdefault(names[address], address)
    heard: dict[str, Heard] = {}

    async def listen(interface: str, address: str) -> None:
        heard[interface] = await listen_on(interface, address)

    async with trio.open_nursery() as nursery:
        for interface, address in chosen.items():
            nursery.start_soon(listen, interface, address)
    return [Multicast(one, heard[one].own, heard[one].others, heard[one].fault) for one in chosen]


# -- a table -------------------------------------------------------------------------------


async def look_at_peer(target: Target) -> list[Finding]:
    """Try each step of joining a table, and stop at the first that fails."""
    host, port = target.host, target.port
    try:
        infos = await trio.socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except (socket.gaierror, UnicodeError):
        return [UnknownName(host)]
    route = _look_at_route(host, infos[0][0], infos[0][4])
    if route.severity is Severity.PROBLEM:
        return [route]
    try:
        connection = await machine.MachineNet().dial(host, port)
    except CannotReach as fault:
        if fault.why == "refused":
            return [route, NoTcp(host, port, None)]
        way = await trio.to_thread.run_sync(find_way, host, port)
        why = judge_no_answer(fault.detail, way)
        return [route, NoTcp(host, port, why, way.interface)]
    return [route, Tcp(host, port), *await _greet(connection, target.secret)]


def _look_at_route(host: str, family: int, target: object) -> Finding:
    """Return the route to an address; connecting a datagram socket sends nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(target)  # type: ignore[arg-type]
            source = str(sock.getsockname()[0])
    except OSError:
        return Route(host, "", "")
    return Route(host, interface_of_address().get(source, ""), source)


async def _greet(connection: Connection, secret: bytes) -> list[Finding]:
    """Shake hands under a key that is used once, and close."""
    signer = Signer(os.urandom(32))
    hello = make_hello(signer, os.urandom(INSTANCE_BYTES), b"", os.urandom(32))
    own = OwnSide(Door(Tls(os.urandom, machine.lend_file), secret), signer, hello)
    try:
        await shake_hands(connection, own, True, 1, lambda _hello: None)
    except NotInvited:
        return [TlsFinding(DoorState.INVITED_ONLY)]
    except TableBusy:
        return [TlsFinding(DoorState.BUSY)]
    except LinkFault:
        return [TlsFinding(DoorState.FOREIGN)]
    except Refused as fault:
        return [TlsFinding(DoorState.OPEN), _of_refusal(fault.refusal)]
    await trio.aclose_forcefully(connection.stream)
    return [TlsFinding(DoorState.OPEN), Version(OURS, OURS)]


def _of_refusal(refusal: Refusal) -> Finding:
    if refusal.code == RefusalCode.VERSION:
        return Version(f"{refusal.protocol}.{refusal.rules}", OURS)
    return Closed(refusal.text)
