"""How others reach a table: addresses, links, the network between, and what may block them.

Scope: sentences, and the reading of what a person has typed as an address or a link.
"""

from __future__ import annotations

import errno
import ipaddress
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias, assert_never

from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.program_words import Hint, typeable, wing
from kotp2p.net.invitation import BadLink, Invitation, fingerprint
from kotp2p.rendezvous.words import BadCode, Code, CodeFault, is_like_code, read_code
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import AskingByCode, CodeStep, TableCode, TableOpened
from kotp2p.wire.addresses import DEFAULT_PORT

# -- how to join ---------------------------------------------------------------------------
#
# How others reach a table that this player has opened: which addresses are shown, in which order,
# and the sentences around them.


_CONTAINER_PREFIXES = ("docker", "br-", "veth", "virbr", "lxc", "lxdbr", "podman", "cni")
"""Prefixes of interfaces that lead to containers and virtual machines here, and to no player."""

Interfaces = Mapping[str, str]
"""The interface of each own address, as far as it is known."""


def is_container_bridge(interface: str) -> bool:
    return interface.startswith(_CONTAINER_PREFIXES)


def choose_addresses(addresses: tuple[str, ...], interfaces: Interfaces) -> tuple[str, ...]:
    """Return the addresses worth showing, best first.

    Leave out those of a container bridge, unless there is nothing else, and keep one IPv6 address
    of each interface, as it often has several that come and go.
    """
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
    """Return the command that most players should type."""
    if notice.invitation:
        return f"kotp2p join {shlex.quote(notice.invitation)}"
    address = choose_addresses(notice.addresses, interfaces)[0]
    return f"kotp2p join {format_address(address, notice.port)}"


def other_commands(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    """Return a line for each of the other addresses, with its interface."""
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
    """Return one complete command a line, the best one first."""
    return [best_command(notice, interfaces), *other_commands(notice, interfaces)]


def describe_copy(command: str, *, is_copied: bool) -> str:
    if is_copied:
        return _(
            "For your friends, and in the clipboard if your terminal allows it: {command}",
            command=command,
        )
    return _("There is no terminal with a clipboard. For your friends: {command}", command=command)


def describe_rematch_access(
    notice: TableOpened, interfaces: Interfaces, code: TableCode | None = None
) -> list[str]:
    """Say how players of the last game whose program has ended can come back."""
    is_open = code is not None and code.step in (CodeStep.OPEN, CodeStep.MOVED)
    command = code_command(code.code) if code and is_open else best_command(notice, interfaces)
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
    """Return the command of watchers who have a link of their own, else an empty string."""
    link = notice.watch_invitation
    return f"kotp2p watch {shlex.quote(link)}" if link else ""


def describe_watching(notice: TableOpened, interfaces: Interfaces) -> list[str]:
    """Say how others can watch this table; empty if they cannot."""
    command = watch_command(notice)
    if not command and notice.most_watchers and not notice.invitation:
        address = choose_addresses(notice.addresses, interfaces)[0]
        command = f"kotp2p watch {format_address(address, notice.port)}"
    return [_("To watch, others type: {command}", command=command)] if command else []


def describe_empty_lobby(
    notice: TableOpened, interfaces: Interfaces, firewall: FirewallKind | None, program: str
) -> list[str]:
    """Say what may be wrong if no guest arrives for a while.

    `firewall` is the one that most likely runs here; `program` is the file that listens.
    """
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
_WORD = re.compile(r"[a-z]+")
_ROW_BREAK = re.compile(r"[ \t]*[\r\n]+[ \t]*")
"""A copied link may contain the break of a row of the screen."""
PHRASE_WORDS = 4
_COMMANDS = (["kotp2p", "join"], ["kotp2p", "watch"])


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port; raise BadAddress."""
    text = text.strip()
    if " " in text:
        raise BadAddress(_explain_words(text.split()))
    if text.startswith("["):
        inside, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise BadAddress(_("{text} is not an address; IPv6: [::1]:4243.", text=text))
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
        raise BadAddress(
            _(
                "This invitation is one to watch, by: {command}",
                command=typeable("kotp2p watch LINK"),
            )
        )
    raise BadAddress(
        _("This invitation is one to play. To watch, ask the host for the other link, which "
          "--watchers makes.")
    )  # fmt: skip


def parse_code(text: str) -> Code:
    """Parse a code; raise BadAddress."""
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
    """Return the address as it is typed after `join`, without the default port."""
    if port == DEFAULT_PORT:
        return address
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _explain_words(words: list[str]) -> str:
    """Explain why several words lead to no table."""
    place, port = words[0], words[1]
    if len(words) == 2 and port.isascii() and port.isdigit():
        where = f"[{place}]" if place.count(":") > 1 else place
        return _("The port stands behind the address with a colon: {address}",
                 address=f"{where}:{port}")  # fmt: skip
    if len(words) == 2 and all(map(_WORD.fullmatch, words)):
        return describe_bad_code(BadCode(CodeFault.FORM))
    if 2 < len(words) <= PHRASE_WORDS and all(map(_WORD.fullmatch, words)):
        return _("To go on with the game of a table phrase: {command}",
                 command=typeable(" ".join(["kotp2p resume", *words])))  # fmt: skip
    return _("{text} is not an address or the name of a machine.", text=" ".join(words))


def _ipv6(host: str, text: str) -> str:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        raise BadAddress(_("{text} is not an IPv6 address.", text=text)) from None
    return host


def _host(host: str, text: str) -> str:
    if re.fullmatch(r"[0-9.]+", host):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            raise BadAddress(
                _("{text} is not an IPv4 address; one looks like 192.168.1.20.", text=text)
            ) from None
        return host
    if not host.isascii():
        try:
            return host.encode("idna").decode("ascii")
        except UnicodeError:
            raise BadAddress(_("{text} is not the name of a machine.", text=text)) from None
    if not _NAME.fullmatch(host):
        raise BadAddress(_("{text} is not an address or the name of a machine.", text=text))
    return host


def _port(port: str, text: str) -> int:
    if not (port.isascii() and port.isdigit()) or not 1 <= int(port) <= 65535:
        raise BadAddress(_("The port in {text} must be a number from 1 to 65535.", text=text))
    return int(port)


# -- firewall words ------------------------------------------------------------------------
#
# Firewalls of this machine: what one does to a port, judged by what its own program prints, and the
# command that opens the port.


class FirewallKind(StrEnum):
    UFW = "ufw"
    FIREWALLD = "firewalld"
    NFTABLES = "nftables"
    WINDOWS = "Windows Defender Firewall"
    MACOS = "macOS firewall"


class Verdict(StrEnum):
    OFF = "off"
    ALLOWS = "allows"
    BLOCKS = "blocks"
    UNREADABLE = "unreadable"
    """It is there, and its rules need a password."""


@dataclass(frozen=True, slots=True)
class Firewall:
    kind: FirewallKind
    verdict: Verdict


def opening_command(kind: FirewallKind, port: int, program: str) -> str:
    """Return the command that opens the port; `program` is the file that listens."""
    match kind:
        case FirewallKind.UFW:
            return f"sudo ufw allow {port}/tcp"
        case FirewallKind.FIREWALLD:
            return f"sudo firewall-cmd --add-port={port}/tcp"
        case FirewallKind.NFTABLES:
            return f"sudo nft insert rule inet filter input tcp dport {port} accept"
        case FirewallKind.WINDOWS:
            return (
                'netsh advfirewall firewall add rule name="kotp2p" dir=in action=allow '
                f"protocol=TCP localport={port}"
            )
        case FirewallKind.MACOS:
            tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
            return f"sudo {tool} --unblockapp {shlex.quote(program)}"


_UFW_RULE = re.compile(r"(\S+)(?: \(v6\))?(?: on \S+)?\s+(ALLOW|LIMIT|DENY|REJECT)\b(?! OUT)")


def judge_ufw(status: str, port: int) -> Verdict:
    """Judge the output of `ufw status verbose`; the first rule that matches decides."""
    if "Status: active" not in status:
        return Verdict.OFF
    for line in status.splitlines():
        found = _UFW_RULE.match(line)
        if found and _names_port(found[1], port):
            return Verdict.ALLOWS if found[2] in ("ALLOW", "LIMIT") else Verdict.BLOCKS
    return Verdict.ALLOWS if "Default: allow (incoming)" in status else Verdict.BLOCKS


def judge_firewalld(zone: str, port: int) -> Verdict:
    """Judge the output of `firewall-cmd --list-all`."""
    lines = dict(re.findall(r"^ *([a-z-]+): *(.*)$", zone, re.MULTILINE))
    ports = str(lines.get("ports", "")).split()
    is_open = lines.get("target") == "ACCEPT" or any(_names_port(p, port) for p in ports)
    return Verdict.ALLOWS if is_open else Verdict.BLOCKS


def judge_nftables(ruleset: str, port: int) -> Verdict:
    """Judge the output of `nft -j list ruleset`; raise ValueError if it has another form."""
    document = json.loads(ruleset)
    if not isinstance(document, dict) or not isinstance(document.get("nftables"), list):
        raise ValueError("no rules of nft")
    is_open = judge_nft_rules(document["nftables"], port)
    if is_open is None:
        return Verdict.OFF
    return Verdict.ALLOWS if is_open else Verdict.BLOCKS


def _names_port(text: str, port: int) -> bool:
    """Return whether a rule such as 4242/tcp, 4000:5000/tcp, 80,4242 or Anywhere has the port."""
    ports, _slash, protocol = text.partition("/")
    if protocol not in ("", "tcp"):
        return False
    if ports == "Anywhere":
        return True
    for part in ports.split(","):
        low, _sign, high = part.replace("-", ":").partition(":")
        if low.isdigit() and (high or low).isdigit() and int(low) <= port <= int(high or low):
            return True
    return False


# -- nft rules -----------------------------------------------------------------------------
#
# What the rules of nftables do to a TCP port: a careful reading of `nft -j list ruleset`.
#
# Known limitation: a rule with a condition that is not understood here is skipped, so the answer is
# what the rules seem to say. Named sets are not looked up.


Item: TypeAlias = Mapping[str, Any]
ChainName: TypeAlias = tuple[str, str, str]
MAX_JUMPS = 20
_NEUTRAL_KEYS = ("l4proto", "nfproto", "protocol")


def judge_nft_rules(items: Sequence[Item], port: int) -> bool | None:
    """Return whether the rules accept a new connection; None if nothing is filtered."""
    rules: dict[ChainName, list[Item]] = {}
    bases: list[Item] = []
    for item in items:
        if chain := item.get("chain"):
            rules.setdefault(_chain_of(chain, "name"), [])
            bases += [chain] if chain.get("hook") == "input" else []
        elif rule := item.get("rule"):
            rules.setdefault(_chain_of(rule, "chain"), []).append(rule)
    if not bases:
        return None
    return all(_passes(base, rules, port) for base in bases)


def _chain_of(item: Item, key: str) -> ChainName:
    return str(item.get("family")), str(item.get("table")), str(item.get(key))


def _passes(base: Item, rules: Mapping[ChainName, list[Item]], port: int) -> bool:
    verdict = _walk(_chain_of(base, "name"), rules, port, MAX_JUMPS)
    return base.get("policy") != "drop" if verdict is None else verdict


def _walk(
    chain: ChainName, rules: Mapping[ChainName, list[Item]], port: int, jumps: int
) -> bool | None:
    """Return whether a chain accepts the connection, or None if it does not decide."""
    for rule in rules.get(chain, []):
        expressions = rule.get("expr") or []
        names_port, is_conditional = _conditions(expressions, port)
        if names_port is False:
            continue
        for expression in expressions:
            if "accept" in expression and (names_port or not is_conditional):
                return True
            if ("drop" in expression or "reject" in expression) and not is_conditional:
                return False
            leap = expression.get("jump") or expression.get("goto")
            if leap and not is_conditional and jumps:
                inner = _walk((*chain[:2], str(leap.get("target"))), rules, port, jumps - 1)
                if inner is not None:
                    return inner
    return None


def _conditions(expressions: Sequence[Item], port: int) -> tuple[bool | None, bool]:
    """Return whether the rule names this port (None: no port), and if it has other conditions."""
    names_port: bool | None = None
    is_conditional = False
    for match in (e["match"] for e in expressions if "match" in e):
        left, right = match.get("left") or {}, match.get("right")
        field = (left.get("payload") or {}).get("field") if isinstance(left, Mapping) else None
        if field == "dport":
            is_tcp = left["payload"].get("protocol") in ("tcp", "th")
            names_port = is_tcp and _holds(right, port) != (match.get("op") == "!=")
        elif not _is_neutral(left, right):
            is_conditional = True
    return names_port, is_conditional


def _is_neutral(left: Item, right: Any) -> bool:
    """Return whether every new TCP connection fulfils the condition."""
    meta, payload = left.get("meta") or {}, left.get("payload") or {}
    if meta.get("key") in _NEUTRAL_KEYS or payload.get("field") in _NEUTRAL_KEYS:
        return _holds(right, "tcp") or right in (6, "ipv4", "ipv6")
    if (left.get("ct") or {}).get("key") == "state":
        return _holds(right, "new")
    return False


def _holds(right: Any, wanted: int | str) -> bool:
    """Return whether the right side of a match is, or contains, the value."""
    if isinstance(right, Mapping):
        if "range" in right and isinstance(wanted, int):
            low, high = right["range"]
            return isinstance(low, int) and isinstance(high, int) and low <= wanted <= high
        right = right.get("set", [])
    if isinstance(right, list):
        return any(_holds(one, wanted) for one in right)
    return bool(right == wanted)


# -- why an address does not answer, and what a player can do about it ---------------------
#
# What a failed attempt to connect and this machine's own networks say together.


_NUMBER = re.compile(r"\[(?:Errno|WinError) (\d+)\]")
_NO_ROUTE = {errno.ENETUNREACH, errno.EHOSTUNREACH, 10051, 10065}
"""Also as Windows counts them."""
_FORBIDDEN_HERE = {errno.EACCES, errno.EPERM, 10013}


@dataclass(frozen=True, slots=True)
class WayThere:
    """What this machine knows of an address before anything is sent."""

    interface: str = ""
    """The own interface on the network of the address; empty if there is none."""
    has_neighbour: bool = False
    """Whether a machine has answered to the address below IP. False also where this system does not
    report it."""


ELSEWHERE = WayThere()


class NoAnswer(StrEnum):
    FORBIDDEN_HERE = "forbidden-here"
    """This machine does not let the connection out."""
    NO_ROUTE = "no-route"
    SILENT = "silent"
    """On another network, and nothing comes back."""
    NOBODY_NEAR = "nobody-near"
    """On an own network, where no machine answers to the address."""
    SILENT_NEAR = "silent-near"
    """On an own network, and nothing comes back."""
    TURNED_BACK = "turned-back"
    """On an own network: the machine is there, and says that the port is not for us."""


def judge_no_answer(detail: str, way: WayThere) -> NoAnswer:
    """Classify a failed connection.

    `detail` is the message of the operating system, or empty after a timeout.
    """
    found = _NUMBER.search(detail)
    number = int(found[1]) if found else 0
    if number in _FORBIDDEN_HERE:
        return NoAnswer.FORBIDDEN_HERE
    if not way.interface:
        return NoAnswer.NO_ROUTE if number in _NO_ROUTE else NoAnswer.SILENT
    if number not in _NO_ROUTE:
        return NoAnswer.SILENT_NEAR
    return NoAnswer.TURNED_BACK if way.has_neighbour else NoAnswer.NOBODY_NEAR


def describe_no_answer(kind: NoAnswer, host: str, port: int, way: WayThere) -> str:
    fields: dict[str, object] = {"host": host, "port": port, "interface": way.interface}
    match kind:
        case NoAnswer.FORBIDDEN_HERE:
            return _("This machine does not let a connection to {host} port {port} out.", **fields)
        case NoAnswer.NO_ROUTE:
            return _("There is no route from this machine to {host}.", **fields)
        case NoAnswer.SILENT:
            return _("Nobody answers at {host} port {port} (tried for 10 s).", **fields)
        case NoAnswer.NOBODY_NEAR:
            return _("{host} belongs to your own network ({interface}), but no machine there "
                     "answers to it.", **fields)  # fmt: skip
        case NoAnswer.SILENT_NEAR:
            return _("{host} is on your own network ({interface}), but nothing comes back from "
                     "port {port} (tried for 10 s).", **fields)  # fmt: skip
        case NoAnswer.TURNED_BACK:
            return _("The machine {host} is there, on your own network ({interface}), but its "
                     "firewall turns you back at port {port}.", **fields)  # fmt: skip


def advise_on_no_answer(kind: NoAnswer, port: int) -> str:
    """Say what to do after a failed connection."""
    match kind:
        case NoAnswer.FORBIDDEN_HERE:
            return _("Allow kotp2p to connect in this machine's firewall or security program, "
                     "then join again.")  # fmt: skip
        case NoAnswer.NO_ROUTE:
            return _("Connect to the network of the host (Wi-Fi, cable or VPN), or take another "
                     "address from the host's screen, then join again.")  # fmt: skip
        case NoAnswer.SILENT:
            return _("Compare the address with the host's screen, and ask the host to let TCP port "
                     "{port} through their firewall and router.", port=port)  # fmt: skip
        case NoAnswer.NOBODY_NEAR:
            return _("Compare the address with the host's screen, and wake that machine; if both "
                     "are right, the Wi-Fi keeps its devices apart, as guest Wi-Fi does: use the "
                     "main Wi-Fi, a cable or a phone's hotspot for both.")  # fmt: skip
        case NoAnswer.SILENT_NEAR:
            return _("Ask the host to let TCP port {port} through their firewall; if there is "
                     "none, the Wi-Fi keeps its devices apart, as guest Wi-Fi does: use the main "
                     "Wi-Fi, a cable or a phone's hotspot for both.", port=port)  # fmt: skip
        case NoAnswer.TURNED_BACK:
            return _("Ask the host to let TCP port {port} through their firewall, then join "
                     "again.", port=port)  # fmt: skip


def is_older(ours: str, theirs: str) -> bool:
    """Return whether this program has the lower version; both are PROTOCOL.RULES."""
    return _version(ours) < _version(theirs)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


# -- code words ----------------------------------------------------------------------------
#
# The code of a table as sentences: what to type, which servers it asks, and what is wrong with it.


KINDS = (
    EndKind.NO_MAILBOX, EndKind.NOBODY_AT_NUMBER, EndKind.WRONG_WORDS, EndKind.RELAY_GONE,
    EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES,
)  # fmt: skip
"""The endings of a run whose code has not led to a table."""


def code_command(code: str, word: str = "join") -> str:
    return f"kotp2p {word} {code}"


def describe_code(notice: TableCode) -> list[str]:
    """Describe the state of a code; the command of a working code is shown apart from it."""
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


def describe_servers(notice: TableCode) -> list[str]:
    """Say which servers a code uses, and for what."""
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
    if notice.is_played:
        return _("A game is on at {number}. You get a seat when the next one is opened; waiting …",
                 number=notice.number)  # fmt: skip
    if notice.is_again:
        return _("Nobody answers at {number} yet; asking again …", number=notice.number)
    return _("Asking {mailbox} for the table at {number} …",
             mailbox=notice.mailbox, number=notice.number)  # fmt: skip


def describe_bad_code(fault: BadCode) -> str:
    match fault.fault:
        case CodeFault.FORM:
            return _("A code is a number of four digits and two words, such as "
                     "7412-kangaroo-umbrella.")  # fmt: skip
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


def describe_code_ending(ending: Ending) -> list[str]:
    """Say why a code has not led to a table, and what to try; for the kinds in `KINDS`."""
    match ending.kind:
        case EndKind.NO_MAILBOX if not ending.detail:
            return [
                _("A code needs a server that introduces you, and your settings name none."),
                _("Set one, or join by the address: {command}",
                  command=typeable("kotp2p config set mailbox URL")),
            ]  # fmt: skip
        case EndKind.NO_MAILBOX:
            server, _colon, detail = ending.detail.partition(": ")
            return [
                _("The server that introduces you does not answer: {server} ({detail}).",
                  server=server, detail=detail),
                _("Check your connection to the internet and try again, or ask the host for the "
                  "address."),
            ]  # fmt: skip
        case EndKind.NOBODY_AT_NUMBER:
            return [
                _("Nobody answers at {number}.", number=ending.detail),
                _("Ask the host whether the number has changed, or the table is closed."),
            ]
        case EndKind.WRONG_WORDS:
            return [
                _("The words are not those of the table at {number}.", number=ending.detail),
                _("Compare both words with the host's screen, and their order."),
            ]
        case EndKind.RELAY_GONE:
            return [
                _("You were introduced to the table, but no direct way leads there, and the relay "
                  "does not answer: {detail}.", detail=ending.detail),
                _try_again(),
            ]  # fmt: skip
        case EndKind.RELAY_SILENT:
            return [
                _(
                    "You were introduced to the table, but no direct way leads there, and the host "
                    "did not come to the relay."
                ),
                _try_again(),
            ]
        case _:  # RELAY_REFUSES, the last of `KINDS`
            return [
                _("You were introduced to the table, but no direct way leads there, and the relay "
                  "carries nothing for you: {detail}.", detail=ending.detail),
                _("It may be full. Try again in a minute, or ask the host for the address."),
            ]  # fmt: skip


def _try_again() -> str:
    return _("Try again in a minute, or ask the host for the address.")
