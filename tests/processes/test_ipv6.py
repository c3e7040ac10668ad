"""Tables over IPv6: on one machine, and in a network without IPv4."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.machines import networks
from tests.support.processes import QUICK, finished, host
from tests.support.program import Program

ANA, REX = "fd77::1", "fd77::2"
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
