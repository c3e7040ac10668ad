"""Words of which a player chooses one, by a flag or in the settings.

Not here: the flags (`cli.system.options`), the keys of the settings (`cli.system.config`).
"""

from __future__ import annotations

from enum import StrEnum


class Rules(StrEnum):
    CLASSIC = "classic"
    SECOND = "second"
    DARK = "dark"


class TableOption(StrEnum):
    TWO_PLAYER = "two-player"
    NO_TWO_PLAYER = "no-two-player"
    BAY_FOR_BEGINNERS = "bay-for-beginners"


class Sides(StrEnum):
    RED = "red"
    GREEN = "green"
    MIXED = "mixed"


class Level(StrEnum):
    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


class Beginning(StrEnum):
    """From where a watcher is shown a game."""

    NOW = "now"
    START = "start"


class Symbols(StrEnum):
    AUTO = "auto"
    """Unicode where the terminal has it, otherwise ASCII."""
    ASCII = "ascii"
    UNICODE = "unicode"
    EMOJI = "emoji"


class Palette(StrEnum):
    DEFAULT = "default"
    OKABE_ITO = "okabe-ito"
    MONO = "mono"


class Background(StrEnum):
    """What a player says of their terminal."""

    AUTO = "auto"
    """As the terminal says, if it does."""
    DARK = "dark"
    LIGHT = "light"


class Bidi(StrEnum):
    """What puts text that is read from right to left into order."""

    AUTO = "auto"
    """The terminal if it is known to do so, otherwise this program if it can."""
    TERMINAL = "terminal"
    PROGRAM = "program"
    OFF = "off"


class Shade(StrEnum):
    """What a terminal's background is like."""

    DARK = "dark"
    LIGHT = "light"
    ANY = "any"
    """Nobody knows."""


class Speed(StrEnum):
    """How fast a person is shown what happens; the game itself never waits for it."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    INSTANT = "instant"
