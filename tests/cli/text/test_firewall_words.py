"""What the firewalls' own programs print, and what follows for one port."""

import json

import pytest

from kotp2p.cli.text.how_to_join import (
    FirewallKind,
    Verdict,
    judge_firewalld,
    judge_nftables,
    judge_ufw,
    opening_command,
)

UFW = """\
Status: active
Logging: on (low)
Default: {default} (incoming), allow (outgoing), disabled (routed)
New profiles: skip

To                         Action      From
--                         ------      ----
22/tcp                     ALLOW IN    Anywhere
{rules}
4242/udp                   ALLOW IN    Anywhere
"""


@pytest.mark.parametrize(
    ("default", "rules", "verdict"),
    [
        ("deny", "", Verdict.BLOCKS),
        ("allow", "", Verdict.ALLOWS),
        ("deny", "4242/tcp                   ALLOW IN    192.168.1.0/24", Verdict.ALLOWS),
        ("deny", "4242/tcp (v6)              ALLOW IN    Anywhere (v6)", Verdict.ALLOWS),
        ("deny", "4000:4300/tcp              LIMIT IN    Anywhere", Verdict.ALLOWS),
        ("deny", "4242                       ALLOW OUT   Anywhere", Verdict.BLOCKS),
        ("allow", "4242 on eth0               DENY IN     Anywhere", Verdict.BLOCKS),
        ("deny", "Anywhere                   ALLOW IN    192.168.1.0/24", Verdict.ALLOWS),
    ],
)
def test_the_first_rule_of_ufw_that_fits_decides(
    default: str, rules: str, verdict: Verdict
) -> None:
    assert judge_ufw(UFW.format(default=default, rules=rules), 4242) is verdict


def test_ufw_that_is_off_keeps_nothing_out() -> None:
    assert judge_ufw("Status: inactive\n", 4242) is Verdict.OFF


@pytest.mark.parametrize(
    ("target", "ports", "verdict"),
    [
        ("default", "", Verdict.BLOCKS),
        ("default", "4242/udp", Verdict.BLOCKS),
        ("default", "80/tcp 4242/tcp", Verdict.ALLOWS),
        ("default", "1025-65535/udp 1025-65535/tcp", Verdict.ALLOWS),
        ("ACCEPT", "", Verdict.ALLOWS),
    ],
)
def test_a_zone_of_firewalld_names_its_open_ports(
    target: str, ports: str, verdict: Verdict
) -> None:
    zone = (
        f"public (active)\n  target: {target}\n  services: ssh\n  ports: {ports}\n  masquerade: no"
    )
    assert judge_firewalld(zone, 4242) is verdict


def nft(policy: str, *rules: list[object], inner: tuple[list[object], ...] = ()) -> str:
    base = {"family": "inet", "table": "f"}
    items: list[object] = [
        {"metainfo": {"json_schema_version": 1}},
        {"chain": {**base, "name": "input", "hook": "input", "policy": policy}},
        {"chain": {**base, "name": "inner"}},
        *({"rule": {**base, "chain": "input", "expr": rule}} for rule in rules),
        *({"rule": {**base, "chain": "inner", "expr": rule}} for rule in inner),
    ]
    return json.dumps({"nftables": items})


def match(left: object, right: object) -> object:
    return {"match": {"op": "==", "left": left, "right": right}}


def dport(right: object) -> object:
    return match({"payload": {"protocol": "tcp", "field": "dport"}}, right)


ACCEPT, DROP, JUMP = {"accept": None}, {"drop": None}, {"jump": {"target": "inner"}}
KNOWN = match({"ct": {"key": "state"}}, {"set": ["established", "related"]})
NEW = match({"ct": {"key": "state"}}, "new")
LOOPBACK = match({"meta": {"key": "iif"}}, "lo")


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        (nft("accept"), Verdict.ALLOWS),
        (nft("drop"), Verdict.BLOCKS),
        (nft("drop", [KNOWN, ACCEPT], [LOOPBACK, ACCEPT]), Verdict.BLOCKS),
        (nft("drop", [dport({"set": [22, {"range": [80, 90]}]}), ACCEPT]), Verdict.BLOCKS),
        (nft("drop", [dport({"set": [22, {"range": [4000, 4300]}]}), ACCEPT]), Verdict.ALLOWS),
        (nft("drop", [NEW, dport(4242), {"counter": {}}, ACCEPT]), Verdict.ALLOWS),
        (nft("accept", [dport(4242), DROP]), Verdict.BLOCKS),
        (nft("accept", [dport(4243), DROP]), Verdict.ALLOWS),
        (nft("accept", [LOOPBACK, DROP]), Verdict.ALLOWS),
        (nft("accept", [{"reject": None}]), Verdict.BLOCKS),
        (nft("drop", [JUMP], inner=([dport(4242), ACCEPT],)), Verdict.ALLOWS),
        (nft("drop", [JUMP], inner=([JUMP],)), Verdict.BLOCKS),
        (json.dumps({"nftables": []}), Verdict.OFF),
    ],
)
def test_the_rules_of_nftables_are_read_in_order(rules: str, verdict: Verdict) -> None:
    assert judge_nftables(rules, 4242) is verdict


def test_what_is_no_set_of_rules_is_refused() -> None:
    for text in ("", "[]", '{"nftables": 1}'):
        with pytest.raises(ValueError):
            judge_nftables(text, 4242)


def test_each_firewall_has_a_command_for_the_port() -> None:
    said = {opening_command(kind, 4243, "/usr/bin/python3") for kind in FirewallKind}
    assert len(said) == len(FirewallKind)
    assert all("4243" in one or "python3" in one for one in said)
