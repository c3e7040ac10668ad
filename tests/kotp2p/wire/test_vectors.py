"""docs/vectors is what the code does, and its frames are read back as what they are."""

import json

import pytest

from tests.tools.vectors import BY_HAND, FILES, FOLDER


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_vector_file_is_what_the_code_does(name: str) -> None:
    assert json.loads((FOLDER / name).read_text("utf-8")) == FILES[name]()


def test_there_is_no_vector_file_that_nothing_checks() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == BY_HAND | set(FILES)
