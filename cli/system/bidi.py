"""Text that is read from right to left, on terminals that turn it round and on those that do not.

Scope: the order in which a line is read, and what puts it so. A terminal may do it: then names and
numbers are isolated, so that they do not tear the sentence around them. Otherwise this program
does it, by a library that is an extra, right before a line is shown.
Not here: the sentences and their isolation (`cli.text.i18n`).
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TypeAlias

from cli.system.choices import Bidi
from cli.text import i18n

Fragment: TypeAlias = tuple[str, str]
"""A style and a text: part of a row."""
SPACES = " "
BORDERS = "".join(map(chr, range(0x2400, 0x2420)))
"""Signs without a direction. Each stands for a short time at both ends of a part with a style."""
CELLS_PATTERN = re.compile(r"( {2,}| ?[\u2500-\u257f]+ ?| ?[+|]?-{2,}[+|]? ?)")
"""What stands between cells: spaces, or the line of a heading or of a box."""
_reorders = False


def prepare_bidi(wish: str, environment: Mapping[str, str], *, has_terminal: bool) -> None:
    """For the language that is spoken now. `wish`: what is set; what is unknown counts as auto."""
    global _reorders
    mode = Bidi.OFF
    if i18n.is_right_to_left():
        mode = choose_mode(wish, environment, has_terminal=has_terminal)
    i18n.use_isolates(mode is not Bidi.OFF)
    _reorders = mode is Bidi.PROGRAM and has_library()


def choose_mode(wish: str, environment: Mapping[str, str], *, has_terminal: bool) -> Bidi:
    """For a language that is read from right to left."""
    mode = Bidi(wish) if wish in set(Bidi) else Bidi.AUTO
    if mode is not Bidi.AUTO:
        return mode
    return _guess_mode(environment) if has_terminal else Bidi.OFF


def _guess_mode(environment: Mapping[str, str]) -> Bidi:
    """What the terminal can do, as far as it tells. Inside another program it does not."""
    if environment.get("TMUX") or environment.get("STY"):
        return Bidi.PROGRAM if has_library() else Bidi.OFF
    turns = (
        environment.get("VTE_VERSION", "").isdigit()
        or environment.get("KONSOLE_VERSION")
        or environment.get("TERM_PROGRAM") == "Apple_Terminal"
        or environment.get("TERM", "").startswith("mlterm")
    )
    if turns:
        return Bidi.TERMINAL
    return Bidi.PROGRAM if has_library() else Bidi.OFF


def has_library() -> bool:
    try:
        import bidi
    except ImportError:
        return False
    return hasattr(bidi, "get_display")


def show_sample(text: str) -> str:
    """A text that is read from right to left, put into order here whatever language is spoken."""
    return _turn_cell(text) if has_library() else text


def in_reading_order(text: str) -> str:
    """A part of a line as it is to be shown, if this program turns it round. Cells of a table,
    with two spaces or more between them, stay where they are."""
    if not _reorders:
        return text
    return "".join(map(_turn_cell, CELLS_PATTERN.split(text)))


def row_in_reading_order(row: Iterable[Fragment]) -> list[Fragment]:
    """The same for a row of several styles. Parts with the same first word of their styles are one
    sentence, so a coloured name does not tear it: `log`, `log own`, `log`."""
    if not _reorders:
        return list(row)
    found: list[Fragment] = []
    for _word, group in groupby(row, key=lambda part: part[0].partition(" ")[0]):
        parts = list(group)
        if len({style for style, _text in parts}) > 1:
            found += _turn_sentence(parts)
        else:
            found += [(style, in_reading_order(text)) for style, text in parts]
    return found


def _turn_sentence(parts: Iterable[Fragment]) -> list[Fragment]:
    styled = [(style, sign) for style, text in parts for sign in text]
    found: list[Fragment] = []
    at = 0
    for cell in CELLS_PATTERN.split("".join(sign for _style, sign in styled)):
        part, at = styled[at : at + len(cell)], at + len(cell)
        found += _turn_styled_cell(part)
    return _join_by_style(found)


def _join_by_style(fragments: Iterable[Fragment]) -> list[Fragment]:
    return [
        (style, "".join(text for _style, text in group))
        for style, group in groupby(fragments, key=lambda one: one[0])
    ]


def _turn_styled_cell(cell: list[Fragment]) -> list[Fragment]:
    """Each part that differs from the most of the cell is isolated, so it stays in one piece, and
    its ends are marked, so it is found again."""
    parts = _join_by_style(cell)
    if not parts:
        return []
    base = max(parts, key=lambda part: len(part[1]))[0]
    text, styles = "", dict[str, str]()
    signs = {sign for _style, sign in cell}
    borders = (border for border in BORDERS if border not in signs)
    for style, part in parts:
        border = None if style == base else next(borders, None)
        if border is None:
            text += part
            continue
        styles[border] = style
        opened = part.count(i18n.FIRST_STRONG_ISOLATE) - part.count(i18n.POP_ISOLATE)
        text += i18n.FIRST_STRONG_ISOLATE * max(0, opened)
        text += i18n.isolate(border + i18n.without_isolates(part) + border)
        text += i18n.POP_ISOLATE * max(0, -opened)
    found: list[Fragment] = []
    style = base
    for sign in _turn_cell(text):
        if sign in styles:
            style = styles[sign] if style == base else base
        else:
            found.append((style, sign))
    return found


def _turn_cell(cell: str) -> str:
    if not any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in cell):
        return i18n.without_isolates(cell)
    import bidi

    core = cell.strip(SPACES)
    before, _core, after = cell.partition(core)
    return before + i18n.without_isolates(str(bidi.get_display(core, base_dir="R"))) + after


def is_shown_on_terminal() -> bool:
    try:
        return sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False
