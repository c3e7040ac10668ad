"""Where a test hangs: the frames of all threads are dumped after twenty minutes.

Scope: as `faulthandler_timeout` of pytest, which starts and ends a thread for each test; with
thousands of quick tests on busy cores that costs more than they do. Here it is one for a minute.
"""

from __future__ import annotations

import faulthandler
import time

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

HANGS_AFTER_SECONDS = 1200
"""The dump reads the frames of running threads and can crash the worker."""
RENEWED_AFTER_SECONDS = 60

RENEWED = pytest.StashKey[float]()


def watch_for_hang(config: pytest.Config) -> None:
    """Called before each test."""
    now = time.monotonic()
    if now - config.stash.get(RENEWED, float("-inf")) >= RENEWED_AFTER_SECONDS:
        config.stash[RENEWED] = now
        # What stands behind the stderr that a test sees.
        stderr = config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(HANGS_AFTER_SECONDS, file=stderr)
