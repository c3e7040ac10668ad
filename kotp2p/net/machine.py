"""This machine as a `World`: its sockets, its entropy, and the time of day."""

import errno
import os
import secrets
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import trio

from kotp2p.net.lan import dialable, link_local_zones, own_addresses
from kotp2p.net.rendezvous import MachineRendezvous, meet_at_relay
from kotp2p.net.tls import Tls
from kotp2p.rendezvous.exchange import SIDE_BYTES, RelayPlace
from kotp2p.rendezvous.servers import Servers
from kotp2p.seams.world import Acceptor, CannotReach, Connection, PortTaken, World
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.addresses import is_link_local_ipv6, is_loopback

DIAL_TIMEOUT_SECONDS = 8.0
"""How long a name, with all of its addresses, has to answer."""
MIN_ADDRESS_TIMEOUT_SECONDS = 2.0
"""How long each address of a name has at least, however many there are."""
LISTEN_BACKLOG = 16
"""Connections that the system holds for us until they are accepted."""
ACCEPT_RETRY_SECONDS = 0.1
MIN_LISTEN_TRIES = 5
"""A port that was free for one family may be taken for the other one, so one try is too few."""


def machine_world(data: Path, logs: Path, profile: str, version: str = "") -> World:
    """Make the `World` of this machine and profile; `version` is the program's, for its logs."""
    return World(
        secrets.token_bytes,
        MachineNet(),
        MachineDisk(data),
        data,
        logs,
        profile,
        lambda: time.strftime("%Y-%m-%d"),
        wall_clock=time.time,
        security=Tls(secrets.token_bytes, lend_file),
        program=("kotp2p", version),
    )


def with_servers(world: World, servers: Servers) -> World:
    return replace(world, rendezvous=MachineRendezvous(servers, world.net, world.entropy))


# -- network -----------------------------------------------------------------------------


class MachineNet:
    async def dial(self, address: str, port: int) -> Connection:
        relayed = RelayPlace.parse(address)
        if relayed is not None:
            side = secrets.token_bytes(SIDE_BYTES)
            return await meet_at_relay(self.dial, relayed, side, DIAL_TIMEOUT_SECONDS)
        with trio.move_on_after(DIAL_TIMEOUT_SECONDS):
            try:
                found = [
                    (info[0], info[4])
                    for one in _with_zones(address)
                    for info in await trio.socket.getaddrinfo(one, port, type=socket.SOCK_STREAM)
                ]
            except (socket.gaierror, UnicodeError) as fault:
                raise CannotReach("name-unknown", str(fault)) from fault
            return await self._connect(found)
        raise CannotReach("no-answer", f"nobody answered within {DIAL_TIMEOUT_SECONDS:.0f} s")

    async def _connect(self, targets: Sequence[tuple[int, object]]) -> Connection:
        refusals = 0
        last = "no address"
        timeout = max(MIN_ADDRESS_TIMEOUT_SECONDS, DIAL_TIMEOUT_SECONDS / max(1, len(targets)))
        for family, target in targets:
            sock = trio.socket.socket(family, socket.SOCK_STREAM)
            limit_segments(sock)
            try:
                with trio.fail_after(timeout):
                    await sock.connect(target)
                return _make_connection(trio.SocketStream(sock))
            except ConnectionRefusedError as fault:
                refusals += 1
                last = str(fault)
            except (OSError, trio.TooSlowError) as fault:
                last = str(fault)
            sock.close()
        raise CannotReach("refused" if refusals else "no-answer", last)

    async def listen(self, bind: str | None, port: int, tries: int) -> Acceptor:
        last: OSError | None = None
        for attempt in range(max(MIN_LISTEN_TRIES, tries)):
            wanted = port + min(attempt, tries - 1) if port else 0
            try:
                return MachineAcceptor(await _open_listeners(bind, wanted))
            except OSError as fault:
                if fault.errno in (errno.EMFILE, errno.ENFILE):
                    raise  # it is no trouble of the port
                last = fault
                if fault.errno != errno.EADDRINUSE:
                    break
        # In words: without the number of the fault, and the words of a library around it.
        reason = "" if last is None else last.strerror or str(last)
        raise PortTaken(f"{_place(bind, port)}: {reason}")

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        if bind is not None:
            return (bind.partition("%")[0],), is_loopback(bind)
        others = dialable(own_addresses())
        return (others, False) if others else (("127.0.0.1",), True)

    def has_address(self, address: str) -> bool:
        return is_loopback(address) or address in {own for _name, own in own_addresses()}


def _with_zones(address: str) -> list[str]:
    """Return the address as it is dialled here: in IPv6 a foreign zone stands for any cable."""
    bare, _percent, zone = address.partition("%")
    if not is_link_local_ipv6(address) or _is_zone_here(zone):
        return [address]
    return [f"{bare}%{one}" for one in link_local_zones()] or [address]


def _is_zone_here(zone: str) -> bool:
    """Return whether it is an interface of this machine, by its name or its number."""
    return any(zone in (name, str(index)) for index, name in socket.if_nameindex())


def _place(bind: str | None, port: int) -> str:
    where = f"port {port}" if port else "any port"
    return where if bind is None else f"{where} of {bind}"


def _make_connection(stream: trio.SocketStream) -> Connection:
    _keep_alive(stream.socket)
    address = str(stream.socket.getpeername()[0])
    local = str(stream.socket.getsockname()[0])
    return Connection(stream, "" if is_loopback(address) else address, local)


def _keep_alive(sock: trio.socket.SocketType) -> None:
    """Let the system ask the other side now and then, and break a dead connection."""
    # Routers forget quiet connections, and a machine without power closes none of its own.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):  # each system has its own
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


async def _open_listeners(bind: str | None, port: int) -> list[trio.SocketListener]:
    if bind is not None:
        bound = await trio.open_tcp_listeners(port, host=bind, backlog=LISTEN_BACKLOG)
        for listener in bound:  # nobody has been accepted yet
            limit_segments(listener.socket)
        return bound
    listeners: list[trio.SocketListener] = []
    try:
        for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
            sock = await _bind_socket(family, address, port)
            if sock is not None:
                port = port or sock.getsockname()[1]
                listeners.append(trio.SocketListener(sock))
    except OSError:
        for listener in listeners:
            listener.socket.close()
        raise
    if not listeners:
        raise OSError(errno.EADDRNOTAVAIL, "this machine has no network address")
    return listeners


async def _bind_socket(family: int, address: str, port: int) -> trio.socket.SocketType | None:
    """Return a listening socket; None if this machine does not have the family."""
    try:
        sock = trio.socket.socket(family, socket.SOCK_STREAM)
    except OSError:
        return None
    try:
        claim_port(sock)
        limit_segments(sock)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        await sock.bind((address, port))
        sock.listen(LISTEN_BACKLOG)
    except OSError as fault:
        sock.close()
        if fault.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            return None
        raise
    return sock


class MachineAcceptor:
    def __init__(self, listeners: list[trio.SocketListener]) -> None:
        self._listeners = listeners
        self.port: int = listeners[0].socket.getsockname()[1]

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        async with trio.open_nursery() as nursery:
            for listener in self._listeners:
                nursery.start_soon(self._accept_forever, listener, admit)

    @staticmethod
    async def _accept_forever(
        listener: trio.SocketListener, admit: Callable[[Connection], None]
    ) -> None:
        while True:
            try:
                stream = await listener.accept()
            except OSError:  # reset before it was accepted, or no descriptor left
                await trio.sleep(ACCEPT_RETRY_SECONDS)
                continue
            try:
                admit(_make_connection(stream))
            except OSError:  # gone before it had an address
                await trio.aclose_forcefully(stream)

    async def aclose(self) -> None:
        for listener in self._listeners:
            await listener.aclose()


# -- options of sockets, which systems have in different ways -----------------------------


class Options(Protocol):
    """A socket, of Python or of trio."""

    def setsockopt(self, level: int, name: int, value: int, /) -> None: ...


SEGMENT_BYTES = 1180
"""Bytes of a TCP segment. With its headers one fits into any IPv6 path, whose least packet has 1280
bytes, and into the tunnels that home connections use."""


def claim_port(sock: Options) -> None:
    """Let a port be taken again once its program has ended, and not meanwhile."""
    # Windows means something else by the usual option: with it two programs share one port.
    name = "SO_EXCLUSIVEADDRUSE" if sys.platform == "win32" else "SO_REUSEADDR"
    sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)


def limit_segments(sock: Options) -> None:
    """Keep packets small enough for any path, before the socket dials or listens.

    Where a path takes only small packets and drops the messages that say so, large ones vanish: the
    link lives, and whatever is longer than a packet never arrives. Windows has no such option, and
    macOS may refuse it; links work there as well as they do without it.
    """
    if (name := getattr(socket, "TCP_MAXSEG", None)) is not None:
        with suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, name, SEGMENT_BYTES)


# -- files -------------------------------------------------------------------------------


@contextmanager
def lend_file(data: bytes) -> Iterator[str]:
    """Lend the path of a file with these bytes, as a library may take private keys only so."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("kotp2p")
        path = f"/proc/self/fd/{descriptor}"
    else:
        descriptor, path = tempfile.mkstemp()  # only its owner can read it
    try:
        os.write(descriptor, data)
        yield path
    finally:
        os.close(descriptor)
        if not path.startswith("/proc/"):
            os.unlink(path)
