"""The network of this machine, and the way to one table, as `kotp2p doctor` looks at them."""

import errno
import os
import socket
import struct
from dataclasses import dataclass, field

import trio

from kotp2p.cli.extras.doctor.finding import Finding, Severity
from kotp2p.cli.text import how_to_join
from kotp2p.cli.text.endings import describe_ending
from kotp2p.cli.text.i18n import _, typeable
from kotp2p.net import handshake, lan, machine
from kotp2p.net.invitation import is_link
from kotp2p.net.lan import dialable, own_addresses
from kotp2p.net.tls import Tls
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import CannotReach
from kotp2p.shell.find_host import ending_of_fault
from kotp2p.wire.addresses import is_public
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.genesis import PROTOCOL_VERSION

# -- this machine --------------------------------------------------------------------------


NO_FAMILY = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""The errors of a machine without IPv4, or without IPv6."""


async def look_at_network(port: int) -> list[Finding]:
    addresses = dialable(own_addresses())
    names = _interface_of_address()
    found = [judge_address(names[address], address) for address in addresses] or [no_address()]
    found.append(_look_at_port(port))
    return found + await _look_at_multicast()


def _interface_of_address() -> dict[str, str]:
    return {address: interface for interface, address in own_addresses()}


def judge_address(interface: str, address: str) -> Finding:
    if how_to_join.is_container_bridge(interface):
        matters = _("It leads to containers of this machine only, so no player needs it.")
    elif not is_public(address):
        matters = _("Players on that network can type it after: kotp2p join")
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


def _look_at_port(port: int) -> Finding:
    if _is_free(port):
        what = _("TCP port {port} is free.", port=port)
        return Finding(Severity.OK, what, _("kotp2p host can use it."))
    return Finding(
        Severity.NOTE,
        _("A table or another program uses TCP port {port}.", port=port),
        _("kotp2p host then takes the next free port, which the others must type."),
        _("Read the port off the host's screen, or choose one: {command}",
          command=typeable("kotp2p host --port PORT")),
    )  # fmt: skip


def _is_free(port: int) -> bool:
    for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as sock:
                machine.claim_port(sock)
                if family == socket.AF_INET6:
                    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                sock.bind((address, port))
                sock.listen(1)
        except OSError as fault:
            if fault.errno not in NO_FAMILY:
                return False
    return True


# -- whether multicast DNS works on an interface -------------------------------------------
#
# Nothing is announced, so no list of tables shows anything of it.
#
# Known limitation: a machine hears its own question even if its interface leads to no network.


GROUP, MULTICAST_PORT = "224.0.0.251", 5353
LISTEN_SECONDS = 2.0
MAX_PACKET_BYTES = 9000
_POINTER, _INTERNET = 12, 1


async def _look_at_multicast() -> list[Finding]:
    names, chosen = _interface_of_address(), dict[str, str]()
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
    packet = make_question(f"doctor-{os.urandom(4).hex()}._kotp2p._tcp.local")
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            await _join_group(sock, socket.inet_aton(address))
            await sock.sendto(packet, (GROUP, MULTICAST_PORT))
            with trio.move_on_after(LISTEN_SECONDS):
                while await sock.recv(MAX_PACKET_BYTES) != packet:
                    pass
                return judge_multicast(interface, is_heard=True)
        except OSError as fault:
            return judge_multicast(interface, fault=fault.strerror or str(fault))
    return judge_multicast(interface)


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


def make_question(name: str) -> bytes:
    labels = [label.encode("ascii") for label in name.split(".")]
    asked = b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
    return struct.pack("!6H", 0, 0, 1, 0, 0, 0) + asked + struct.pack("!2H", _POINTER, _INTERNET)


def judge_multicast(interface: str, *, is_heard: bool = False, fault: str = "") -> Finding:
    if is_heard:
        return Finding(
            Severity.OK,
            _("Own announcements are heard on {interface}.", interface=interface),
            _("A Wi-Fi that keeps its devices apart looks the same."),
        )
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
WITHOUT_A_WAY = (
    EndKind.NAME_UNKNOWN, EndKind.REFUSED, EndKind.NO_ANSWER, EndKind.NOT_A_TABLE, EndKind.VERSION,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
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
    """Connect and shake hands as a guest, under a key that is used once."""
    signer = Signer(os.urandom(32))
    hello = handshake.make_hello(signer, os.urandom(INSTANCE_BYTES), b"", os.urandom(32))
    own = handshake.OwnSide(Tls(os.urandom, machine.lend_file), target.secret, signer, hello)
    try:
        connection = await machine.MachineNet().dial(target.host, target.port)
        await handshake.shake_hands(connection, own, True, 1, lambda _hello: None)
    except (CannotReach, handshake.LinkFault, handshake.Refused) as fault:
        return [judge_ending(ending_of_fault(fault, target.secret), target)]
    await trio.aclose_forcefully(connection.stream)
    return [
        Finding(
            Severity.OK,
            _("{host} takes connections on TCP port {port}.", host=target.host, port=target.port),
        ),
        Finding(Severity.OK, _("The connection is encrypted (TLS).")),
        Finding(
            Severity.OK,
            _("Both programs have the version {ours} of protocol and rules.", ours=OURS),
        ),
    ]


def judge_ending(ending: Ending, target: Target) -> Finding:
    """Judge why nobody could sit down; a table that is there and says why is no problem."""
    what, *todo = describe_ending(ending, target.host, target.port)
    is_there = ending.kind not in WITHOUT_A_WAY
    severity = Severity.NOTE if is_there else Severity.PROBLEM
    return Finding(severity, what, todo=" ".join(todo))
