"""Flags and arguments that several commands share, each defined and explained once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.system.choices import Background, Level, Palette, Rules, Sides, Speed, Symbols, TableOption
from cli.system.flag_values import (
    choice,
    complete_monster,
    complete_profile,
    parse_bot_count,
    parse_bot_level,
    parse_number,
    parse_seconds,
    parse_watchers,
)
from cli.system.help_layout import DISPLAY, FILES, GENERAL, NETWORK, RULES, TABLE, YOU
from cli.system.version import VERSION
from cli.text.i18n import N_, _

VERSION_TEXT = "kotp2p {version}"


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(_(VERSION_TEXT, version=VERSION))
        raise typer.Exit


class CommonFlags:
    """What the flags that stand anywhere have set; one process runs one command."""

    lang: str | None = None
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


def _keep(name: str) -> Callable[[Any], None]:
    """The callback of a flag that may stand before the command and after it."""

    def keep(wanted: Any) -> None:
        if wanted is not None:
            setattr(CommonFlags, name, wanted)

    return keep


def _keep_switch(name: str) -> Callable[[Any], None]:
    """The same for a flag that can only be switched on."""
    keep = _keep(name)
    return lambda wanted: keep(wanted or None)


Version = Annotated[
    bool,
    typer.Option(
        "--version",
        rich_help_panel=GENERAL,
        callback=show_version,
        is_eager=True,
        help=N_("Show the version and end."),
    ),
]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        rich_help_panel=DISPLAY,
        callback=_keep_switch("plain"),
        help=N_("Plain lines, as a screen reader needs them; also with KOTP2P_PLAIN=1."),
    ),
]
NoColor = Annotated[
    bool,
    typer.Option(
        "--no-color",
        rich_help_panel=DISPLAY,
        callback=_keep_switch("no_color"),
        help=N_("No colours; also with NO_COLOR=1."),
    ),
]
SymbolChoice = Annotated[
    Symbols | None,
    choice(
        Symbols,
        "--symbols",
        rich_help_panel=DISPLAY,
        callback=_keep("symbols"),
        help=N_("The symbols of the drawn table. [default: as kotp2p config shows]"),
    ),
]
PaletteChoice = Annotated[
    Palette | None,
    choice(
        Palette,
        "--palette",
        rich_help_panel=DISPLAY,
        callback=_keep("palette"),
        help=N_("The colours of the drawn table. [default: as kotp2p config shows]"),
    ),
]
BackgroundChoice = Annotated[
    Background | None,
    choice(
        Background,
        "--background",
        rich_help_panel=DISPLAY,
        callback=_keep("background"),
        help=N_("Whether your terminal is dark or light. [default: as kotp2p config shows]"),
    ),
]
Animation = Annotated[
    bool | None,
    typer.Option(
        "--animation/--no-animation",
        rich_help_panel=DISPLAY,
        callback=_keep("animation"),
        help=N_("Let rolling dice move for a moment. [default: as kotp2p config shows]"),
    ),
]
Bell = Annotated[
    bool | None,
    typer.Option(
        "--bell/--no-bell",
        rich_help_panel=DISPLAY,
        callback=_keep("bell"),
        help=N_("Ring a bell when you are asked something. [default: as kotp2p config shows]"),
    ),
]
SpeedChoice = Annotated[
    Speed | None,
    choice(
        Speed,
        "--speed",
        rich_help_panel=DISPLAY,
        callback=_keep("speed"),
        help=N_("How fast you are shown what happens. [default: as kotp2p config shows]"),
    ),
]
StandingOrders = Annotated[
    str | None,
    typer.Option(
        "--orders",
        rich_help_panel=YOU,
        metavar="WORDS",
        callback=_keep("orders"),
        help=N_(
            "What you do not want to be asked: yield N, stay N, shop N, skip CARD, with commas "
            "between. [default: as kotp2p config shows]"
        ),
    ),
]
Debug = Annotated[
    bool,
    typer.Option(
        "--debug",
        rich_help_panel=GENERAL,
        callback=_keep_switch("debug"),
        help=N_("Show the traceback of a program error on stderr."),
    ),
]
Bot = Annotated[
    Level | None,
    typer.Option(
        "--bot",
        rich_help_panel=YOU,
        parser=parse_bot_level,
        metavar="LEVEL",
        help=N_("A bot plays your own seat: easy, normal or hard. [default: you play]"),
    ),
]
Bots = Annotated[
    int,
    typer.Option(
        "--bots",
        rich_help_panel=TABLE,
        parser=parse_bot_count,
        metavar="K",
        help=N_("Further seats that bots of this process play, 0 to 5."),
    ),
]
Coach = Annotated[
    bool | None,
    typer.Option(
        "--coach/--no-coach",
        rich_help_panel=YOU,
        help=N_("Explain the game first, and your first turns. [default: in your first game]"),
    ),
]
Strength = Annotated[
    Level, choice(Level, "--level", rich_help_panel=TABLE, help=N_("How well those bots play."))
]
RuleChoice = Annotated[
    Rules,
    choice(
        Rules,
        "--rules",
        rich_help_panel=RULES,
        help=N_("Rule set: 2011, 2016, or the Dark Edition."),
    ),
]
OptionChoice = Annotated[
    list[TableOption] | None,
    choice(
        TableOption,
        "--option",
        rich_help_panel=RULES,
        help=N_(
            "A rule to play with; may be repeated. two-player: Tokyo gives energy instead of "
            "points. no-two-player: it gives points to two players, too. bay-for-beginners: the "
            "Bay stays shut (classic). [default: two-player for two players]"
        ),
    ),
]
Tiles = Annotated[
    Sides | None,
    choice(
        Sides,
        "--tiles",
        rich_help_panel=RULES,
        help=N_("Which sides of the wickedness tiles are face up (dark). [default: red]"),
    ),
]
TurnTime = Annotated[
    int,
    typer.Option(
        "--turn-time",
        rich_help_panel=TABLE,
        parser=parse_seconds,
        metavar="SECONDS|none",
        help=N_("How long a turn may take; a minute later the others may let a bot play."),
    ),
]
ReactionTime = Annotated[
    int,
    typer.Option(
        "--reaction-time",
        rich_help_panel=TABLE,
        parser=parse_seconds,
        metavar="SECONDS|none",
        help=N_("How long an answer in another player's turn may take."),
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--name",
        rich_help_panel=YOU,
        metavar="NAME",
        help=N_("Your name at the table. [default: your login name]"),
    ),
]
MonsterName = Annotated[
    str | None,
    typer.Option(
        "--monster",
        rich_help_panel=YOU,
        metavar="NAME",
        autocompletion=complete_monster,
        help=N_("Your monster. [default: the first free one]"),
    ),
]
LogDir = Annotated[
    Path | None,
    typer.Option(
        "--log-dir",
        rich_help_panel=FILES,
        metavar="DIR",
        help=N_("Where the game's log goes. [default: the data folder]"),
    ),
]
Profile = Annotated[
    str,
    typer.Option(
        "--profile",
        rich_help_panel=YOU,
        metavar="NAME",
        autocompletion=complete_profile,
        help=N_("Which of your identities plays."),
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        rich_help_panel=FILES,
        help=N_("Print one JSON document on stdout at the end; the rest to stderr."),
    ),
]
NoLan = Annotated[
    bool,
    typer.Option(
        "--no-lan",
        rich_help_panel=NETWORK,
        help=N_("Do not announce the table on this network: find cannot see it."),
    ),
]
InviteOnly = Annotated[
    bool,
    typer.Option(
        "--invite-only",
        rich_help_panel=NETWORK,
        help=N_("Let in only players with the printed link; find does not show the table."),
    ),
]
Watchers = Annotated[
    str | None,
    typer.Option(
        "--watchers",
        parser=parse_watchers,
        metavar="N|none|invited",
        rich_help_panel=NETWORK,
        help=N_(
            "Let so many others watch, or those with a link of their own, which is printed. "
            "[default: 8; none with --invite-only]"
        ),
    ),
]
WatchersChat = Annotated[
    bool,
    typer.Option(
        "--watchers-chat",
        rich_help_panel=NETWORK,
        help=N_("Let those who watch read the chat."),
    ),
]
AcceptNewKeys = Annotated[
    bool,
    typer.Option(
        "--accept-new-keys",
        rich_help_panel=NETWORK,
        help=N_("Also play with known names whose keys have changed, without asking."),
    ),
]
Wait = Annotated[
    int,
    typer.Option(
        "--wait",
        rich_help_panel=NETWORK,
        parser=parse_number(1, 60),
        metavar="SECONDS",
        help=N_("How long to look."),
    ),
]
Players = Annotated[
    int,
    typer.Option(
        "--players",
        parser=parse_number(2, 6),
        metavar="N",
        rich_help_panel=TABLE,
        help=N_("Seats at the table, 2 to 6."),
    ),
]
InvitationFile = Annotated[
    Path | None,
    typer.Option(
        "--invitation-file",
        metavar="FILE",
        rich_help_panel=NETWORK,
        help=N_("Read the link of the invitation from this file. [default: none]"),
    ),
]
