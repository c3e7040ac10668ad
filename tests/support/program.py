"""The program as separate processes: started, read line by line, awaited. No test sleeps."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.forked import CAN_FORK, ForkedProcess
from tests.support.paths import ROOT
from tests.support.settings import write_settings

RUN = "from kotp2p.cli import start; start()"
PATIENCE = 240.0
"""Seconds for anything to happen on a slow machine; a test that needs them has failed."""


def start_process(
    words: Sequence[str],
    module: str | None,
    before: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    *,
    has_stdin: bool,
    installed: Sequence[str] = (),
) -> ForkedProcess | subprocess.Popen[str]:
    namespace = network_of(before)
    if CAN_FORK and not installed and (namespace or not before):
        return ForkedProcess(
            words, module, environment, folder, namespace=namespace, has_stdin=has_stdin
        )
    program = installed or [sys.executable, *(["-m", module] if module else ["-c", RUN])]
    return subprocess.Popen(
        [*before, *program, *words],
        stdin=subprocess.PIPE if has_stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=folder,
        text=True,
    )


def network_of(before: Sequence[str]) -> str | None:
    """The namespace in which a process may be forked, by what stands before its command."""
    match before:
        case ("ip", "netns", "exec", name):
            return name
        case _:
            return None


def _environment(
    home: Path, settings: Mapping[str, str], installed: Sequence[str]
) -> dict[str, str]:
    """Return what a process of its own home is started with."""
    found = {
        **{k: v for k, v in os.environ.items() if not k.startswith("KOTP2P_")},
        "KOTP2P_DATA": str(home / "data"),
        "KOTP2P_CONFIG": write_settings(home, **settings),
        "PYTHONPATH": "" if installed else str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "LOGNAME": home.name,
    }
    if installed:
        found["SHIV_ROOT"] = str(Path(installed[-1]).parent / "unpacked")
    return found


class Program:
    """One process, with its own home, everything it says, and its exit code."""

    def __init__(
        self,
        home: Path,
        *words: str,
        stdin: str | None = None,
        module: str | None = None,
        before: tuple[str, ...] = (),
        lan: str | None = "",
        catalogues: Path | None = None,
        settings: Mapping[str, str] | None = None,
        installed: Sequence[str] = (),
    ) -> None:
        """`installed`: the command of an installed program, in place of this checkout.
        `lan`: the interfaces that it announces on and looks around on; None: as a person has
        it, only in a network that the test has made. `catalogues`: a folder of languages."""
        home.mkdir(parents=True, exist_ok=True)
        environment = _environment(home, settings or {}, installed)
        if catalogues is not None:
            environment["KOTP2P_CATALOGUES"] = str(catalogues)
        if lan is not None:
            environment["KOTP2P_LAN_INTERFACES"] = lan
        self.home = home
        self._process = start_process(
            words,
            module,
            before,
            environment,
            home,
            has_stdin=stdin is not None,
            installed=installed,
        )
        self._news = threading.Condition()
        self._open = 2
        """Streams that may still bring something."""
        self.lines: list[str] = []
        """Both streams, as they came."""
        self.out: list[str] = []
        self.err: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(stream, kept), daemon=True)
            for stream, kept in ((self._process.stdout, self.out), (self._process.stderr, self.err))
        ]
        for reader in self._readers:
            reader.start()
        if stdin is not None:
            assert self._process.stdin is not None
            self._process.stdin.write(stdin)
            self._process.stdin.flush()

    def _read(self, stream: object, kept: list[str]) -> None:
        for line in stream:  # type: ignore[attr-defined]
            with self._news:
                kept.append(line.rstrip("\n"))
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._open -= 1
            self._news.notify_all()

    @property
    def pid(self) -> int:
        return self._process.pid

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hang_up(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The first line, past or future, in which the pattern is found, until the end."""
        found: list[re.Match[str]] = []

        def look() -> bool:
            found[:] = [m for m in (re.search(pattern, line) for line in self.lines) if m]
            return bool(found) or not self._open

        with self._news:
            self._news.wait_for(look, PATIENCE)
            if not found:
                raise AssertionError(f"{pattern!r} never came:\n" + "\n".join(self.lines[-40:]))
        return found[0]

    def says_more(self, lines: int, *, until: str, within: float = PATIENCE) -> bool:
        """Waits for so many more lines; False as soon as `until` is found, or nothing comes."""
        start = len(self.lines)

        def over() -> bool:
            return any(re.search(until, line) for line in self.lines)

        with self._news:
            self._news.wait_for(lambda: over() or len(self.lines) >= start + lines, within)
            return not over() and len(self.lines) >= start + lines

    def wait(self) -> int:
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("hangs:\n" + "\n".join(self.lines[-40:])) from None
        self._close_streams()
        return code

    def _close_streams(self) -> None:
        for reader in self._readers:
            reader.join(PATIENCE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def interrupt(self) -> None:
        self.stop(signal.SIGINT)

    def stop(self, number: int) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        self._close_streams()

    def port(self) -> int:
        """Where a host listens, from the command that it shows."""
        shown = self.wait_for(r"kotp2p join (\S+)").group(1)
        tail = re.search(r":(\d+)$", shown) if not shown.count(":") > 1 or "]" in shown else None
        return int(tail.group(1)) if tail else 4242

    def logs(self) -> list[Path]:
        return sorted((self.home / "data" / "logs").glob("*.kotlog"))
