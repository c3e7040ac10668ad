"""What the tools that measure the source say of a small one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.paths import ROOT, folder_of
from tests.tools.measure import (
    begins_with_verb,
    import_lines,
    import_name,
    importers,
    measure,
    read_files,
    read_modules,
)
from tests.tools.tracer import module_of

ONE = '''"""One."""

from room.two import (
    name,
)


def go() -> None:
    """Go there."""
'''


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "room").mkdir()
    for name, text in {"one": ONE, "two": "name = 1\n", "three": "import room.one\n"}.items():
        (tmp_path / "room" / f"{name}.py").write_text(text, "utf-8")
    return tmp_path


def test_a_module_counts_those_that_import_it(room: Path) -> None:
    assert importers(read_modules(room, "room")) == {"room.one": 1, "room.two": 1, "room.three": 0}


def test_an_import_counts_all_its_lines(room: Path) -> None:
    (one,) = read_files(room, [room / "room" / "one.py"])
    assert import_lines(one) == 3


def test_files_are_measured_as_a_package_is(room: Path) -> None:
    modules = read_files(room, [room / "room" / "one.py"])
    found = measure(modules, {"room.one": 1})
    assert found["with one importer"] == "1"
    assert found["imports, share of code"] == "75.0 %"
    assert found["docstrings with a verb"] == "100 %"


@pytest.mark.parametrize("docstring", ["Return it.", "Returns it.", "Pushes it on.", "Say: no."])
def test_a_docstring_begins_with_a_verb(docstring: str) -> None:
    assert begins_with_verb(docstring)


@pytest.mark.parametrize("docstring", ["The one.", "Whether it is.", "Its name."])
def test_a_docstring_begins_with_another_word(docstring: str) -> None:
    assert not begins_with_verb(docstring)


def test_packages_that_are_linked_have_the_names_by_which_they_are_imported() -> None:
    assert import_name(ROOT, folder_of("cli") / "main.py") == "kotp2p.cli.main"
    assert import_name(ROOT, ROOT / "kotp2p" / "seams" / "front.py") == "kotp2p.seams.front"


def test_a_module_is_traced_by_its_path_in_the_checkout() -> None:
    assert module_of(str(ROOT / "kotp2p" / "cli" / "main.py")) == "cli/main.py"
    assert module_of(str(ROOT / "kotp2p" / "seams" / "front.py")) == "kotp2p/seams/front.py"
    assert module_of(str(ROOT / "tests" / "test_measure.py")) == ""
    assert module_of("/usr/lib/python3/ast.py") == ""
