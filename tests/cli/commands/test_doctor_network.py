"""`kotp2p doctor network` and `--peer`: each fact has words, and a problem says what to do."""

import pytest

from kotp2p.cli.extras.doctor import network
from kotp2p.cli.extras.doctor.finding import Finding, Severity, sum_up
from kotp2p.seams.endings import Ending, EndKind

TARGET = network.Target("kitchen", 4242)
FINE = [
    network.judge_address("eth0", "192.168.1.20"),
    network.judge_address("docker0", "172.17.0.1"),
    network.judge_address("wan0", "44.128.0.5"),
    network.judge_multicast("eth0", is_heard=True),
]
NOTES = [
    network.judge_ending(Ending(kind, ""), TARGET)
    for kind in (EndKind.NOT_INVITED, EndKind.BUSY, EndKind.STARTED)
]
PROBLEMS = [
    network.no_address(),
    network.judge_multicast("eth0"),
    network.judge_multicast("eth0", fault="Address already in use"),
    *(network.judge_ending(Ending(kind, "9.1 6.1"), TARGET) for kind in network.WITHOUT_A_WAY),
]


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("192.168.1.20", False), ("169.254.7.1", False), ("fe80::1", False), ("100.64.0.7", False),
        ("44.128.0.5", True), ("2d00:77::1", True),
    ],
)  # fmt: skip
def test_only_an_address_that_anybody_can_dial_is_said_to_be_public(
    address: str, is_public: bool
) -> None:
    """Those of Tailscale, and of providers that masquerade, are not: 100.64.0.0/10."""
    assert ("It is public" in network.judge_address("eth0", address).line()) is is_public


def test_every_finding_is_said_differently() -> None:
    lines = [one.line() for one in (*FINE, *NOTES, *PROBLEMS)]
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("one", PROBLEMS, ids=lambda one: one.what)
def test_what_stands_in_the_way_says_whether_it_matters_and_what_to_do(one: Finding) -> None:
    assert one.severity is Severity.PROBLEM
    assert one.what
    assert one.todo
    assert one.line().startswith("PROBLEM: ")


def test_the_severity_is_said_in_words() -> None:
    assert {one.line().split()[0] for one in FINE} == {"ok:"}
    assert {one.line().split()[0] for one in NOTES} == {"note:"}


def test_only_problems_are_counted() -> None:
    assert sum_up([*FINE, *NOTES]) == "Nothing that was looked at stands in the way."
    assert sum_up([*FINE, network.no_address()]) == "1 thing stands in the way."
