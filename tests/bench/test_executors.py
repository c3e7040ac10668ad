"""Where work is done: in this process, or in others of this machine."""

import multiprocessing
import os
import threading
from collections.abc import Iterator
from multiprocessing.connection import wait

from bench.executors import PARTS_IN_ORDER, do_in_order, open_workers

PATIENCE_SECONDS = 60.0
"""For a process to end on a slow machine; a test that needs them has failed."""


def test_one_job_is_done_in_this_process() -> None:
    with open_workers(1) as workers:
        assert workers.at_once == 1
        assert workers.executor.submit(os.getpid).result() == os.getpid()


def test_several_jobs_are_done_by_processes_that_end_with_the_block() -> None:
    before = set(multiprocessing.active_children())
    with open_workers(2) as workers:
        assert workers.at_once >= 2
        assert workers.executor.submit(os.getpid).result() != os.getpid()
        started = set(multiprocessing.active_children()) - before
        assert len(started) == 2
    for process in started:  # its exit code may just be fetched by the thread of the executor
        assert wait([process.sentinel], PATIENCE_SECONDS)


def test_nothing_of_a_pool_is_still_being_closed_behind_the_block() -> None:
    before = set(threading.enumerate())
    with open_workers(2) as workers:
        workers.executor.submit(os.getpid).result()
        assert set(threading.enumerate()) - before
    assert not set(threading.enumerate()) - before


def test_parts_come_in_their_order_and_few_are_handed_out_at_a_time() -> None:
    handed_out: list[int] = []

    def parts() -> Iterator[int]:
        for n in range(1000):
            handed_out.append(n)
            yield n

    with open_workers(1) as workers:
        found = do_in_order(workers, str, parts())
        assert next(found) == (0, "0")
        assert len(handed_out) <= PARTS_IN_ORDER
        assert list(found) == [(n, str(n)) for n in range(1, 1000)]
