"""The list of hostile inputs is whole, and what it names is there."""

from __future__ import annotations

import pytest

from tests.support.hostile_inputs import INPUTS, Input
from tests.support.paths import ROOT

TESTS = ROOT / "tests"


def test_all_sixty_are_listed() -> None:
    assert [one.number for one in INPUTS] == list(range(1, 61))
    assert all(bool(one.in_) != bool(one.why_not) for one in INPUTS)


@pytest.mark.parametrize("one", INPUTS, ids=lambda one: str(one.number))
def test_what_is_named_is_there(one: Input) -> None:
    for place in one.in_:
        file, _, name = place.partition("::")
        assert f"def {name}" in (TESTS / file).read_text("utf-8")
