"""The first start: what a player is called, and which monster they are, asked once."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from kotp2p.cli.commands.person import CommandRefused, NameOrigin, Person, name_without_flag
from kotp2p.cli.commands.settings import keep_settings
from kotp2p.cli.system.config import Config, ConfigFault, is_nowhere, load_config
from kotp2p.cli.system.folders import config_file
from kotp2p.cli.system.output import Output, wants_screen
from kotp2p.cli.system.terminal import choose_symbols
from kotp2p.cli.text.i18n import _, typeable
from kotp2p.cli.ui.plain import ask_line, is_terminal
from kotp2p.lobby.seating import read_monster, read_name, shuffle
from kotp2p.seams.notices import LobbyFault
from kotp2p.wire.names import MONSTERS, clean_name, is_reserved_wish

if TYPE_CHECKING:
    from kotp2p.cli.ui.screen.theme import Row

CHANCE_BYTES = 16
PORTRAITS_IN_A_ROW = 4
ROWS_BELOW = 6
"""The question below the portraits, and what is typed."""


def introduce(person: Person) -> Person:
    """Ask for name and monster, unless a name was ever chosen; raise KeyboardInterrupt."""
    if person.name is not None or person.bot is not None or person.as_json or not is_terminal():
        return person
    try:
        config = load_config()
        login, origin = name_without_flag(person.profile, config)
    except (CommandRefused, ConfigFault):
        return person  # the game that begins says what is wrong
    if origin is not NameOrigin.LOGIN or is_nowhere(config_file()):
        return person
    try:
        name = _ask_name("" if is_reserved_wish(login) else clean_name(login, ""))
        monster = person.monster or config.text_of("monster") or _ask_monster(config)
    except EOFError:
        print()
        return person
    output = Output.standard()
    other = next(one for one in MONSTERS if one != monster)
    if keep_settings({"name": name, "monster": monster}):
        output.say_line(
            _("You are {name}, {monster}. To change it later: {command}", name=name,
              monster=monster, command=typeable(f"kotp2p config set monster {other}"))
        )  # fmt: skip
    return replace(person, name=name, monster=monster)


def _ask_name(usual: str) -> str:
    """Ask until the answer can be a name; Enter means `usual`, if any. Raise EOFError."""
    question = _("What are you called?")
    if usual:
        question = _("What are you called? Enter takes {name}.", name=usual)
    while True:
        typed = ask_line(question).strip() or usual
        name = read_name(typed)
        if not isinstance(name, LobbyFault):
            return name
        fitting = "Ana" if is_reserved_wish(typed) else clean_name(typed, "Ana")
        Output.standard().say_line(
            _("That cannot be a name here; this would do: {name}.", name=fitting)
        )


def _ask_monster(config: Config) -> str:
    """Enter draws one. Raises EOFError."""
    if not _show_portraits(config):
        names = ", ".join(f"{n} {monster}" for n, monster in enumerate(MONSTERS, 1))
        Output.standard().say_line(names)
    question = _("Which monster are you? Its number or name; Enter draws one.")
    while True:
        typed = ask_line(question).strip()
        if not typed:
            return shuffle(MONSTERS, os.urandom(CHANCE_BYTES))[0]
        if typed.isdecimal() and 1 <= int(typed) <= len(MONSTERS):
            return MONSTERS[int(typed) - 1]
        found = read_monster(typed)
        if not isinstance(found, LobbyFault):
            return found
        Output.standard().say_line(_("No monster is called that."))


def _show_portraits(config: Config) -> bool:
    """Print them with their numbers and names, if there is room and colour; return whether."""
    if not wants_screen(is_terminal(), plain=config.is_on("plain")):
        return False
    from prompt_toolkit import print_formatted_text
    from prompt_toolkit.formatted_text import FormattedText
    from prompt_toolkit.output.defaults import create_output

    from kotp2p.cli.extras.pictures.portrait_rows import PITCH_COLUMNS, PORTRAIT_ROWS, draw_choice
    from kotp2p.cli.system.options import Depth
    from kotp2p.cli.ui.screen import theme
    from kotp2p.cli.ui.screen.stage import class_of, color_depth, picture_depth

    theme.use_symbols(
        choose_symbols(config.symbols, sys.stdout.encoding, os.environ), sys.stdout.encoding
    )
    output = create_output(sys.stdout)
    colours = color_depth(config.palette) or output.get_default_color_depth()
    depth = picture_depth(colours)
    if depth is Depth.NONE or theme.signs().levels.isascii():
        return False
    room = shutil.get_terminal_size()
    columns = PORTRAITS_IN_A_ROW * PITCH_COLUMNS
    strips = -(-len(MONSTERS) // PORTRAITS_IN_A_ROW)
    if room.columns < columns or room.lines < strips * PORTRAIT_ROWS + ROWS_BELOW:
        return False
    rows: list[Row] = []
    for first in range(0, len(MONSTERS), PORTRAITS_IN_A_ROW):
        rows += draw_choice(MONSTERS[first : first + PORTRAITS_IN_A_ROW], first + 1, depth)
    for row in rows:
        parts = [("" if style == "log" else class_of(style), text) for style, text in row]
        print_formatted_text(FormattedText(parts), output=output, color_depth=colours)
    return True
