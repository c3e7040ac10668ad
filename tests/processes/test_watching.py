"""Watchers as processes: over real connections, by invitation, cut and back, behind each other."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.machines import three_machines
from tests.support.processes import finished, host, port_of
from tests.support.program import Program


def watcher(home: Path, target: str, *words: str, **how: object) -> Program:
    return Program(
        home, "watch", *target.split(), "--plain", "--log", str(home / "seen.kotlog"), *words,
        **how,  # type: ignore[arg-type]
    )  # fmt: skip


def seen(program: Program) -> bytes:
    return (program.home / "seen.kotlog").read_bytes()


def set_cable(machine: str, state: str) -> None:
    subprocess.run(["ip", "-n", machine, "link", "set", "eth0", state], check=True)


@pytest.mark.netns
def test_a_watcher_finds_a_table_of_its_network_loses_that_and_comes_back(tmp_path: Path) -> None:
    """The guest is a person who does not answer until the watcher is back. Nothing tells the
    watcher that its cable is out: it takes its 12 s of silence to notice (PROTOCOL.md 9.11)."""
    with three_machines() as machines:
        there: list[dict[str, Any]] = [
            {"before": ("ip", "netns", "exec", name), "lan": None} for name in machines
        ]
        keeper = host(tmp_path / "ana", 2, "--turn-time", "none", **there[0])
        keeper.wait_for(r"may also type: kotp2p join$")
        zoe = watcher(tmp_path / "zoe", "", **there[1])
        keeper.wait_for("1 person watches this table")
        zoe.wait_for("The game has not begun yet")
        rex = Program(
            tmp_path / "rex", "join", "--plain", stdin="", **there[2],
        )  # fmt: skip
        zoe.wait_for("The game begins, and you watch.")
        set_cable(machines[1], "down")
        zoe.wait_for("The connection to the table was lost")
        set_cable(machines[1], "up")
        zoe.wait_for("The connection to the table is back")
        rex.hang_up()
        assert (zoe.wait(), keeper.wait()) == (0, 0)
        rex.wait()
    (log,) = keeper.logs()
    assert seen(zoe) == log.read_bytes()


def test_an_invitation_to_watch_is_another_one_than_to_play(tmp_path: Path) -> None:
    keeper = host(
        tmp_path / "ana", 2, "--bind", "127.0.0.1", "--invite-only", "--watchers", "invited"
    )
    play = keeper.wait_for(r"kotp2p join (kotp2p://\S+)").group(1)
    link = keeper.wait_for(r"kotp2p watch (kotp2p://\S+)").group(1)
    assert link != play
    for command, wrong, words in (
        ("watch", play, "one to play"), ("join", link, "one to watch"),
    ):  # fmt: skip
        confused = Program(tmp_path / command, command, wrong, stdin="")
        assert confused.wait() == 2
        assert any(words in line for line in confused.err)
    stranger = Program(tmp_path / "eve", "watch", f"127.0.0.1:{port_of(play)}")
    assert stranger.wait() == 4
    zoe = watcher(tmp_path / "zoe", link)
    keeper.wait_for("1 person watches this table")
    rex = Program(tmp_path / "rex", "join", play, "--bot", "normal")
    assert zoe.wait() == 0
    finished([keeper, rex])
    assert seen(zoe) == keeper.logs()[0].read_bytes()


def test_what_cannot_be_watched_is_said_in_a_sentence(tmp_path: Path) -> None:
    keeper = host(tmp_path / "ana", 2, "--bind", "127.0.0.1", "--watchers", "none")
    target = f"127.0.0.1:{keeper.port()}"
    zoe = Program(tmp_path / "zoe", "watch", target)
    assert zoe.wait() == 4
    assert any("lets nobody watch" in line for line in zoe.err)
    keeper.kill()
    nobody = Program(tmp_path / "kim", "watch", target)
    assert nobody.wait() == 3
    there, dangling = tmp_path / "there.kotlog", tmp_path / "link.kotlog"
    there.write_bytes(b"mine")
    dangling.symlink_to(tmp_path / "nothing")
    for log in (there, dangling):  # before anybody is called
        assert Program(tmp_path / "eve", "watch", target, "--log", str(log)).wait() == 9
    assert there.read_bytes() == b"mine"
    assert not (tmp_path / "nothing").exists()
