"""The portraits of the monsters: grids of pixels, read from `portraits.txt`."""

import importlib.resources
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from kotp2p.cli.system.options import Depth, Mood

SIDE = 28
SMALL_SIDE = SIDE // 2
BACKGROUND = "."
BACKDROP = "#46597a"
"""The colour behind each monster: outlines are seen on it, and white too, on any terminal."""
AS_IT_IS = "_"
"""The letter of a mood that keeps the pixel of the picture."""

Picture: TypeAlias = tuple[tuple[str, ...], ...]
"""Rows of colours as #rrggbb."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """The eyes and the mouth of a mood."""

    column: int
    row: int
    rows: Sequence[str]


@dataclass(frozen=True, slots=True)
class Portrait:
    palette: Mapping[str, str]
    rows: Sequence[str]
    moods: Mapping[Mood, Overlay]

    def letters(self, mood: Mood) -> list[str]:
        rows = [list(row) for row in self.rows]
        overlay = self.moods.get(mood)
        if overlay is not None:
            for y, row in enumerate(overlay.rows, overlay.row):
                for x, letter in enumerate(row, overlay.column):
                    if letter != AS_IT_IS:
                        rows[y][x] = letter
        return ["".join(row) for row in rows]


@cache
def load_portraits() -> Mapping[str, Portrait]:
    found = importlib.resources.files("kotp2p.cli.extras.pictures").joinpath("portraits.txt")
    return read_portraits(found.read_text("utf-8"))


@cache
def paint(monster: str, mood: Mood = Mood.CALM) -> Picture | None:
    """Return `SIDE` rows; None for a monster without a portrait."""
    portrait = load_portraits().get(monster)
    return None if portrait is None else _colour(portrait, portrait.letters(mood))


@cache
def paint_small(monster: str, mood: Mood = Mood.CALM) -> Picture | None:
    """Return `SMALL_SIDE` rows, with one pixel for each square of four.

    It takes the most frequent colour of the four, and of equally frequent ones the one that is
    rarer in the picture, so that a face keeps its eyes.
    """
    portrait = load_portraits().get(monster)
    if portrait is None:
        return None
    rows = portrait.letters(mood)
    used = Counter("".join(rows))
    small = [
        "".join(
            _choose([*rows[y][x : x + 2], *rows[y + 1][x : x + 2]], used) for x in range(0, SIDE, 2)
        )
        for y in range(0, SIDE, 2)
    ]
    return _colour(portrait, small)


def _choose(four: Sequence[str], used: Mapping[str, int]) -> str:
    solid = [letter for letter in four if letter != BACKGROUND]
    if len(solid) < len(four) / 2:
        return BACKGROUND
    return max(solid, key=lambda letter: (solid.count(letter), -used[letter]))


def _colour(portrait: Portrait, rows: Sequence[str]) -> Picture:
    colours = {BACKGROUND: BACKDROP, **portrait.palette}
    return tuple([tuple([colours[letter] for letter in row]) for row in rows])


# -- the file ------------------------------------------------------------------------------------


def read_portraits(text: str) -> dict[str, Portrait]:
    """Parse the text of the drawings, whose first lines describe its form."""
    lines = [line.rstrip() for line in text.splitlines()]
    found: dict[str, Portrait] = {}
    chapter: list[str] = []
    for line in [*(line for line in lines if line and not line.startswith("#")), "monster"]:
        word, _space, name = line.partition(" ")
        if word != "monster":
            chapter.append(line)
            continue
        if chapter:
            found[chapter[0]] = _read_portrait(chapter[1:])
        chapter = [name]
    return found


def _read_portrait(lines: Sequence[str]) -> Portrait:
    at = lines.index("picture")
    palette = dict(line.split(" ") for line in lines[:at])
    rows = lines[at + 1 : at + 1 + SIDE]
    return Portrait(palette, rows, dict(_read_moods(lines[at + 1 + SIDE :])))


def _read_moods(lines: Sequence[str]) -> Iterator[tuple[Mood, Overlay]]:
    heads = [at for at, line in enumerate(lines) if " " in line]
    for at, end in pairwise([*heads, len(lines)]):
        mood, column, row = lines[at].split()
        yield Mood(mood), Overlay(int(column), int(row), lines[at + 1 : end])


# -- how many colours a terminal has for pictures, and the nearest of sixteen --------------


SIXTEEN = {
    "ansiblack": (0, 0, 0), "ansired": (170, 0, 0), "ansigreen": (0, 170, 0),
    "ansiyellow": (170, 85, 0), "ansiblue": (0, 0, 170), "ansimagenta": (170, 0, 170),
    "ansicyan": (0, 170, 170), "ansigray": (170, 170, 170), "ansibrightblack": (85, 85, 85),
    "ansibrightred": (255, 85, 85), "ansibrightgreen": (85, 255, 85),
    "ansibrightyellow": (255, 255, 85), "ansibrightblue": (85, 85, 255),
    "ansibrightmagenta": (255, 85, 255), "ansibrightcyan": (85, 255, 255),
    "ansiwhite": (255, 255, 255),
}  # fmt: skip
WEIGHTS = (2, 4, 3, 4, 4)
"""The weights of differences in red, green and blue, and in the differences between these: with the
first three alone, most colours would become grey."""


@cache
def colour_in(depth: Depth, colour: str) -> str:
    """Return the name by which prompt_toolkit knows the nearest colour."""
    if depth is not Depth.SIXTEEN:
        return colour
    wanted = _parts(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))

    def distance(name: str) -> int:
        parts = zip(WEIGHTS, wanted, _parts(*SIXTEEN[name]), strict=True)
        return sum(weight * (one - other) ** 2 for weight, one, other in parts)

    return min(SIXTEEN, key=distance)


def _parts(red: int, green: int, blue: int) -> tuple[int, ...]:
    return red, green, blue, red - green, green - blue
