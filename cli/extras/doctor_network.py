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

import trio

from kotp2p.cli.extras.finding import Finding, Severity
from kotp2p.cli.system.network import find_way, interface_of_address, likely_firewall
from kotp2p.cli.text import how_to_join
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.program_words import typeable
from kotp2p.net import handshake, lan, machine
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

# -- this machine --------------------------------------------------------------------------


NO_FAMILY = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""The errors of a machine without IPv4, or without IPv6."""


async def look_at_network(port: int) -> list[Finding]:
    addresses = dialable(own_addresses())
    names = interface_of_address()
    found = [judge_address(names[address], address) for address in addresses] or [no_address()]
    found.append(await _look_at_port(port))
    found.append(tell_firewall(likely_firewall(), port))
    return found + await _look_at_multicast()


def judge_address(interface: str, address: str) -> Finding:
    if how_to_join.is_container_bridge(interface):
        matters = _("It leads to containers of this machine only, so no player needs it.")
    elif ipaddress.ip_address(address).is_private:
        matters = _("Players on that network can type it behind: kotp2p join")
    else:
        matters = _("It is public: players elsewhere can type it, if the router lets them in.")
    what = _("{interface} has the address {address}.", interface=interface, address=address)
    return Finding(Severity.OK, what, matters)


def no_address() -> Finding:
    return Finding(
        Severity.PROBLEM,
        _("This machine has no address that another one can reach."),
        _("Only this machine can play at its tables."),
        _("Connect it to a network, by Wi-Fi or cable."),
    )


async def _look_at_port(port: int) -> Finding:
    if _is_free(port):
        what = _("TCP port {port} is free.", port=port)
        return Finding(Severity.OK, what, _("kotp2p host can use it."))
    if any([await _is_table(here, port) for here in ("127.0.0.1", "::1")]):
        what = _("A table of kotp2p is open on TCP port {port} of this machine.", port=port)
        return Finding(Severity.OK, what, _("Others join that table there."))
    return Finding(
        Severity.NOTE,
        _("Another program uses TCP port {port}.", port=port),
        _("kotp2p host then takes the next free port, which the others must type."),
        _("Read the port off the host's screen, or choose one: {command}",
          command=typeable("kotp2p host --port PORT")),
    )  # fmt: skip


def _is_free(port: int) -> bool:
    for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as sock:
                claim_port(sock)
                if family == socket.AF_INET6:
                    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                sock.bind((address, port))
                sock.listen(1)
        except OSError as fault:
            if fault.errno not in NO_FAMILY:
                return False
    return True


async def _is_table(address: str, port: int) -> bool:
    try:
        connection = await machine.MachineNet().dial(address, port)
    except CannotReach:
        return False
    found = await _greet(connection, OPEN_TABLE_SECRET)
    return not any(one.severity is Severity.PROBLEM for one in found)


def tell_firewall(firewall: how_to_join.FirewallKind | None, port: int) -> Finding:
    if firewall is None:
        return Finding(
            Severity.OK,
            _("No firewall was seen on this machine."),
            _("Others can be kept out by a router all the same."),
        )
    return Finding(
        Severity.NOTE,
        _("{firewall} may be on; its rules cannot be read without a password.", firewall=firewall),
        _("It matters to a host only, if others cannot join."),
        _("To let the others in, type: {command}",
          command=how_to_join.opening_command(firewall, port, sys.executable)),
    )  # fmt: skip


# -- whether multicast DNS works on an interface -------------------------------------------
#
# Nothing is announced, so no list of tables shows anything of it.
#
# Known limitation: a machine hears its own question even if its interface leads to no network.
# Answers of others prove more, but others need not answer.


GROUP, MULTICAST_PORT = "224.0.0.251", 5353
LISTEN_SECONDS = 2.0
MAX_PACKET_BYTES = 9000
_POINTER, _INTERNET = 12, 1
_SERVICES = "_services._dns-sd._udp.local"
"""Every machine that speaks DNS-SD answers to this name."""


async def _look_at_multicast() -> list[Finding]:
    """Listen on each interface with an IPv4 address."""
    names, chosen = interface_of_address(), dict[str, str]()
    allowed = os.environ.get(lan.INTERFACES_VARIABLE)
    for address in dialable(own_addresses()):
        if ":" in address or (allowed is not None and address not in allowed.split(",")):
            continue
        if not how_to_join.is_container_bridge(names[address]):
            chosen.setdefault(names[address], address)
    found: dict[str, Finding] = {}

    async def listen(interface: str, address: str) -> None:
        found[interface] = await _listen_on(interface, address)

    async with trio.open_nursery() as nursery:
        for interface, address in chosen.items():
            nursery.start_soon(listen, interface, address)
    return [found[one] for one in chosen]


async def _listen_on(interface: str, address: str) -> Finding:
    packet = make_question((f"doctor-{os.urandom(4).hex()}._kotp2p._tcp.local", _SERVICES))
    is_heard, others = False, set[str]()
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            await _join_group(sock, socket.inet_aton(address))
            await sock.sendto(packet, (GROUP, MULTICAST_PORT))
            with trio.move_on_after(LISTEN_SECONDS):
                while True:
                    data, source = await sock.recvfrom(MAX_PACKET_BYTES)
                    is_heard |= data == packet
                    if is_answer(data):
                        others.add(source[0])
        except OSError as fault:
            return judge_multicast(interface, fault=fault.strerror or str(fault))
    return judge_multicast(interface, is_heard, len(others - {address}))


async def _join_group(sock: trio.socket.SocketType, own: bytes) -> None:
    """Listen to the group on the interface with this address; raise OSError."""
    for name in ("SO_REUSEADDR", "SO_REUSEPORT"):
        if hasattr(socket, name):
            sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)
    await sock.bind(("0.0.0.0", MULTICAST_PORT))
    level = socket.IPPROTO_IP
    sock.setsockopt(level, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + own)
    sock.setsockopt(level, socket.IP_MULTICAST_IF, own)
    sock.setsockopt(level, socket.IP_MULTICAST_LOOP, 1)
    sock.setsockopt(level, socket.IP_MULTICAST_TTL, 255)


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


def judge_multicast(
    interface: str, is_heard: bool = False, others: int = 0, fault: str = ""
) -> Finding:
    """Judge whether the own question came back, and how many others have answered."""
    if is_heard and others:
        what = plural(
            "Multicast works on {interface}, and {n} other machine answers.",
            "Multicast works on {interface}, and {n} other machines answer.",
            others, interface=interface,
        )  # fmt: skip
        return Finding(Severity.OK, what, _("kotp2p join can find tables there."))
    if is_heard:
        return Finding(
            Severity.OK,
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
        Severity.PROBLEM, what,
        _("Tables are not found there. Joining by address works all the same."),
        _("Let UDP port 5353 through the firewall, or give the others the address."),
    )  # fmt: skip


# -- the way to a table --------------------------------------------------------------------


OURS = f"{PROTOCOL_VERSION}.{RULES_VERSION}"


@dataclass(frozen=True, slots=True)
class Target:
    """The table to which the way is examined."""

    host: str
    port: int
    secret: bytes = field(default=OPEN_TABLE_SECRET, repr=False)

    @property
    def address(self) -> str:
        return how_to_join.format_address(self.host, self.port)


def read_target(text: str) -> Target:
    """Parse an address, or the link of an invitation; raise BadAddress."""
    if not is_link(text):
        return Target(*how_to_join.parse_address(text))
    try:
        found = how_to_join.parse_invitation(text)
    except how_to_join.BadAddress:
        found = how_to_join.parse_invitation(text, to_watch=True)
    return Target(found.places[0], found.port, found.secret)


async def look_at_peer(target: Target) -> list[Finding]:
    """Try each step of joining a table, and stop at the first that fails."""
    host, port = target.host, target.port
    try:
        infos = await trio.socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except (socket.gaierror, UnicodeError):
        return [
            _no_way(
                _("No machine is known by the name {host}.", host=host),
                _("Check the spelling, or take the numeric address from the host's screen."),
            )
        ]
    route = _look_at_route(host, infos[0][0], infos[0][4])
    if route.severity is Severity.PROBLEM:
        return [route]
    try:
        connection = await machine.MachineNet().dial(host, port)
    except CannotReach as fault:
        if fault.why == "refused":
            return [route, refused(host, port)]
        way = await trio.to_thread.run_sync(find_way, host, port)
        return [route, no_answer(how_to_join.judge_no_answer(fault.detail, way), host, port, way)]
    what = _("{host} takes connections on TCP port {port}.", host=host, port=port)
    return [route, Finding(Severity.OK, what), *await _greet(connection, target.secret)]


def _no_way(what: str, todo: str) -> Finding:
    return Finding(Severity.PROBLEM, what, _("No table there can be joined."), todo)


def _look_at_route(host: str, family: int, target: object) -> Finding:
    """Return the route to an address; connecting a datagram socket sends nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(target)  # type: ignore[arg-type]
            source = str(sock.getsockname()[0])
    except OSError:
        return _no_way(
            _("There is no route from this machine to {host}.", host=host),
            _("Connect to the network of the host (Wi-Fi, cable or VPN), or take another address "
              "from the host's screen."),
        )  # fmt: skip
    interface = interface_of_address().get(source, "?")
    what = _("The way to {host} goes over {interface}, from the address {source}.",
             host=host, interface=interface, source=source)  # fmt: skip
    return Finding(Severity.OK, what)


def refused(host: str, port: int) -> Finding:
    return _no_way(
        _("The machine {host} is there, but nothing listens on TCP port {port}.",
          host=host, port=port),
        _("Ask the host whether the table is still open, and which port their screen shows."),
    )  # fmt: skip


def no_answer(
    why: how_to_join.NoAnswer, host: str, port: int, way: how_to_join.WayThere
) -> Finding:
    return _no_way(*how_to_join.describe_no_answer(why, host, port, way))


async def _greet(connection: Connection, secret: bytes) -> list[Finding]:
    """Shake hands under a key that is used once, and close."""
    signer = Signer(os.urandom(32))
    hello = handshake.make_hello(signer, os.urandom(INSTANCE_BYTES), b"", os.urandom(32))
    own = handshake.OwnSide(
        handshake.Door(Tls(os.urandom, machine.lend_file), secret), signer, hello
    )
    encrypted = Finding(Severity.OK, _("The connection is encrypted (TLS)."))
    try:
        await handshake.shake_hands(connection, own, True, 1, lambda _hello: None)
    except handshake.Refused as fault:
        return [encrypted, judge_refusal(fault.refusal)]
    except handshake.LinkFault as fault:
        return [judge_door(fault)]
    await trio.aclose_forcefully(connection.stream)
    return [encrypted, judge_version(OURS)]


def judge_door(fault: handshake.LinkFault) -> Finding:
    """Judge what answers at an address, by why it shook no hands."""
    match fault:
        case handshake.NotInvited():
            return Finding(
                Severity.NOTE,
                _("A table of kotp2p is there, for invited players only."),
                _("It can be joined by its invitation, and its version cannot be seen without."),
                _("Ask the host for the link, then type: {command}",
                  command=typeable("kotp2p join LINK")),
            )  # fmt: skip
        case handshake.TableBusy():
            return Finding(
                Severity.NOTE,
                _("A table is there, and it is busy with other connections."),
                _("It lets nobody in for some seconds."),
                _("Try again in a minute."),
            )
        case _:  # no word that a table would send
            return _no_way(
                _("What answers there is not a table of kotp2p."),
                _("Compare the port with the host's screen; a proxy or a security program may also "
                  "stand between."),
            )  # fmt: skip


def judge_refusal(refusal: Refusal) -> Finding:
    if refusal.code == RefusalCode.VERSION:
        return judge_version(f"{refusal.protocol}.{refusal.rules}")
    what = _("The table is there, and takes nobody now: {words}.", words=refusal.text)
    return Finding(Severity.NOTE, what)


def judge_version(theirs: str) -> Finding:
    """Judge the version of a table, written PROTOCOL.RULES."""
    if theirs == OURS:
        what = _("Both programs have the version {ours} of protocol and rules.", ours=OURS)
        return Finding(Severity.OK, what)
    todo = _("Ask the host to update kotp2p.")
    if how_to_join.is_older(OURS, theirs):
        todo = _("Update kotp2p on this machine.")
    return Finding(
        Severity.PROBLEM,
        _("The table has the version {theirs} of protocol and rules, this machine {ours}.",
          theirs=theirs, ours=OURS),
        _("They cannot play together."), todo,
    )  # fmt: skip
