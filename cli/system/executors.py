"""Where work of many like parts is done: in this process, on its cores, or on a Dask cluster.

Scope: one `Executor` for each, with its end, also by Ctrl-C. Which errors say that it has failed.
Not here: the work. It has to be a function of a module, with values that can be pickled, and
without a chance of its own: then it comes to the same everywhere.
"""

from __future__ import annotations

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import kotp2p
import referee
from cli.system.garbage import search_rarely
from cli.text.i18n import _

CLUSTER_SECONDS = 10
"""So long a cluster may take to answer."""
PARTS_PER_CORE = 2
"""While a core works at one part, the next is on its way to it."""
PARTS_IN_ORDER = 4
"""Times as many are handed out where results are wanted in order: a long one holds up the others
behind it."""
P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Workers:
    executor: Executor
    at_once: int
    """So many parts should be handed out at a time."""
    failures: tuple[type[Exception], ...]
    """What a part may raise if not the work has failed but the executor."""


def do_in_order(
    workers: Workers, work: Callable[[S], T], parts: Iterable[S]
) -> Iterator[tuple[S, T]]:
    """Each part with what came of it, in the order of the parts. Few parts are handed out or kept
    at a time, however many there are. An error of a part or of the executor is raised here."""
    waiting: deque[tuple[S, Future[T]]] = deque()
    for part in parts:
        waiting.append((part, workers.executor.submit(work, part)))
        if len(waiting) >= workers.at_once * PARTS_IN_ORDER:
            done, future = waiting.popleft()
            yield done, future.result()
    for done, future in waiting:
        yield done, future.result()


class NoWorkers(Exception):
    """There are none to be had; the message says why and what to do, in one sentence."""


def fault_of_workers(jobs: int | None, cluster: str | None) -> str:
    """Why nobody can do work for both flags; empty if it makes sense."""
    if jobs is not None and cluster is not None:
        return _("--jobs is for this machine, and does not go with --dask.")
    return ""


def describe_stopped_workers(error: Exception) -> str:
    """For an error among `Workers.failures`."""
    if isinstance(error, BrokenExecutor):  # of this machine: one was killed, or had no memory left
        return _("A process that helped has died ({error}); try again with --jobs 1.",
                 error=_first_line(error))  # fmt: skip
    return _("The workers have stopped ({error}); try again, or without --dask.",
             error=_first_line(error))  # fmt: skip


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends the work and not the program, which still has something to say."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def count_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def open_workers(jobs: int, cluster: str | None) -> Iterator[Workers]:
    """`jobs` processes of this machine, or the Dask cluster at the address `cluster`.

    Raises NoWorkers. What is not done when the block is left is given up.
    """
    if cluster is not None:
        with _without_log(), _open_cluster(cluster) as workers:
            yield workers
    elif jobs == 1:
        yield Workers(_ThisProcess(), 1, ())
    else:
        with _open_processes(jobs) as workers:
            yield workers


@contextmanager
def open_second_process() -> Iterator[Workers]:
    """A process that works while this one does other things."""
    with _open_processes(1) as workers:
        yield workers


class _ThisProcess(Executor):
    """Does each part when it is handed out. Its errors come out there."""

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
        # A part that has begun may take a minute: nobody waits for it. The pool is waited for, as
        # Python would run into what it is closing just then at the end of the process.
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes that are started meanwhile never hear of Ctrl-C, which goes to all of a terminal.
    This one hears of it behind the block."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: a child takes no part in a block
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_work() -> None:
    """Only the process that has started this one reacts to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    search_rarely()


@contextmanager
def _without_log() -> Iterator[None]:
    """Dask logs pages about a connection that is lost; what matters comes as an error."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def _open_cluster(address: str) -> Iterator[Workers]:
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise NoWorkers(
            _("A Dask cluster needs more than is installed here: pip install 'kotp2p[dask]'")
        ) from None
    try:
        make_client: Any = Client  # it has no types
        client = make_client(address, timeout=CLUSTER_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoWorkers(
            _("No Dask scheduler answers at {address} ({error}); see its address where it runs.",
              address=address, error=_first_line(error))
        ) from None  # fmt: skip
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise NoWorkers(
                _("The Dask cluster at {address} has no worker; start one: dask worker {address}",
                  address=address)
            )  # fmt: skip
        if not _has_same_program(client):
            raise NoWorkers(
                _("The Dask cluster at {address} lacks this version of kotp2p; install it where "
                  "its scheduler and its workers run.",
                  address=address)
            )  # fmt: skip
        failures = (KilledWorker, CancelledError, ImportError, RuntimeError, OSError)
        executor = client.get_executor(pure=False)
        try:
            yield Workers(executor, PARTS_PER_CORE * threads, failures)
        finally:
            executor.shutdown(wait=False)


def _has_same_program(client: Any) -> bool:
    """The scheduler reads the work, too, before a worker does it."""
    try:
        of_one = client.submit(program_digest, pure=False).result(timeout=CLUSTER_SECONDS)
        of_all = client.run(program_digest).values()
    except (ImportError, AttributeError, RuntimeError, OSError):
        return False
    return {of_one, *of_all} == {program_digest()}


def program_digest() -> str:
    """A hash of the modules that play and judge games: equal ones come to equal results."""
    found = sha256()
    for package in (kotp2p, referee):
        assert package.__file__ is not None, "a package of files"
        folder = Path(package.__file__).parent
        for path in sorted(folder.rglob("*.py")):
            found.update(sha256(path.relative_to(folder).as_posix().encode()).digest())
            found.update(sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
