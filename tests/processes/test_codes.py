"""One code for a table, with the servers of magic-wormhole on loopback."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.by_code import code_of, joined, seated, watching
from tests.support.code_servers import CodeServers, code_servers, needs_servers
from tests.support.processes import QUICK, finished, host, resumed
from tests.support.program import Program

pytestmark = needs_servers


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeServers]:
    """For tests that stop none of them."""
    with code_servers(tmp_path_factory.mktemp("servers")) as found:
        yield found


@pytest.fixture
def own_servers(tmp_path: Path) -> Iterator[CodeServers]:
    with code_servers(tmp_path / "servers") as found:
        yield found


def test_guests_come_by_code_while_a_stranger_guesses(tmp_path: Path, servers: CodeServers) -> None:
    keeper = host(tmp_path / "ana", 3, bot=QUICK, settings=servers.settings)
    code = code_of(keeper)
    number, first, second = code.split("-")
    stranger = joined(tmp_path / "eve", f"{number}-{second}-{first}", servers)
    assert stranger.wait() == 4
    assert any(f"answered at {number} has not let you in" in line for line in stranger.err)
    guests = [seated(tmp_path / name, code, servers) for name in ("rex", "mia")]
    finished([keeper, *guests])


def test_a_mailbox_that_is_not_there_is_said(tmp_path: Path, own_servers: CodeServers) -> None:
    own_servers.stop("wormhole-mailbox")
    late = joined(tmp_path / "rex", "1000-carpet-arctic", own_servers)
    assert late.wait() == 3
    assert any("does not answer: 127.0.0.1" in line for line in late.err)


@pytest.mark.parametrize("words", [("--no-code",), ("--bind", "127.0.0.1")])
def test_a_table_without_a_code_asks_no_server(
    words: tuple[str, ...], tmp_path: Path, servers: CodeServers
) -> None:
    keeper = host(tmp_path / "ana", 2, "--bots", "1", *words, settings=servers.settings)
    assert keeper.wait() == 0
    assert not any("introduces" in line for line in keeper.lines)


def lose_game(home: Path) -> None:
    for folder in ("games", "logs"):
        shutil.rmtree(home / "data" / folder)


def three_by_code(tmp_path: Path, servers: CodeServers) -> tuple[dict[str, Program], str]:
    """Ana, who hosts, Rex and Mia in the middle of a game, and the code of their table."""
    keeper = host(tmp_path / "ana", 3, settings=servers.settings)
    code = code_of(keeper)
    table = {"ana": keeper}
    for name in ("rex", "mia"):
        table[name] = seated(tmp_path / name, code, servers, bot="normal")
    table["mia"].wait_for("^Turn 4,")
    return table, code


def test_without_its_host_a_player_is_back_by_code(tmp_path: Path, servers: CodeServers) -> None:
    table, code = three_by_code(tmp_path, servers)
    table["ana"].kill()
    table["rex"].kill()
    lose_game(tmp_path / "rex")
    table["mia"].wait_for("The connection to ana is lost")
    rex = joined(tmp_path / "rex", code, servers, bot="normal")
    rex.wait_for("You are back at the table")
    ana = resumed(tmp_path / "ana", settings=servers.settings)
    finished([ana, rex, table["mia"]])


def test_who_resumes_a_game_answers_its_code(tmp_path: Path, servers: CodeServers) -> None:
    table, code = three_by_code(tmp_path, servers)
    for program in table.values():
        program.kill()
    ana = resumed(tmp_path / "ana", settings=servers.settings)
    assert code_of(ana) == code
    lose_game(tmp_path / "rex")
    back = [joined(tmp_path / name, code, servers, bot="normal") for name in ("rex", "mia")]
    finished([ana, *back])


def test_who_has_the_game_comes_back_by_its_code_though_nobody_answers(
    tmp_path: Path, own_servers: CodeServers
) -> None:
    table, code = three_by_code(tmp_path, own_servers)
    for program in table.values():
        program.kill()
    own_servers.stop("wormhole-mailbox")
    back = [joined(tmp_path / name, code, own_servers, bot="normal") for name in ("rex", "mia")]
    finished([resumed(tmp_path / "ana", settings=own_servers.settings), *back])


def test_who_comes_by_code_in_the_game_may_watch_it(tmp_path: Path, servers: CodeServers) -> None:
    table, code = three_by_code(tmp_path, servers)
    late = joined(tmp_path / "zoe", code, servers)
    assert late.wait() == 4
    assert any(f"kotp2p watch {code}" in line for line in late.err)
    eyes = watching(tmp_path / "eve", code, servers)
    assert eyes.wait() == 0
    finished(list(table.values()))
