"""A few seconds of every target; `python -m tests.tools.fuzz` runs for as long as one likes."""

import random

import pytest

from tests.tools.fuzz import decoders, seeds
from tests.tools.fuzz.mutate import nodes
from tests.tools.fuzz.targets import TARGETS

SAMPLE = {
    "frames": 8_000, "bodies": 8_000, "pieces": 2_000, "reader": 1_500, "verifier": 15,
    "evidence": 60, "ledger": 800, "peer": 100, "lobby": 200, "export": 30, "watching": 30,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_nothing_comes_out_but_what_is_documented(name: str) -> None:
    taken = TARGETS[name].run(random.Random(f"suite 2 {name}"), SAMPLE[name])
    assert 0 < taken <= SAMPLE[name]


def test_all_seeds_are_well_formed_and_their_nodes_are_found() -> None:
    for data in seeds.frames():
        assert decoders.frame(data)
        assert nodes(data)[0] == (0, len(data))
    for signed in seeds.bodies():
        assert decoders.body(signed), signed.kind
    assert decoders.places(seeds.places())
