"""`kotp2p doctor`: looks at this machine's network, and at the way to one table.

Scope: finding out the facts, in order. Only read: nothing of the machine is changed, and no
password is asked for. A table that is looked at sees one connection, which says hello and goes.
Not here: the sentences (`cli.text.findings`).
"""

from __future__ import annotations

import errno
import ipaddress
import json
import os
import socket
import sys

import trio

from cli.system import multicast
from cli.system.exit_codes import Exit
from cli.system.firewall import read_firewalls
from cli.system.output import Output
from cli.system.own_network import find_way, interface_of_address
from cli.text import findings
from cli.text.findings import Finding, PortUse, Weight
from cli.text.firewall_words import Firewall
from cli.text.how_to_join import is_container_bridge
from cli.text.i18n import _
from cli.text.join_target import BadAddress, parse_address
from cli.text.no_answer import advise_on_no_answer, describe_no_answer, judge_no_answer
from cli.ui.stdin import is_terminal
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
from kotp2p.net.tls import Tls
from kotp2p.store.platform import claim_port
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.frames_link import Refusal, RefusalCode
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.world import CannotReach, Connection
from referee.box.rulesets import RULES_VERSION

DOCUMENT_VERSION = 1
"""Of the JSON document. It rises when a field changes its meaning or goes."""
NO_FAMILY = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""The errors of a machine without IPv4, or without IPv6."""
OURS = f"{PROTOCOL_VERSION}.{RULES_VERSION}"


def examine(*, network: bool, peer: str | None, port: int, as_json: bool) -> int:
    """`peer`: the address of a table. Without one the network is looked at."""
    output = Output.standard(as_json=as_json, terminal=is_terminal())
    try:
        target = None if peer is None else parse_address(peer)
    except BadAddress as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    found = trio.run(_look, target, port, network or target is None)
    if as_json:
        document = {
            "version": DOCUMENT_VERSION,
            "port": port,
            "peer": peer,
            "obstacles": sum(one.weight is Weight.OBSTACLE for one in found),
            "findings": [one.as_object() for one in found],
        }
        output.write_document(json.dumps(document))
    else:
        for one in found:
            output.say_line(one.line())
        output.say_line(findings.sum_up(found))
    is_blocked = any(one.weight is Weight.OBSTACLE for one in found)
    return Exit.UNREACHABLE if is_blocked else Exit.DONE


async def _look(target: tuple[str, int] | None, port: int, network: bool) -> list[Finding]:
    found: list[Finding] = []
    if network:
        found += await look_at_network(port)
    if target is not None:
        found += await look_at_peer(*target)
    return found


# -- this machine --------------------------------------------------------------------------


async def look_at_network(port: int) -> list[Finding]:
    found = _look_at_addresses()
    found.append(findings.find_port(port, await _use_of_port(port)))
    firewalls: list[Firewall | None] = [*await trio.to_thread.run_sync(read_firewalls, port)]
    found += [findings.find_firewall(one, port, sys.executable) for one in firewalls or [None]]
    return found + await _look_at_multicast()


def _look_at_addresses() -> list[Finding]:
    names = interface_of_address()
    found = [
        findings.find_address(
            names[address],
            address,
            is_bridge=is_container_bridge(names[address]),
            is_private=ipaddress.ip_address(address).is_private,
        )
        for address in dialable(own_addresses())
    ]
    return found or [findings.find_no_address()]


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
    return not any(one.weight is Weight.OBSTACLE for one in await _greet(connection))


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
        findings.find_multicast(
            one, is_heard=heard[one].own, others=heard[one].others, fault=heard[one].fault
        )
        for one in chosen
    ]


# -- a table -------------------------------------------------------------------------------


async def look_at_peer(host: str, port: int) -> list[Finding]:
    """Stops at the first thing that stands in the way."""
    try:
        infos = await trio.socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except (socket.gaierror, UnicodeError):
        return [findings.find_unknown_name(host)]
    route = _look_at_route(host, infos[0][0], infos[0][4])
    if route.weight is Weight.OBSTACLE:
        return [route]
    try:
        connection = await machine.MachineNet().dial(host, port)
    except CannotReach as fault:
        if fault.why == "refused":
            return [route, findings.find_refused_tcp(host, port)]
        way = await trio.to_thread.run_sync(find_way, host, port)
        why = judge_no_answer(fault.detail, way)
        what = describe_no_answer(why, host, port, way)
        return [route, findings.find_no_tcp(what, advise_on_no_answer(why, port))]
    return [route, findings.find_tcp(host, port), *await _greet(connection)]


def _look_at_route(host: str, family: int, target: object) -> Finding:
    """Connecting such a socket sends nothing; it only looks for the way."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect(target)  # type: ignore[arg-type]
            source = str(sock.getsockname()[0])
    except OSError:
        return findings.find_route(host, "", "")
    return findings.find_route(host, interface_of_address().get(source, ""), source)


async def _greet(connection: Connection) -> list[Finding]:
    """Says hello under a key that is used once, and closes."""
    signer = Signer(os.urandom(32))
    hello = make_hello(signer, os.urandom(INSTANCE_BYTES), b"", os.urandom(32))
    own = OwnSide(Door(Tls(os.urandom, machine.lend_file), OPEN_TABLE_SECRET), signer, hello)
    try:
        await shake_hands(connection, own, True, 1, lambda _hello: None)
    except NotInvited:
        return [findings.find_tls(is_ours=True, is_closed=True)]
    except TableBusy:
        return [findings.find_busy()]
    except LinkFault:
        return [findings.find_tls(is_ours=False)]
    except Refused as fault:
        return [findings.find_tls(is_ours=True), _of_refusal(fault.refusal)]
    await trio.aclose_forcefully(connection.stream)
    return [findings.find_tls(is_ours=True), findings.find_version(OURS, OURS)]


def _of_refusal(refusal: Refusal) -> Finding:
    if refusal.code == RefusalCode.VERSION:
        return findings.find_version(f"{refusal.protocol}.{refusal.rules}", OURS)
    return findings.find_closed_door(refusal.text)
