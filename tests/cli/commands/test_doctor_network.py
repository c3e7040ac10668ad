"""`kotp2p doctor network` and `--peer`: each fact has words, and a problem says what to do."""

from __future__ import annotations

import pytest

from kotp2p.cli.extras.doctor_network import (
    OURS,
    is_answer,
    judge_address,
    judge_door,
    judge_firewall,
    judge_multicast,
    judge_refusal,
    judge_version,
    make_question,
    no_address,
    no_answer,
    refused,
)
from kotp2p.cli.extras.finding import Finding, Severity, sum_up
from kotp2p.cli.text.how_to_join import (
    Firewall,
    FirewallKind,
    NoAnswer,
    Verdict,
    WayThere,
)
from kotp2p.net.handshake import LinkFault, NotInvited, TableBusy
from kotp2p.wire.frames import Refusal, RefusalCode

CLOSED = Refusal(RefusalCode.CLOSED, 1, 1, "the game has begun")
FINE = [
    judge_address("eth0", "192.168.1.20"),
    judge_address("docker0", "172.17.0.1"),
    judge_address("wan0", "203.0.113.5"),
    judge_multicast("eth0", is_heard=True, others=2),
    judge_multicast("eth0", is_heard=True),
    judge_version(OURS),
]
NOTES = [judge_door(NotInvited()), judge_door(TableBusy()), judge_refusal(CLOSED)]
PROBLEMS = [
    no_address(),
    judge_multicast("eth0"),
    judge_multicast("eth0", fault="Address already in use"),
    refused("kitchen", 4242),
    *(no_answer(why, "kitchen", 4242, WayThere("eth0")) for why in NoAnswer),
    judge_door(LinkFault()),
    judge_version("99.1"),
    judge_version("0.9"),
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


@pytest.mark.parametrize(
    ("verdict", "mark"),
    [
        (Verdict.OFF, "ok:"), (Verdict.ALLOWS, "ok:"), (Verdict.UNREADABLE, "note:"),
        (Verdict.BLOCKS, "PROBLEM:"),
    ],
)  # fmt: skip
def test_a_firewall_that_blocks_names_the_command_that_opens_it(
    verdict: Verdict, mark: str
) -> None:
    line = judge_firewall(Firewall(FirewallKind.UFW, verdict), 4242).line()
    assert line.startswith(mark)
    assert ("sudo ufw allow 4242/tcp" in line) == (mark != "ok:")


def test_the_older_program_is_to_be_updated() -> None:
    assert judge_version("99.1").todo == "Update kotp2p on this machine."
    assert judge_version("0.9").todo == "Ask the host to update kotp2p."
    refusal = Refusal(RefusalCode.VERSION, 99, 1, "")
    assert judge_refusal(refusal) == judge_version("99.1")


def test_only_problems_are_counted() -> None:
    assert sum_up([*FINE, *NOTES]) == "Nothing that was looked at stands in the way."
    assert sum_up([*FINE, no_address()]) == "1 thing stands in the way."


def test_a_question_is_no_answer() -> None:
    question = make_question(("doctor-00._kotp2p._tcp.local",))
    assert question[12:].startswith(b"\x09doctor-00\x07_kotp2p")
    assert not is_answer(question)
    assert is_answer(b"\0\0\x84" + question[3:])
    assert not is_answer(b"\0\0\x84")
