"""Findings of `kotp2p doctor`: what stands in the way says what to do."""

import pytest

from cli.system.multicast import is_answer, make_question
from cli.text import findings
from cli.text.findings import Finding, PortUse, Weight
from cli.text.firewall_words import Firewall, FirewallKind, Verdict

ALL = [
    findings.find_address("eth0", "192.168.1.20", is_bridge=False, is_private=True),
    findings.find_address("docker0", "172.17.0.1", is_bridge=True, is_private=True),
    findings.find_address("wan0", "203.0.113.5", is_bridge=False, is_private=False),
    findings.find_no_address(),
    *(findings.find_port(4242, use) for use in PortUse),
    *(
        findings.find_firewall(Firewall(FirewallKind.UFW, verdict), 4242, "/usr/bin/python3")
        for verdict in Verdict
    ),
    findings.find_firewall(None, 4242, "/usr/bin/python3"),
    findings.find_multicast("eth0", is_heard=True, others=2),
    findings.find_multicast("eth0", is_heard=True, others=0),
    findings.find_multicast("eth0", is_heard=False, others=0),
    findings.find_multicast("eth0", is_heard=False, others=0, fault="Address already in use"),
    findings.find_route("kitchen", "eth0", "192.168.1.20"),
    findings.find_route("kitchen", "", ""),
    findings.find_unknown_name("kitchen"),
    findings.find_tcp("kitchen", 4242),
    findings.find_refused_tcp("kitchen", 4242),
    findings.find_tls(is_ours=True),
    findings.find_tls(is_ours=False),
    findings.find_tls(is_ours=True, is_closed=True),
    findings.find_busy(),
    findings.find_version("5.2", "5.2"),
    findings.find_version("6.1", "5.2"),
    findings.find_version("4.9", "5.2"),
    findings.find_closed_door("the game has begun"),
]


def test_every_finding_is_said_differently() -> None:
    assert len({one.line() for one in ALL}) == len(ALL)


@pytest.mark.parametrize("one", [f for f in ALL if f.weight is Weight.OBSTACLE])
def test_what_stands_in_the_way_says_whether_it_matters_and_what_to_do(one: Finding) -> None:
    assert one.what
    assert one.matters
    assert one.todo
    assert one.line().startswith("PROBLEM: ")


def test_the_weight_is_said_in_words() -> None:
    assert {one.line().split()[0] for one in ALL} == {"ok:", "note:", "PROBLEM:"}


def test_the_older_program_is_to_be_updated() -> None:
    assert findings.find_version("6.1", "5.2").todo == "Update kotp2p on this machine."
    assert findings.find_version("4.9", "5.2").todo == "Ask the host to update kotp2p."


def test_only_obstacles_are_counted() -> None:
    fine = [one for one in ALL if one.weight is not Weight.OBSTACLE]
    assert findings.sum_up(fine) == "Nothing that was looked at stands in the way."
    assert findings.sum_up([*fine, findings.find_no_address()]) == "1 thing stands in the way."


def test_a_question_is_no_answer() -> None:
    question = make_question(("doctor-00._kotp2p._tcp.local",))
    assert question[12:].startswith(b"\x09doctor-00\x07_kotp2p")
    assert not is_answer(question)
    assert is_answer(b"\0\0\x84" + question[3:])
    assert not is_answer(b"\0\0\x84")
