"""The terminal, as `kotp2p doctor` judges it: from facts to findings.

Scope: pure; what the table would do on a terminal with these facts.
Not here: the facts (`cli.extras.terminal_facts`), and the sentences
(`cli.extras.terminal_findings`).
"""

from __future__ import annotations

from collections.abc import Mapping

from kotp2p.cli.extras.finding import Finding
from kotp2p.cli.extras.terminal_facts import TerminalFacts
from kotp2p.cli.extras.terminal_findings import (
    ColourDepth,
    Colours,
    Drawing,
    Encoding,
    Keys,
    NoWindow,
    ReadingOrder,
    Sign,
    Size,
    SymbolsDrawn,
    TerminalProgram,
)
from kotp2p.cli.system.languages import show_sample
from kotp2p.cli.system.options import Bidi, Palette, Symbols
from kotp2p.cli.system.terminal import choose_symbols, has_true_colour
from kotp2p.cli.ui.screen.theme import FACE_COLUMNS, Signs, signs_for

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
    """What a person must see under the line of a finding."""
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
    """`sentences`: of the language that is spoken, as many as it takes to meet its letters."""
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
    """In such a language all lines are put into order when they are printed; in others only this
    one needs it."""
    if facts.is_right_to_left or facts.bidi_used is not Bidi.PROGRAM:
        return RIGHT_TO_LEFT_SAMPLE
    return show_sample(RIGHT_TO_LEFT_SAMPLE)


def tell_program(environment: Mapping[str, str]) -> TerminalProgram:
    """The one that keys go through last, as far as its variables tell."""
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
