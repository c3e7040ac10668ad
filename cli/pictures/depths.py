"""How many colours a terminal has for pictures, and the nearest of sixteen.

Not here: the colours of words (`cli.ui.screen.palettes`).
"""

from __future__ import annotations

from enum import Enum, auto
from functools import cache


class Depth(Enum):
    NONE = auto()
    """No picture is shown."""
    SIXTEEN = auto()
    MANY = auto()
    """256 or more, among which prompt_toolkit finds the nearest."""


SIXTEEN = {
    "ansiblack": (0, 0, 0), "ansired": (170, 0, 0), "ansigreen": (0, 170, 0),
    "ansiyellow": (170, 85, 0), "ansiblue": (0, 0, 170), "ansimagenta": (170, 0, 170),
    "ansicyan": (0, 170, 170), "ansigray": (170, 170, 170), "ansibrightblack": (85, 85, 85),
    "ansibrightred": (255, 85, 85), "ansibrightgreen": (85, 255, 85),
    "ansibrightyellow": (255, 255, 85), "ansibrightblue": (85, 85, 255),
    "ansibrightmagenta": (255, 85, 255), "ansibrightcyan": (85, 255, 255),
    "ansiwhite": (255, 255, 255),
}  # fmt: skip
"""As the console of Linux has them."""
WEIGHTS = (2, 4, 3, 4, 4)
"""How much a difference in red, green and blue counts, and in what parts them from each other: with
the first three alone, most colours would become grey."""


@cache
def colour_in(depth: Depth, colour: str) -> str:
    """The name by which prompt_toolkit knows the nearest colour."""
    if depth is not Depth.SIXTEEN:
        return colour
    wanted = _parts(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))

    def distance(name: str) -> int:
        parts = zip(WEIGHTS, wanted, _parts(*SIXTEEN[name]), strict=True)
        return sum(weight * (one - other) ** 2 for weight, one, other in parts)

    return min(SIXTEEN, key=distance)


def _parts(red: int, green: int, blue: int) -> tuple[int, ...]:
    return red, green, blue, red - green, green - blue
