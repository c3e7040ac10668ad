"""The small faults that `tests.tools.mutants` puts into the program."""

import sys
import tomllib
from types import ModuleType

import pytest

from tests.tools.mutants.__main__ import EQUIVALENT, draw
from tests.tools.mutants.mutations import compile_mutant, find_mutations
from tests.tools.mutants.swapping import swap_code

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
        (both, "self.keys > 2 or not self.keys == 7"), (both, "not self.keys == 7"),
        (both, compared), (compared, "self.keys >= 2"), ("2", "3"),
        ("not self.keys == 7", "self.keys == 7"), ("self.keys == 7", "self.keys != 7"), ("7", "8"),
    ]  # fmt: skip
    assert ("count", "total += 1", "pass") in found
    assert ("Door.__init__", "self.keys = keys", "pass") in found


def test_what_a_tired_hand_leaves_out_or_swaps_is_changed() -> None:
    source = "def f(a, b):\n    del a[b]\n    a[b] = b\n    return f(a, a.b)\n"
    found = [(m.before, m.after) for m in find_mutations("doors", source)]
    assert found == [("del a[b]", "pass"), ("a[b] = b", "pass"), ("f(a, a.b)", "f(a.b, a)")]


@pytest.mark.parametrize(
    "statement", ["assert a > 2", "assert_never(a)", "return list(zip(a, strict=True))"]
)
def test_what_is_only_asserted_is_not_changed(statement: str) -> None:
    assert find_mutations("doors", f"def f(a):\n    {statement}\n") == []


def test_a_property_gets_the_changed_code(doors: ModuleType) -> None:
    assert not doors.Door(2).is_open
    assert put_in("self.keys > 2", "self.keys >= 2")
    assert doors.Door(2).is_open


def test_a_function_within_a_function_is_changed_with_it(doors: ModuleType) -> None:
    assert doors.count([1, 2, 4]) == 2
    assert put_in("number % 2 == 0", "number % 2 != 0")
    assert doors.count([1, 2, 4]) == 1


def test_each_mutant_that_is_listed_as_equivalent_is_one_and_has_a_reason() -> None:
    every = {m.name for what in ("kotp2p", "kotp2p.referee") for m in draw(what, 10**6, 0)}
    for entry in tomllib.loads(EQUIVALENT.read_text()).get("of", ()):
        assert entry["mutant"] in every
        assert entry["reason"]
