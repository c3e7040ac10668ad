"""Whether multicast DNS works on an interface: one question is asked, and all answers are counted.

Scope: the bytes of the question, and the sockets. Nothing is announced, so no list of tables shows
anything of it.
Known limitation: to hear its own question a machine needs no network behind the interface. Answers
of others prove more, but others need not answer.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import struct
from dataclasses import dataclass

import trio

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
    """Why nothing could be asked."""


async def listen_on(interface: str, address: str) -> Heard:
    """What is heard on the interface that has this address."""
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
    """One packet of DNS that asks for the pointers of these names."""
    parts = [struct.pack("!6H", 0, 0, len(names), 0, 0, 0)]
    for name in names:
        labels = [label.encode("ascii") for label in name.split(".")]
        parts += [bytes([len(label)]) + label for label in labels]
        parts.append(b"\0" + struct.pack("!2H", _POINTER, _INTERNET))
    return b"".join(parts)


def is_answer(packet: bytes) -> bool:
    return len(packet) >= 12 and bool(packet[2] & 0x80)


def _open(interface: str, address: str) -> trio.socket.SocketType:
    """Raises OSError."""
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
    """Without a name to look up, so that trio need not wait for it."""
    bare = socket.socket(fileno=os.dup(sock.fileno()))
    with bare:
        bare.bind((address, PORT))
