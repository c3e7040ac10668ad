"""The rooms of each package and their order. Imports go down, and a room says what lives there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import NESTED, ROOT, folder_of, modules_of, place_of
from tests.support.rooms import ROOMS
from tests.support.sources import statements_of


def without_face(package: str) -> list[Path]:
    """List the modules of a package but for its own `__init__`."""
    return [path for path in modules_of(package) if path != folder_of(package) / "__init__.py"]


def room_of(path: Path) -> str:
    """Return the first name below the package."""
    return Path(place_of(path)).with_suffix("").parts[1]


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import, `from a import b` as `a.b`. Imports for the type
    checker alone count, too."""
    for node in statements_of(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name


def rising(package: str, order: tuple[str, ...], paths: list[Path]) -> list[str]:
    """Imports of a later room, as lines for people."""
    found = []
    for path in paths:
        own = order.index(room_of(path))
        for line, name in imports_of(path):
            parts = name.split(".")
            if parts[0] == "kotp2p" and parts[1:2] == [package]:
                parts = parts[1:]
            if (
                parts[0] == package
                and parts[1:2] not in ([one] for one in NESTED)
                and len(parts) > 1
                and order.index(parts[1]) > own
            ):
                found.append(f"{place_of(path)}:{line} imports {name}")
    return found


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_has_its_place_in_the_order(package: str) -> None:
    assert {room_of(path) for path in without_face(package)} == set(ROOMS[package])


@pytest.mark.parametrize("package", ROOMS)
def test_imports_between_rooms_go_down(package: str) -> None:
    found = rising(package, ROOMS[package], without_face(package))
    assert not found, "\n".join(found)


def test_an_import_that_goes_up_is_noticed() -> None:
    paths = [ROOT / "kotp2p" / "shell" / "run.py"]
    upside_down = tuple(reversed(ROOMS["kotp2p"]))
    assert rising("kotp2p", upside_down, paths)


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_says_what_lives_there_and_what_does_not(package: str) -> None:
    for face in (path for path in modules_of(package) if path.name == "__init__.py"):
        said = ast.get_docstring(ast.parse(face.read_text("utf-8"))) or ""
        place = place_of(face)
        assert said.partition("\n\n")[0].endswith("."), f"{place} does not begin with a sentence"
        if face.parent.parent == folder_of(package):
            assert "Scope:" in said and "Not here:" in said, f"{place}: no scope"
