"""A real Dask cluster on loopback: a scheduler and two workers, each a process of its own."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.program import Program

OWN_SESSION = (
    sys.executable, "-c",
    "import os, sys; os.setsid(); os.execv(sys.argv[1], sys.argv[1:])",
)  # fmt: skip
"""As a terminal has it: Ctrl-C goes to all processes of the command."""


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[Program]]]:
    """The address of a scheduler, and its two workers."""
    quiet = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler = Program(
        folder / "scheduler", "scheduler", *quiet, "--port", "0", module="dask", before=OWN_SESSION
    )
    address = scheduler.wait_for(r"Scheduler at: +(tcp://127\.0\.0\.1:\d+)")[1]
    worker = ("worker", address, *quiet, "--no-nanny", "--nthreads", "1", "--local-directory")
    workers = [
        Program(folder / name, *worker, str(folder / name), module="dask", before=OWN_SESSION)
        for name in ("first", "second")
    ]
    try:
        for one in workers:
            one.wait_for(r"Registered to: +tcp://")
        yield address, workers
    finally:
        for one in (*workers, scheduler):
            one.kill()
            one.wait()
