"""A Dask cluster that is there already, for what outgrows one machine: many games of bots.

Scope: one `Executor` on the cluster, or on the cores of this machine; whether the cluster has the
same program.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import bench
import kotp2p
import kotp2p.referee
from bench.executors import PARTS_PER_CORE, Workers, open_workers

CLUSTER_SECONDS = 10
"""The time in which a cluster must answer."""


class NoWorkers(Exception):
    """No workers can be had; the message says why, and what can be done."""


@contextmanager
def open_executor(jobs: int, cluster: str | None) -> Iterator[Workers]:
    """Open `jobs` processes of this machine, or the Dask cluster at the address `cluster`.

    End the program with a sentence if the cluster is of no use.
    """
    if cluster is None:
        with open_workers(jobs) as workers:
            yield workers
        return
    logging.disable(logging.CRITICAL)  # Dask logs pages about a connection that is lost
    try:
        with _open_cluster(cluster) as workers:
            yield workers
    except NoWorkers as fault:
        sys.exit(str(fault))
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def _open_cluster(address: str) -> Iterator[Workers]:
    """Open the workers of a cluster; raise NoWorkers.

    Parts that are not done at the end of the block are cancelled.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise NoWorkers("A Dask cluster needs: pip install distributed") from None
    try:
        make_client: Any = Client  # it has no types
        client = make_client(address, timeout=CLUSTER_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoWorkers(f"No Dask scheduler answers at {address} ({error}).") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise NoWorkers(f"The cluster has no worker; start one: dask worker {address}")
        if not _has_same_program(client):
            raise NoWorkers(f"The cluster at {address} has another version of this checkout.")
        failures = (KilledWorker, CancelledError, ImportError, RuntimeError, OSError)
        executor = client.get_executor(pure=False)
        try:
            yield Workers(executor, PARTS_PER_CORE * threads, failures)
        finally:
            executor.shutdown(wait=False)


def _has_same_program(client: Any) -> bool:
    """Compare the scheduler, which reads the work before a worker does it, and all workers."""
    try:
        of_one = client.submit(checkout_digest, pure=False).result(timeout=CLUSTER_SECONDS)
        of_all = client.run(checkout_digest).values()
    except (ImportError, AttributeError, RuntimeError, OSError):
        return False
    return {of_one, *of_all} == {checkout_digest()}


def checkout_digest() -> str:
    """Hash the modules that play games: equal ones come to equal results."""
    found = sha256()
    for package in (bench, kotp2p, kotp2p.referee):
        assert package.__file__ is not None, "a package of files"
        folder = Path(package.__file__).parent
        for path in sorted(folder.rglob("*.py")):
            found.update(path.relative_to(folder).as_posix().encode())
            found.update(sha256(path.read_bytes()).digest())
    return found.hexdigest()
