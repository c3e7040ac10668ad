"""The last row: which key does what now.

Scope: what stands there for each state of the screen, and what is left out where it does not fit.
F1, which lists all keys, always stays. Some terminals take F1 and F10 for their menus; there the
words stand that are typed instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.cli.text.i18n import _, in_context, line_width
from kotp2p.cli.text.typed_words import own_command
from kotp2p.cli.ui.screen.picker import keepable_dice
from kotp2p.cli.ui.screen.rows import Row, fit_row
from kotp2p.cli.ui.screen.screen import Screen

GAP = "  "


@dataclass(frozen=True, slots=True)
class KeyHint:
    key: str
    does: str
    weight: int = 1
    """Hints of less weight are left out first."""

    @property
    def columns(self) -> int:
        return line_width(self.key) + bool(self.does) + line_width(self.does)


def draw_key_row(screen: Screen, columns: int) -> Row:
    return fit_hints(list_hints(screen), columns)


def fit_hints(hints: list[KeyHint], columns: int) -> Row:
    """As many of them as fit, as one row."""
    while len(hints) > 1 and _width(hints) > columns:
        lightest = min(hint.weight for hint in hints)
        last = max(at for at, hint in enumerate(hints) if hint.weight == lightest)
        hints = [*hints[:last], *hints[last + 1 :]]
    row: Row = []
    for hint in hints:
        does = f" {hint.does}" if hint.does else ""
        row += [("keyname", hint.key), ("key", does + GAP)]
    return fit_row(row, columns)


def _width(hints: list[KeyHint]) -> int:
    return sum(hint.columns for hint in hints) + len(GAP) * (len(hints) - 1)


def list_hints(screen: Screen) -> list[KeyHint]:
    """From left to right."""
    if screen.ending is not None:
        return _list_at_end(screen)
    if screen.state.is_reading:
        return [
            KeyHint(in_context("key", "Enter"), _("Begin"), 3),
            KeyHint("F1", _("Help"), 3),
            *_list_scrolling(),
            KeyHint("F10", _("Leave"), 2),
        ]
    if screen.page is not None:
        return [
            KeyHint(in_context("key", "Esc"), _("Close"), 3),
            *_list_pages(screen),
            *_list_scrolling(),
        ]
    if screen.keys_are_words and screen.state.view is not None:
        return [*_list_words(), *_list_now(screen)]
    return [*_list_pages(screen), *_list_own(screen), *_list_now(screen)]


def _list_words() -> list[KeyHint]:
    """What is typed in place of the keys, where the terminal may take F1 and F10 for itself."""
    words = [own_command(word) for word in ("cards", "log", "orders", "look", "leave")]
    return [KeyHint("?", "", 3), *(KeyHint(word, "", 1) for word in words)]


def _list_at_end(screen: Screen) -> list[KeyHint]:
    asks = screen.last_question is not None and screen.last_question.asks
    escape = _("Table") if screen.page is screen.end_page else _("The end")
    return [
        *([] if asks else [KeyHint(in_context("key", "Enter"), _("Close"), 3)]),
        KeyHint(in_context("key", "Esc"), escape, 3),
        *_list_pages(screen),
        *_list_scrolling(),
        *([KeyHint("F10", _("Close"), 2)] if asks else []),
    ]


def _list_pages(screen: Screen) -> list[KeyHint]:
    has_cards = screen.state.view is not None
    return [
        KeyHint("F1", _("Help"), 3),
        *([KeyHint("F2", _("Cards"), 1)] if has_cards else []),
        KeyHint("F3", _("Log"), 1),
    ]


def _list_scrolling() -> list[KeyHint]:
    return [
        KeyHint(in_context("key", "Page Up"), _("Back"), 1),
        KeyHint(in_context("key", "Page Down"), _("On"), 1),
    ]


def _list_own(screen: Screen) -> list[KeyHint]:
    """What is for this player alone."""
    in_game = screen.state.view is not None
    return [
        *([] if in_game else [KeyHint("F6", _("More"), 1)]),
        KeyHint("F10", _("Leave"), 2),
    ]


def _list_now(screen: Screen) -> list[KeyHint]:
    """One hint for what goes on at this moment."""
    if screen.state.is_leave_asked:
        return [KeyHint(in_context("key", "Esc"), _("Stay"), 3)]
    if screen.input.text:
        return [KeyHint(in_context("key", "Esc"), _("Clear"), 3)]
    if screen.state.pace.is_behind:
        return [KeyHint(_("Any key"), _("Skip"), 3)]
    if screen.picker.die is not None and keepable_dice(screen.state.asking):
        return [KeyHint(in_context("key", "Space"), _("Keep"), 3)]
    return [KeyHint(_("Arrows"), _("Pick"), 1)]
