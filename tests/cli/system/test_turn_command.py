"""The player's own command for their turn: when it runs, and what it can do to the game."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from kotp2p.cli.commands.one_game import MIN_SECONDS_BETWEEN_RUNS, MOST_SECONDS, TurnCommand

ENDLESS = f'"{sys.executable}" -c "import time; time.sleep(100000)"'


class Spy:
    """Counts the commands that are started, each of which ends at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fault: OSError | None = None) -> None:
        self.started: list[list[str]] = []
        self._fault = fault
        monkeypatch.setattr(trio.lowlevel, "open_process", self._open)

    async def _open(self, words: list[str], **_options: object) -> Any:
        self.started.append(words)
        if self._fault is not None:
            raise self._fault
        return self

    returncode = 0

    async def wait(self) -> int:
        await trio.lowlevel.checkpoint()
        return 0


@asynccontextmanager
async def running(command: TurnCommand) -> AsyncIterator[None]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(command.run)
        yield
        nursery.cancel_scope.cancel()


@pytest.mark.virtual_time
async def test_it_runs_at_most_once_in_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    spy, said = Spy(monkeypatch), list[str]()
    command = TurnCommand("ring 'my bell'", said.append)
    async with running(command):
        for wait, runs in ((0, 1), (MIN_SECONDS_BETWEEN_RUNS - 0.1, 1), (0.1, 2), (0, 2)):
            await trio.sleep(wait)
            command.note_turn()
            await trio.testing.wait_all_tasks_blocked()
            assert len(spy.started) == runs
    assert spy.started[0] == ["ring", "my bell"]
    assert said == []


@pytest.mark.virtual_time
async def test_it_rests_while_the_window_is_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    spy, in_front = Spy(monkeypatch), [True]
    command = TurnCommand("ring", lambda line: None, lambda: in_front[0])
    async with running(command):
        command.note_turn()
        await trio.testing.wait_all_tasks_blocked()
        assert spy.started == []
        in_front[0] = False
        command.note_turn()
        await trio.testing.wait_all_tasks_blocked()
        assert spy.started == [["ring"]]


@pytest.mark.virtual_time
async def test_nothing_runs_without_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch)
    command = TurnCommand("", lambda line: None)
    async with running(command):
        command.note_turn()
        await trio.testing.wait_all_tasks_blocked()
    assert spy.started == []


@pytest.mark.virtual_time
async def test_a_command_that_cannot_start_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spy, said = Spy(monkeypatch, FileNotFoundError(2, "No such file")), list[str]()
    command = TurnCommand("ring it", said.append)
    async with running(command):
        for _ in range(2):
            command.note_turn()
            await trio.sleep(MIN_SECONDS_BETWEEN_RUNS)
    assert len(spy.started) == 2
    assert said == [
        "The command of the setting on_turn cannot be started: ring: there is no such file."
    ]


async def test_a_command_that_does_not_end_is_killed_after_five_seconds(
    monkeypatch: pytest.MonkeyPatch, mock_clock: trio.testing.MockClock
) -> None:
    started: list[trio.Process] = []
    opened = trio.lowlevel.open_process

    async def note(words: list[str], **options: Any) -> trio.Process:
        started.append(await opened(words, **options))
        return started[-1]

    monkeypatch.setattr(trio.lowlevel, "open_process", note)
    command = TurnCommand(ENDLESS, lambda line: None)
    async with running(command):
        command.note_turn()
        while not started:
            await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(MOST_SECONDS - 0.1)
        await trio.testing.wait_all_tasks_blocked()
        assert started[0].poll() is None
        mock_clock.jump(0.2)
        await started[0].wait()


async def test_what_it_prints_is_thrown_away_and_no_shell_reads_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there"
    script = "import pathlib,sys; print(sys.argv); print(1, file=sys.stderr); "
    script += "pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    words = f"'{sys.executable}' -c '{script}' '{there}' '$HOME; ls'"
    command = TurnCommand(words, lambda line: None)
    async with running(command):
        command.note_turn()
        while not there.exists() or not there.read_text("utf-8"):
            await trio.sleep(0.01)
    assert there.read_text("utf-8") == "$HOME; ls"
    assert capfd.readouterr() == ("", "")
