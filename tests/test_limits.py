"""The limits that the project sets itself: sizes of modules and functions, and open matches.

Scope: the packages, and the tests as well, but for the open matches: a test may look at one member
of a union and pass over the others.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.paths import modules_of, place_of
from tests.support.sources import statements
from tests.tools.measure import function_length

FOLDERS = ("cli", "kotp2p", "referee", "tests", "bench")
MAX_MODULE_LINES = 1000
MAX_FUNCTION_LINES = 50
MATCH = re.compile(r"^ *match\b", re.MULTILINE)


def long_functions(source: str) -> list[tuple[str, int]]:
    """Functions over the limit with their lengths, less their docstrings: for a command of the
    command line that is its help."""
    found = []
    for node in statements(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = function_length(node)
            if length > MAX_FUNCTION_LINES:
                found.append((node.name, length))
    return found


def open_wildcards(source: str) -> list[int]:
    """Lines of `case _:` that neither end in `assert_never` nor carry a reason in a comment.

    A wildcard swallows the next member of a closed union, so it says why it may. The reason
    stands on its line or on the line below."""
    lines = source.splitlines()
    found = []
    for node in statements(source) if MATCH.search(source) else ():
        if not isinstance(node, ast.Match):
            continue
        for case in node.cases:
            pattern = case.pattern
            if not (
                isinstance(pattern, ast.MatchAs) and pattern.pattern is None and not case.guard
            ):
                continue
            at = pattern.lineno
            if "assert_never" in ast.dump(case.body[0]):
                continue
            if "#" not in lines[at - 1] and not lines[at].lstrip().startswith("#"):
                found.append(at)
    return found


@pytest.mark.parametrize("path", modules_of(*FOLDERS), ids=lambda path: str(place_of(path)))
def test_a_module_keeps_to_its_size(path: Path) -> None:
    source = path.read_text("utf-8")
    assert source.count("\n") <= MAX_MODULE_LINES
    assert not long_functions(source)


@pytest.mark.parametrize("path", modules_of(*FOLDERS[:3]), ids=lambda path: str(place_of(path)))
def test_a_wildcard_gives_its_reason(path: Path) -> None:
    found = open_wildcards(path.read_text("utf-8"))
    assert not found, f"{place_of(path)}: case _ without a reason in lines {found}"


OPEN = """
match event:
    case Rolled():
        pass
    case _:
        pass
"""


def test_an_open_wildcard_is_noticed() -> None:
    assert open_wildcards(OPEN) == [5]
    assert open_wildcards(OPEN.replace("case _:", "case _:  # the rest changes no number")) == []
    assert (
        open_wildcards(OPEN.replace("case _:\n        pass", "case _:\n        assert_never(e)"))
        == []
    )


def test_a_long_function_is_noticed() -> None:
    assert long_functions("def long():\n" + "    pass\n" * MAX_FUNCTION_LINES) == [("long", 51)]
