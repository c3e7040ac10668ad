"""The LAN of this machine: tables announced and found by DNS-SD over multicast DNS.

Scope: everything that knows zeroconf, which is imported when something is announced or looked for
and not before. Each of the two runs in a thread of its own with an event loop of its own; trio
hands it posters and the word to stop, and is never blocked. The thread ends within half a second
of that word: it takes its announcement back first.

What comes in is cleaned and bounded in `kotp2p.wire.addresses`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import ifaddr
import trio

from kotp2p.seams.world import Lan, LanTrouble
from kotp2p.wire.addresses import (
    MAX_HEARD_RECORDS,
    FoundTable,
    Poster,
    is_link_local_ipv6,
    is_loopback,
    merge_records,
    parse_poster,
    record_label,
    txt_properties,
)

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf


# -- which addresses of this machine another one may dial, best first ----------------------


_VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "wg", "utun", "zt",
            "tailscale")  # fmt: skip
"""Interfaces whose addresses other machines of the LAN usually cannot reach: named last."""


def own_addresses() -> list[tuple[str, str]]:
    """Return (interface, address) of all interfaces, loopback included, without zones."""
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            found.append((adapter.nice_name, address))
    return found


def dialable(addresses: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the addresses that another machine can dial, private ones of the LAN first.

    Loopback is left out. Link-local addresses come last: two machines on one cable have no others.
    Those of IPv6, which every interface has, count only where there are no others.
    """
    found = [(interface, ipaddress.ip_address(address)) for interface, address in addresses]
    routed = {interface for interface, ip in found if not (ip.is_link_local or ip.is_loopback)}
    ranked = []
    for interface, ip in found:
        if ip.is_loopback or ip.is_unspecified or ip.is_multicast:
            continue
        virtual = interface.startswith(_VIRTUAL)
        if ip.is_link_local and ip.version == 6 and (virtual or interface in routed):
            continue
        ranked.append((ip.is_link_local, virtual, not ip.is_private, ip.version, str(ip)))
    seen: dict[str, None] = {}
    for *_, address in sorted(ranked, key=lambda row: row[:4]):
        seen.setdefault(address)
    return tuple(seen)


def announced_on(addresses: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the addresses at which a table is announced.

    Only interfaces with a private address count, so that nothing is said on a public network;
    virtual interfaces count only if there are no others.
    """
    own = list(addresses)
    can_be_dialled = set(dialable(own))
    usable = [(name, one) for name, one in own if one in can_be_dialled]
    private = {name for name, one in usable if ipaddress.ip_address(one).is_private}
    real = {name for name in private if not name.startswith(_VIRTUAL)} or private
    return dialable((name, one) for name, one in usable if name in real)


def link_local_zones() -> tuple[str, ...]:
    """Return the numbers of the interfaces on which others may have an IPv6 link-local address."""
    cables = [
        (adapter.nice_name.startswith(_VIRTUAL), adapter.index)
        for adapter in ifaddr.get_adapters()
        if any(isinstance(ip.ip, tuple) and is_link_local_ipv6(ip.ip[0]) for ip in adapter.ips)
    ]
    return tuple(str(index) for _virtual, index in sorted(cables))


def own_networks() -> tuple[str, ...]:
    """Return the networks that this machine is on, loopback left out."""
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            if not is_loopback(address) and not is_link_local_ipv6(address):
                found.append(f"{address}/{ip.network_prefix}")
    return tuple(found)


# -- the LAN of this machine: tables announced and found by DNS-SD over multicast DNS ------


SERVICE_TYPE = "_kotp2p._tcp.local."
INTERFACES_VARIABLE = "KOTP2P_LAN_INTERFACES"
"""An environment variable with the addresses of the only interfaces to use, separated by commas;
empty: none. For tests, which must not speak on the network of the machine on which they run."""
RECORD_TTL_SECONDS = 120
"""How long other machines remember a table whose machine died."""
MAX_LABEL_BYTES = 63
"""The limit of DNS for a part of a name."""
UPDATE_PAUSE_SECONDS = 1.0
"""The time between two changes of an announcement. A guest that comes and goes cannot make the host
fill the network."""


def lan_of_this_machine(entropy: Callable[[int], bytes]) -> Lan | None:
    named = os.environ.get(INTERFACES_VARIABLE)
    if named is None:
        return MachineLan(entropy, None)
    chosen = tuple(part.strip() for part in named.split(",") if part.strip())
    return MachineLan(entropy, chosen) if chosen else None


@dataclass(frozen=True, slots=True)
class MachineLan:
    entropy: Callable[[int], bytes]
    interfaces: tuple[str, ...] | None
    """Addresses; None: all interfaces that have a private one."""

    async def announce(
        self,
        bind: str | None,
        posters: trio.MemoryReceiveChannel[Poster],
        announced: Callable[[], None],
    ) -> None:
        token = trio.lowlevel.current_trio_token()
        addresses = _those_bound(self._addresses(), bind)
        mark = self.entropy(4).hex()
        work = _Announcing(addresses, mark, lambda: token.run_sync_soon(announced))
        thread = _Thread(addresses, work)
        async with posters, _running(thread):
            async for poster in posters:
                work.wanted = poster
                thread.set(work.news)

    async def browse(self, seconds: float) -> tuple[FoundTable, ...]:
        work = _Browsing(seconds)
        thread = _Thread(self._addresses(), work)
        async with _running(thread):
            await thread.finished.wait()
        networks = own_networks() if self.interfaces is None else self.interfaces
        return merge_records(work.records, networks)

    def _addresses(self) -> tuple[str, ...]:
        own = own_addresses()
        if self.interfaces is None:
            found = announced_on(own)
        else:
            found = tuple(one for one in self.interfaces if one in {there for _, there in own})
        if not found:
            raise LanTrouble("this machine is on no private network")
        return found


def _those_bound(addresses: tuple[str, ...], bind: str | None) -> tuple[str, ...]:
    """Return where a table that listens on `bind` can be dialled; raise LanTrouble if nowhere."""
    if bind is None:
        return addresses
    try:
        only = ipaddress.ip_address(bind.partition("%")[0])
    except ValueError:
        raise LanTrouble(f"{bind} is no number address") from None
    if only.is_unspecified:
        bound = [a for a in addresses if ipaddress.ip_address(a).version == only.version]
    else:
        bound = [a for a in addresses if ipaddress.ip_address(a) == only]
    if not bound:
        raise LanTrouble(f"{bind} is not on a private network of this machine")
    return tuple(bound)


@contextlib.asynccontextmanager
async def _running(thread: _Thread) -> AsyncIterator[None]:
    """Let the thread run while the body does, and wait until it has ended; raise LanTrouble."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(thread.run, nursery.cancel_scope)
        try:
            yield
        finally:
            thread.set(thread.ended)
    if thread.trouble is not None:
        raise thread.trouble


class _Work(Protocol):
    async def do(self, zero: AsyncZeroconf) -> None: ...


class _Thread:
    """Does some work with zeroconf in an event loop of its own, until `ended` is set."""

    def __init__(self, addresses: tuple[str, ...], work: _Work) -> None:
        self._addresses, self._work = addresses, work
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.ended = asyncio.Event()
        self.finished = trio.Event()
        self.trouble: LanTrouble | None = None

    def set(self, event: asyncio.Event) -> None:
        """Set an event of the thread's loop from trio's thread."""
        with self._lock:
            if self._loop is None:
                event.set()  # nobody waits for it yet, or any more
            else:
                self._loop.call_soon_threadsafe(event.set)

    async def run(self, scope: trio.CancelScope) -> None:
        """Run until `ended` is set; on trouble, cancel `scope`.

        The thread is never cancelled, as an announcement must be taken back: other machines would
        show a table that is gone.
        """
        try:
            await trio.to_thread.run_sync(self._run)
        except LanTrouble as fault:
            self.trouble = fault
            scope.cancel()
        self.finished.set()

    def _run(self) -> None:
        try:
            import zeroconf
        except ImportError as fault:  # its compiled half does not fit this machine
            raise LanTrouble(str(fault)) from fault
        try:
            asyncio.run(self._main())
        except OSError as fault:
            if fault.errno in (errno.EMFILE, errno.ENFILE):
                raise  # it is no trouble of the network
            raise LanTrouble(fault.strerror or str(fault)) from fault
        except zeroconf.Error as fault:
            raise LanTrouble(str(fault) or type(fault).__name__) from fault

    async def _main(self) -> None:
        from zeroconf.asyncio import AsyncZeroconf

        loop = asyncio.get_running_loop()
        # What a strange packet does to zeroconf is not worth a line amid the game.
        loop.set_exception_handler(lambda _loop, _context: None)
        with self._lock:
            self._loop = loop
        try:
            zero = AsyncZeroconf(interfaces=list(self._addresses))
            # Zeroconf may go on for ever, if somebody disputes every name.
            work = asyncio.ensure_future(self._start(zero))
            ended = asyncio.ensure_future(self.ended.wait())
            await asyncio.wait({work, ended}, return_when=asyncio.FIRST_COMPLETED)
            is_done = work.done()
            work.cancel()
            ended.cancel()
            await asyncio.gather(work, ended, return_exceptions=True)
            await zero.async_close()
            if is_done:
                work.result()
        finally:
            with self._lock:
                self._loop = None

    async def _start(self, zero: AsyncZeroconf) -> None:
        await zero.zeroconf.async_wait_for_start()
        if not zero.zeroconf.engine.senders:
            raise LanTrouble("no interface of this machine takes multicast")
        await self._work.do(zero)


# -- announcing ----------------------------------------------------------------------------


@dataclass
class _Announcing:
    addresses: tuple[str, ...]
    mark: str
    """Makes the name of the record unique."""
    announced: Callable[[], None]
    wanted: Poster | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def do(self, zero: AsyncZeroconf) -> None:
        """Announce what is wanted, until cancelled; closing zeroconf takes it back."""
        name = shown = None
        while True:
            await self.news.wait()
            self.news.clear()
            poster = self.wanted
            if poster is None or poster == shown:
                continue
            if name is None:
                info = self._info(poster, f"{record_label(poster.host, self.mark)}.{SERVICE_TYPE}")
                await (await zero.async_register_service(info, allow_name_change=True))
                name = info.name
                self.announced()
            else:
                await (await zero.async_update_service(self._info(poster, name)))
            shown = poster
            await asyncio.sleep(UPDATE_PAUSE_SECONDS)

    def _info(self, poster: Poster, name: str) -> ServiceInfo:
        from zeroconf import ServiceInfo

        return ServiceInfo(
            SERVICE_TYPE,
            name,
            poster.port,
            properties=txt_properties(poster),
            server=f"kotp2p-{self.mark}.local.",
            host_ttl=RECORD_TTL_SECONDS,
            other_ttl=RECORD_TTL_SECONDS,
            parsed_addresses=list(self.addresses),
        )


# -- looking around ------------------------------------------------------------------------


@dataclass
class _Browsing:
    seconds: float
    records: list[tuple[Poster, list[str]]] = field(default_factory=list)
    _names: dict[str, asyncio.Task[bool]] = field(default_factory=dict)

    async def do(self, zero: AsyncZeroconf) -> None:
        from zeroconf import ServiceStateChange
        from zeroconf.asyncio import AsyncServiceBrowser

        def changed(
            zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
        ) -> None:
            if not _can_be_asked_for(name):
                _forget_pointer(zeroconf, name)
            elif state_change is ServiceStateChange.Removed:
                self._names.pop(name, None)
            elif name not in self._names and len(self._names) < MAX_HEARD_RECORDS:
                self._names[name] = asyncio.ensure_future(self._ask(zeroconf, name))

        async with AsyncServiceBrowser(zero.zeroconf, SERVICE_TYPE, handlers=[changed]):
            await asyncio.sleep(self.seconds)
        for name, asked in self._names.items():
            asked.cancel()
            info = _named(name)
            if info is not None and info.load_from_cache(zero.zeroconf):
                poster = parse_poster(info.properties, info.port)
                if poster is not None:
                    addresses = map(_name_zone, info.parsed_scoped_addresses())
                    self.records.append((poster, list(addresses)))

    async def _ask(self, zeroconf: Zeroconf, name: str) -> bool:
        info = _named(name)
        return info is not None and await info.async_request(zeroconf, self.seconds * 1000)


def _name_zone(address: str) -> str:
    """Return the address with the name of its interface where it had the number."""
    bare, _percent, zone = address.partition("%")
    if not zone.isdigit() or sys.platform == "win32":  # whose programs take the number
        return address
    try:
        return f"{bare}%{socket.if_indextoname(int(zone))}"
    except OSError:  # the interface is gone
        return address


def _can_be_asked_for(name: str) -> bool:
    # A label of bytes that are no UTF-8 is read as a longer one, which cannot be written.
    return all(len(part.encode("utf-8", "replace")) <= MAX_LABEL_BYTES for part in name.split("."))


def _forget_pointer(zeroconf: Zeroconf, name: str) -> None:
    """Remove a name that cannot be asked for from the known answers."""
    # A question names all answers that are known already. With one that cannot be written no
    # question would go out any more, and no table would be found.
    pointers = zeroconf.cache.async_entries_with_name(SERVICE_TYPE)
    bad = [one for one in pointers if getattr(one, "alias", "") == name]
    zeroconf.cache.async_remove_records(bad)


def _named(name: str) -> AsyncServiceInfo | None:
    from zeroconf import BadTypeInNameException
    from zeroconf.asyncio import AsyncServiceInfo

    try:
        return AsyncServiceInfo(SERVICE_TYPE, name)
    except BadTypeInNameException:
        return None
