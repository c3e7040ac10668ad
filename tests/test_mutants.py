"""The small faults that `tests.tools.mutants` puts into the program."""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType

import pytest
import trio

from tests.tools.mutants.__main__ import EQUIVALENT, draw
from tests.tools.mutants.mutations import compile_mutant, find_mutations
from tests.tools.mutants.reaching import Reached, digest_of_sources, noting_calls
from tests.tools.mutants.swapping import swap_code
from tests.tools.mutants.trials import Fate, KeptFates, forget_results

SOURCE = '''
class Door:
    def __init__(self, keys):
        self.keys = keys

    @property
    def is_open(self):
        """Whether it is."""
        return self.keys > 2 and not self.keys == 7

    @classmethod
    def shut(cls):
        if cls is None:
            raise ValueError("2 > 1")
        return cls(0)


def count(numbers):
    def is_even(number):
        return number % 2 == 0
    total = 0
    for number in numbers:
        if is_even(number):
            total += 1
    return total
'''


@pytest.fixture
def doors(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("doors")
    exec(compile(SOURCE, "doors.py", "exec"), vars(module))
    monkeypatch.setitem(sys.modules, "doors", module)
    return module


def put_in(before: str, after: str) -> bool:
    (mutation,) = (
        m for m in find_mutations("doors", SOURCE) if (m.before, m.after) == (before, after)
    )
    code = compile_mutant(mutation, SOURCE, "doors.py")
    return swap_code("doors", mutation.function, code)


def test_each_place_is_changed_in_each_small_way() -> None:
    found = [(m.function, m.before, m.after) for m in find_mutations("doors", SOURCE)]
    compared = "self.keys > 2"
    both = "self.keys > 2 and (not self.keys == 7)"
    assert [change[1:] for change in found if change[0] == "Door.is_open"] == [
        (both, "self.keys > 2 or not self.keys == 7"),
        (both, "not self.keys == 7"),
        (both, compared),
        (compared, "self.keys >= 2"),
        ("2", "3"),
        ("not self.keys == 7", "self.keys == 7"),
        ("self.keys == 7", "self.keys != 7"),
        ("7", "8"),
    ]
    assert ("count", "total += 1", "pass") in found


def test_what_is_only_told_is_not_changed() -> None:
    assert not [m for m in find_mutations("doors", SOURCE) if '"2 > 1"' in m.before]


@pytest.mark.parametrize(
    "statement", ["assert a > 2", "assert_never(a)", "return list(zip(a, strict=True))"]
)
def test_what_is_only_asserted_is_not_changed(statement: str) -> None:
    assert find_mutations("doors", f"def f(a):\n    {statement}\n") == []


def test_a_property_gets_the_changed_code(doors: ModuleType) -> None:
    assert not doors.Door(2).is_open
    assert put_in("self.keys > 2", "self.keys >= 2")
    assert doors.Door(2).is_open


def test_a_class_method_gets_the_changed_code(doors: ModuleType) -> None:
    assert put_in("cls is None", "cls is not None")
    with pytest.raises(ValueError, match="2 > 1"):
        doors.Door.shut()


def test_a_function_within_a_function_is_changed_with_it(doors: ModuleType) -> None:
    assert doors.count([1, 2, 4]) == 2
    assert put_in("number % 2 == 0", "number % 2 != 0")
    assert doors.count([1, 2, 4]) == 1


def test_no_trial_takes_what_a_function_has_given_before() -> None:
    is_called: list[int] = []
    cached = cache(is_called.append)
    for _ in range(2):
        forget_results()
        cached(1)
        cached(1)
    assert is_called == [1, 1]


def test_the_same_seed_draws_the_same_mutants() -> None:
    assert draw("kotp2p.lineup", 5, 1) == draw("kotp2p.lineup", 5, 1) != draw("kotp2p.lineup", 5, 2)


def test_no_two_mutants_have_one_name() -> None:
    names = [m.name for m in find_mutations("doors", "def f(a):\n    return a + 1 + 1\n")]
    assert names[:4] == [
        "doors:f: a + 1 + 1 -> a + 1 - 1",
        "doors:f: a + 1 -> a - 1",
        "doors:f: 1 -> 2",
        "doors:f: 1 -> 2 (2)",
    ]


def test_a_change_elsewhere_leaves_the_draw_as_it_is() -> None:
    of_room, of_all = (draw(what, 10**6, 1) for what in ("kotp2p.lineup", "kotp2p"))
    assert [m for m in of_all if m in of_room] == of_room


def test_the_tests_of_a_function_are_those_that_call_it_the_cheapest_first() -> None:
    reached = Reached(
        {"slow": 2.0, "quick": 1.0, "other": 0.5},
        {"slow": ["a.py:f"], "quick": ["a.py:f.<locals>.g"], "other": ["a.py:ff"]},
    )
    assert reached.tests_of("a.py", "f") == ["quick", "slow"]


def test_the_tests_of_a_room_come_before_others_and_few_cases_of_one_test() -> None:
    seconds = {"t::f[a]": 1.0, "t::f[b]": 1.1, "t::g": 1.2, "tests/kotp2p/lineup/t.py::h": 2.0}
    reached = Reached(seconds, {test: ["kotp2p/lineup/attempts.py:f"] for test in seconds})
    assert reached.tests_of("kotp2p/lineup/attempts.py", "f") == [
        "tests/kotp2p/lineup/t.py::h", "t::f[a]", "t::g", "t::f[b]",
    ]  # fmt: skip


async def test_what_is_called_in_a_thread_that_was_there_before_is_noted() -> None:
    await trio.to_thread.run_sync(forget_results)
    seen = set[CodeType]()
    with noting_calls(seen):
        await trio.to_thread.run_sync(digest_of_sources, ())
    await trio.to_thread.run_sync(find_mutations, "doors", SOURCE)
    assert digest_of_sources.__code__ in seen
    assert find_mutations.__code__ not in seen


def test_a_kept_fate_holds_for_the_same_sources(tmp_path: Path) -> None:
    survivor, killed = draw("kotp2p.lineup", 2, 1)
    kept = KeptFates(tmp_path / "fates", "these sources")
    kept.add(survivor, Fate.SURVIVED, 10)
    kept.add(killed, Fate.KILLED, 10, "a test")
    assert kept.load(10) == {survivor.name: Fate.SURVIVED, killed.name: Fate.KILLED}
    assert KeptFates(kept.path, "other sources").load(10) == {}


def test_a_survivor_is_tried_again_with_more_time(tmp_path: Path) -> None:
    survivor, killed = draw("kotp2p.lineup", 2, 1)
    kept = KeptFates(tmp_path / "fates", "sources")
    kept.add(survivor, Fate.SURVIVED, 10)
    kept.add(killed, Fate.KILLED, 10, "a test")
    assert kept.load(60) == {killed.name: Fate.KILLED}


def test_the_test_that_has_killed_a_mutant_is_known_when_the_sources_change(
    tmp_path: Path,
) -> None:
    survivor, killed = draw("kotp2p.lineup", 2, 1)
    kept = KeptFates(tmp_path / "fates", "these sources")
    kept.add(survivor, Fate.SURVIVED, 10)
    kept.add(killed, Fate.KILLED, 10, "a test")
    assert KeptFates(kept.path, "other sources").load_killers() == {killed.name: "a test"}


def test_each_mutant_that_is_listed_as_equivalent_is_one_and_has_a_reason() -> None:
    every = {m.name for what in ("kotp2p", "kotp2p.referee") for m in draw(what, 10**6, 0)}
    for entry in tomllib.loads(EQUIVALENT.read_text()).get("of", ()):
        assert entry["mutant"] in every
        assert entry["reason"]
