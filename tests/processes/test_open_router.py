"""`kotp2p host --open-router`, and `resume` with it, behind a real router program, miniupnpd, and
players elsewhere."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.networks import (
    HAS_UPNP,
    INTERNET,
    LETS_OUT,
    NO_UPNP,
    Machine,
    Networks,
    asked,
    networks,
    ports_of,
)
from tests.support.processes import finished, host
from tests.support.program import Program

pytestmark = [pytest.mark.netns, pytest.mark.skipif(not HAS_UPNP, reason=NO_UPNP)]

pytest.importorskip("miniupnpc", reason="there is no kotp2p[router] here")

ROUTER, FRIEND, AT_HOME = f"{INTERNET}.11", f"{INTERNET}.2", "192.168.1.20"
LINK = r"kotp2p://([^/]+)/\w+"


@contextmanager
def home(
    folder: Path, outer: str = ROUTER, *rules: str
) -> Iterator[tuple[Networks, Machine, Machine]]:
    """The networks, a router that can be asked, and a machine behind it."""
    with networks() as net:
        router = net.router(outer, "192.168.1.1", LETS_OUT)
        machine = net.machine(AT_HOME, "192.168.1.1")
        with asked(router, folder, *rules):
            yield net, router, machine


def open_table(folder: Path, machine: Machine, players: int, *words: str) -> Program:
    words = ("--open-router", *(words or ("--invite-only",)))
    return host(folder / "ana", players, *words, before=machine.inside)


def test_players_elsewhere_join_by_the_address_of_the_router_that_was_asked(
    tmp_path: Path,
) -> None:
    with home(tmp_path) as (net, router, machine):
        friend, neighbour = net.machine(FRIEND), net.machine("192.168.1.30", "192.168.1.1")
        ana = open_table(tmp_path, machine, 3)
        link = ana.wait_for(LINK)
        port = link[1].rpartition(":")[2]
        assert link[1] == f"{ROUTER}:{port}"
        assert ports_of(router) == [f"{AT_HOME}:{port}"]
        rex = Program(
            tmp_path / "rex", "join", link[0], "--bot", "normal", before=friend.inside
        )  # fmt: skip
        near = link[0].replace(ROUTER, AT_HOME)
        mia = Program(
            tmp_path / "mia", "join", near, "--bot", "normal", before=neighbour.inside
        )  # fmt: skip
        finished([ana, rex, mia])
        assert ports_of(router) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_program_that_is_stopped_closes_the_port(number: int, tmp_path: Path) -> None:
    with home(tmp_path) as (_net, router, machine):
        ana = open_table(tmp_path, machine, 2)
        ana.wait_for(LINK)
        assert ports_of(router)
        ana.stop(number)
        assert ana.wait() == 128 + number
        assert ports_of(router) == []


def test_a_router_that_refuses_is_not_the_end_of_the_table(tmp_path: Path) -> None:
    with home(tmp_path, ROUTER, "deny 0-65535 0.0.0.0/0 0-65535") as (_net, router, machine):
        ana = open_table(tmp_path, machine, 2)
        ana.wait_for("The router refuses")
        assert ana.wait_for(LINK)[1].startswith(AT_HOME)
        assert ports_of(router) == []
        ana.stop(signal.SIGTERM)
        ana.wait()


def test_a_router_behind_a_carriers_nat_has_no_public_address(tmp_path: Path) -> None:
    with home(tmp_path, "100.64.0.5") as (_net, router, machine):
        ana = open_table(tmp_path, machine, 2)
        ana.wait_for("The router has no public address")
        assert ana.wait_for(LINK)[1].startswith(AT_HOME)
        assert ports_of(router) == []
        ana.stop(signal.SIGTERM)
        ana.wait()


def test_where_no_router_answers_the_player_is_told_so(tmp_path: Path) -> None:
    with networks() as net:
        net.router(ROUTER, "192.168.1.1", LETS_OUT)
        ana = open_table(tmp_path, net.machine(AT_HOME, "192.168.1.1"), 2)
        ana.wait_for("No router answers here")
        ana.wait_for(LINK)
        ana.stop(signal.SIGTERM)
        ana.wait()


def test_one_who_insists_opens_the_table_to_the_whole_internet(tmp_path: Path) -> None:
    with home(tmp_path) as (net, _router, machine):
        friend = net.machine(FRIEND)
        ana = open_table(tmp_path, machine, 2, "--open-to-all")
        shown = ana.wait_for(r"kotp2p join (\S+)")[1]
        assert shown.startswith(ROUTER)
        rex = Program(tmp_path / "rex", "join", shown, "--bot", "normal", before=friend.inside)
        finished([ana, rex])


def test_a_host_who_resumes_asks_the_router_again(tmp_path: Path) -> None:
    with home(tmp_path) as (net, router, machine):
        friend = net.machine(FRIEND)
        ana = open_table(tmp_path, machine, 2)
        link = ana.wait_for(LINK)[0]
        rex = Program(tmp_path / "rex", "join", link, "--bot", "normal", before=friend.inside)
        rex.wait_for("^Turn 3,")
        for one in (rex, ana):
            one.stop(signal.SIGTERM)
            one.wait()
        assert ports_of(router) == []
        again = ("resume", "--bot", "normal")
        ana = Program(tmp_path / "ana", *again, "--open-router", before=machine.inside)
        ana.wait_for("nobody but the players of this game")
        shown = ana.wait_for(r"kotp2p resume --peer (\S+)")[1]
        port = shown.rpartition(":")[2]
        assert shown == f"{ROUTER}:{port}"
        assert ports_of(router) == [f"{AT_HOME}:{port}"]
        rex = Program(tmp_path / "rex", *again, "--peer", shown, before=friend.inside)
        finished([ana, rex])
        assert ports_of(router) == []
