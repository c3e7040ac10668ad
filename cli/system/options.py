"""What a player chooses by a flag or a word: the words, and what was chosen for this process."""

import sys
from collections.abc import Callable
from enum import Enum, StrEnum, auto
from pathlib import Path
from typing import Any

import typer

from kotp2p.cli.text.i18n import _

VERSION = "1.0.0"


# -- words of which a player chooses one ---------------------------------------------------


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
    AUTO = "auto"
    """As the terminal says, if it does."""
    DARK = "dark"
    LIGHT = "light"


class Bidi(StrEnum):
    """The program that orders text that is read from right to left."""

    AUTO = "auto"
    """The terminal if it is known to do so, otherwise this program if it can."""
    TERMINAL = "terminal"
    PROGRAM = "program"
    OFF = "off"


class Shade(StrEnum):
    DARK = "dark"
    LIGHT = "light"
    ANY = "any"


class Depth(Enum):
    """How many colours a terminal has for pictures."""

    NONE = auto()
    SIXTEEN = auto()
    MANY = auto()
    """256 or more, among which prompt_toolkit finds the nearest."""


class Mood(StrEnum):
    """How a monster looks."""

    CALM = "calm"
    HURT = "hurt"
    WINNING = "winning"


class Speed(StrEnum):
    """The speed at which a person is shown what happens; the game itself never waits for it."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    INSTANT = "instant"


# -- what flags before or after a command have set -----------------------------------------


VERSION_TEXT = "kotp2p {version}"


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(_(VERSION_TEXT, version=VERSION), file=sys.stdout)
        raise typer.Exit


class CommonFlags:
    lang: str | None = None
    debug: Path | None = None
    """Where what the program does is written."""
    plain = False
    no_color = False
    speed: Speed | None = None


def keep(name: str) -> Callable[[Any], None]:
    """Make the callback of a flag that may stand before the command and after it."""

    def remember(wanted: Any) -> None:
        if wanted is not None:
            setattr(CommonFlags, name, wanted)

    return remember


def keep_switch(name: str) -> Callable[[Any], None]:
    """Make the same for a flag that can only be switched on."""
    remember = keep(name)
    return lambda wanted: remember(wanted or None)
