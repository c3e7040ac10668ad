"""The drawn table in a real multiplexer: another size of the window, and the shell in between."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.program import RUN
from tests.support.settings import write_settings
from tests.support.window import PATIENCE

SHELL = ("$", "#")
"""How a shell asks."""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here")


class Pane:
    def __init__(self, home: Path) -> None:
        # Short, as the name of a socket may not be long; new, as a server that is ending still
        # has its name for a while.
        self._folder = Path(tempfile.mkdtemp(prefix="kotp2p-"))
        home.mkdir(parents=True, exist_ok=True)
        env = {
            **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TMUX")},
            "KOTP2P_DATA": str(home / "data"), "PYTHONPATH": str(ROOT), "KOTP2P_PLAIN": "",
            "KOTP2P_CONFIG": write_settings(home, symbols="ascii", speed="instant"),
            "KOTP2P_LAN_INTERFACES": "", "ENV": "", "LC_ALL": "C.UTF-8",
        }  # fmt: skip
        new = ("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", "-c", str(home))
        end = time.monotonic() + PATIENCE
        while self._run(*new, "sh", env=env).returncode:  # it may not find its server in time
            assert time.monotonic() < end, "tmux does not start"
            self._run("kill-server")

    def _run(
        self, *words: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["tmux", "-S", str(self._folder / "socket"), *words],
            env=env, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip

    def _tmux(self, *words: str) -> str:
        done = self._run(*words)
        assert not done.returncode, done.stderr
        return done.stdout

    def type(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def rows(self) -> list[str]:
        return self._tmux("capture-pane", "-p").split("\n")

    def is_drawn(self) -> bool:
        """The table has the window to itself."""
        return self._tmux("display-message", "-p", "#{alternate_on}").strip() == "1"

    def see_drawn(self) -> None:
        """Waits for it: a table that comes back may be drawn twice."""
        end = time.monotonic() + PATIENCE
        while not self.is_drawn():
            assert time.monotonic() < end, self.rows

    def child(self) -> int:
        shell = self._tmux("display-message", "-p", "#{pane_pid}").strip()
        found = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=True)
        return int(found.stdout)

    def see(self, *texts: str, at_end: str | tuple[str, ...] = "") -> list[str]:
        end = time.monotonic() + PATIENCE
        while True:
            rows = self.rows
            text = "\n".join(rows)
            last = text.rstrip().rpartition("\n")[2]
            if all(one in text for one in texts) and last.startswith(at_end):
                return rows
            assert time.monotonic() < end, f"{texts} never came:\n{text}"

    def insist(self, key: str, text: str) -> None:
        """Presses until it counts: a question that has just come takes no key."""
        pressed, end = 0.0, time.monotonic() + PATIENCE
        while text not in "\n".join(self.rows):
            assert time.monotonic() < end, self.rows
            if time.monotonic() - pressed > 0.5:
                pressed = time.monotonic()
                self.type(key)

    def end(self) -> None:
        self._run("kill-server")
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    found = Pane(tmp_path / "ana")
    yield found
    found.end()


def start(pane: Pane) -> None:
    pane.see(at_end=SHELL)
    pane.type(f"{sys.executable} -c '{RUN}' solo --bots 1 --name Ana --no-coach", "Enter")
    pane.see("Keep which?")


def test_other_sizes_of_the_window_during_a_question(pane: Pane) -> None:
    """UX check 8."""
    start(pane)
    pane.insist("33", "> 33")
    pane.resize(60, 20)
    pane.see("> 33", at_end="F1 Help  F2 Cards  F3 Log  F10 Leave  Esc Clear")
    pane.resize(48, 15)
    pane.see("kotp2p needs 60x20, now 48x15", "YOUR TURN: roll 1", "> 33")
    pane.resize(200, 60)
    rows = pane.see("Power cards", "> 33", at_end="F1 Help")
    assert rows[59].startswith("F1 Help")
    pane.resize(80, 24)
    rows = pane.see("-- a ", "> 33", "Esc Clear")
    assert rows[18].startswith("-- YOUR TURN")
    assert rows[23].startswith("F1 Help")


def test_to_the_shell_and_back(pane: Pane) -> None:
    start(pane)
    pane.type("C-z")
    pane.see(at_end=SHELL)
    assert not pane.is_drawn()
    pane.type("echo $((6 * 7))", "Enter")
    pane.see("42")
    pane.type("fg", "Enter")
    pane.see("Keep which?", "Your dice", at_end="F1 Help")
    pane.see_drawn()
    pane.type("F10")
    pane.see("Leave the game for good?")


def test_stopped_and_continued_behind_the_shell_and_in_front_again(pane: Pane) -> None:
    """By signals that nobody can tidy up for: `sh` gets the terminal as the game has set it, where
    C-j is Enter. Its picture and its keys are its own."""
    start(pane)
    game = pane.child()
    os.kill(game, signal.SIGSTOP)
    pane.see(at_end=SHELL)
    os.kill(game, signal.SIGCONT)
    pane.type("echo $((6 * 7))", "C-j")
    pane.see("42", at_end=SHELL)
    pane.type("fg", "C-j")
    rows = pane.see("Keep which?", "Your dice", at_end="F1 Help")
    assert not any("42" in row and "echo" in row for row in rows)
    pane.insist("33", "> 33")
    os.kill(game, signal.SIGSTOP)
    pane.see(at_end=SHELL)
    pane.type("fg", "C-j")
    pane.see("Keep which?", "> 33", at_end="F1 Help")
