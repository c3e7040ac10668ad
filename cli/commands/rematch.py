"""Whether there is another game with the same people after one has ended.

The only I/O is one question on a terminal.
Not here: how the people find each other (`kotp2p.shell.rematch`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cli.commands.person import Person
from cli.text.i18n import _
from cli.ui.departure import YES_WORDS
from cli.ui.prompts import LEAVE_WORDS
from kotp2p.endings import Ending, EndKind

NO_WORDS = ("", "n", "no", *LEAVE_WORDS)


def is_wanted(ending: Ending | None, ask: Callable[[str], str]) -> bool:
    """Asks after a game that was played to its end, until the answer is one; `ask` shows a sentence
    and reads a line."""
    if ending is None or ending.kind is not EndKind.FINISHED or ending.view is None:
        return False
    question = sentence = _question(ending)
    while True:
        try:
            word = ask(sentence).strip().lower()
        except (EOFError, KeyboardInterrupt):
            return False
        if word in YES_WORDS:
            return True
        if word in NO_WORDS:
            return False
        sentence = _("That is neither y nor n.") + "\n" + question


def _question(ending: Ending) -> str:
    if was_solo(ending):
        return _("Another game against the same bots? y plays it, n or Enter ends.")
    return _("Another game with the same people? y plays it, n or Enter ends.")


def same_person(person: Person, ending: Ending) -> Person:
    """With the name and the monster of the game that has ended."""
    assert ending.view is not None
    me = ending.view.players[ending.view.seat]
    return replace(person, name=me.name, monster=me.monster)


def was_solo(ending: Ending) -> bool:
    """All others were bots of this player, so nobody has to come back."""
    if ending.view is None:
        return False
    view = ending.view
    own_bots = sum(p.bot and p.keeper == view.seat for p in view.players)
    return own_bots + 1 == len(view.players)
