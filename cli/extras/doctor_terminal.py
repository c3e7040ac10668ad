"""The terminal, as `kotp2p doctor` judges it: size, colours, letters, symbols, direction.

Scope: its size, the variables that describe it, the settings in force, and what the table would do
on a terminal with these facts. Only read: nothing is asked of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from kotp2p.cli.extras.finding import Finding, Severity
from kotp2p.cli.system.config import CONFIG_KEYS, Config, ConfigFault, Setting, load_config
from kotp2p.cli.system.languages import choose_mode, is_shown_on_terminal, show_sample
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.system.terminal import choose_symbols, has_true_colour
from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.program_words import typeable
from kotp2p.cli.ui.screen.theme import FACE_COLUMNS, Signs, signs_for

SMALLEST_WINDOW = (60, 20)
"""Columns and rows without which the table is not drawn."""
USUAL_WINDOW = (80, 24)
FEW_COLOURS = ("linux", "eterm-color")
"""Values of TERM for which the screen is drawn with 16 colours."""
RIGHT_TO_LEFT_SAMPLE = "سلام! در بازی Tokyo ۶ بازیکن هستند"
"""Persian, with a word of another script and a number in it."""


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    size: tuple[int, int] | None
    """Columns and rows; None without a terminal, or if it does not say."""
    encoding: str
    environment: Mapping[str, str]
    is_plain_set: bool
    palette: Palette
    palette_origin: str
    symbols: Symbols
    bidi_used: Bidi
    is_right_to_left: bool

    @property
    def term(self) -> str:
        return self.environment.get("TERM", "")

    @property
    def is_dumb(self) -> bool:
        return self.term in ("", "dumb")


def read_terminal() -> TerminalFacts:
    config = _settings()
    environment = dict(os.environ)
    bidi = config.text_of("bidi") or Bidi.AUTO
    return TerminalFacts(
        size=_window_size(),
        encoding=str(sys.stdout.encoding or "ascii"),
        environment=environment,
        is_plain_set=config.is_on("plain"),
        palette=config.palette,
        palette_origin=config.settings["palette"].origin,
        symbols=config.symbols,
        bidi_used=choose_mode(bidi, environment, has_terminal=is_shown_on_terminal()),
        is_right_to_left=i18n.is_right_to_left(),
    )


def _settings() -> Config:
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


def judge_terminal(facts: TerminalFacts, columns: int) -> list[Finding]:
    """Judge the facts; what a person compares is wrapped to `columns`."""
    return [
        _judge_size(facts.size),
        _judge_drawing(facts),
        _judge_colours(facts),
        _judge_encoding(facts.encoding),
        _judge_symbols(facts, columns),
        _judge_direction(facts),
    ]


def _judge_size(size: tuple[int, int] | None) -> Finding:
    if size is None:
        return Finding(
            Severity.NOTE,
            _("What is printed here does not go to a terminal."),
            _("So nothing can be said about its size, and a game would be told line by line."),
            _("Type the command in the window in which you play, without | and >."),
        )
    what = _("The window has {columns} columns and {rows} rows.", columns=size[0], rows=size[1])
    todo = _("Make it larger, or its letters smaller.")
    if _is_below(size, SMALLEST_WINDOW):
        return Finding(
            Severity.PROBLEM, what,
            _("The table needs {columns} and {rows}, so it is not drawn.",
              columns=SMALLEST_WINDOW[0], rows=SMALLEST_WINDOW[1]),
            todo + " " + _("Or play line by line: {command}",
                           command=typeable("kotp2p host --plain")),
        )  # fmt: skip
    if _is_below(size, USUAL_WINDOW):
        return Finding(
            Severity.NOTE, what,
            _("The table is made for {columns} and {rows}: in this window parts of it are left "
              "out.", columns=USUAL_WINDOW[0], rows=USUAL_WINDOW[1]),
            todo,
        )  # fmt: skip
    return Finding(Severity.OK, what, _("The whole table fits into it."))


def _is_below(size: tuple[int, int], wanted: tuple[int, int]) -> bool:
    return size[0] < wanted[0] or size[1] < wanted[1]


def _judge_drawing(facts: TerminalFacts) -> Finding:
    if facts.is_plain_set:
        return Finding(Severity.OK, _("Plain lines are set, so the game is told line by line."))
    if not facts.is_dumb:
        return Finding(Severity.OK, _("TERM is {term}, so the table is drawn.", term=facts.term))
    return Finding(
        Severity.NOTE,
        _("TERM is dumb or not set."),
        _("So the table is not drawn, and the game is told line by line."),
        _("In a window that can do more, type: {command}", command="export TERM=xterm-256color"),
    )


def _judge_colours(facts: TerminalFacts) -> Finding:
    if facts.is_dumb or facts.palette is Palette.MONO:
        origin = "TERM" if facts.is_dumb else facts.palette_origin
        what = _("The table has no colours, because of {origin}.", origin=origin)
        return Finding(Severity.OK, what, _("Nothing is said by colour alone."))
    if has_true_colour(facts.environment):
        return Finding(Severity.OK, _("COLORTERM tells that this terminal has all colours."))
    if facts.term in FEW_COLOURS:
        matters = _("Some of the table look alike; nothing is said by colour alone.")
        return Finding(Severity.OK, _("This terminal has 16 colours."), matters)
    return Finding(Severity.OK, _("The table has 256 colours."))


def _judge_encoding(encoding: str) -> Finding:
    if encoding.lower().replace("-", "").replace("_", "").startswith("utf"):
        return Finding(Severity.OK, _("Letters are written in {encoding}.", encoding=encoding))
    return Finding(
        Severity.NOTE,
        _("Letters are written in {encoding}, which is not UTF-8.", encoding=encoding),
        _("Names of other players may show question marks, and the table is drawn with the signs "
          "of a plain keyboard."),
        _("Choose a locale with UTF-8, for example: {command}", command="export LC_ALL=C.UTF-8"),
    )  # fmt: skip


def _judge_symbols(facts: TerminalFacts, columns: int) -> Finding:
    chosen = choose_symbols(facts.symbols, facts.encoding, facts.environment)
    signs = signs_for(chosen, facts.encoding)
    drawn = chosen if signs is signs_for(chosen) else Symbols.ASCII
    what = _("The set of symbols in use is {symbols}.", symbols=drawn.value)
    if drawn is Symbols.ASCII:
        return Finding(Severity.OK, what)
    return Finding(
        Severity.OK, what,
        _("They stand below, each over a ruler and with a bar behind it. Each bar must stand over "
          "a bar of the ruler, or the table is crooked."),
        _("If one does not, or if you see boxes or question marks, type: {command}",
          command=typeable("kotp2p config set symbols ascii")),
        tuple(ruled_rows(_list_signs(signs), columns)),
    )  # fmt: skip


def _list_signs(signs: Signs) -> list[tuple[str, int]]:
    """Return each symbol once, with its width as the program counts it."""
    faces = set(signs.faces.values())
    single = dict.fromkeys(signs.every_sign().replace(" ", ""))
    ordinary = [(one, 1) for one in single if not any(one in face for face in faces)]
    return [*ordinary, *((face, FACE_COLUMNS) for face in signs.faces.values())]


def ruled_rows(signs: list[tuple[str, int]], columns: int) -> list[str]:
    """Return the symbols with a ruler below them, wrapped to `columns`."""
    found: list[str] = []
    above = below = ""
    for sign, width in signs:
        ruler = "-" * width + "| "
        if len(below) + len(ruler) > columns:
            found += [above.rstrip(), below.rstrip()]
            above = below = ""
        above, below = f"{above}{sign}| ", below + ruler
    return [*found, above.rstrip(), below.rstrip()]


def _judge_direction(facts: TerminalFacts) -> Finding:
    other = Bidi.PROGRAM
    match facts.bidi_used:
        case Bidi.TERMINAL:
            what = _("Text that is read from right to left is put into order by the terminal.")
        case Bidi.PROGRAM:
            what = _("Text that is read from right to left is put into order by this program.")
            other = Bidi.TERMINAL
        case _:  # off
            what = _("Text that is read from right to left is left as it is.")
    is_wrong = facts.is_right_to_left and facts.bidi_used is Bidi.OFF
    sample = RIGHT_TO_LEFT_SAMPLE
    if facts.bidi_used is Bidi.PROGRAM and not facts.is_right_to_left:
        sample = show_sample(sample)  # elsewhere printing reorders all lines
    return Finding(
        Severity.NOTE if is_wrong else Severity.OK, what,
        _("It matters for such languages only. Below is a sample: if you can read it, you see "
          "whether it is in order."),
        _("If it is not in order, type: {command}",
          command=typeable(f"kotp2p config set bidi {other.value}")),
        (sample,),
    )  # fmt: skip
