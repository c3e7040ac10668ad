"""Twelve times somebody is killed, and comes back. The long run: `tests.tools.siege`."""

from __future__ import annotations

from pathlib import Path

from tests.tools.siege import Siege


def test_twelve_kills_lose_no_game(tmp_path: Path) -> None:
    siege = Siege(tmp_path, kills=12)
    siege.run()
    assert siege.done >= 12
    assert siege.left_behind <= siege.tables
