"""No test speaks on the network of the machine it runs on, or reads what its user has set. Here
are the options of a run, too: in which order, each test alone, and what must not be left out."""

import gc
import inspect
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, settings
from trio.abc import Clock
from trio.testing import MockClock

from tests.support.no_names import forbid_names
from tests.support.settings import write_settings
from tests.support.spoken_language import STATES

# No test fails because a machine is busy, or because it is the first that needs some table.
settings.register_profile("any pace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any pace")
os.environ["KOTP2P_LAN_INTERFACES"] = ""
_SETTINGS = tempfile.TemporaryDirectory(prefix="kotp2p-tests-")  # removed as the process ends
os.environ["KOTP2P_CONFIG"] = write_settings(Path(_SETTINGS.name))
forbid_names()
os.environ["LANGUAGE"] = "en"  # whatever the locale of this machine is
# The programs that tests start are compiled once, not at each of some hundred starts.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

SEED = pytest.StashKey[int]()


@pytest.fixture(autouse=True)
def flags_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command line of a test has set holds for its process, as a process runs one; the
    language and the signs of the drawn table, too."""
    for path, names in STATES.items():
        module = sys.modules.get(path)
        for name in names if module is not None else ():
            monkeypatch.setattr(module, name, getattr(module, name))
    if "kotp2p.cli.system.options" not in sys.modules:
        return  # no command line can have been read
    from kotp2p.cli.system.options import CommonFlags

    for name, value in list(vars(CommonFlags).items()):
        if not name.startswith("_"):
            monkeypatch.setattr(CommonFlags, name, value)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("kotp2p")
    group.addoption("--order", metavar="SEED", help="shuffle the tests; SEED may be 'random'")
    group.addoption("--alone", action="store_true", help="run each test in a process of its own")
    group.addoption("--leave-out-none", action="store_true", help="a skipped test is a failure")


def pytest_configure(config: pytest.Config) -> None:
    from tests.support.running_order import choose_seed

    if config.option.order is not None:
        # All workers collect the same order: that of the process which has started them.
        given: dict[str, Any] = getattr(config, "workerinput", {})
        seed = given["order"] if "order" in given else choose_seed(config.option.order)
        config.stash[SEED] = seed


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    if SEED in node.config.stash:
        node.workerinput["order"] = node.config.stash[SEED]


def pytest_report_header(config: pytest.Config) -> str | None:
    return _order_in_words(config)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if (words := _order_in_words(config)) is not None:
        terminalreporter.write_line(words)
    if config.option.leave_out_none and terminalreporter.stats.get("skipped"):
        terminalreporter.write_line("Tests did not run, and none may be left out.", red=True)


def _order_in_words(config: pytest.Config) -> str | None:
    return f"the order of the tests: --order {config.stash[SEED]}" if SEED in config.stash else None


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.option.leave_out_none and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """All that is imported stays to the end, so no search for garbage looks through it: meanwhile
    that would take a third of the time, and later a tenth of the work of the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def run_in_virtual_time(test: Callable[..., Any], *, clock: Clock | None, **how: Any) -> object:
    return trio.run(test, clock=clock or MockClock(autojump_threshold=0), **how)


def pytest_itemcollected(item: pytest.Item) -> None:
    in_virtual_time = item.get_closest_marker("virtual_time") is not None
    if in_virtual_time and inspect.iscoroutinefunction(getattr(item, "obj", None)):
        item.add_marker(pytest.mark.trio(run=run_in_virtual_time))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    from tests.support.running_order import deal_tests, shuffle_tests

    if SEED in config.stash:
        items[:] = shuffle_tests(items, config.stash[SEED])
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = deal_tests(items, workers)


def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    if not item.config.option.alone:
        return None
    from tests.support.alone import run_in_fork

    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in run_in_fork(item):
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_runtest_setup(item: pytest.Item) -> None:
    from tests.support.machines import can_make_homes, can_make_machines

    if item.get_closest_marker("netns") is not None and not can_make_machines():
        pytest.skip("network namespaces need root on Linux, and the program ip")
    if item.get_closest_marker("homes") is not None and not can_make_homes():
        pytest.skip("homes that masquerade need network namespaces, and the program nft")


@pytest.fixture(scope="session", autouse=True)
def signatures_checked_once() -> Iterator[None]:
    """A signature is right or wrong for all peers in one process, and in all copies of a log."""
    from tests.support.signatures import quick_signatures

    with quick_signatures():
        yield


@pytest.fixture
def loopback_alone() -> Iterator[None]:
    """Tables on loopback are seen by every process of the machine: one run at a time uses it."""
    fcntl = pytest.importorskip("fcntl")
    with (Path(tempfile.gettempdir()) / "kotp2p-tests-on-loopback").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
