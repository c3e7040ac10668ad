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
from collections.abc import Mapping

from cli.system.choices import Bidi
from cli.text import i18n

SPACES = " "
CELLS_PATTERN = re.compile(r"( {2,})")
_reorders = False


def prepare_bidi(wish: str, environment: Mapping[str, str], *, has_terminal: bool) -> None:
    """For the language that is spoken now. `wish`: what is set; what is unknown counts as auto."""
    global _reorders
    mode = Bidi(wish) if wish in set(Bidi) else Bidi.AUTO
    if not i18n.is_right_to_left():
        mode = Bidi.OFF
    elif mode is Bidi.AUTO:
        mode = _guess_mode(environment) if has_terminal else Bidi.OFF
    i18n.use_isolates(mode is not Bidi.OFF)
    _reorders = mode is Bidi.PROGRAM and _has_library()


def _guess_mode(environment: Mapping[str, str]) -> Bidi:
    """What the terminal can do, as far as it tells. Inside another program it does not."""
    if environment.get("TMUX") or environment.get("STY"):
        return Bidi.PROGRAM if _has_library() else Bidi.OFF
    turns = (
        environment.get("VTE_VERSION", "").isdigit()
        or environment.get("KONSOLE_VERSION")
        or environment.get("TERM_PROGRAM") == "Apple_Terminal"
        or environment.get("TERM", "").startswith("mlterm")
    )
    if turns:
        return Bidi.TERMINAL
    return Bidi.PROGRAM if _has_library() else Bidi.OFF


def _has_library() -> bool:
    try:
        import bidi
    except ImportError:
        return False
    return hasattr(bidi, "get_display")


def in_reading_order(text: str) -> str:
    """A part of a line as it is to be shown, if this program turns it round. Cells of a table,
    with two spaces or more between them, stay where they are."""
    if not _reorders:
        return text
    return "".join(map(_turn_cell, CELLS_PATTERN.split(text)))


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
