"""What the rules of nftables do to a TCP port: a careful reading of `nft -j list ruleset`.

Known limitation: a rule with a condition that is not understood here is passed over, so the answer
is what the rules seem to say. Named sets are not looked up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Item: TypeAlias = Mapping[str, Any]
ChainName: TypeAlias = tuple[str, str, str]
MAX_JUMPS = 20
_NEUTRAL_KEYS = ("l4proto", "nfproto", "protocol")


def judge_nft_rules(items: Sequence[Item], port: int) -> bool | None:
    """Whether a new connection to the port comes in; None if nothing is filtered."""
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
    """True: let in; False: kept out; None: the chain does not say."""
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
    """Whether the rule names this port (None: it names none), and whether it asks for more."""
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
    """A condition that every new TCP connection fulfils."""
    meta, payload = left.get("meta") or {}, left.get("payload") or {}
    if meta.get("key") in _NEUTRAL_KEYS or payload.get("field") in _NEUTRAL_KEYS:
        return _holds(right, "tcp") or right in (6, "ipv4", "ipv6")
    if (left.get("ct") or {}).get("key") == "state":
        return _holds(right, "new")
    return False


def _holds(right: Any, wanted: int | str) -> bool:
    """Whether the right side of a match is, or contains, the value."""
    if isinstance(right, Mapping):
        if "range" in right and isinstance(wanted, int):
            low, high = right["range"]
            return isinstance(low, int) and isinstance(high, int) and low <= wanted <= high
        right = right.get("set", [])
    if isinstance(right, list):
        return any(_holds(one, wanted) for one in right)
    return bool(right == wanted)
