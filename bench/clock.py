"""CPU time and memory, of calls and of processes.

Scope: user and system time. It depends less than wall time on what else the machine does.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

T = TypeVar("T")
PROCESSES = Path("/proc")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What a call returns, and its CPU seconds."""
    began = process_time()
    result = work()
    return result, process_time() - began


def cpu_of(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    return timed(work)[1]


def wall_of(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def cpu_in_turn(
    work: Callable[[], object], yardstick: Callable[[], object], times: int
) -> tuple[float, float]:
    """CPU seconds of both, done in turn so many times: of each the least, as all that another
    program costs a call comes on top."""
    pairs = [(cpu_of(work), cpu_of(yardstick)) for _ in range(times)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def sum_in_turn(
    work: Callable[[], float], yardstick: Callable[[], float], times: int
) -> tuple[float, float]:
    """Seconds of both, which they return themselves, done in turn so many times."""
    pairs = [(work(), yardstick()) for _ in range(times)]
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def cpu_of_process(
    command: Sequence[str], cwd: Path, env: Mapping[str, str], *, codes: tuple[int, ...] = (0,)
) -> float:
    """CPU seconds of a process with those of its children that it has waited for. Raises
    CalledProcessError if it ends with another code."""
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
    """CPU seconds of a running process, all its threads, to the nanosecond (Linux)."""
    tasks = (PROCESSES / str(pid) / "task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def resident_bytes(pid: int) -> int:
    """(Linux)"""
    fields = (PROCESSES / str(pid) / "statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
