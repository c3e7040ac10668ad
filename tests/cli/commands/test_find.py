"""`join` and `watch` without an address or by a table's name, on a network in memory."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
import trio

import kotp2p.cli.commands.join
import kotp2p.cli.extras.watch
from kotp2p.cli.commands.person import Person
from kotp2p.net import lan
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import LanTrouble, World
from kotp2p.shell.find_host import TableAddress
from kotp2p.wire.addresses import FoundTable, Poster
from tests.support.command_line import run

POSTER = Poster("Ana", "second", 6, 4, 4242)
ANA = FoundTable(POSTER, ("192.168.1.20", "fd00::20"))
BEN = FoundTable(replace(POSTER, host="Ben", port=4243, free=1), ("fd00::21",))
FULL = FoundTable(replace(POSTER, host="Full", free=0), ("192.168.1.22",))
BEGINS = FoundTable(replace(POSTER, host="Begins", open=False), ("192.168.1.23",))
NEWER = FoundTable(replace(POSTER, host="Newer", protocol=99), ("192.168.1.24",))


class Around:
    def __init__(self, tables: Sequence[FoundTable], trouble: str = "") -> None:
        self.tables, self.trouble = tuple(tables), trouble
        self.waited: list[float] = []

    async def announce(self, *_: object) -> None:
        raise AssertionError("nothing is announced here")

    async def browse(self, seconds: float) -> tuple[FoundTable, ...]:
        self.waited.append(seconds)
        await trio.lowlevel.checkpoint()
        if self.trouble:
            raise LanTrouble(self.trouble)
        return self.tables


Network = Callable[..., Around]


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    def make(*tables: FoundTable, trouble: str = "") -> Around:
        around = Around(tables, trouble)
        monkeypatch.setattr(lan, "lan_of_this_machine", lambda entropy: around)
        return around

    return make


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    places: list[str] = []

    def join(person: Person, address: str, here: object) -> int:
        places.append(address)
        return 0

    monkeypatch.setattr(kotp2p.cli.commands.join, "join", join)
    return places


def test_each_table_has_the_command_that_joins_it(network: Network, joined: list[str]) -> None:
    around = network(ANA, BEN)
    code, out, err = run("join")
    assert (code, joined) == (2, [])
    assert "several" in err
    assert out.splitlines() == [
        "Ana's table: second rules, 2 of 6 seats taken.",
        "  kotp2p join 192.168.1.20",
        "Ben's table: second rules, 5 of 6 seats taken.",
        "  kotp2p join [fd00::21]:4243",
    ]
    assert around.waited == [3]


def test_what_keeps_a_guest_out_is_said(network: Network, joined: list[str]) -> None:
    network(FULL, BEGINS, NEWER)
    code, out, err = run("join")
    assert (code, joined) == (8, [])
    assert "kotp2p host" in err
    assert "No seat is free" in out
    assert "about to begin" in out
    assert "version 99." in out


def test_names_that_look_alike_are_told_apart_by_address(network: Network) -> None:
    twin = FoundTable(replace(POSTER, host="\u0410na"), ("192.168.1.66",))
    network(ANA, twin, BEN)
    out = run("join")[1]
    assert out.count("compare the address") == 2
    assert "192.168.1.66" in out


def test_a_flood_is_named(network: Network) -> None:
    network(*[FoundTable(replace(POSTER, port=n), ("192.168.1.20",)) for n in range(50)])
    assert "more than these 50" in run("join")[2]
    network(ANA)
    assert "more than" not in run("join")[2]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    places: list[tuple[str, int]] = []

    async def watch(_world: World, _wish: object, table: TableAddress, _front: object) -> Ending:
        await trio.lowlevel.checkpoint()
        places.append((table.places[0], table.port))
        return Ending(EndKind.LEFT)

    monkeypatch.setattr(kotp2p.cli.extras.watch, "watch", watch)
    return places


def test_the_only_full_table_is_watched(network: Network, watched: list[tuple[str, int]]) -> None:
    network(FULL, NEWER)
    assert run("watch")[0] == 0
    assert watched == [("192.168.1.22", 4242)]


def test_one_table_is_chosen_by_command(network: Network, watched: list[tuple[str, int]]) -> None:
    network(ANA, BEN)
    code, out, err = run("watch")
    assert (code, watched) == (2, [])
    assert "kotp2p watch 192.168.1.20" in out
    assert "kotp2p join" not in out + err


def test_a_watcher_who_finds_none_reads_why(network: Network) -> None:
    network()
    err = run("watch").told(8)
    assert "Once its game has begun" in err
    assert "kotp2p watch CODE" in err


@pytest.mark.parametrize("trouble", ["", "no interface takes multicast"])
def test_nothing_found_says_what_to_try(network: Network, trouble: str) -> None:
    network(trouble=trouble)
    err = run("join").refused(8)
    assert "kotp2p join CODE" in err
    assert "kotp2p host" in err
    assert trouble in err
    assert ("No table" in err) is not bool(trouble)


def test_tests_look_nowhere() -> None:
    assert "KOTP2P_LAN_INTERFACES" in run("join").told(8)


def test_the_only_table_is_joined(network: Network, joined: list[str]) -> None:
    network(FULL, BEN, NEWER)
    code, out, _err = run("join")
    assert (code, joined) == (0, ["[fd00::21]:4243"])
    assert "Ben" in out
    assert "Full" not in out


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (["2\n"], ["[fd00::21]:4243"]),
        (["x\n", "0\n", "3\n", "\n", "0000000012\n", " 1 \n"], ["192.168.1.20"]),
        ([], []),
    ],
)  # fmt: skip
def test_several_on_a_terminal(
    network: Network,
    joined: list[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: list[str],
    chosen: list[str],
) -> None:
    network(ANA, FULL, BEN)
    lines = iter([line.encode() for line in typed])
    monkeypatch.setattr(kotp2p.cli.commands.join, "is_terminal", lambda: True)
    read_file = os.read
    monkeypatch.setattr(
        os, "read", lambda fd, size: next(lines, b"") if fd == 0 else read_file(fd, size)
    )
    code, out, _err = run("join")
    assert (code, joined) == (0, chosen)
    assert "1. Ana" in out
    assert "2. Ben" in out
    assert out.count("Type its number.") == max(1, len(typed) + (not chosen and bool(typed)))
