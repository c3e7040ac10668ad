"""Tables over IPv6: on one machine, in a network without IPv4, and by a public address."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.networks import IPV6_INTERNET, networks
from tests.support.processes import QUICK, finished, host
from tests.support.program import Program

ANA, REX = "fd77::1", "fd77::2"
AT_HOME, PUBLIC, FRIEND = "192.168.1.20", f"{IPV6_INTERNET}::1", f"{IPV6_INTERNET}::2"
COMMAND = r"kotp2p join (\[[0-9a-f:]+\]:\d+)$"
LINK = r"kotp2p://(\S+)/\w+"


def join_as_shown(folder: Path, target: str, before: tuple[str, ...] = ()) -> Program:
    return Program(folder / "rex", "join", target, "--bot", QUICK, before=before)


def test_two_processes_on_the_loopback_address_of_ipv6(tmp_path: Path) -> None:
    ana = host(tmp_path / "ana", 2, "--bind", "::1", bot=QUICK)
    target = ana.wait_for(COMMAND)[1]
    assert target == f"[::1]:{ana.port()}"
    finished([ana, join_as_shown(tmp_path, target)])


@pytest.mark.netns
@pytest.mark.parametrize("words", [(), ("--invite-only",)], ids=["open", "invited"])
def test_machines_without_ipv4_play_by_what_the_host_shows(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    with networks() as net:
        near, far = net.machine(ANA, prefix=64), net.machine(REX, prefix=64)
        ana = host(tmp_path / "ana", 2, *words, bot=QUICK, before=near.inside)
        target = ana.wait_for(LINK)[0] if words else ana.wait_for(COMMAND)[1]
        assert f"[{ANA}]:" in target
        finished([ana, join_as_shown(tmp_path, target, far.inside)])


@pytest.mark.netns
def test_an_invitation_from_home_names_the_public_address_first(tmp_path: Path) -> None:
    """No router of IPv4 answers, so the friend can use nothing else."""
    pytest.importorskip("miniupnpc", reason="there is no kotp2p[router] here")
    with networks() as net:
        home, friend = net.machine(AT_HOME), net.machine(FRIEND, prefix=64)
        net.add_address(home, PUBLIC)
        words = ("--open-router", "--invite-only")
        ana = host(tmp_path / "ana", 2, *words, bot=QUICK, before=home.inside)
        link = ana.wait_for(LINK)
        assert link[1].rpartition(":")[0] == f"[{PUBLIC}],{AT_HOME}"
        finished([ana, join_as_shown(tmp_path, link[0], friend.inside)])
