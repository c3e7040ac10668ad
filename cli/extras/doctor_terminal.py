"""The terminal, as `kotp2p doctor` judges it: size, colours, letters, symbols, direction, keys.

Scope: its size, the variables that describe it, the settings in force, and what the table would do
on a terminal with these facts. Only read: nothing is asked of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, assert_never

from kotp2p.cli.extras.finding import Finding, Severity, Words
from kotp2p.cli.system.config import CONFIG_KEYS, Config, ConfigFault, Setting, load_config
from kotp2p.cli.system.languages import choose_mode, is_shown_on_terminal, show_sample
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.system.terminal import choose_symbols, has_true_colour
from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.program_words import typeable
from kotp2p.cli.text.typed_words import own_command
from kotp2p.cli.ui.screen.theme import FACE_COLUMNS, Signs, signs_for

# -- findings ------------------------------------------------------------------------------


WINDOW_KEYS = (
    "F1", "F2", "F3", "F4", "F5", "F6", "F10", "Up", "Down", "Left", "Right", "Space", "Enter",
    "Esc", "Page Up", "Page Down", "Ctrl-C",
)  # fmt: skip
"""All keys of the drawn table that write no text."""
SMALLEST_WINDOW = (60, 20)
"""Columns and rows without which the table is not drawn."""
USUAL_WINDOW = (80, 24)
"""Those for which it is made."""


class ColourDepth(StrEnum):
    NONE = "none"
    FEW = "16"
    MANY = "256"
    ALL = "all"


class TerminalProgram(StrEnum):
    """The programs whose habits matter here."""

    TMUX = "tmux"
    SCREEN = "screen"
    VTE = "vte"
    """GNOME Terminal and its relatives."""
    KONSOLE = "konsole"
    APPLE = "apple-terminal"
    WINDOWS = "windows-terminal"
    CONSOLE = "linux-console"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Sign:
    """A symbol of the drawn table, and its width in columns as the program counts it."""

    text: str
    columns: int


@dataclass(frozen=True, slots=True)
class Size(Finding):
    columns: int
    rows: int

    @property
    def severity(self) -> Severity:
        if self._is_below(SMALLEST_WINDOW):
            return Severity.PROBLEM
        return Severity.NOTE if self._is_below(USUAL_WINDOW) else Severity.OK

    def _is_below(self, size: tuple[int, int]) -> bool:
        return self.columns < size[0] or self.rows < size[1]

    def words(self) -> Words:
        what = _("The window has {columns} columns and {rows} rows.",
                 columns=self.columns, rows=self.rows)  # fmt: skip
        todo = _("Make it larger, or its letters smaller.")
        match self.severity:
            case Severity.OK:
                return Words(what, _("The whole table fits into it."))
            case Severity.NOTE:
                return Words(
                    what,
                    _("The table is made for {columns} and {rows}: in this window parts of it are "
                      "left out.", columns=USUAL_WINDOW[0], rows=USUAL_WINDOW[1]),
                    todo,
                )  # fmt: skip
            case Severity.PROBLEM:
                return Words(
                    what,
                    _("The table needs {columns} and {rows}, so it is not drawn.",
                      columns=SMALLEST_WINDOW[0], rows=SMALLEST_WINDOW[1]),
                    todo + " " + _("Or play line by line: {command}",
                                   command=typeable("kotp2p host --plain")),
                )  # fmt: skip
            case _:
                assert_never(self.severity)


@dataclass(frozen=True, slots=True)
class NoWindow(Finding):
    severity: ClassVar[Severity] = Severity.NOTE

    def words(self) -> Words:
        return Words(
            _("What is printed here does not go to a terminal."),
            _("So nothing can be said about its size, and a game would be told line by line."),
            _("Type the command in the window in which you play, without | and >."),
        )


@dataclass(frozen=True, slots=True)
class Drawing(Finding):
    """Whether the table is drawn on this terminal."""

    term: str
    is_plain_set: bool
    """Whether the person has chosen plain lines."""

    @property
    def _is_dumb(self) -> bool:
        return self.term in ("", "dumb")

    @property
    def severity(self) -> Severity:
        return Severity.NOTE if self._is_dumb and not self.is_plain_set else Severity.OK

    def words(self) -> Words:
        if self.is_plain_set:
            return Words(_("Plain lines are set, so the game is told line by line."))
        if not self._is_dumb:
            return Words(_("TERM is {term}, so the table is drawn.", term=self.term))
        return Words(
            _("TERM is dumb or not set."),
            _("So the table is not drawn, and the game is told line by line."),
            _("In a window that can do more, type: {command}",
              command="export TERM=xterm-256color"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Colours(Finding):
    severity: ClassVar[Severity] = Severity.OK
    depth: ColourDepth
    origin: str
    """What has decided that: the name of a variable, a flag or a file; empty if nothing was set."""

    def words(self) -> Words:
        match self.depth:
            case ColourDepth.NONE if self.origin:
                what = _("The table has no colours, because of {origin}.", origin=self.origin)
                return Words(what, _("Nothing is said by colour alone."))
            case ColourDepth.NONE:
                what = _("The table has no colours.")
                return Words(what, _("Nothing is said by colour alone."))
            case ColourDepth.FEW:
                what = _("This terminal has 16 colours.")
                return Words(
                    what, _("Some of the table look alike; nothing is said by colour alone.")
                )
            case ColourDepth.MANY:
                return Words(_("The table has 256 colours."))
            case ColourDepth.ALL:
                return Words(_("COLORTERM tells that this terminal has all colours."))
            case _:
                assert_never(self.depth)


@dataclass(frozen=True, slots=True)
class Encoding(Finding):
    encoding: str
    is_unicode: bool
    has_language: bool
    """Whether it has all letters of the current language."""

    @property
    def severity(self) -> Severity:
        if self.is_unicode:
            return Severity.OK
        return Severity.NOTE if self.has_language else Severity.PROBLEM

    def words(self) -> Words:
        if self.is_unicode:
            return Words(_("Letters are written in {encoding}.", encoding=self.encoding))
        what = _("Letters are written in {encoding}, which is not UTF-8.", encoding=self.encoding)
        todo = _("Choose a locale with UTF-8, for example: {command}",
                 command="export LC_ALL=C.UTF-8")  # fmt: skip
        if self.has_language:
            return Words(
                what,
                _("Names of other players may show question marks, and the table is drawn with the "
                  "signs of a plain keyboard."),
                todo,
            )  # fmt: skip
        return Words(what, _("Letters of your language show as question marks."), todo)


@dataclass(frozen=True, slots=True)
class SymbolsDrawn(Finding):
    wanted: str
    drawn: str
    signs: tuple[Sign, ...]

    @property
    def severity(self) -> Severity:
        return Severity.OK if self.wanted in ("auto", self.drawn) else Severity.NOTE

    def words(self) -> Words:
        what = _("The set of symbols in use is {symbols}.", symbols=self.drawn)
        if self.severity is Severity.NOTE:
            what = _("The symbols that are set, {wanted}, are not in this encoding, so the table "
                     "has those of {symbols}.", wanted=self.wanted,
                     symbols=self.drawn)  # fmt: skip
        if self.drawn == "ascii":
            return Words(what)
        return Words(
            what,
            _("They stand below, each over a ruler and with a bar behind it. Each bar must stand "
              "over a bar of the ruler, or the table is crooked."),
            _("If one does not, or if you see boxes or question marks, type: {command}",
              command=typeable("kotp2p config set symbols ascii")),
        )  # fmt: skip

    def rows(self, columns: int) -> list[str]:
        """Return the symbols with a ruler below them, wrapped to `columns`."""
        pairs = [(f"{one.text}| ", "-" * one.columns + "| ") for one in self.signs]
        found: list[str] = []
        above = below = ""
        for sign, ruler in pairs:
            if len(below) + len(ruler) > columns:
                found += [above.rstrip(), below.rstrip()]
                above = below = ""
            above, below = above + sign, below + ruler
        return [*found, above.rstrip(), below.rstrip()]


@dataclass(frozen=True, slots=True)
class ReadingOrder(Finding):
    """The program that orders text that is read from right to left."""

    setting: str
    used: str
    """`terminal`, `program` or `off`, for a language from right to left on this terminal."""
    is_needed: bool
    """Whether the current language is read from right to left."""
    sample: str

    @property
    def severity(self) -> Severity:
        return Severity.NOTE if self.is_needed and self.used == "off" else Severity.OK

    def words(self) -> Words:
        matters = _("It matters for such languages only. Below is a sample: if you can read it, "
                    "you see whether it is in order.")  # fmt: skip
        match self.used:
            case "terminal":
                return Words(
                    _("Text that is read from right to left is put into order by the terminal."),
                    matters,
                    _("If it is not in order, type: {command}",
                      command=typeable("kotp2p config set bidi program")),
                )  # fmt: skip
            case "program":
                return Words(
                    _("Text that is read from right to left is put into order by this program."),
                    matters,
                    _("If it is not in order, type: {command}",
                      command=typeable("kotp2p config set bidi terminal")),
                )  # fmt: skip
            case _:  # off
                todo = _("If it is not in order, type: {command}",
                         command=typeable("kotp2p config set bidi program"))  # fmt: skip
                return Words(
                    _("Text that is read from right to left is left as it is."), matters, todo
                )


@dataclass(frozen=True, slots=True)
class Keys(Finding):
    severity: ClassVar[Severity] = Severity.OK
    program: TerminalProgram
    keys: tuple[str, ...] = WINDOW_KEYS

    def words(self) -> Words:
        what = _("The table listens to F1 to F6, F10, the arrows, Space, Enter, Esc, Page Up, Page "
                 "Down and Ctrl-C.")  # fmt: skip
        todo = _(
            "Where a key does nothing, type a word and Enter: F1 is {help}, F2 {cards}, F3 {log}, "
            "F4 {orders}, F5 {speed}, F10 {leave}.",
            **{one: own_command(one) for one in
               ("help", "cards", "log", "orders", "speed", "leave")},
        )  # fmt: skip
        return Words(what, self._habit(), todo)

    def _habit(self) -> str:
        """Say what this terminal may do with keys before the program gets them."""
        match self.program:
            case TerminalProgram.VTE:
                return _("This terminal may keep F1 and F10 to itself; its settings for keyboard "
                         "shortcuts change that.")  # fmt: skip
            case TerminalProgram.KONSOLE | TerminalProgram.WINDOWS | TerminalProgram.OTHER:
                return _("A terminal or desktop may keep some of them to itself.")
            case TerminalProgram.APPLE:
                return _("On this keyboard F1 to F10 may need the fn key with them.")
            case TerminalProgram.TMUX:
                return _("tmux keeps the key before its commands (Ctrl-B) to itself, and waits a "
                         "moment after Esc.")  # fmt: skip
            case TerminalProgram.SCREEN:
                return _("screen keeps the key before its commands (Ctrl-A) to itself, and waits a "
                         "moment after Esc.")  # fmt: skip
            case TerminalProgram.CONSOLE:
                return _("They all come through here; with Alt they change the console.")
            case _:
                assert_never(self.program)


# -- facts ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    size: tuple[int, int] | None
    """Columns and rows; None without a terminal, or if it does not say."""
    encoding: str
    environment: Mapping[str, str]
    """The variables of the process."""
    is_plain_set: bool
    palette: Palette
    palette_origin: str
    symbols: Symbols
    bidi: str
    bidi_used: Bidi
    """The mode for a language from right to left."""
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
    """Return the settings in effect, or the defaults if the file is not understood."""
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


# -- from facts to findings ----------------------------------------------------------------


RIGHT_TO_LEFT_SAMPLE = "سلام! در بازی Tokyo ۶ بازیکن هستند"
"""Persian, with a word of another script and a number in it."""
FEW_COLOURS = ("linux", "eterm-color")
"""Values of TERM for which the screen is drawn with 16 colours."""


def judge_terminal(facts: TerminalFacts) -> list[Finding]:
    term = facts.environment.get("TERM", "")
    found: list[Finding] = [
        NoWindow() if facts.size is None else Size(*facts.size),
        Drawing(term, facts.is_plain_set),
        _judge_colours(facts, term),
        _judge_symbols(facts),
        ReadingOrder(
            facts.bidi, facts.bidi_used.value, facts.is_right_to_left,
            _sample(facts),
        ),
        Keys(tell_program(facts.environment)),
    ]  # fmt: skip
    found.insert(3, _judge_encoding(facts.encoding, " ".join(one.line() for one in found)))
    return found


def rows_below(finding: Finding, columns: int) -> list[str]:
    """Return the rows to show below the line of a finding."""
    if isinstance(finding, SymbolsDrawn) and finding.signs:
        return finding.rows(columns)
    return [finding.sample] if isinstance(finding, ReadingOrder) else []


def _judge_colours(facts: TerminalFacts, term: str) -> Colours:
    if term in ("", "dumb"):
        return Colours(ColourDepth.NONE, "TERM")
    if facts.palette is Palette.MONO:
        return Colours(ColourDepth.NONE, facts.palette_origin)
    if has_true_colour(facts.environment):
        return Colours(ColourDepth.ALL, "COLORTERM")
    return Colours(ColourDepth.FEW if term in FEW_COLOURS else ColourDepth.MANY, "TERM")


def _judge_encoding(encoding: str, sentences: str) -> Encoding:
    """Judge an encoding; `sentences` has all letters of the current language."""
    is_unicode = encoding.lower().replace("-", "").replace("_", "").startswith("utf")
    try:
        sentences.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return Encoding(encoding, is_unicode, has_language=is_unicode)
    return Encoding(encoding, is_unicode, has_language=True)


def _judge_symbols(facts: TerminalFacts) -> SymbolsDrawn:
    wanted = choose_symbols(facts.symbols, facts.encoding, facts.environment)
    signs = signs_for(wanted, facts.encoding)
    drawn = wanted if signs is signs_for(wanted) else Symbols.ASCII
    listed = () if drawn is Symbols.ASCII else tuple(_list_signs(signs))
    return SymbolsDrawn(facts.symbols.value, drawn.value, listed)


def _list_signs(signs: Signs) -> list[Sign]:
    faces = set(signs.faces.values())
    single = dict.fromkeys(signs.every_sign().replace(" ", ""))
    ordinary = [Sign(one, 1) for one in single if not any(one in face for face in faces)]
    return [*ordinary, *(Sign(face, FACE_COLUMNS) for face in signs.faces.values())]


def _sample(facts: TerminalFacts) -> str:
    """Return the sample as it must be printed.

    In a language from right to left printing reorders all lines; in others only this one needs it.
    """
    if facts.is_right_to_left or facts.bidi_used is not Bidi.PROGRAM:
        return RIGHT_TO_LEFT_SAMPLE
    return show_sample(RIGHT_TO_LEFT_SAMPLE)


def tell_program(environment: Mapping[str, str]) -> TerminalProgram:
    """Return the program that keys pass through last, judged by its variables."""
    if environment.get("TMUX"):
        return TerminalProgram.TMUX
    if environment.get("STY"):
        return TerminalProgram.SCREEN
    if environment.get("KONSOLE_VERSION"):
        return TerminalProgram.KONSOLE
    if environment.get("VTE_VERSION"):
        return TerminalProgram.VTE
    if environment.get("TERM_PROGRAM") == "Apple_Terminal":
        return TerminalProgram.APPLE
    if environment.get("WT_SESSION"):
        return TerminalProgram.WINDOWS
    if environment.get("TERM") == "linux":
        return TerminalProgram.CONSOLE
    return TerminalProgram.OTHER
