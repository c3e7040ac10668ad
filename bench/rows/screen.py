"""The drawn table: how much memory it holds, and what it costs while nothing happens.

Scope: a real process on a pseudo-terminal of 80 columns and 24 rows. Linux only: memory and CPU of
a running process are read from /proc.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import tempfile
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

from bench.clock import PROCESSES, cpu_so_far, resident_bytes
from bench.program import Program
from bench.row import Missing, Row, Sample, Samples
from bench.rows.start import command, environment

COLUMNS, LINES = 80, 24
DRAWN = b"\x1b[?1049h"
"""The other screen of the terminal is on."""
LOOK_SECONDS = 3.0
QUIET_BYTES = 200
"""A table that writes no more than this while it is looked at stands, and waits for its player. A
clock writes a few bytes a second."""
START_SECONDS = 90.0
IDLE_SECONDS = 20.0
ALONE = ("solo", "--bots", "1")
WITH_CLOCK = (
    "host", "--no-lan", "--bind", "127.0.0.1", "--port", "0", "--players", "2", "--bots", "1",
    "--start-when-full", "--turn-time", "600",
)  # fmt: skip


@dataclass(slots=True)
class Terminal:
    """A process on a pseudo-terminal. What it writes is read and dropped."""

    pid: int
    end: int

    def read_for(self, seconds: float) -> bytes:
        """Read the output for `seconds`; raise Missing if the process has ended."""
        until, found = perf_counter() + seconds, []
        while (left := until - perf_counter()) > 0:
            if select.select([self.end], [], [], left)[0]:
                try:
                    found.append(os.read(self.end, 65_536))
                except OSError as fault:
                    raise Missing(f"the drawn table has ended: {fault}") from fault
        return b"".join(found)

    def wait_until_it_stands(self) -> None:
        written, until = b"", perf_counter() + START_SECONDS
        while perf_counter() < until:
            now = self.read_for(LOOK_SECONDS)
            written += now
            if DRAWN in written and len(now) <= QUIET_BYTES:
                return
        raise Missing("no drawn table that waits for its player")


@contextmanager
def on_terminal(program: Program, words: tuple[str, ...]) -> Iterator[Terminal]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "settings.toml")
        settings.write_text('speed = "instant"\nname = "Bench"\nmonster = "Kraken"\n')
        env = {
            **environment(program, Path(folder)), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            "KOTP2P_CONFIG": str(settings), "KOTP2P_LAN_INTERFACES": "", "LOGNAME": "bench",
        }  # fmt: skip
        end, inner = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        process = subprocess.Popen(
            ["setsid", "--ctty", *command(program, *words)], cwd=folder, env=env, stdin=inner,
            stdout=inner, stderr=inner,
        )  # fmt: skip
        os.close(inner)
        try:
            yield Terminal(process.pid, end)
        finally:
            process.kill()
            process.wait()
            os.close(end)


def measure_idle(words: tuple[str, ...], program: Program, tiny: bool) -> Samples:
    for terminal in standing_tables(program, words):
        before, began = cpu_so_far(terminal.pid), perf_counter()
        terminal.read_for(1.0 if tiny else IDLE_SECONDS)
        spent, waited = cpu_so_far(terminal.pid) - before, perf_counter() - began
        yield Sample(100 * spent / waited, {"cpu_s": spent, "wall_s": waited})


def measure_memory(words: tuple[str, ...], program: Program, tiny: bool) -> Samples:
    for terminal in standing_tables(program, words):
        yield Sample(resident_bytes(terminal.pid) / 2**20)


def standing_tables(program: Program, words: tuple[str, ...]) -> Iterator[Terminal]:
    """Yield a new table for each sample."""
    if not PROCESSES.exists() or shutil.which("setsid") is None:
        raise Missing("this system has no /proc or no setsid")
    while True:
        with on_terminal(program, words) as terminal:
            terminal.wait_until_it_stands()
            yield terminal


PER_CENT = "% of a core"
SCREEN_ROWS = (
    Row("screen.memory", "a drawn table alone", "MiB resident", partial(measure_memory, ALONE),
        70.0, aim=65.0, repetitions=3),
    Row("screen.idle", "a drawn table without a clock, while nothing happens", PER_CENT,
        partial(measure_idle, ALONE), 0.2, repetitions=3),
    Row("screen.idle-clock", "a drawn table with a clock, while nothing else happens", PER_CENT,
        partial(measure_idle, WITH_CLOCK), 0.55, repetitions=3),
)  # fmt: skip
