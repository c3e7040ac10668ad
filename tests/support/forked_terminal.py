"""The program on a pseudo-terminal of the tests, forked where that is possible."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path

import pexpect
from pexpect.pty_spawn import ptyprocess

from tests.support.forked import CAN_FORK, Fork
from tests.support.program import RUN

READ_AT_START = ("PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE")
"""What an interpreter looks at before it runs anything: with another value it must be a new one."""
LOCAL_FLAGS = 3
"""Where `termios` has them in its list."""


def spawn_program(
    words: Sequence[str],
    home: Path,
    environment: Mapping[str, str],
    dimensions: tuple[int, int],
    timeout: float,
    code: str = RUN,
) -> pexpect.spawn:
    """`code`: what is run in place of the program, in a new interpreter."""
    is_new = code is not RUN or any(environment.get(n) != os.environ.get(n) for n in READ_AT_START)
    child = (ForkedSpawn if CAN_FORK and not is_new else pexpect.spawn)(
        sys.executable,
        ["-c", code, *words],
        cwd=str(home),
        env=environment,
        dimensions=dimensions,
        encoding="utf-8",
        timeout=timeout,
        echo=False,
    )
    child.delaybeforesend = None  # it reads when it has asked; too early is a case of its own
    return child


class ForkedSpawn(pexpect.spawn):  # type: ignore[misc]
    """Of the words behind `python -c RUN`."""

    def _spawnpty(
        self,
        args: Sequence[bytes],
        *,
        env: Mapping[str, str],
        cwd: str,
        dimensions: tuple[int, int],
        **_how: object,
    ) -> ForkedTerminal:
        words = [os.fsdecode(word) for word in args[3:]]
        return ForkedTerminal(words, env, Path(cwd), dimensions)


class ForkedTerminal(ptyprocess.PtyProcess):  # type: ignore[misc]
    """Its process is a child of the server, which tells how it ends."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        dimensions: tuple[int, int],
    ) -> None:
        ours, theirs = pty.openpty()
        settings = termios.tcgetattr(theirs)
        settings[LOCAL_FLAGS] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, settings)
        termios.tcsetwinsize(theirs, dimensions)
        streams = (theirs, os.dup(theirs), os.dup(theirs))
        self._fork = Fork(words, environment, folder, streams, terminal=True)
        super().__init__(self._fork.pid, ours)

    def isalive(self) -> bool:
        if not self.terminated:
            try:
                self._note_end(None if self.flag_eof else 0)
            except subprocess.TimeoutExpired:
                return True
        return False

    def wait(self) -> int | None:
        self._note_end(None)
        return self.exitstatus

    def _note_end(self, timeout: float | None) -> None:
        self.status = code = self._fork.wait(timeout)
        self.exitstatus: int | None = code if code >= 0 else None
        self.signalstatus: int | None = -code if code < 0 else None
        self.terminated = True
