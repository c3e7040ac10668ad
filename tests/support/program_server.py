"""A process that has imported the program, and forks it: a start without half a second of imports.

Scope: reads requests from the socket on its descriptor `argv[1]`, forks a process for each, and
tells how that process ends. The process continues below the loop as `python -c` does: with the
words, environment, folder, network and standard streams of the request, and with its own end.
"""

import contextlib
import ctypes
import fcntl
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import termios
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.support.no_names import forbid_names

MESSAGE = 1 << 17
"""Bytes of a request at most."""
STREAMS = 4
"""The standard streams of a process, and the pipe that wants to know how it ends."""


def next_request(control: socket.socket) -> dict[str, Any]:
    """Returns in each forked process, and never in the server."""
    running: dict[int, tuple[int, int]] = {}
    """By the descriptor of a process: its id, and the pipe that wants to know how it ends."""
    with selectors.DefaultSelector() as waiting, control:
        waiting.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is not control:
                    waiting.unregister(key.fd)
                    report_end(key.fd, *running.pop(key.fd))
                    continue
                message, streams, *_ = socket.recv_fds(control, MESSAGE, STREAMS)
                if not message:  # the tests are over; one that failed may have left a table
                    for child, _ in running.values():
                        os.kill(child, signal.SIGKILL)
                    sys.exit()
                *standard, status = streams
                child = os.fork()
                if child == 0:
                    for process, (_, other) in running.items():
                        close_all([process, other])
                    take_streams(standard)
                    os.close(status)
                    return json.loads(message)  # type: ignore[no-any-return]
                close_all(standard)
                control.send(str(child).encode())
                process = os.pidfd_open(child)
                running[process] = child, status
                waiting.register(process, selectors.EVENT_READ)


def report_end(process: int, child: int, status: int) -> None:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # The test may have ended without a question for it.
    with contextlib.suppress(BrokenPipeError):
        os.write(status, str(code).encode())
    close_all([process, status])


def close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def take_streams(standard: list[int]) -> None:
    for number, stream in enumerate(standard):
        os.dup2(stream, number)
    close_all(standard)


def begin(request: dict[str, Any]) -> None:
    """What a new process has from its parent."""
    if request["namespace"]:
        enter_network(request["namespace"])
    if request["terminal"]:
        take_terminal()
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv[1:] = request["words"]


LIBRARY = ctypes.CDLL(None, use_errno=True)
NAMESPACES = Path("/run/netns")
OF_NETWORK = 0x40000000
"""CLONE_NEWNET: as `os.setns` is not there before Python 3.12."""


def enter_network(namespace: str) -> None:
    """As `ip netns exec` does, but for the files of a namespace that hide those of /etc."""
    with (NAMESPACES / namespace).open() as network:
        if LIBRARY.setns(network.fileno(), OF_NETWORK) != 0:
            raise OSError(ctypes.get_errno(), "cannot enter", namespace)


def take_terminal() -> None:
    """The process of a terminal, with streams as Python opens them on one in UTF-8."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding="utf-8", errors="backslashreplace", closefd=False
    )


if __name__ == "__main__":
    import kotp2p.cli.commands.join
    import kotp2p.cli.commands.person
    import kotp2p.cli.commands.play
    import kotp2p.cli.commands.verify
    import kotp2p.cli.extras.watch
    import kotp2p.cli.main
    import kotp2p.cli.ui.screen.controls
    import kotp2p.shell.run

    forbid_names()
    gc.collect()
    gc.freeze()  # a fork shares what the collector does not touch
    request = next_request(socket.socket(fileno=int(sys.argv[1])))
    begin(request)
    if request["module"]:
        runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
    else:
        kotp2p.cli.start()
