"""Which addresses of this machine another one may dial, best first.

Scope: what the interfaces of this machine say. Nothing is sent, and nobody is asked.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

import ifaddr

from kotp2p.wire.addresses import is_loopback

_VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "wg", "utun", "zt")
"""Interfaces whose addresses other machines of the LAN usually cannot reach: named last."""


def own_addresses() -> list[tuple[str, str]]:
    """(interface, address) of all interfaces, loopback included, without zones."""
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            found.append((adapter.nice_name, address))
    return found


def dialable(addresses: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The addresses that another machine can dial, private ones of the LAN first.

    Loopback is left out; so are IPv6 link-local addresses, which need the zone of the *other*
    machine.
    """
    ranked = []
    for interface, address in addresses:
        ip = ipaddress.ip_address(address)
        if ip.is_loopback or ip.is_unspecified or ip.is_link_local or ip.is_multicast:
            continue
        virtual = interface.startswith(_VIRTUAL)
        ranked.append((virtual, not ip.is_private, ip.version, address))
    seen: dict[str, None] = {}
    for *_, address in sorted(ranked, key=lambda row: row[:3]):
        seen.setdefault(address)
    return tuple(seen)


def announced_on(addresses: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The addresses at which a table is announced.

    Only interfaces with a private address count, so that nothing is said on a public network;
    virtual interfaces count only if there are no others.
    """
    usable = [(name, one) for name, one in addresses if dialable([(name, one)])]
    private = {name for name, one in usable if ipaddress.ip_address(one).is_private}
    real = {name for name in private if not name.startswith(_VIRTUAL)} or private
    return dialable((name, one) for name, one in usable if name in real)


def own_networks() -> tuple[str, ...]:
    """The networks that this machine is on, loopback left out."""
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            if not is_loopback(address) and not ipaddress.ip_address(address).is_link_local:
                found.append(f"{address}/{ip.network_prefix}")
    return tuple(found)
