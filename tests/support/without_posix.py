"""Starts the program as a system without POSIX has it; the arguments are those of the program.

Libraries come first, as they have code of their own for each system. What is hidden is hidden from
our modules, and from what they still import.
"""

import importlib
import os
import signal
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec

LIBRARIES = (
    "asyncio", "cryptography", "filelock", "getpass", "ifaddr",
    "platformdirs", "prompt_toolkit", "prompt_toolkit.shortcuts", "shutil",
    "ssl", "subprocess", "tempfile", "trio", "trio_websocket", "typer", "uuid", "zeroconf",
)  # fmt: skip
MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
SIGNALS = (
    "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGPIPE", "SIGQUIT", "SIGTSTP", "SIGTTIN",
    "SIGTTOU", "SIGUSR1", "SIGUSR2", "SIGWINCH", "pthread_sigmask",
)  # fmt: skip
CALLS = (
    "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fchmod", "fork", "forkpty", "geteuid",
    "getgid", "getpgid", "getpgrp", "getuid", "killpg", "mkfifo", "openpty", "setsid",
    "tcgetpgrp", "ttyname",
)  # fmt: skip


class NoSuchModule:
    """Finds nothing of what this system does not have."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: object = None
    ) -> ModuleSpec | None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def hide_posix() -> None:
    for name in LIBRARIES:
        importlib.import_module(name)
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, NoSuchModule())
    for module, names in ((signal, SIGNALS), (os, CALLS)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)


if __name__ == "__main__":
    hide_posix()
    from kotp2p.cli import start

    start()
