"""The command line in this process: its exit code, and what it has said."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from kotp2p.cli.main import app


class Ran(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str

    def printed(self, code: int = 0) -> str:
        """Say what it has printed; it has ended with this code."""
        assert self.code == code, self.err
        return self.out

    def told(self, code: int) -> str:
        """Say what it has told beside that; it has ended with this code."""
        assert self.code == code, self.err
        return self.err

    def refused(self, code: int = 2) -> str:
        """Say why it has printed nothing; it has ended with this code."""
        assert self.out == ""
        return self.told(code)


def run(*args: str | Path, **how: Any) -> Ran:
    result = CliRunner().invoke(app, list(map(str, args)), **how)
    return Ran(result.exit_code, result.stdout, result.stderr)


def printed_by_python(program: str, *words: str, **environment: str) -> str:
    """Run a program in a process of its own, which ends well; return what it has printed."""
    found = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True, text=True, check=True, env={**os.environ, **environment},
    )  # fmt: skip
    return found.stdout


def close_below(folder: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """These functions of `os` fail below a folder as if nobody may enter, not even root."""

    def refuse_below(real: Callable[..., Any]) -> Callable[..., Any]:
        def look(path: Any = ".", *more: Any, **how: Any) -> Any:
            if not isinstance(path, int) and Path(path).is_relative_to(folder):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *more, **how)

        return look

    for name in names:
        monkeypatch.setattr(os, name, refuse_below(getattr(os, name)))


def without_coach(words: Sequence[str]) -> list[str]:
    """A first game against bots is taught, but only where a test is about that."""
    is_taught = "solo" in words and "--no-coach" not in words
    return [*words, "--no-coach"] if is_taught else list(words)
