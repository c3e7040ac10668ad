"""Runs the tests of each mutant in a fork of the collecting process, until one fails."""

import functools
import gc
import os
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.tools.mutants.mutations import Mutation, compile_mutant
from tests.tools.mutants.reaching import Reached
from tests.tools.mutants.swapping import swap_code

MOST_SECONDS = 10
"""CPU that a test may use besides four times what it needs without the mutant."""
MOST_WAITING_SECONDS = 120
"""A test that waits so long for nothing hangs, which a person would notice."""


class Fate(StrEnum):
    KILLED = "killed"
    HANGS = "hangs"
    """It used far more time than its tests do otherwise, so it counts as killed."""
    SURVIVED = "survived"
    UNREACHED = "unreached"
    """No test calls its function."""
    NOT_APPLIED = "not applied"
    """There is no function in the running process that could take its code."""


DEAD = (Fate.KILLED, Fate.HANGS)
_CODES = {0: Fate.SURVIVED, 1: Fate.KILLED, 3: Fate.NOT_APPLIED}


@dataclass(slots=True, eq=False)
class Trials:
    """A plugin that runs the trials where pytest would run the tests."""

    mutations: list[Mutation]
    reached: Reached
    jobs: int
    most_seconds: float
    """Of CPU for the tests of one mutant, by what they cost without it."""
    fates: dict[Mutation, Fate] = field(default_factory=dict)
    _failed: bool = False

    def pytest_sessionstart(self) -> None:
        # Not before pytest has prepared the assertions of hypothesis.
        from hypothesis import Phase, settings

        # Whether a law fails is enough to know; what its smallest example is costs minutes.
        settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate), database=None)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        running: dict[int, Mutation] = {}
        forget_results()
        gc.freeze()  # or each fork copies all that has been collected
        for mutation in self.mutations:
            tests = self._choose_tests(mutation, items)
            if not tests:
                self._note(mutation, Fate.UNREACHED)
                continue
            if len(running) == self.jobs:
                self._await_one(running)
            running[self._fork(mutation, tests)] = mutation
        while running:
            self._await_one(running)
        return True

    def _choose_tests(self, mutation: Mutation, items: dict[str, pytest.Item]) -> list[pytest.Item]:
        path = f"{mutation.module.replace('.', '/')}.py"
        if not (ROOT / path).exists():
            path = f"{mutation.module.replace('.', '/')}/__init__.py"
        left = self.most_seconds
        chosen: list[pytest.Item] = []
        for test in self.reached.tests_of(path, mutation.function):
            if test in items and (left > 0 or not chosen):
                left -= self.reached.seconds[test]
                chosen.append(items[test])
        return chosen

    def _fork(self, mutation: Mutation, tests: list[pytest.Item]) -> int:
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            return pid
        os.setpgid(0, 0)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        os._exit(self._try(mutation, tests))

    def _try(self, mutation: Mutation, tests: list[pytest.Item]) -> int:
        path = Path(sys.modules[mutation.module].__file__ or "")
        code = compile_mutant(mutation, path.read_text(), str(path))
        if not swap_code(mutation.module, mutation.function, code):
            return 3
        for test, following in _with_next(tests):
            _limit(self.reached.seconds[test.nodeid])
            test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            if self._failed:
                return 1
        return 0

    def _await_one(self, running: dict[int, Mutation]) -> None:
        pid, status = os.wait()
        while pid not in running:
            pid, status = os.wait()
        if os.WIFSIGNALED(status):
            fate = Fate.HANGS
        else:
            fate = _CODES.get(os.WEXITSTATUS(status), Fate.KILLED)
        self._note(running.pop(pid), fate)

    def _note(self, mutation: Mutation, fate: Fate) -> None:
        self.fates[mutation] = fate
        if fate not in DEAD:
            print(f"{fate}: line {mutation.line}, {mutation.name}", flush=True)


def forget_results() -> None:
    """Empties the caches around functions. They may hold what the code has given before its change,
    as when the same process has noted which tests call which function."""
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper):
            found.cache_clear()


def _limit(usual: float) -> None:
    """Ends this process when the next test needs far more than usual: a mutant that hangs shall
    not cost what all its tests do together."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + MOST_SECONDS + 4 * usual)
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    signal.alarm(int(MOST_WAITING_SECONDS + 20 * usual))


def _with_next(tests: list[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    yield from zip(tests, [*tests[1:], None], strict=True)
