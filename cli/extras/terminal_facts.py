"""The facts about the terminal that `kotp2p doctor` looks at. Only read: nothing is asked of it.

Scope: its size, the variables that describe it, the settings in force.
Not here: what follows from them (`cli.extras.doctor_terminal`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from kotp2p.cli.system.config import CONFIG_KEYS, Config, ConfigFault, Setting, load_config
from kotp2p.cli.system.languages import choose_mode, is_shown_on_terminal
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.text import i18n


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    size: tuple[int, int] | None
    """Columns and rows; None: no terminal is there, or it does not tell."""
    encoding: str
    environment: Mapping[str, str]
    """The variables of the process."""
    is_plain_set: bool
    palette: Palette
    palette_origin: str
    symbols: Symbols
    bidi: str
    bidi_used: Bidi
    """For a language that is read from right to left."""
    is_right_to_left: bool


def read_terminal() -> TerminalFacts:
    config = _settings()
    environment = dict(os.environ)
    bidi = config.text_of("bidi") or Bidi.AUTO
    palette = config.settings["palette"]
    return TerminalFacts(
        size=_window_size(),
        encoding=str(sys.stdout.encoding or "ascii"),
        environment=environment,
        is_plain_set=config.is_on("plain"),
        palette=config.palette,
        palette_origin=palette.origin,
        symbols=config.symbols,
        bidi=str(bidi),
        bidi_used=choose_mode(bidi, environment, has_terminal=is_shown_on_terminal()),
        is_right_to_left=i18n.is_right_to_left(),
    )


def _settings() -> Config:
    """Those in force; the defaults if the file is not understood, which is told elsewhere."""
    try:
        return load_config()
    except ConfigFault:
        return Config({key.name: Setting(key.default, "") for key in CONFIG_KEYS})


def _window_size() -> tuple[int, int] | None:
    try:
        if not sys.stdout.isatty():
            return None
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):  # it does not tell, or the stream is closed
        return None
    return (size.columns, size.lines) if size.columns and size.lines else None
