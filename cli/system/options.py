"""Flags and arguments that several commands share, each defined and explained once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.text.i18n import _, ascii_digits

VERSION_TEXT = "kotp2p {version}"


class Rules(StrEnum):
    CLASSIC = "classic"
    SECOND = "second"
    DARK = "dark"


class TableOption(StrEnum):
    TWO_PLAYER = "two-player"
    BAY_FOR_BEGINNERS = "bay-for-beginners"


class Sides(StrEnum):
    RED = "red"
    GREEN = "green"
    MIXED = "mixed"


class Level(StrEnum):
    EASY = "easy"
    NORMAL = "normal"


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


def parse_bot_level(text: str) -> Level:
    """`--bot LEVEL`: a slip towards `--bots K` is named as such."""
    if text.isdigit():
        raise typer.BadParameter(
            _("--bot takes easy or normal; for {n} more seats played by bots: --bots {n}", n=text)
        )
    try:
        return Level(text)
    except ValueError:
        raise typer.BadParameter(_("{text} is not easy or normal", text=text)) from None


def parse_bot_count(text: str | int) -> int:
    """`--bots K`: a slip towards `--bot LEVEL` is named as such."""
    text = str(text)
    if text in set(Level):
        raise typer.BadParameter(
            _("--bots takes a number; to let a bot play your own seat: --bot {level}", level=text)
        )
    if not (text.isascii() and text.isdigit()) or int(text) > 5:
        raise typer.BadParameter(_("{text} is not a number from 0 to 5", text=text))
    return int(text)


def parse_seconds(text: str | int) -> int:
    """`--turn-time SECONDS`: 0 is "none"."""
    text = ascii_digits(str(text)).strip().lower()
    if text == "none":
        return 0
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 86_400:
        raise typer.BadParameter(_("{text} is not a number of seconds, nor none", text=text))
    return int(text)


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("kotp2p")
        except PackageNotFoundError:
            number = _("from a source folder, not installed")
        typer.echo(_(VERSION_TEXT, version=number))
        raise typer.Exit


class CommonFlags:
    """What the flags that stand anywhere have set; one process runs one command."""

    debug = False
    plain = False
    no_color = False
    symbols: Symbols | None = None
    palette: Palette | None = None
    background: Background | None = None
    animation: bool | None = None
    bell: bool | None = None
    speed: Speed | None = None
    orders: str | None = None


def _note_debug(wanted: bool) -> None:
    CommonFlags.debug = CommonFlags.debug or wanted


def _note_plain(wanted: bool) -> None:
    CommonFlags.plain = CommonFlags.plain or wanted


def _note_no_color(wanted: bool) -> None:
    CommonFlags.no_color = CommonFlags.no_color or wanted


def _note_symbols(wanted: Symbols | None) -> None:
    CommonFlags.symbols = wanted or CommonFlags.symbols


def _note_palette(wanted: Palette | None) -> None:
    CommonFlags.palette = wanted or CommonFlags.palette


def _note_background(wanted: Background | None) -> None:
    CommonFlags.background = wanted or CommonFlags.background


def _note_animation(wanted: bool | None) -> None:
    CommonFlags.animation = CommonFlags.animation if wanted is None else wanted


def _note_bell(wanted: bool | None) -> None:
    CommonFlags.bell = CommonFlags.bell if wanted is None else wanted


def _note_speed(wanted: Speed | None) -> None:
    CommonFlags.speed = wanted or CommonFlags.speed


def _note_orders(wanted: str | None) -> None:
    CommonFlags.orders = wanted if wanted is not None else CommonFlags.orders


Version = Annotated[
    bool,
    typer.Option(
        "--version", callback=show_version, is_eager=True, help=_("Show the version and end.")
    ),
]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        callback=_note_plain,
        help=_("Plain lines, as a screen reader needs them; also with KOTP2P_PLAIN=1."),
    ),
]
NoColor = Annotated[
    bool,
    typer.Option(
        "--no-color", callback=_note_no_color, help=_("No colours; also with NO_COLOR=1.")
    ),
]
SymbolChoice = Annotated[
    Symbols | None,
    typer.Option(
        "--symbols",
        callback=_note_symbols,
        help=_("The symbols of the drawn table. [default: as kotp2p config shows]"),
    ),
]
PaletteChoice = Annotated[
    Palette | None,
    typer.Option(
        "--palette",
        callback=_note_palette,
        help=_("The colours of the drawn table. [default: as kotp2p config shows]"),
    ),
]
BackgroundChoice = Annotated[
    Background | None,
    typer.Option(
        "--background",
        callback=_note_background,
        help=_("Whether your terminal is dark or light. [default: as kotp2p config shows]"),
    ),
]
Animation = Annotated[
    bool | None,
    typer.Option(
        "--animation/--no-animation",
        callback=_note_animation,
        help=_("Let rolling dice move for a moment. [default: as kotp2p config shows]"),
    ),
]
Bell = Annotated[
    bool | None,
    typer.Option(
        "--bell/--no-bell",
        callback=_note_bell,
        help=_("Ring a bell when you are asked something. [default: as kotp2p config shows]"),
    ),
]
SpeedChoice = Annotated[
    Speed | None,
    typer.Option(
        "--speed",
        callback=_note_speed,
        help=_("How fast you are shown what happens. [default: as kotp2p config shows]"),
    ),
]
StandingOrders = Annotated[
    str | None,
    typer.Option(
        "--orders",
        metavar="WORDS",
        callback=_note_orders,
        help=_(
            "What you do not want to be asked: yield N, stay N, shop N, skip CARD, with commas "
            "between. [default: as kotp2p config shows]"
        ),
    ),
]
Debug = Annotated[
    bool,
    typer.Option(
        "--debug",
        callback=_note_debug,
        help=_("Show the traceback of a program error on stderr."),
    ),
]
Bot = Annotated[
    Level | None,
    typer.Option(
        "--bot",
        parser=parse_bot_level,
        metavar="LEVEL",
        help=_("A bot plays your own seat: easy or normal. [default: you play]"),
    ),
]
Bots = Annotated[
    int,
    typer.Option(
        "--bots",
        parser=parse_bot_count,
        metavar="K",
        help=_("Further seats that bots of this process play, 0 to 5."),
    ),
]
Coach = Annotated[
    bool | None,
    typer.Option(
        "--coach/--no-coach",
        help=_("Explain the game first, and your first turns. [default: in your first game]"),
    ),
]
Strength = Annotated[Level, typer.Option("--level", help=_("How well those bots play."))]
RuleChoice = Annotated[
    Rules, typer.Option("--rules", help=_("Rule set: 2011, 2016, or the Dark Edition."))
]
OptionChoice = Annotated[
    list[TableOption] | None,
    typer.Option(
        "--option",
        metavar="OPTION",
        help=_(
            "A rule to play with; may be repeated. two-player: energy instead of points for "
            "Tokyo (second, dark). bay-for-beginners: the Bay stays shut (classic). "
            "[default: none]"
        ),
    ),
]
Tiles = Annotated[
    Sides | None,
    typer.Option(
        "--tiles", help=_("Which sides of the wickedness tiles are face up (dark). [default: red]")
    ),
]
TurnTime = Annotated[
    int,
    typer.Option(
        "--turn-time",
        parser=parse_seconds,
        metavar="SECONDS|none",
        help=_("How long a turn may take before a player is late; later the others may vote."),
    ),
]
ReactionTime = Annotated[
    int,
    typer.Option(
        "--reaction-time",
        parser=parse_seconds,
        metavar="SECONDS|none",
        help=_("How long an answer in another player's turn may take."),
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help=_("Your name at the table. [default: your login name]")
    ),
]
MonsterName = Annotated[
    str | None,
    typer.Option(
        "--monster", metavar="NAME", help=_("Your monster. [default: the first free one]")
    ),
]
LogDir = Annotated[
    Path | None,
    typer.Option(
        "--log-dir", metavar="DIR", help=_("Where the game's log goes. [default: the data folder]")
    ),
]
Profile = Annotated[
    str,
    typer.Option("--profile", metavar="NAME", help=_("Which of your identities plays.")),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json", help=_("Print one JSON document on stdout at the end; the rest to stderr.")
    ),
]
NoLan = Annotated[
    bool,
    typer.Option(
        "--no-lan", help=_("Do not announce the table on this network: kotp2p find cannot see it.")
    ),
]
InviteOnly = Annotated[
    bool,
    typer.Option(
        "--invite-only",
        help=_("Let in only players with the printed link; find does not show the table."),
    ),
]
AcceptNewKeys = Annotated[
    bool,
    typer.Option(
        "--accept-new-keys",
        help=_("Also play with known names whose keys have changed, without asking."),
    ),
]
Wait = Annotated[
    int,
    typer.Option("--wait", min=1, max=60, metavar="SECONDS", help=_("How long to look.")),
]
Bind = Annotated[
    str | None,
    typer.Option(
        "--bind",
        metavar="ADDR",
        help=_("Listen on this address only. [default: all, IPv4 and IPv6]"),
    ),
]
