"""Which tests call which function, and what each test costs, by one run with a profile hook."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
import trio

from tests.support.paths import ROOT, modules_of


@dataclass(slots=True)
class Reached:
    """By test: its CPU seconds, and the functions that it calls, as `path:qualified name`."""

    seconds: dict[str, float] = field(default_factory=dict)
    functions: dict[str, list[str]] = field(default_factory=dict)

    def tests_of(self, path: str, function: str) -> list[str]:
        """The tests that call a function, or one that is defined in it, in the order in which they
        are worth their seconds: those of the room of that function first, and of the cases of one
        test the first ones."""
        name = f"{path}:{function}"
        inner = f"{name}.<locals>."
        found = [
            test
            for test, called in self.functions.items()
            if any(c == name or c.startswith(inner) for c in called)
        ]
        found.sort(key=self.seconds.__getitem__)
        inner = path.removeprefix("kotp2p/") if path.startswith("kotp2p/referee/") else path
        room = f"tests/{Path(inner).parent}/"
        cases: Counter[str] = Counter()
        worth = {}
        for test in found:
            family = test.partition("[")[0]
            worth[test] = self.seconds[test] * (1 + cases[family])
            if test.startswith(room):
                worth[test] /= 10
            cases[family] += 1
        return sorted(found, key=worth.__getitem__)

    def save(self, path: Path, digest: str) -> None:
        path.write_text(json.dumps([digest, self.seconds, self.functions]))

    @staticmethod
    def load(path: Path, digest: str) -> Reached | None:
        if not path.exists():
            return None
        known, seconds, functions = json.loads(path.read_text())
        return Reached(seconds, functions) if known == digest else None


def digest_of_sources(tests: Sequence[str]) -> str:
    """Changes with every source of the program and of its tests, and with which tests are run. Not
    with this tool, which changes no fate."""
    found = hashlib.sha256(repr(tests).encode())
    for path in modules_of("kotp2p", "referee", "tests"):
        if Path(__file__).parent not in path.parents:
            found.update(path.read_bytes())
    return found.hexdigest()


def note_reached(arguments: list[str], path: Path, digest: str) -> None:
    """Runs pytest, and writes to `path` which tests have called which function."""
    plugin = ReachPlugin()
    pytest.main(arguments, plugins=[plugin])
    plugin.reached.save(path, digest)


@dataclass(slots=True, eq=False)
class ReachPlugin:
    """Leaves out the tests that fail: they would kill whatever they meet."""

    reached: Reached = field(default_factory=Reached)
    _failed: set[str] = field(default_factory=set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        seen: set[CodeType] = set()
        began = time.process_time()
        try:
            with noting_calls(seen):
                return (yield)
        finally:
            if item.nodeid not in self._failed:
                self.reached.seconds[item.nodeid] = time.process_time() - began
                self.reached.functions[item.nodeid] = sorted(_names(set(seen)))


@contextmanager
def noting_calls(seen: set[CodeType]) -> Iterator[None]:
    """Adds the code of each function that is called meanwhile, in whatever thread."""

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    def noted(call: Callable[..., object]) -> Callable[..., object]:
        def called(*arguments: object) -> object:
            sys.setprofile(note)
            try:
                return call(*arguments)
            finally:
                sys.setprofile(None)

        return called

    run_sync = trio.to_thread.run_sync

    async def run_noted(call: Callable[..., object], *arguments: object, **options: Any) -> object:
        return await run_sync(noted(call), *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        # A thread of trio may have been waiting for work since an earlier test.
        patch.setattr(trio.to_thread, "run_sync", run_noted)
        threading.setprofile(note)  # of threads that the test starts
        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def _names(codes: set[CodeType]) -> set[str]:
    found = set()
    for code in codes:
        path = Path(code.co_filename)
        if path.is_relative_to(ROOT):
            inside = path.relative_to(ROOT)
            if inside.parts[0] == "kotp2p" and inside.parts[1] != "cli":
                found.add(f"{inside}:{code.co_qualname}")
    return found
