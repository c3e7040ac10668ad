"""The question for another game after the end of one: when it is asked, how, and what answers it.

Scope: pure functions of the ending and of a typed word.
Not here: where it is asked (`cli.ui.screen.last_question` on the page of the end,
`cli.commands.play` on a line), and how the people find each other (`kotp2p.shell.rematch`).
"""

from __future__ import annotations

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.names import is_alone
from kotp2p.cli.text.typed_words import NO, YES
from kotp2p.cli.ui.prompts import LEAVE_WORDS
from kotp2p.seams.endings import Ending, EndKind


def is_possible(ending: Ending) -> bool:
    """After a game that was played to its end."""
    return ending.kind is EndKind.FINISHED and ending.view is not None


def is_won(ending: Ending) -> bool:
    return ending.view is not None and ending.view.seat in ending.winners


def ask_on_line(ending: Ending, *, was_easy: bool = False) -> str:
    """`was_easy`: after a win the rivals play better."""
    if was_easy and is_won(ending):
        return _("Another game, now against normal bots? y plays it, n or Enter ends.")
    if was_solo(ending):
        return _("Another game against the same bots? y plays it, n or Enter ends.")
    return _("Another game with the same people? y plays it, n or Enter ends.")


def ask_on_page(ending: Ending, *, was_easy: bool = False) -> str:
    """There Enter alone does nothing: it may have been meant for the game."""
    if was_easy and is_won(ending):
        return _("Another game, now against normal bots? y plays it, n ends.")
    if was_solo(ending):
        return _("Another game against the same bots? y plays it, n ends.")
    return _("Another game with the same people? y plays it, n ends.")


def refuse_answer() -> str:
    return _("That is neither y nor n.")


def read_answer(line: str) -> bool | None:
    """None if the line is no answer."""
    word = line.strip().lower()
    if YES.is_typed(word):
        return True
    return False if NO.is_typed(word) or word in LEAVE_WORDS else None


def was_solo(ending: Ending) -> bool:
    """All others were bots of this player, or people at this machine: nobody has to come back."""
    return ending.view is not None and is_alone(ending.view)
