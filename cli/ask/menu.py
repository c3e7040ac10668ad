"""The answers that can be picked with the arrow keys: what would be typed, and what it does.

Scope: the list of them. Each is a line that the question itself understands, so that picking and
typing are the same thing.
Not here: the lines and labels (each `Question` knows its own) and the picking (`cli.ui.screen`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.cli.ask.dialogue import QuestionDialogue
from kotp2p.cli.ask.reply import Confirm
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.typed_words import YES

MAX_MENU_ENTRIES = 800
"""Longer lists are cut; the orders of all six groups are 720."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    line: str
    """What would be typed."""
    label: str
    """What it does; empty where the line says it."""


def list_answers(asking: QuestionDialogue) -> list[MenuEntry]:
    """In the order of the arrow keys, one for each line; what Enter alone does is not listed."""
    if asking.veil:
        return []
    if isinstance(asking.waiting, Confirm):
        return [MenuEntry(YES.translations[0], _("do it"))]
    question = asking.question
    found: dict[str, MenuEntry] = {}
    for answer in question.offered():
        line = question.line_for(answer)
        if line not in found:
            found[line] = MenuEntry(line, question.label(answer))
        if len(found) == MAX_MENU_ENTRIES:
            break
    return list(found.values())
