"""Players in different homes, behind routers that let nobody in, by one code.

Each home is a namespace behind the namespace of its router, the servers of magic-wormhole are in a
further one.
"""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.by_code import code_of, joined, seated, watching
from tests.support.code_servers import CodeServers, code_servers, needs_servers
from tests.support.machines import INNER, Machine, Networks, networks
from tests.support.processes import QUICK, finished, resumed
from tests.support.program import Program

pytestmark = needs_servers

SERVER = "44.128.0.9"
NAMES = ("ana", "rex", "mia")
PUBLIC = ("44.128.0.11", "44.128.0.12", "44.128.0.13")


@contextmanager
def served_networks(folder: Path) -> Iterator[tuple[Networks, CodeServers]]:
    """Networks with the two servers on a public machine."""
    with networks() as nets:
        server = nets.machine(SERVER)
        with code_servers(folder / "servers", SERVER, server.inside) as servers:
            yield nets, servers


def host_in(
    inside: tuple[str, ...], folder: Path, servers: CodeServers, players: int, bot: str = QUICK
) -> Program:
    return Program(
        folder, "host", "--bot", bot, "--players", str(players),
        settings=servers.settings, before=inside,
    )  # fmt: skip


@pytest.mark.homes
def test_homes_whose_routers_let_nobody_in_play_through_the_relay(tmp_path: Path) -> None:
    """One is a home of two players and a watcher."""
    with served_networks(tmp_path) as (nets, servers):
        (home,), (one, two) = nets.home(PUBLIC[0]), nets.home(PUBLIC[1], 2)
        keeper = host_in(home.inside, tmp_path / "ana", servers, 3)
        code = code_of(keeper)
        assert home.can_dial(f"{INNER}.2", 4242)
        assert not one.can_dial(PUBLIC[0], 4242)
        eyes = watching(tmp_path / "eve", code, servers, before=one.inside)
        guests = [
            seated(tmp_path / name, code, servers, before=machine.inside)
            for name, machine in (("rex", one), ("mia", two))
        ]
        finished([keeper, *guests])
        assert eyes.wait() == 0


@pytest.mark.homes
def test_who_can_be_dialled_leaves_and_the_others_go_on_through_the_relay(tmp_path: Path) -> None:
    with served_networks(tmp_path) as (nets, servers):
        street, (home,), (other,) = nets.machine(PUBLIC[0]), *(map(nets.home, PUBLIC[1:]))
        keeper = Program(
            tmp_path / "ana", "host", "--players", "3", "--plain", stdin="",
            settings=servers.settings, before=street.inside,
        )  # fmt: skip
        code = code_of(keeper)
        assert home.can_dial(PUBLIC[0], 4242)
        rex = seated(tmp_path / "rex", code, servers, before=home.inside)
        mia = seated(tmp_path / "mia", code, servers, before=other.inside)
        keeper.wait_for("^Your roll 1 of 3")
        keeper.say("leave")
        keeper.wait_for("^Leave the game")
        keeper.say("y")
        assert keeper.wait() == 0
        finished([rex, mia])


@pytest.mark.homes
def test_a_link_through_the_relay_is_given_up_for_a_direct_one(tmp_path: Path) -> None:
    """Nobody can dial the host, who dials a guest as soon as the game has begun."""
    with served_networks(tmp_path) as (nets, servers):
        (home,), street = nets.home(PUBLIC[0]), nets.machine(PUBLIC[1])
        keeper = host_in(home.inside, tmp_path / "ana", servers, 2)
        code = code_of(keeper)
        rex = Program(
            tmp_path / "rex", "join", code, "--bot", "normal", "--debug", "lines",
            settings=servers.settings, before=street.inside,
        )  # fmt: skip
        finished([keeper, rex])
        links = re.findall("with (.*) opened, (.*), P", (tmp_path / "rex" / "lines").read_text())
        assert links[-1] == (PUBLIC[0], "accepted")


def three_homes(
    nets: Networks, folder: Path, servers: CodeServers
) -> tuple[dict[str, Machine], dict[str, Program], str]:
    """A game of three homes in its middle, and its code."""
    homes = {name: nets.home(public)[0] for name, public in zip(NAMES, PUBLIC, strict=True)}
    table = {"ana": host_in(homes["ana"].inside, folder / "ana", servers, 3, bot="normal")}
    code = code_of(table["ana"])
    for name in NAMES[1:]:
        table[name] = seated(folder / name, code, servers, before=homes[name].inside, bot="normal")
    table["mia"].wait_for("^Turn 4,")
    return homes, table, code


@pytest.mark.homes
@pytest.mark.parametrize("first", ["ana", "rex"])
def test_a_whole_evening_through_the_relay(first: str, tmp_path: Path) -> None:
    """The window of the host closes and a guest dies, in either order, and both come back."""
    with served_networks(tmp_path) as (nets, servers):
        homes, table, code = three_homes(nets, tmp_path, servers)

        def lose(name: str) -> None:
            table[name].stop(signal.SIGHUP if name == "ana" else signal.SIGKILL)
            table[name].wait()

        def bring_back(name: str) -> None:
            how: dict[str, Any] = {"before": homes[name].inside, "bot": "normal"}
            if name == "ana":
                table[name] = resumed(tmp_path / name, settings=servers.settings, **how)
            else:
                table[name] = joined(tmp_path / name, code, servers, **how)
            table[name].wait_for("You are back at the table")

        second = "rex" if first == "ana" else "ana"
        lose(first)
        table["mia" if first == "ana" else "ana"].wait_for(f"The connection to {first} is lost")
        bring_back(first)
        lose(second)
        bring_back(second)
        finished(list(table.values()))


def give_another_address(nets: Networks) -> None:
    """To the router of the host."""
    router = nets.routers[PUBLIC[0]]
    router.run("ip", "address", "del", f"{PUBLIC[0]}/24", "dev", "eth0")
    router.run("ip", "address", "add", "44.128.0.21/24", "dev", "eth0")


@pytest.mark.homes
def test_a_home_whose_public_address_changes_plays_on(tmp_path: Path) -> None:
    """As in the nights of many providers: what ran through the router ends without a word."""
    with served_networks(tmp_path) as (nets, servers):
        _homes, table, _code = three_homes(nets, tmp_path, servers)
        give_another_address(nets)
        table["ana"].wait_for("The connection to .* is lost; reconnecting")
        finished(list(table.values()))


@pytest.mark.netns
@pytest.mark.parametrize(("is_killed", "is_kept"), [(False, False), (True, False), (True, True)])
def test_servers_may_die_in_a_game(*, is_killed: bool, is_kept: bool, tmp_path: Path) -> None:
    """With what the mailbox had kept or without it. A player may come back by the code then."""
    with networks() as nets:
        server = nets.machine("44.128.0.9")
        homes = [nets.machine(f"10.{n}.0.2", f"10.{n}.0.1") for n in (1, 2)]
        for n in (1, 2):
            nets.add_interface(server, f"home{n}", f"10.{n}.0.1")
        with code_servers(tmp_path / "servers", SERVER, server.inside) as servers:
            keeper = host_in(homes[0].inside, tmp_path / "ana", servers, 2, bot="normal")
            code = code_of(keeper)
            rex = seated(tmp_path / "rex", code, servers, before=homes[1].inside, bot="normal")
            rex.wait_for("^Turn 3,")
            servers.stop_all()
            keeper.wait_for("The connection to rex is lost; reconnecting")
            rex.wait_for("The connection to ana is lost; reconnecting")
            if not is_kept:
                servers.forget()
            servers.start_all()
            if is_killed:
                rex.kill()
                rex = joined(tmp_path / "rex", code, servers, before=homes[1].inside)
            finished([keeper, rex])


@pytest.mark.homes
@pytest.mark.parametrize("is_moved", [True, False])
def test_no_guest_is_lost_when_the_relay_dies_in_the_lobby_or_the_host_gets_another_address(
    *, is_moved: bool, tmp_path: Path
) -> None:
    """Its connections to mailbox and relay end without a word, and those of its guests with it."""
    with served_networks(tmp_path) as (nets, servers):
        homes = [nets.home(public)[0] for public in PUBLIC]
        keeper = host_in(homes[0].inside, tmp_path / "ana", servers, 3)
        code = code_of(keeper)
        rex = seated(tmp_path / "rex", code, servers, before=homes[1].inside)
        give_another_address(nets) if is_moved else servers.stop_all()
        rex.wait_for("Your link to the host is lost")
        if not is_moved:
            servers.start_all()
        rex.wait_for("Your link to the host stands again")
        mia = seated(tmp_path / "mia", code, servers, before=homes[2].inside)
        finished([keeper, rex, mia])


@pytest.mark.netns
def test_homes_of_ipv4_and_of_ipv6_alone_play_through_a_relay_that_has_both(tmp_path: Path) -> None:
    names = tmp_path / "hosts"
    names.write_text(f"{SERVER} servers.test\n2d00:77::9 servers.test\n")
    with networks() as nets:
        server = nets.machine(SERVER)
        nets.add_interface(server, "eth1", "2d00:77::9", 64)
        old, new = nets.machine(PUBLIC[0]), nets.machine("2d00:77::11", prefix=64)
        with code_servers(tmp_path / "servers", "servers.test", server.inside, "::") as servers:
            keeper = host_in(old.knowing(names), tmp_path / "ana", servers, 2)
            code = code_of(keeper)
            rex = seated(tmp_path / "rex", code, servers, before=new.knowing(names))
            finished([keeper, rex])
