"""Recorded walks of a host and its guests: joins, wishes, starts, lost links, cheats, pauses."""

import json

import pytest

from tests.tools.lobby_walk import RECORDED, digest_of, walk


@pytest.mark.parametrize(("seed", "digest"), json.loads(RECORDED.read_text()).items())
def test_a_lobby_does_what_it_did(seed: str, digest: str) -> None:
    """`python -m tests.tools.lobby_walk --seed SEED` shows all that it does. Compare it with what
    it showed before; without a seed it takes what lobbies do now for right."""
    assert digest_of(walk(int(seed))) == digest, "the lobby does something else than was recorded"
