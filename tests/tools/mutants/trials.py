"""Runs the tests of each mutant in a fork of the process that has collected them.

Scope: one mutant at a time in each of some forks; the first test that fails ends it. Fates are kept
in a file, so that a run that was stopped goes on.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

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


@dataclass(frozen=True, slots=True)
class KeptFates:
    """A file with a line for each trial: the sources, the mutant, its fate, the seconds that its
    tests were given, and the test that has failed."""

    path: Path
    digest: str

    def load(self, most_seconds: float) -> dict[str, Fate]:
        """By the name of a mutant. One that has survived fewer seconds is tried again."""
        if not self.path.exists():
            return {}
        found = {}
        for line in self.path.read_text().splitlines():
            digest, name, fate, seconds, _ = json.loads(line)
            if digest == self.digest and (fate in DEAD or seconds >= most_seconds):
                found[name] = Fate(fate)
        return found

    def load_killers(self) -> dict[str, str]:
        """By the name of a mutant: the test that has failed with it last, whatever the sources were
        then. It is likely to fail again."""
        if not self.path.exists():
            return {}
        lines = [json.loads(line) for line in self.path.read_text().splitlines()]
        return {name: killer for _, name, _, _, killer in lines if killer}

    def add(self, mutation: Mutation, fate: Fate, most_seconds: float, killer: str = "") -> None:
        line = [self.digest, mutation.name, fate, most_seconds, killer]
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")


class _Trial(NamedTuple):
    """A running fork."""

    pid: int
    mutation: Mutation
    told: int
    """The end of a pipe through which it names the test that has failed."""


@dataclass(slots=True)
class Trials:
    """A plugin that runs the trials where pytest would run the tests."""

    mutations: list[Mutation]
    reached: Reached
    kept: KeptFates
    jobs: int
    most_seconds: float
    """Of CPU for the tests of one mutant, by what they cost without it."""
    fates: dict[Mutation, Fate] = field(default_factory=dict)
    _killers: dict[str, str] = field(default_factory=dict)
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
        running: dict[int, _Trial] = {}
        forget_results()
        gc.freeze()  # or each fork copies all that has been collected
        known = self.kept.load(self.most_seconds)
        self._killers = self.kept.load_killers()
        for mutation in self.mutations:
            fate = known.get(mutation.name)
            if fate is not None:
                self._tell(mutation, fate)
                continue
            tests = self._choose_tests(mutation, items)
            if not tests:
                self._note(mutation, Fate.UNREACHED)
                continue
            if len(running) == self.jobs:
                self._await_one(running)
            trial = self._fork(mutation, tests)
            running[trial.pid] = trial
        while running:
            self._await_one(running)
        return True

    def _choose_tests(self, mutation: Mutation, items: dict[str, pytest.Item]) -> list[pytest.Item]:
        path = f"{mutation.module.replace('.', '/')}.py"
        if not (ROOT / path).exists():
            path = f"{mutation.module.replace('.', '/')}/__init__.py"
        left = self.most_seconds
        chosen: list[pytest.Item] = []
        killer = self._killers.get(mutation.name)
        tests = self.reached.tests_of(path, mutation.function)
        for test in sorted(tests, key=lambda test: test != killer):
            if test in items and (left > 0 or not chosen):
                left -= self.reached.seconds[test]
                chosen.append(items[test])
        return chosen

    def _fork(self, mutation: Mutation, tests: list[pytest.Item]) -> _Trial:
        sys.stdout.flush()
        told, tells = os.pipe()
        pid = os.fork()
        if pid:
            os.close(tells)
            os.set_blocking(told, False)
            return _Trial(pid, mutation, told)
        os.setpgid(0, 0)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        os._exit(self._try(mutation, tests, tells))

    def _try(self, mutation: Mutation, tests: list[pytest.Item], tells: int) -> int:
        path = Path(sys.modules[mutation.module].__file__ or "")
        code = compile_mutant(mutation, path.read_text(), str(path))
        if not swap_code(mutation.module, mutation.function, code):
            return 3
        for test, following in _with_next(tests):
            _limit(self.reached.seconds[test.nodeid])
            test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            if self._failed:
                os.write(tells, test.nodeid.encode()[: select.PIPE_BUF])
                return 1
        return 0

    def _await_one(self, running: dict[int, _Trial]) -> None:
        pid, status = os.wait()
        while pid not in running:
            pid, status = os.wait()
        if os.WIFSIGNALED(status):
            fate = Fate.HANGS
        else:
            fate = _CODES.get(os.WEXITSTATUS(status), Fate.KILLED)
        trial = running.pop(pid)
        killer = b""
        with suppress(BlockingIOError):  # a process that it has left behind may hold the other end
            killer = os.read(trial.told, select.PIPE_BUF)
        os.close(trial.told)
        self._note(trial.mutation, fate, killer.decode(errors="replace"))

    def _note(self, mutation: Mutation, fate: Fate, killer: str = "") -> None:
        self.kept.add(mutation, fate, self.most_seconds, killer)
        self._tell(mutation, fate)

    def _tell(self, mutation: Mutation, fate: Fate) -> None:
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
