"""`kotp2p doctor network` and `--peer`: each fact has words, and a problem says what to do."""

from __future__ import annotations

import pytest

from kotp2p.cli.extras import doctor_network
from kotp2p.cli.extras.finding import Finding, Severity, sum_up
from kotp2p.cli.text.how_to_join import FirewallKind, NoAnswer, WayThere
from kotp2p.net.handshake import LinkFault, NotInvited, TableBusy
from kotp2p.wire.frames import Refusal, RefusalCode

CLOSED = Refusal(RefusalCode.CLOSED, 1, 1, "the game has begun")
FINE = [
    doctor_network.judge_address("eth0", "192.168.1.20"),
    doctor_network.judge_address("docker0", "172.17.0.1"),
    doctor_network.judge_address("wan0", "203.0.113.5"),
    doctor_network.judge_multicast("eth0", is_heard=True, others=2),
    doctor_network.judge_multicast("eth0", is_heard=True),
    doctor_network.judge_version(doctor_network.OURS),
]
NOTES = [
    doctor_network.judge_door(NotInvited()),
    doctor_network.judge_door(TableBusy()),
    doctor_network.judge_refusal(CLOSED),
]
PROBLEMS = [
    doctor_network.no_address(),
    doctor_network.judge_multicast("eth0"),
    doctor_network.judge_multicast("eth0", fault="Address already in use"),
    doctor_network.refused("kitchen", 4242),
    *(doctor_network.no_answer(why, "kitchen", 4242, WayThere("eth0")) for why in NoAnswer),
    doctor_network.judge_door(LinkFault()),
    doctor_network.judge_version("99.1"),
    doctor_network.judge_version("0.9"),
]


def test_every_finding_is_said_differently() -> None:
    lines = [one.line() for one in (*FINE, *NOTES, *PROBLEMS)]
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("one", PROBLEMS, ids=lambda one: one.what)
def test_what_stands_in_the_way_says_whether_it_matters_and_what_to_do(one: Finding) -> None:
    assert one.severity is Severity.PROBLEM
    assert one.what
    assert one.matters
    assert one.todo
    assert one.line().startswith("PROBLEM: ")


def test_the_severity_is_said_in_words() -> None:
    assert {one.line().split()[0] for one in FINE} == {"ok:"}
    assert {one.line().split()[0] for one in NOTES} == {"note:"}


def test_each_firewall_has_a_command_for_the_port() -> None:
    said = {doctor_network.tell_firewall(kind, 4243).line() for kind in FirewallKind}
    assert len(said) == len(FirewallKind)
    assert all(line.startswith("note:") for line in said)
    assert all("4243" in line or "python" in line for line in said)
    assert doctor_network.tell_firewall(None, 4243).severity is Severity.OK


def test_the_older_program_is_to_be_updated() -> None:
    assert doctor_network.judge_version("99.1").todo == "Update kotp2p on this machine."
    assert doctor_network.judge_version("0.9").todo == "Ask the host to update kotp2p."
    refusal = Refusal(RefusalCode.VERSION, 99, 1, "")
    assert doctor_network.judge_refusal(refusal) == doctor_network.judge_version("99.1")


def test_only_problems_are_counted() -> None:
    assert sum_up([*FINE, *NOTES]) == "Nothing that was looked at stands in the way."
    assert sum_up([*FINE, doctor_network.no_address()]) == "1 thing stands in the way."


def test_a_question_is_no_answer() -> None:
    question = doctor_network.make_question(("doctor-00._kotp2p._tcp.local",))
    assert question[12:].startswith(b"\x09doctor-00\x07_kotp2p")
    assert not doctor_network.is_answer(question)
    assert doctor_network.is_answer(b"\0\0\x84" + question[3:])
    assert not doctor_network.is_answer(b"\0\0\x84")
