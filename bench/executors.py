"""Where work of many like parts is done: in this process, or on its cores.

Scope: one `Executor` for each, with its end, also by Ctrl-C. Which errors say that it has failed.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from kotp2p.cli.system.process import search_rarely

PARTS_PER_CORE = 2
"""While a core works at one part, the next is on its way to it."""
PARTS_IN_ORDER = 4
"""The factor for parts submitted where results are wanted in order: a long part delays those after
it."""
P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Workers:
    executor: Executor
    at_once: int
    failures: tuple[type[Exception], ...]
    """The errors of a part that mean that the executor has failed, not the work."""


def do_in_order(
    workers: Workers, work: Callable[[S], T], parts: Iterable[S]
) -> Iterator[tuple[S, T]]:
    """Yield each part with its result in order, with few at a time; raise the error of a part."""
    waiting: deque[tuple[S, Future[T]]] = deque()
    for part in parts:
        waiting.append((part, workers.executor.submit(work, part)))
        if len(waiting) >= workers.at_once * PARTS_IN_ORDER:
            done, future = waiting.popleft()
            yield done, future.result()
    for done, future in waiting:
        yield done, future.result()


def count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def open_workers(jobs: int) -> Iterator[Workers]:
    """Open `jobs` processes; parts that are not done at the end of the block are cancelled."""
    if jobs == 1:
        yield Workers(_ThisProcess(), 1, ())
    else:
        with _open_processes(jobs) as workers:
            yield workers


class _ThisProcess(Executor):
    """An executor that runs each part at once in this process, and raises its errors."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = Future[T]()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def _open_processes(jobs: int) -> Iterator[Workers]:
    import multiprocessing  # one log is checked without any of this
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_work
    )
    try:
        with _interrupts_held():
            for _n in range(jobs):
                pool.submit(os.getpid)
        yield Workers(pool, PARTS_PER_CORE * jobs, (BrokenProcessPool,))
    finally:
        # A part that has begun may take a minute and is not waited for. The pool is waited for, as
        # Python would run into what it is closing just then at the end of the process.
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Block SIGINT in processes started within the block; this one receives it after the block."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: a child takes no part in a block
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_work() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    search_rarely()
