"""Runs each test in a process of its own, forked once all tests are imported (`--alone`).

So no test can lean on a cache that another one has filled, or suffer from what another one has
left behind.
"""

import faulthandler
import os
import pickle

import pytest
from _pytest.runner import runtestprotocol


def run_in_fork(item: pytest.Item) -> list[pytest.TestReport]:
    """The reports of the test: of its setup, its call and its teardown."""
    # The thread that tells of a test that hangs does not come along. A failed test would stop it in
    # the fork, and wait for it for ever.
    faulthandler.cancel_dump_traceback_later()
    source, target = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        with os.fdopen(target, "wb") as stream:
            stream.write(_reports_as_bytes(item))
        os._exit(0)
    os.close(target)
    with os.fdopen(source, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(child, 0)
    if not data:
        how = os.waitstatus_to_exitcode(status)
        raise pytest.UsageError(f"{item.nodeid}: its process ended with {how} and said nothing")
    hook = item.config.hook
    return [
        hook.pytest_report_from_serializable(config=item.config, data=report)
        for report in pickle.loads(data)
    ]


def _reports_as_bytes(item: pytest.Item) -> bytes:
    hook = item.config.hook
    return pickle.dumps(
        [
            hook.pytest_report_to_serializable(config=item.config, report=report)
            for report in runtestprotocol(item, log=False, nextitem=None)
        ]
    )
