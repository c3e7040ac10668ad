"""The golden games replay to the letter."""

import pytest

from tests.tools.golden.games import FOLDER, GAMES, written


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_golden_game_is_played_as_ever(name: str) -> None:
    assert written(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
