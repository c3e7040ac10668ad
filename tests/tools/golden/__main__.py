"""Writes the golden games anew: only after a change of the rules that is meant."""

from tests.support.tool_line import tool_parser
from tests.tools.golden.games import FOLDER, GAMES, written

tool_parser("tests.tools.golden", __doc__).parse_args()
for name in GAMES:
    (FOLDER / f"{name}.txt").write_text(written(name), encoding="utf-8")
