"""CPU time and memory, of calls and of processes.

Scope: user and system time. It depends less than wall time on what else the machine does.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import TypeVar

T = TypeVar("T")
PROCESSES = Path("/proc")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result of a call, and its CPU seconds."""
    began = process_time()
    result = work()
    return result, process_time() - began


def cpu_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    return timed(work)[1]


def cpu_in_turn(
    work: Callable[[], object], yardstick: Callable[[], object], times: int
) -> tuple[float, float]:
    """Return the least CPU seconds of both calls, each done `times` times in turn.

    What another program costs a call always adds to its time.
    """
    pairs = [(cpu_of(work), cpu_of(yardstick)) for _ in range(times)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def sum_in_turn(
    work: Callable[[], float], yardstick: Callable[[], float], times: int
) -> tuple[float, float]:
    """Return the seconds of both calls, as they report them, summed over `times` turns."""
    pairs = [(work(), yardstick()) for _ in range(times)]
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def cpu_of_process(
    command: Sequence[str], cwd: Path, env: Mapping[str, str], *, codes: tuple[int, ...] = (0,)
) -> float:
    """Return the CPU seconds of a process and of the children that it has waited for.

    Raise CalledProcessError if it ends with another code.
    """
    process = subprocess.Popen(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime


def cpu_so_far(pid: int) -> float:
    """Return the CPU seconds of a running process, all threads, to the nanosecond (Linux)."""
    tasks = (PROCESSES / str(pid) / "task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process (Linux)."""
    fields = (PROCESSES / str(pid) / "statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
