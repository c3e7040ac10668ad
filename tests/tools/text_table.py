"""Writes `kotp2p/printable.txt`: which characters a text may have (PROTOCOL.md 2).

    python -m tests.tools.text_table

Needs Python 3.11, whose `unicodedata` is that of Unicode 14. The file is part of the protocol. A
new one makes a new version of the protocol, so nobody remakes it in passing.
"""

import sys
import textwrap
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from kotp2p.wire.encoding import INVISIBLE_CODE_POINTS
from tests.support.tool_line import tool_parser

UNICODE = "14.0.0"
FILE = Path(__file__).parents[2] / "kotp2p" / "printable.txt"
HEAD = """\
# The characters that a text may have (PROTOCOL.md 2): those of Unicode 14 that are printable and
# can be seen. The ranges of code points ascend. tests/tools/text_table.py makes the file, anew with
# a new version of the protocol only.
"""


def make_table() -> str:
    ranges = " ".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in _find_ranges())
    return HEAD + textwrap.fill(ranges, 100, break_on_hyphens=False) + "\n"


def _find_ranges() -> Iterator[tuple[int, int]]:
    first = None
    for point in range(sys.maxunicode + 2):
        if point <= sys.maxunicode and _is_printable(point):
            first = point if first is None else first
        elif first is not None:
            yield first, point - 1
            first = None


def _is_printable(point: int) -> bool:
    return chr(point).isprintable() and point not in INVISIBLE_CODE_POINTS


def main() -> None:
    if unicodedata.unidata_version != UNICODE:
        raise SystemExit(f"Unicode {UNICODE} is needed, so Python 3.11")
    FILE.write_text(make_table(), "ascii")


if __name__ == "__main__":
    tool_parser("tests.tools.text_table", __doc__).parse_args()
    main()
