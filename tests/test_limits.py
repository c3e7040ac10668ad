"""The limits that the project sets itself: sizes of modules and functions, and open matches.

Scope: the packages, and the tests as well, but for the open matches: a test may look at one member
of a union and pass over the others.
"""

import ast
import re

import pytest

from tests.support.paths import PACKAGES, ROOT, folder_of, modules_of, place_of
from tests.support.sources import statements
from tests.tools.measure import function_length, lines_of_source

FOLDERS = ("cli", "kotp2p", "referee", "tests", "bench")
MAX_MODULE_LINES = 1000
MAX_FUNCTION_LINES = 50
MAX_LINES = 60_000
MAX_CORE_LINES = 50_000
"""Of the source without the wing."""
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


def test_a_module_keeps_to_its_size() -> None:
    sources = {place_of(path): path.read_text("utf-8") for path in modules_of(*FOLDERS)}
    assert [place for place, text in sources.items() if text.count("\n") > MAX_MODULE_LINES] == []
    assert {place: long for place, text in sources.items() if (long := long_functions(text))} == {}


def test_the_program_and_its_core_keep_to_their_sizes() -> None:
    whole, core = lines_of_source(ROOT)
    assert whole <= MAX_LINES
    assert core <= MAX_CORE_LINES
    assert core < whole


def test_a_wildcard_gives_its_reason() -> None:
    found = {place_of(path): open_wildcards(path.read_text("utf-8"))
             for path in modules_of(*FOLDERS[:3])}  # fmt: skip
    assert {place: lines for place, lines in found.items() if lines} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_says_what_lives_there_and_what_does_not(package: str) -> None:
    for face in (path for path in modules_of(package) if path.name == "__init__.py"):
        said = ast.get_docstring(ast.parse(face.read_text("utf-8"))) or ""
        place = place_of(face)
        assert said.partition("\n\n")[0].endswith("."), f"{place} does not begin with a sentence"
        if face.parent.parent == folder_of(package):
            assert "Scope:" in said and "Not here:" in said, f"{place}: no scope"
