"""Tables found without an address: in networks that the test makes, and on loopback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.machines import three_machines
from tests.support.processes import QUICK, finished, host
from tests.support.program import Program

TAKES_5353 = """
import socket, sys
for family, address in ((socket.AF_INET6, "::"), (socket.AF_INET, "0.0.0.0")):
    taken = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    taken.bind((address, 5353))
    globals()[address] = taken
print("taken", flush=True)
sys.stdin.read()
"""


def found(home: Path, **how: object) -> list[dict[str, object]]:
    program = Program(home, "2", module="tests.support.looking", **how)  # type: ignore[arg-type]
    assert program.wait() == 0
    tables: list[dict[str, object]] = json.loads(program.out[-1])
    return tables


@pytest.mark.usefixtures("loopback_alone")
def test_a_table_is_found_joined_and_gone_on_loopback(tmp_path: Path) -> None:
    only = "127.0.0.1"
    programs = [host(tmp_path / "ana", 3, lan=only, bot=QUICK)]
    programs[0].wait_for("may also type: kotp2p join")
    (table,) = found(tmp_path / "rex", lan=only)
    assert (table["host"], table["seats"], table["free"]) == ("ana", 3, 2)
    assert table["join"] == f"kotp2p join 127.0.0.1:{programs[0].port()}"
    assert table["numbers"] == []
    for name in ("rex", "mia"):
        programs.append(Program(tmp_path / name, "join", "--bot", QUICK, lan=only))
        programs[-1].wait_for(f"kotp2p join 127.0.0.1:{table['port']}")
        programs[-1].wait_for(f"{name}, .*you")
    programs[0].wait_for("The game begins")
    finished(programs)
    assert found(tmp_path / "rex", lan=only) == []


@pytest.mark.usefixtures("loopback_alone")
def test_ctrl_c_while_looking(tmp_path: Path) -> None:
    program = Program(tmp_path / "rex", "join", "--bot", "easy", lan="127.0.0.1")
    program.wait_for("Looking")
    program.interrupt()
    assert program.wait() == 130
    assert not any("Traceback" in line for line in program.lines)


def addresses(machines: list[str], family: str) -> None:
    """The machines have addresses of this family only."""
    for n, name in enumerate(machines, 1):
        words = ["addr", "add", f"fd77::{n}/64", "dev", "eth0", "nodad"]
        if family == "IPv6":
            subprocess.run(["ip", "-n", name, "-4", "addr", "flush", "dev", "eth0"], check=True)
            subprocess.run(["ip", "-n", name, *words], check=True)


@pytest.mark.netns
@pytest.mark.parametrize(
    ("family", "where"), [("IPv4", ("10.77.0.1", "10.77.0.2")), ("IPv6", ("fd77::1", "fd77::2"))]
)
def test_three_hosts_find_each_other(tmp_path: Path, family: str, where: tuple[str, str]) -> None:
    with three_machines() as machines:
        addresses(machines, family)
        inside = [("ip", "netns", "exec", machine) for machine in machines]
        ana = Program(
            tmp_path / "ana", "host", "--bot", "easy", "--players", "2",
            before=inside[0], lan=None,
        )  # fmt: skip
        ben = Program(
            tmp_path / "ben", "host", "--bot", "easy", "--players", "3",
            before=inside[1], lan=None,
        )  # fmt: skip
        for keeper in (ana, ben):
            keeper.wait_for("may also type: kotp2p join")
        tables = found(tmp_path / "rex", before=inside[2], lan=None)
        assert [(t["host"], t["join"]) for t in tables] == [
            ("ana", f"kotp2p join {where[0]}"), ("ben", f"kotp2p join {where[1]}"),
        ]  # fmt: skip
        several = Program(tmp_path / "rex", "join", "--bot", "easy", before=inside[2], lan=None)
        assert several.wait() == 2
        ben.kill()  # says no goodbye: its record fades, and it is not among those who answer
        ben.wait()
        rex = Program(tmp_path / "rex", "join", "--bot", "easy", before=inside[2], lan=None)
        finished([ana, rex])
        assert found(tmp_path / "rex", before=inside[2], lan=None) == []


@pytest.mark.netns
def test_machines_on_one_cable_play_by_their_link_local_addresses_of_ipv6(tmp_path: Path) -> None:
    """One types what the host shows, which names no interface; the other one finds the table."""
    with three_machines() as machines:
        for name in machines:
            subprocess.run(["ip", "-n", name, "-4", "addr", "flush", "dev", "eth0"], check=True)
        near, far, other = [("ip", "netns", "exec", machine) for machine in machines]
        ana = Program(
            tmp_path / "ana", "host", "--bot", QUICK, "--players", "3", before=near, lan=None
        )
        shown = ana.wait_for("kotp2p join (fe80::[0-9a-f:]+)$")[1]
        ana.wait_for("may also type: kotp2p join")
        (table,) = found(tmp_path / "mia", before=other, lan=None)
        assert table["join"] == f"kotp2p join {shown}%eth0"
        rex = Program(
            tmp_path / "rex", "join", shown, "--bot", QUICK, "--debug", "lines", before=far
        )
        mia = Program(tmp_path / "mia", "join", "--bot", QUICK, before=other, lan=None)
        mia.wait_for(f"kotp2p join {shown}%eth0$")
        finished([ana, rex, mia])
        # The guests have found a way to each other, too.
        assert (tmp_path / "rex" / "lines").read_text().count(" is of P") > 1


@pytest.mark.netns
def test_multicast_that_is_not_permitted_is_one_line(tmp_path: Path) -> None:
    with three_machines() as machines:
        inside = [("ip", "netns", "exec", machine) for machine in machines]
        other = subprocess.Popen(
            [*inside[0], sys.executable, "-c", TAKES_5353],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == "taken\n"
        ana = Program(
            tmp_path / "ana", "host", "--bot", "easy", "--players", "2",
            before=inside[0], lan=None,
        )  # fmt: skip
        ana.wait_for(r"cannot be announced on this network \(Address already in use\)")
        looks = Program(tmp_path / "mia", "join", "--bot", "easy", before=inside[0], lan=None)
        assert looks.wait() == 8
        rex = Program(tmp_path / "rex", "join", "10.77.0.1", "--bot", "easy", before=inside[1])
        finished([ana, rex])
        assert not any("Traceback" in line for line in (*ana.lines, *looks.lines))
        other.communicate("")
