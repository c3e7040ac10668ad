"""Tables across routers: players whom nobody can dial, players who can dial nobody, and a host
whose address changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.networks import (
    HAS_NFT,
    INTERNET,
    LETS_OUT,
    NO_NFT,
    Machine,
    Networks,
    networks,
)
from tests.support.processes import finished, guest, host
from tests.support.program import Program

pytestmark = [pytest.mark.netns, pytest.mark.skipif(not HAS_NFT, reason=NO_NFT)]

HOST, FRIEND, MOVED = f"{INTERNET}.1", f"{INTERNET}.2", f"{INTERNET}.7"


def at_home(net: Networks, number: int, *forwarded: str) -> Machine:
    """A machine behind a router that hides it."""
    net.router(f"{INTERNET}.{10 + number}", f"192.168.{number}.1", *forwarded or (LETS_OUT,))
    return net.machine(f"192.168.{number}.20", f"192.168.{number}.1")


def open_table(home: Path, machine: Machine, players: int, *words: str) -> tuple[Program, int]:
    """A host in the internet, and its port."""
    program = host(home, players, *words, before=machine.inside)
    return program, program.port()


def test_a_guest_that_nobody_can_dial_and_one_that_can_dial_nobody_play_at_one_table(
    tmp_path: Path,
) -> None:
    """The first one is behind a router. So is the second, and that router lets out connections to
    the host alone. The two reach each other through the host, the fourth player only one of them.
    """
    with networks() as net:
        public, friend, hidden = net.machine(HOST), net.machine(FRIEND), at_home(net, 1)
        shut_in = at_home(net, 2, f"ip daddr {HOST} accept")
        ana, port = open_table(tmp_path / "ana", public, 4)
        programs = [ana]
        for name, machine in (("rex", hidden), ("mia", shut_in), ("lena", friend)):
            programs.append(guest(tmp_path / name, HOST, port, before=machine.inside))
        reports = finished(programs)
        assert reports[0].confirmed_by == (0, 1, 2, 3)


def test_a_host_whose_address_changes_finds_a_guest_who_tells_it_to_the_others(
    tmp_path: Path,
) -> None:
    """Nobody can dial the other guest, and the old address has answered nobody since."""
    with networks() as net:
        public, friend, hidden = net.machine(HOST), net.machine(FRIEND), at_home(net, 1)
        ana, port = open_table(tmp_path / "ana", public, 3)
        rex = guest(tmp_path / "rex", HOST, port, before=hidden.inside)
        mia = guest(tmp_path / "mia", HOST, port, before=friend.inside)
        rex.wait_for("^Turn 2,")
        public.move(HOST, MOVED)
        assert not any(line.startswith("Log:") for line in rex.lines)  # the game is not over
        finished([ana, rex, mia])


def test_a_host_whose_address_changes_is_found_again_by_the_name_that_was_typed(
    tmp_path: Path,
) -> None:
    """No guest can be dialled. A name is looked up anew each time."""
    with networks() as net:
        public, first, second = net.machine(HOST), at_home(net, 1), at_home(net, 2)
        for machine in (first, second):
            machine.know_name("ana.example", HOST)
        ana = host(tmp_path / "ana", 3, "--invite-only", before=public.inside)
        link = ana.wait_for(r"kotp2p://[^/]+/\w+").group(0)
        link = link.replace(HOST, "ana.example")
        join = ("join", link, "--bot", "normal")
        rex = Program(tmp_path / "rex", *join, before=first.inside)
        mia = Program(tmp_path / "mia", *join, before=second.inside)
        rex.wait_for("^Turn 2,")
        public.move(HOST, MOVED)
        for machine in (first, second):
            machine.know_name("ana.example", MOVED)
        assert not any(line.startswith("Log:") for line in rex.lines)
        finished([ana, rex, mia])
