"""Write the golden games anew: only after a change of the rules that is meant."""

from __future__ import annotations

from tests.tools.golden.games import FOLDER, GAMES, written

for name in GAMES:
    (FOLDER / f"{name}.txt").write_text(written(name), encoding="utf-8")
