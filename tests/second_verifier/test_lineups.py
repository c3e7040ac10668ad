"""docs/vectors/lineups.json: what comes to a keeper, and what it signs (PROTOCOL.md 9.3)."""

from __future__ import annotations

import pytest

from tests.support.two_verifiers import vectors
from tests.tools.independent.bodies import LEAVE, LINE_UP, PLAY, SHARE
from tests.tools.independent.genesis import read
from tests.tools.independent.proofs import body_of
from tests.tools.vector_lineup_cases import SEQUENCES
from tests.tools.vector_lineups import play_sequence

STORED = vectors("lineups")


def test_there_are_some_eighty() -> None:
    assert set(STORED) == set(SEQUENCES) and len(STORED) >= 78


@pytest.mark.parametrize("name", sorted(STORED))
def test_a_keeper_signs_what_the_sequence_says(name: str) -> None:
    events = STORED[name]["events"]
    assert play_sequence(STORED[name]) == [event["signs"] for event in events]


@pytest.mark.parametrize("name", sorted(STORED))
def test_a_sequence_is_what_the_code_writes(name: str) -> None:
    assert SEQUENCES[name]() == STORED[name]


@pytest.mark.parametrize("name", sorted(STORED))
def test_another_reader_takes_what_is_signed(name: str) -> None:
    genesis = read(bytes.fromhex(STORED[name]["genesis"]))
    for event in STORED[name]["events"]:
        for kind, body in event["signs"]:
            if kind in (PLAY, LINE_UP, LEAVE, SHARE):
                body_of(genesis, kind, bytes.fromhex(body))
