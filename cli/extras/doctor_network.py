"""The network of this machine, and the way to one table, as `kotp2p doctor` looks at them.

Scope: finding out the facts, in order. Only read: nothing of the machine is changed, and no
password is asked for. A table that is looked at sees one connection, which says hello and goes.
Not here: the sentences (`cli.extras.network_findings`).
"""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import sys
from dataclasses import dataclass, field

import trio

from kotp2p.cli.extras import multicast, network_findings, peer_findings
from kotp2p.cli.extras.finding import Finding, Severity
from kotp2p.cli.extras.network_findings import PortUse
from kotp2p.cli.extras.peer_findings import DoorState
from kotp2p.cli.system.network import find_way, interface_of_address, read_firewalls
from kotp2p.cli.text.firewall_words import opening_command
from kotp2p.cli.text.how_to_join import is_container_bridge
from kotp2p.cli.text.join_target import BadAddress, format_address, parse_address, parse_invitation
from kotp2p.cli.text.no_answer import judge_no_answer
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
from kotp2p.net.interfaces import dialable, own_addresses
from kotp2p.net.invitation import is_link
from kotp2p.net.tls import Tls
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.store.files import claim_port
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.frames import Refusal, RefusalCode
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.world import CannotReach, Connection

NO_FAMILY = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""The errors of a machine without IPv4, or without IPv6."""
OURS = f"{PROTOCOL_VERSION}.{RULES_VERSION}"


@dataclass(frozen=True, slots=True)
class Target:
    """The table whose way is looked at."""

    host: str
    port: int
    secret: bytes = field(default=OPEN_TABLE_SECRET, repr=False)

    @property
    def address(self) -> str:
        return format_address(self.host, self.port)


def read_target(text: str) -> Target:
    """`text`: an address, or the link of an invitation. Raises BadAddress."""
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
    found.append(network_findings.Port(port, await _use_of_port(port)))
    found += await trio.to_thread.run_sync(_look_at_firewalls, port)
    return found + await _look_at_multicast()


def _look_at_addresses() -> list[Finding]:
    names = interface_of_address()
    found: list[Finding] = [
        network_findings.Address(
            names[address],
            address,
            is_bridge=is_container_bridge(names[address]),
            is_private=ipaddress.ip_address(address).is_private,
        )
        for address in dialable(own_addresses())
    ]
    return found or [network_findings.NoAddress()]


def _look_at_firewalls(port: int) -> list[Finding]:
    found: list[Finding] = [
        network_findings.FirewallSeen(
            one.kind, one.verdict, port, opening_command(one.kind, port, sys.executable)
        )
        for one in read_firewalls(port)
    ]
    return found or [network_findings.NoFirewall()]


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
    heard: dict[str, multicast.Heard] = {}

    async def listen(interface: str, address: str) -> None:
        heard[interface] = await multicast.listen_on(interface, address)

    async with trio.open_nursery() as nursery:
        for interface, address in chosen.items():
            nursery.start_soon(listen, interface, address)
    return [
        network_findings.Multicast(one, heard[one].own, heard[one].others, heard[one].fault)
        for one in chosen
    ]


# -- a table -------------------------------------------------------------------------------


async def look_at_peer(target: Target) -> list[Finding]:
    """Stops at the first thing that stands in the way."""
    host, port = target.host, target.port
    try:
        infos = await trio.socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except (socket.gaierror, UnicodeError):
        return [peer_findings.UnknownName(host)]
    route = _look_at_route(host, infos[0][0], infos[0][4])
    if route.severity is Severity.PROBLEM:
        return [route]
    try:
        connection = await machine.MachineNet().dial(host, port)
    except CannotReach as fault:
        if fault.why == "refused":
            return [route, peer_findings.NoTcp(host, port, None)]
        way = await trio.to_thread.run_sync(find_way, host, port)
        why = judge_no_answer(fault.detail, way)
        return [route, peer_findings.NoTcp(host, port, why, way.interface)]
    return [route, peer_findings.Tcp(host, port), *await _greet(connection, target.secret)]


def _look_at_route(host: str, family: int, target: object) -> Finding:
    """Connecting such a socket sends nothing; it only looks for the way."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(target)  # type: ignore[arg-type]
            source = str(sock.getsockname()[0])
    except OSError:
        return peer_findings.Route(host, "", "")
    return peer_findings.Route(host, interface_of_address().get(source, ""), source)


async def _greet(connection: Connection, secret: bytes) -> list[Finding]:
    """Says hello under a key that is used once, and closes."""
    signer = Signer(os.urandom(32))
    hello = make_hello(signer, os.urandom(INSTANCE_BYTES), b"", os.urandom(32))
    own = OwnSide(Door(Tls(os.urandom, machine.lend_file), secret), signer, hello)
    try:
        await shake_hands(connection, own, True, 1, lambda _hello: None)
    except NotInvited:
        return [peer_findings.Tls(DoorState.INVITED_ONLY)]
    except TableBusy:
        return [peer_findings.Tls(DoorState.BUSY)]
    except LinkFault:
        return [peer_findings.Tls(DoorState.FOREIGN)]
    except Refused as fault:
        return [peer_findings.Tls(DoorState.OPEN), _of_refusal(fault.refusal)]
    await trio.aclose_forcefully(connection.stream)
    return [peer_findings.Tls(DoorState.OPEN), peer_findings.Version(OURS, OURS)]


def _of_refusal(refusal: Refusal) -> Finding:
    if refusal.code == RefusalCode.VERSION:
        return peer_findings.Version(f"{refusal.protocol}.{refusal.rules}", OURS)
    return peer_findings.Closed(refusal.text)
