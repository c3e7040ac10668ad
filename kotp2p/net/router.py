"""The router in front of this machine: it is asked by UPnP to pass a port on.

Scope: one router, found by multicast and asked in threads, as the library blocks; and this
machine's `Net` with the addresses at which players elsewhere reach it.
Not here: for how long the router is asked (`kotp2p.shell.router_port`).
Known limitation: routers that know NAT-PMP or PCP alone are not asked (docs/adr/0016).
"""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import trio

from kotp2p.router_notices import RouterFault
from kotp2p.wire.addresses import is_public
from kotp2p.world import Acceptor, Connection, Net, RouterTrouble

DISCOVERY_MILLISECONDS = 2000
"""How long routers have to answer the multicast."""
FAR_AWAY = ("2000::1", 9)
"""An address in the IPv6 internet. Nothing is sent to it."""
_TAKEN = "ConflictInMappingEntry"
_FOR_EVER_ONLY = "OnlyPermanentLeasesSupported"
"""As miniupnpc words the errors 718 and 725 of UPnP."""

T = TypeVar("T")


class Gateway(Protocol):
    """What we use of `miniupnpc.UPnP`. Each call blocks, and raises a bare Exception."""

    lanaddr: str
    """The address of this machine, as the router sees it."""

    def externalipaddress(self) -> str | None: ...

    def getspecificportmapping(self, port: int, protocol: str) -> tuple[str, int] | None: ...

    def addportmapping(
        self, port: int, protocol: str, host: str, inner: int, what: str, remote: str, seconds: int
    ) -> bool: ...

    def deleteportmapping(self, port: int, protocol: str) -> bool: ...


def can_ask_routers() -> bool:
    """Whether the library is installed that asks them."""
    return importlib.util.find_spec("miniupnpc") is not None


def find_gateway(interface: str) -> Gateway:
    """The router of the network of that own address; empty: of any. Raises RouterTrouble."""
    import miniupnpc

    found = miniupnpc.UPnP(discoverdelay=DISCOVERY_MILLISECONDS)
    if interface:
        found.multicastif = interface
    try:
        _call(found.discover)
        is_router = bool(_call(found.selectigd))
    except RouterTrouble as trouble:
        raise RouterTrouble(RouterFault.NO_ANSWER, trouble.detail) from trouble
    if not is_router:
        raise RouterTrouble(RouterFault.NO_ANSWER, "no gateway")
    gateway: Gateway = found
    return gateway


def _call(ask: Callable[..., T], *words: object) -> T:
    """Raises RouterTrouble."""
    try:
        return ask(*words)
    except Exception as fault:  # the library raises nothing narrower
        if type(fault) is not Exception:
            raise
        raise RouterTrouble(RouterFault.REFUSED, str(fault)) from fault


@dataclass(slots=True)
class UpnpRouter:
    """The `Router` of this machine."""

    interface: str = ""
    """The only own address at which this process listens, if there is one."""
    find: Callable[[str], Gateway] = find_gateway
    _gateway: Gateway | None = None
    _is_doubtful: bool = False
    """It did not do the last thing that it was asked for: the next one finds it anew."""
    _passed_on: set[int] = field(default_factory=set)

    async def open_port(self, port: int, seconds: int) -> str:
        try:
            if self._gateway is None or self._is_doubtful:
                # Nothing is left behind by a search that nobody waits for any more.
                self._gateway = await trio.to_thread.run_sync(
                    self.find, self.interface, abandon_on_cancel=True
                )
            # Waited for, also when this task is cancelled: what is open must be known as such.
            address = await trio.to_thread.run_sync(self._pass_on, self._gateway, port, seconds)
        except RouterTrouble:
            self._is_doubtful = True
            raise
        self._is_doubtful = False
        return address

    def _pass_on(self, gateway: Gateway, port: int, seconds: int) -> str:
        address = _call(gateway.externalipaddress) or ""
        if not is_public(address):
            raise RouterTrouble(RouterFault.NOT_PUBLIC, address)
        inner = self.interface or gateway.lanaddr
        # Some routers would take the port away from the other machine.
        there = _call(gateway.getspecificportmapping, port, "TCP")
        if there is not None and there[0] != inner:
            raise RouterTrouble(RouterFault.TAKEN, there[0])
        self._passed_on.add(port)
        for lease in (seconds, 0):
            try:
                _call(gateway.addportmapping, port, "TCP", inner, port, "kotp2p", "", lease)
                break
            except RouterTrouble as trouble:
                if trouble.detail != _FOR_EVER_ONLY or not lease:
                    is_taken = trouble.detail == _TAKEN
                    fault = RouterFault.TAKEN if is_taken else RouterFault.REFUSED
                    raise RouterTrouble(fault, "" if is_taken else trouble.detail) from trouble
        return address

    async def close_port(self, port: int) -> None:
        if port not in self._passed_on:
            return
        gateway = self._gateway
        assert gateway is not None  # it was asked for this port
        self._passed_on.discard(port)
        with suppress(RouterTrouble):  # then the router closes it when the time is up
            await trio.to_thread.run_sync(
                _call, gateway.deleteportmapping, port, "TCP", abandon_on_cancel=True
            )

    def reaches_ipv6(self) -> bool:
        """A datagram socket that is connected sends nothing: the system only looks for a route."""
        try:
            with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sock:
                sock.connect(FAR_AWAY)
                return True
        except OSError:
            return False


@dataclass(slots=True)
class NetBehindRouter:
    """A `Net` whose addresses are told to players elsewhere, best first: those of IPv6 that the
    internet knows, that of the router, and then those of the own networks."""

    net: Net
    reaches_ipv6: Callable[[], bool]
    public: str = ""
    """The router's; empty: it passes nothing on."""

    def addresses(self, bind: str | None) -> tuple[tuple[str, ...], bool]:
        own, only_loopback = self.net.addresses(bind)
        first = [*self.public_ipv6(bind), *([self.public] if self.public else [])]
        return tuple(dict.fromkeys((*first, *own))), only_loopback and not first

    def public_ipv6(self, bind: str | None) -> list[str]:
        own = [a for a in self.net.addresses(bind)[0] if ":" in a and is_public(a)]
        return own if self.reaches_ipv6() else []

    def has_address(self, address: str) -> bool:
        return self.net.has_address(address)

    async def dial(self, address: str, port: int) -> Connection:
        return await self.net.dial(address, port)

    async def listen(self, bind: str | None, port: int, tries: int) -> Acceptor:
        return await self.net.listen(bind, port, tries)
