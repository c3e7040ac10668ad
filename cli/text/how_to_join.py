"""How others reach a table: addresses, links, the network between, and what may block them."""

import errno
import ipaddress
import re
import shlex
from collections.abc import Mapping
from typing import assert_never

from kotp2p.cli.text.i18n import _, ascii_digits, plural, typeable
from kotp2p.cli.wing import Hint, wing
from kotp2p.net.invitation import BadLink, Invitation
from kotp2p.rendezvous.words import BadCode, Code, CodeFault, is_like_code, read_code
from kotp2p.seams.notices import AskingByCode, CodeStep, TableCode, TableOpened
from kotp2p.wire.addresses import DEFAULT_PORT
from kotp2p.wire.crypto import fingerprint

# -- how to join ---------------------------------------------------------------------------


_CONTAINER_PREFIXES = ("docker", "br-", "veth", "virbr", "lxc", "lxdbr", "podman", "cni")
"""Prefixes of interfaces that lead to containers and virtual machines here, and to no player."""

Interfaces = Mapping[str, str]
"""The interface of each own address, as far as it is known."""


def is_container_bridge(interface: str) -> bool:
    return interface.startswith(_CONTAINER_PREFIXES)


def choose_addresses(addresses: tuple[str, ...], interfaces: Interfaces) -> tuple[str, ...]:
    """Return the addresses worth showing, best first: no bridges, one of IPv6 an interface."""
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


def best_command(notice: TableOpened, interfaces: Interfaces, code: TableCode | None = None) -> str:
    """Return what most friends type: a code leads here from anywhere."""
    if code is not None and code.leads_here:
        return code_command(code.code)
    if notice.invitation:
        return f"kotp2p join {shlex.quote(notice.invitation)}"
    address = choose_addresses(notice.addresses, interfaces)[0]
    return f"kotp2p join {format_address(address, notice.port)}"


def other_commands(notice: TableOpened, interfaces: Interfaces) -> list[str]:
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
    return [best_command(notice, interfaces), *other_commands(notice, interfaces)]


def describe_copy(command: str, *, is_copied: bool) -> str:
    if is_copied:
        return _("For your friends, and in the clipboard if your terminal allows it: {command}",
                 command=command)  # fmt: skip
    return _("There is no terminal with a clipboard. For your friends: {command}", command=command)


def describe_rematch_access(
    notice: TableOpened, interfaces: Interfaces, code: TableCode | None = None
) -> list[str]:
    command = best_command(notice, interfaces, code)
    return [
        _("A player of the last game whose program has ended types: {command}", command=command)
    ]


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
    link = notice.watch_invitation
    return wing().say(Hint.WATCH_COMMAND, target=shlex.quote(link)) if link else ""


def describe_watching(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    command = watch_command(notice)
    if not command and notice.most_watchers and not notice.invitation:
        address = choose_addresses(notice.addresses, interfaces)[0]
        target = format_address(address, notice.port)
        command = wing().say(Hint.WATCH_COMMAND, target=target)
    return [_("To watch, others type: {command}", command=command)] if command else []


def describe_empty_lobby(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    address = choose_addresses(notice.addresses, interfaces)[0]
    more = wing().say(Hint.CANNOT_JOIN, address=format_address(address, notice.port))
    return [
        _("Nobody has come yet. This table listens on TCP port {port}.", port=notice.port),
        _("If there is a firewall on this machine, it must allow that port."),
        *([more] if more else []),
    ]


def _closed() -> str:
    return _(
        "Nobody gets in without this link or a code: give it only to your players. A player who "
        "reaches you at another address puts that address in front of the last slash."
    )


# -- join target ---------------------------------------------------------------------------
#
# What a player types after `join`: a code, ADDRESS, ADDRESS:PORT, or the link of an invitation.
#
# A bare IPv6 address holds colons itself, so it has no port; in brackets it may have one. An IPv6
# zone (`fe80::1%eth0`) belongs to the address and is passed on untouched.


class BadAddress(ValueError):
    """A typed address, link or code is wrong; the message says why in one sentence."""


_NAME = re.compile(r"(?!-)[A-Za-z0-9_.-]{1,253}")
_ROW_BREAK = re.compile(r"[ \t]*[\r\n]+[ \t]*")
"""A copied link may contain the break of a row of the screen."""
_COMMANDS = (["kotp2p", "join"], ["kotp2p", "watch"])


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port, also in the digits that Persian sentences show; raise BadAddress."""
    text = ascii_digits(text.strip())
    if " " in text:
        raise BadAddress(_explain_words(text.split()))
    if text.startswith("["):
        inside, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise _no_address(text)
        return _ipv6(inside, text), _port(rest[1:], text) if rest else DEFAULT_PORT
    if text.count(":") > 1:
        return _ipv6(text, text), DEFAULT_PORT
    host, colon, port = text.partition(":")
    return _host(host, text), _port(port, text) if colon else DEFAULT_PORT


def parse_invitation(text: str, *, to_watch: bool = False) -> Invitation:
    """Parse an invitation; raise BadAddress, also for one of the other kind."""
    try:
        found = Invitation.parse(_ROW_BREAK.sub("", text))
    except BadLink as fault:
        if fault.newer:
            raise BadAddress(
                _("This invitation is from another version of kotp2p: install the host's version.")
            ) from None
        raise BadAddress(
            _("This invitation cannot be read: copy the whole link from the host's screen again.")
        ) from None
    if found.to_watch == to_watch:
        return found
    if found.to_watch:
        command = wing().say(Hint.WATCH_COMMAND, target="LINK")
        raise BadAddress(
            _("This invitation is one to watch, by: {command}", command=typeable(command))
            if command
            else _("Ask the host for the newest link; each table has its own.")
        )
    raise BadAddress(
        _("This invitation is one to play. To watch, ask the host for the other link, which "
          "--watchers makes.")
    )  # fmt: skip


def parse_code(text: str) -> Code:
    try:
        return read_code(text)
    except BadCode as fault:
        raise BadAddress(describe_bad_code(fault)) from None


def read_pasted(line: str) -> str:
    """Return the target of a typed line, which may begin with the command of the host's screen."""
    words = line.split()
    if words[:2] in _COMMANDS:
        words = words[2:]
    typed = " ".join(words)
    return typed if is_like_code(typed) else " ".join(words[-1:])


def format_address(address: str, port: int) -> str:
    if port == DEFAULT_PORT:
        return address
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _explain_words(words: list[str]) -> str:
    place, port = words[0], words[1]
    if len(words) == 2 and port.isascii() and port.isdigit():
        where = f"[{place}]" if place.count(":") > 1 else place
        return _("The port comes after the address, with a colon: {address}",
                 address=f"{where}:{port}")  # fmt: skip
    return _("{text} is not an address or the name of a machine.", text=" ".join(words))


def _no_address(text: str) -> BadAddress:
    return BadAddress(_("{text} is not an address or the name of a machine.", text=text))


def _ipv6(host: str, text: str) -> str:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        raise _no_address(text) from None
    return host


def _host(host: str, text: str) -> str:
    try:
        if re.fullmatch(r"[0-9.]+", host):
            ipaddress.IPv4Address(host)
        host = host.encode("idna").decode("ascii")
    except ValueError:
        raise _no_address(text) from None
    if not _NAME.fullmatch(host):
        raise _no_address(text)
    return host


def _port(port: str, text: str) -> int:
    if not (port.isascii() and port.isdigit()) or not 1 <= int(port) <= 65535:
        raise BadAddress(_("The port in {text} must be a number from 1 to 65535.", text=text))
    return int(port)


# -- why an address does not answer, and what a player can do about it ---------------------


_NUMBER = re.compile(r"\[(?:Errno|WinError) (\d+)\]")
_NO_ROUTE = {errno.ENETUNREACH, 10051}
"""Also as Windows counts them."""
_FORBIDDEN_HERE = {errno.EACCES, errno.EPERM, 10013}


def describe_no_answer(detail: str, host: str, port: int) -> list[str]:
    """Describe a failed connection, then what to do; `detail` is the error of the system."""
    found = _NUMBER.search(detail)
    number = int(found[1]) if found else 0
    if number in _FORBIDDEN_HERE:
        return [
            _("This machine does not let a connection to {host} port {port} out.",
              host=host, port=port),
            _("Allow kotp2p to connect in this machine's firewall or security program, then try "
              "again."),
        ]  # fmt: skip
    if number in _NO_ROUTE:
        return [
            _("There is no route from this machine to {host}.", host=host),
            _("Connect to the network of the host (Wi-Fi, cable or VPN), or take another address "
              "from the host's screen, then try again."),
        ]  # fmt: skip
    return [
        _("Nobody answers at {host} port {port}.", host=host, port=port),
        _("Compare the address with the host's screen, and ask the host to let TCP port {port} "
          "through their firewall and router. If you share a Wi-Fi, it may keep its devices "
          "apart: use a cable or a phone's hotspot for both.", port=port),
    ]  # fmt: skip


def is_older(ours: str, theirs: str) -> bool:
    return _version(ours) < _version(theirs)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


# -- code words ----------------------------------------------------------------------------


def code_command(code: str, word: str = "join") -> str:
    return f"kotp2p {word} {code}"


def describe_code(notice: TableCode) -> list[str]:
    match notice.step:
        case CodeStep.OPEN:
            return describe_servers(notice)
        case CodeStep.MOVED:
            return [
                _("Your code was disturbed, so it has another number now. Tell it to those who "
                  "are still to come; the words are the same."),
            ]  # fmt: skip
        case CodeStep.NO_MAILBOX if notice.leads_from_here:
            return [
                _("{server} does not answer, so only players on this network can come by your code "
                  "now. It is asked again.", server=notice.mailbox),
            ]  # fmt: skip
        case CodeStep.NO_MAILBOX:
            return [
                _("{server} does not answer, so nobody can come by your code now. It is asked "
                  "again. Others can still come by the address.", server=notice.mailbox),
            ]  # fmt: skip
        case CodeStep.UNPROVEN_MAILBOX:
            return describe_unproven(notice.mailbox)
        case CodeStep.NO_RELAY:
            return [
                _("{server} does not answer. Who has no direct way to this machine cannot come by "
                  "your code now.", server=notice.relay),
            ]  # fmt: skip
        case CodeStep.USED_UP:
            return [
                _("A hundred wrong words were tried at your code. It leads nowhere now. To make "
                  "another one, type: code"),
            ]  # fmt: skip
        case _:
            assert_never(notice.step)


def describe_unproven(server: str) -> list[str]:
    return [
        _("{server} shows no certificate that this machine takes for it, so it introduces nobody.",
          server=server),
        _("Check the date of this machine, and whether its Wi-Fi wants you to sign in first."),
    ]  # fmt: skip


def describe_servers(notice: TableCode) -> list[str]:
    if not notice.relay:
        return [
            _("The others type the code wherever they are. {mailbox} introduces them; the game "
              "goes directly to this machine.", mailbox=notice.mailbox),
        ]  # fmt: skip
    return [
        _("The others type the code wherever they are. {mailbox} introduces them; where no direct "
          "way is found, {relay} carries sealed bytes.",
          mailbox=notice.mailbox, relay=notice.relay),
    ]  # fmt: skip


def describe_code_help(notice: TableCode) -> str:
    return _("code: make another code. In digits, yours is {code}.", code=notice.in_numbers)


def describe_asking(notice: AskingByCode) -> str:
    number = str(notice.number)  # in the digits of the code, which is compared with a screen
    if notice.is_played:
        waiting = _("A game is on at {number}. You get a seat when the next one is opened; "
                    "waiting …", number=number)  # fmt: skip
        return f"{waiting} {wing().say(Hint.GAME_IS_ON)}".rstrip()
    if notice.is_again:
        return _("Nobody answers at {number} yet; asking again …", number=number)
    return _("Asking {mailbox} for the table at {number} …",
             mailbox=notice.mailbox, number=number)  # fmt: skip


def describe_bad_code(fault: BadCode) -> str:
    match fault.fault:
        case CodeFault.FORM:
            return _("A code is a number of four digits and two words, such as "
                     "7412-balloon-brook.")  # fmt: skip
        case CodeFault.UNKNOWN if fault.nearest:
            return _("{word} is not a word of a code. The nearest one is {nearest}.",
                     word=fault.word, nearest=fault.nearest)  # fmt: skip
        case CodeFault.UNKNOWN:
            return _("{word} is not a word of a code; their numbers go from 1 to 2048.",
                     word=fault.word)  # fmt: skip
        case CodeFault.SHORT:
            return _("Several words begin with {word}, such as {nearest}. Type more of it.",
                     word=fault.word, nearest=fault.nearest)  # fmt: skip
        case _:
            assert_never(fault.fault)
