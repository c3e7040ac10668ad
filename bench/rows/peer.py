"""What a peer works for a roll: real processes with TLS on loopback, with bots of the level `easy`.

Scope: the CPU of each process from the start of its game to its end, which includes the bot, the
log and what a game leaves on the disk.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, sleep

from bench.clock import PROCESSES, cpu_of, cpu_so_far
from bench.program import Program
from bench.row import Missing, Row, Sample, Samples
from bench.rows.start import command, environment
from bench.rows.verify import make_checks

SIGNATURES = 500
PATIENCE = 300.0
LOOK_SECONDS = 0.05
PORT = re.compile(r"127\.0\.0\.1:(\d+)|:(\d{4,5})\b")
HOST = ("host", "--no-lan", "--bind", "127.0.0.1", "--port", "0", "--start-when-full", "--json",
        "--bot", "easy", "--plain", "--turn-time", "none", "--reaction-time", "none")  # fmt: skip
JOIN = ("join", "--json", "--bot", "easy", "--plain")

WATCHES = "The game has not begun yet"
"""What a watcher says in the lobby."""


@dataclass(slots=True)
class Seat:
    """A process that plays one seat, and its CPU when its game had begun."""

    process: subprocess.Popen[bytes]
    home: Path
    before: float | None = None

    def look(self) -> None:
        if self.before is None and any(self.home.glob("data/games/*/*/log")):
            self.before = cpu_so_far(self.process.pid)

    def wait(self) -> float:
        """Wait for the end and return the CPU seconds of the game."""
        _pid, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if self.process.returncode or self.before is None:
            said = (self.home / "said").read_text(errors="replace")[-500:]
            raise Missing(f"a seat has ended with {self.process.returncode}: {said}")
        return usage.ru_utime + usage.ru_stime - self.before


def _start(program: Program, home: Path, words: tuple[str, ...]) -> Seat:
    home.mkdir()
    env = {**environment(program, home), "KOTP2P_LAN_INTERFACES": "", "LOGNAME": home.name}
    with (home / "said").open("wb") as said:
        process = subprocess.Popen(
            command(program, *words),
            cwd=home,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    return Seat(process, home)


def _port_of(host: Seat) -> str:
    began = perf_counter()
    while perf_counter() - began < PATIENCE and host.process.poll() is None:
        found = PORT.search((host.home / "said").read_text(errors="replace"))
        if found:
            return found[1] or found[2]
        sleep(LOOK_SECONDS)
    raise Missing((host.home / "said").read_text(errors="replace")[-500:])


def _until_watched(watcher: Seat) -> None:
    """Wait until the watcher is let in; raise Missing if it is not."""
    began = perf_counter()
    while WATCHES not in (watcher.home / "said").read_text(errors="replace"):
        if perf_counter() - began > PATIENCE or watcher.process.poll() is not None:
            said = (watcher.home / "said").read_text(errors="replace")[-500:]
            raise Missing(f"nobody can watch: {said}")
        sleep(LOOK_SECONDS)


def play_processes(
    program: Program, folder: Path, seats: int, watchers: int = 0
) -> tuple[list[float], bytes]:
    """Return the CPU seconds of each seat's game, and the log of the host.

    `watchers` is the number of watchers from the lobby on.
    """
    with ExitStack() as stack:
        taken = ("--watchers", str(watchers)) if watchers else ()
        at_table = [_start(program, folder / "seat0", (*HOST, "--players", str(seats), *taken))]
        stack.callback(_kill_all, at_table)
        port = _port_of(at_table[0])
        watching: list[Seat] = []
        stack.callback(_kill_all, watching)
        for number in range(watchers):
            command_words = ("watch", f"127.0.0.1:{port}", "--plain")
            watching.append(_start(program, folder / f"watcher{number}", command_words))
            _until_watched(watching[-1])
        for number in range(1, seats):
            words = (*JOIN, "--name", f"Guest {number}", f"127.0.0.1:{port}")
            at_table.append(_start(program, folder / f"seat{number}", words))
        began = perf_counter()
        while any(seat.before is None for seat in at_table):
            if perf_counter() - began > PATIENCE or any(s.process.poll() for s in at_table):
                said = (folder / "seat1" / "said").read_text(errors="replace")[-500:]
                raise Missing(f"the game has not begun: {said}")
            for seat in at_table:
                seat.look()
            sleep(LOOK_SECONDS)
        spent = [seat.wait() for seat in at_table]
        (log,) = (folder / "seat0").glob("data/logs/*.kotlog")
        return spent, log.read_bytes()


def _kill_all(seats: list[Seat]) -> None:
    for seat in seats:
        if seat.process.returncode is None:
            seat.process.kill()
            seat.process.wait()


def measure_roll(seats: int, program: Program, tiny: bool) -> Samples:
    """Measure a roll in units of the checks and the signature that it needs at least."""
    if not PROCESSES.exists():
        raise Missing("this system has no /proc")
    sign_once = partial(cpu_of, program.signature())
    while True:
        with tempfile.TemporaryDirectory() as folder:
            spent, log = play_processes(program, Path(folder), 2 if tiny else seats)
        rolls = program.count_statements(log).openings / len(spent)
        checks = program.signature_checks(log)
        check = cpu_of(partial(make_checks, checks)) / len(checks)
        signature = sum(sign_once() for _ in range(SIGNATURES)) / SIGNATURES
        least = (len(spent) - 1) * check + signature
        per_roll = sorted(spent)[len(spent) // 2] / rolls
        yield Sample(
            per_roll / least, {"roll_ms": per_roll * 1000, "check_us": check * 1e6, "rolls": rolls}
        )


def measure_watched(watchers: int, program: Program, tiny: bool) -> Samples:
    """Measure the host of a watched game against a host without watchers.

    Both play once in turn.
    """
    if not PROCESSES.exists():
        raise Missing("this system has no /proc")
    while True:
        alone, watched = (_host_roll(program, n) for n in (0, 1 if tiny else watchers))
        parts = {"alone_roll_ms": alone * 1000, "watched_roll_ms": watched * 1000}
        yield Sample(watched / alone, parts)


def _host_roll(program: Program, watchers: int) -> float:
    """Return the CPU seconds of the host for a roll of a game of two."""
    with tempfile.TemporaryDirectory() as folder:
        spent, log = play_processes(program, Path(folder), 2, watchers)
    return spent[0] * len(spent) / program.count_statements(log).openings


PEER_ROWS = (
    Row("peer.roll-6", "a peer's CPU for a roll at six seats", "× 5 checks + 1 signature",
        partial(measure_roll, 6), 10.0, aim=8.0, repetitions=3),
    Row("peer.watched-10", "the host's CPU for a roll while ten watch", "× while nobody does",
        partial(measure_watched, 10), repetitions=3, is_usual=False),
    Row("peer.watched-100", "the host's CPU for a roll while a hundred watch",
        "× while nobody does", partial(measure_watched, 100), repetitions=1, is_usual=False),
)  # fmt: skip
