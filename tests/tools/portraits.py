"""Draws the portraits of the monsters as PNG: `python -m tests.tools.portraits FOLDER`.

Scope: a sheet for each mood and size, the monsters in the order of the box, without names. With
`--shuffle SEED` they stand in another order, for somebody who has to name them.
"""

from __future__ import annotations

import argparse
import random
import struct
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

from kotp2p.cli.pictures.portraits import (
    SIXTEEN,
    Depth,
    Mood,
    Picture,
    colour_in,
    paint,
    paint_small,
)
from kotp2p.lobby.monsters import MONSTERS

IN_A_ROW = 4
PIXEL, GAP = 8, 2
"""A side of a pixel on the sheet, and pixels between two portraits."""
BACKGROUND = "#14161a"


def draw_sheet(pictures: Sequence[Picture], depth: Depth = Depth.MANY) -> list[list[bytes]]:
    """Rows of pixels, of three bytes each."""
    side = len(pictures[0]) + GAP
    rows = -(-len(pictures) // IN_A_ROW)
    sheet = [[_bytes_of(BACKGROUND, depth)] * (side * IN_A_ROW) for _row in range(side * rows)]
    for n, picture in enumerate(pictures):
        top, left = n // IN_A_ROW * side, n % IN_A_ROW * side
        for y, row in enumerate(picture):
            for x, colour in enumerate(row):
                if colour is not None:
                    sheet[top + y][left + x] = _bytes_of(colour, depth)
    return [[pixel for pixel in row for _x in range(PIXEL)] for row in sheet for _y in range(PIXEL)]


def _bytes_of(colour: str, depth: Depth) -> bytes:
    if depth is Depth.SIXTEEN:
        return bytes(SIXTEEN[colour_in(depth, colour)])
    return bytes.fromhex(colour[1:])


def as_png(rows: Sequence[Sequence[bytes]]) -> bytes:
    lines = b"".join(b"\0" + b"".join(row) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.portraits")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shuffle", type=int, metavar="SEED")
    chosen = parser.parse_args()
    monsters = [*MONSTERS]
    if chosen.shuffle is not None:
        random.Random(chosen.shuffle).shuffle(monsters)
    for mood in Mood:
        for size, draw in (("large", paint), ("small", paint_small)):
            pictures = [found for one in monsters if (found := draw(one, mood)) is not None]
            for depth in (Depth.MANY, Depth.SIXTEEN):
                name = f"{mood}-{size}-{depth.name.lower()}.png"
                (chosen.folder / name).write_bytes(as_png(draw_sheet(pictures, depth)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
