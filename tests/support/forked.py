"""Processes of `tests.support.program_server`, in the manner of `subprocess.Popen`."""

import atexit
import contextlib
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from tests.support.paths import ROOT

CAN_FORK = sys.platform == "linux"
"""Elsewhere a process has no descriptor, and a fork may lack what the system's libraries need."""


@functools.cache
def program_server() -> socket.socket:
    """The socket of the one server of this process of the tests; it ends with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.support.program_server", str(theirs.fileno())],
        # Pipes, as each fork goes on with these streams on its own descriptors.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        pass_fds=[theirs.fileno()],
    )
    theirs.close()

    def end() -> None:
        ours.close()
        server.communicate()

    atexit.register(end)
    return ours


class Fork:
    """A program that was forked, and how it ends."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        streams: Sequence[int],
        *,
        module: str | None = None,
        namespace: str | None = None,
        terminal: bool = False,
    ) -> None:
        """The standard `streams` are closed here. `namespace`: the network that it is in."""
        request = {
            "words": words, "module": module, "environment": dict(environment),
            "folder": str(folder), "namespace": namespace, "terminal": terminal,
        }  # fmt: skip
        server = program_server()
        self._status, status = input_pipe()
        given = [*streams, status]
        socket.send_fds(server, [json.dumps(request).encode()], given)
        self.pid = int(server.recv(64))
        for descriptor in given:
            os.close(descriptor)
        self._code: int | None = None

    def wait(self, timeout: float | None) -> int:
        if self._code is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a forked program", timeout or 0)
            with self._status as status:
                self._code = int(status.read())
        return self._code

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkedProcess(Fork):
    """With pipes for its standard streams, or with nothing to read."""

    def __init__(
        self,
        words: Sequence[str],
        module: str | None,
        environment: Mapping[str, str],
        folder: Path,
        *,
        namespace: str | None,
        has_stdin: bool,
    ) -> None:
        self.stdin: TextIO | None = None
        if has_stdin:
            stdin, self.stdin = output_pipe()
        else:
            stdin = os.open(os.devnull, os.O_RDONLY)
        self.stdout, stdout = input_pipe()
        self.stderr, stderr = input_pipe()
        streams = (stdin, stdout, stderr)
        super().__init__(words, environment, folder, streams, module=module, namespace=namespace)


def input_pipe() -> tuple[TextIO, int]:
    """Our end and the other one."""
    ours, theirs = os.pipe()
    return open(ours), theirs


def output_pipe() -> tuple[int, TextIO]:
    """The other end and ours."""
    theirs, ours = os.pipe()
    return theirs, open(ours, "w")
