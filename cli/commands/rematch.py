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
from kotp2p.endings import Ending, EndKind


def is_wanted(ending: Ending | None, ask: Callable[[str], str]) -> bool:
    """Asks after a game that was played to its end; `ask` shows a sentence and reads a line."""
    if ending is None or ending.kind is not EndKind.FINISHED or ending.view is None:
        return False
    try:
        line = ask(_("Another game with the same people? y plays it, Enter ends."))
    except (EOFError, KeyboardInterrupt):
        return False
    return line.strip().lower() in YES_WORDS


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
