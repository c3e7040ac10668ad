"""How others come to a table that this player has opened: the commands, and what may be in the way.

Scope: which addresses are shown, in which order, and the sentences around them.
Not here: which addresses this machine has (`cli.system.network`).
"""

from __future__ import annotations

import ipaddress
import shlex
from collections.abc import Mapping

from kotp2p.cli.text.firewall_words import FirewallKind, opening_command
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.join_target import format_address
from kotp2p.cli.text.registered import Hint, wing
from kotp2p.net.invitation import fingerprint
from kotp2p.seams.notices import TableOpened

_CONTAINER_PREFIXES = ("docker", "br-", "veth", "virbr", "lxc", "lxdbr", "podman", "cni")
"""Interfaces that lead to containers and virtual machines of this machine, and to no player."""

Interfaces = Mapping[str, str]
"""The interface of each own address, as far as it is known."""


def is_container_bridge(interface: str) -> bool:
    return interface.startswith(_CONTAINER_PREFIXES)


def choose_addresses(addresses: tuple[str, ...], interfaces: Interfaces) -> tuple[str, ...]:
    """Those worth showing, best first: none of a container bridge, unless there is nothing else,
    and of each interface one IPv6 address only, as it often has several that come and go."""
    useful = [a for a in addresses if not is_container_bridge(interfaces.get(a, ""))]
    seen: set[str] = set()
    chosen = []
    for address in useful or addresses:
        interface = interfaces.get(address, "")
        if _is_ipv6(address) and interface:
            if interface in seen:
                continue
            seen.add(interface)
        chosen.append(address)
    return tuple(chosen)


def _is_ipv6(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).version == 6
    except ValueError:  # a name
        return False


def best_command(notice: TableOpened, interfaces: Interfaces) -> str:
    """The command that most players should type."""
    if notice.invitation:
        return f"kotp2p join {shlex.quote(notice.invitation)}"
    address = choose_addresses(notice.addresses, interfaces)[0]
    return f"kotp2p join {format_address(address, notice.port)}"


def other_commands(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    """One line for each of the other addresses, with the interface that has it."""
    if notice.invitation:
        return []
    lines = []
    for address in choose_addresses(notice.addresses, interfaces)[1:]:
        command = f"kotp2p join {format_address(address, notice.port)}"
        interface = interfaces.get(address)
        if interface:
            lines.append(_("If that fails, over {interface}: {command}", interface=interface,
                           command=command))  # fmt: skip
        else:
            lines.append(_("If that fails: {command}", command=command))
    return lines


def join_commands(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    """One complete command a line; what may be in the way stands below."""
    return [best_command(notice, interfaces), *other_commands(notice, interfaces)]


def describe_copy(command: str, *, is_copied: bool) -> str:
    if is_copied:
        return _(
            "For your friends, and in the clipboard if your terminal allows it: {command}",
            command=command,
        )
    return _("There is no terminal with a clipboard. For your friends: {command}", command=command)


def describe_rematch_access(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    """For players of the last game whose program is not there to ask them."""
    return [
        _("A player of the last game whose program has ended types: {command}",
          command=best_command(notice, interfaces)),
    ]  # fmt: skip


def describe_access(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    own = _("Your key: {key}", key=fingerprint(notice.key)) if notice.key else ""
    hints = [_closed()] if notice.invitation else []
    hints += describe_watching(notice, interfaces)
    hints += [own] if own else []
    if notice.only_loopback:
        return [describe_loopback(), *hints]
    return [
        plural(
            "The others type this command. They connect to TCP port {port} here: a firewall must "
            "allow that, and guest Wi-Fi often keeps machines apart.",
            "The others type the first of these commands. They connect to TCP port {port} here: a "
            "firewall must allow that, and guest Wi-Fi often keeps machines apart.",
            len(join_commands(notice, interfaces)),
            port=notice.port,
        ),
        *hints,
    ]


def describe_loopback() -> str:
    return _("Only this machine can reach the table.")


def watch_command(notice: TableOpened) -> str:
    """The command of those who want to watch; empty unless they have a link of their own."""
    link = notice.watch_invitation
    return f"kotp2p watch {shlex.quote(link)}" if link else ""


def describe_watching(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    """How others watch this table, if they may."""
    command = watch_command(notice)
    if not command and notice.most_watchers and not notice.invitation:
        address = choose_addresses(notice.addresses, interfaces)[0]
        command = f"kotp2p watch {format_address(address, notice.port)}"
    return [_("To watch, others type: {command}", command=command)] if command else []


def describe_empty_lobby(
    notice: TableOpened, interfaces: Interfaces, firewall: FirewallKind | None, program: str
) -> list[str]:
    """Nobody has come for a while. `firewall`: the one that most likely runs here; `program`: the
    file that listens."""
    address = choose_addresses(notice.addresses, interfaces)[0]
    first = _("Nobody has come yet. This table listens on TCP port {port}.", port=notice.port)
    if firewall is None:
        second = _("No firewall of this system is known to kotp2p; if there is one, it must allow "
                   "TCP port {port}.", port=notice.port)  # fmt: skip
    else:
        command = opening_command(firewall, notice.port, program)
        second = _("If {firewall} is on here, this command lets the others in: {command}",
                   firewall=firewall, command=command)  # fmt: skip
    more = wing().say(Hint.CANNOT_JOIN, address=format_address(address, notice.port))
    return [first, second, *([more] if more else [])]


def _closed() -> str:
    return _(
        "Nobody gets in without this link: give it only to your players. A player who reaches you "
        "at another address puts that address in front of the last slash."
    )
