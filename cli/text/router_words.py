"""What the router in front of this machine does for a table, and what that means, as sentences."""

from __future__ import annotations

import ipaddress
from typing import assert_never

from cli.text.i18n import _
from kotp2p.router_notices import (
    LetsIn,
    RouterAsked,
    RouterClosed,
    RouterFault,
    RouterNotice,
    RouterOpened,
)

_CARRIER = ipaddress.IPv4Network("100.64.0.0/10")
"""Addresses that internet providers use in their own networks (RFC 6598)."""


def describe_router(notice: RouterNotice) -> list[str]:
    match notice:
        case RouterAsked(port=port):
            return [_("Asking the router to pass TCP port {port} on to this machine.", port=port)]
        case RouterOpened():
            return _describe_open(notice)
        case RouterClosed():
            return _describe_closed(notice)
        case _:
            assert_never(notice)


def _describe_open(notice: RouterOpened) -> list[str]:
    reach = _("The router passes TCP port {port} on to this machine: the whole internet can "
              "reach it at {address} until this program ends.",
              port=notice.port, address=notice.address)  # fmt: skip
    match notice.lets_in:
        case LetsIn.ALL:
            return [reach, _("Anybody who finds the table may sit down at it and read its chat.")]
        case LetsIn.INVITED:
            return [reach, _("Strangers will knock there, and everybody who does not have the "
                             "invitation is turned away.")]  # fmt: skip
        case LetsIn.PLAYERS:
            return [reach, _("Strangers will knock there, and nobody but the players of this game "
                             "can come back to it.")]  # fmt: skip
        case LetsIn.WATCHERS:
            return [reach, _("Only the players of this game can come back to it, and anybody who "
                             "finds it may watch.")]  # fmt: skip
        case _:
            assert_never(notice.lets_in)


def _describe_closed(notice: RouterClosed) -> list[str]:
    lines = [_explain_fault(notice)]
    if notice.was_open:
        lines = [
            _("The router no longer passes TCP port {port} on: players who lose their connection "
              "may not find this machine again.", port=notice.port),
            *lines,
        ]  # fmt: skip
    else:
        lines.append(_("Players of this network can join all the same."))
    if notice.ipv6:
        lines.append(
            _("Players with IPv6 can try {address}, as far as the router lets them in.",
              address=notice.ipv6)
        )  # fmt: skip
    return lines


def _explain_fault(notice: RouterClosed) -> str:
    port, detail = notice.port, notice.detail
    match notice.fault:
        case RouterFault.NO_ANSWER:
            return _("No router answers here: switch UPnP on in its settings, or let it pass TCP "
                     "port {port} on to this machine there.", port=port)  # fmt: skip
        case RouterFault.REFUSED:
            return _("The router refuses ({detail}): allow this machine in its settings to open "
                     "ports, or let it pass TCP port {port} on there.",
                     detail=detail, port=port)  # fmt: skip
        case RouterFault.TAKEN if detail:
            return _("The router passes TCP port {port} on to {address} already: choose another "
                     "port with --port.", port=port, address=detail)  # fmt: skip
        case RouterFault.TAKEN:
            return _("The router passes TCP port {port} on to another machine already: choose "
                     "another port with --port.", port=port)  # fmt: skip
        case RouterFault.NOT_PUBLIC:
            return _explain_address(detail)
        case _:
            assert_never(notice.fault)


def _explain_address(address: str) -> str:
    if not address:
        return _("The router has no public address: it is not connected to the internet, or your "
                 "provider shares one address among many customers; then ask the provider for "
                 "a public one, or use a VPN.")  # fmt: skip
    if ipaddress.ip_address(address) in _CARRIER:
        return _("Your provider shares one public address among many customers: the router has "
                 "only {address}, which nobody elsewhere can reach; ask the provider for "
                 "a public address, or use a VPN.", address=address)  # fmt: skip
    return _("The router itself has only the private address {address}: nobody elsewhere can "
             "reach it, unless the router in front of it passes the port on, too.",
             address=address)  # fmt: skip
