"""What a recording and a watcher make of logs is what has been recorded."""

import json

import pytest

from tests.tools.tellings import RECORDED, digest_of


@pytest.mark.parametrize(("log", "digest"), json.loads(RECORDED.read_text()).items())
def test_a_log_is_told_as_ever_to_players_and_watchers(log: str, digest: str) -> None:
    """`python -m tests.tools.tellings --show LOG` prints all that is told."""
    assert digest_of(log) == digest, "something else is told than was recorded"
