"""Whole peers in one process check a signature once for all of them, as in the simulation: it is
right or wrong for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tools.sim.run import quick_signatures


@pytest.fixture(autouse=True)
def signatures_checked_once() -> Iterator[None]:
    with quick_signatures():
        yield
