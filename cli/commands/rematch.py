"""Another game with the same people after one has ended.

Scope: the seats move on by one, and nobody types an address. The only I/O is one question on a
terminal.
"""

from __future__ import annotations

from collections.abc import Callable

from cli.text.i18n import _
from cli.ui.departure import YES_WORDS
from kotp2p.endings import Ending, EndKind

WAIT_FOR_HOST_SECONDS = 120.0
"""A guest waits so long for the host to open the table again."""


def is_wanted(ending: Ending | None, ask: Callable[[str], str]) -> bool:
    """Asks after a game that was played to its end; `ask` shows a sentence and reads a line."""
    if ending is None or ending.kind is not EndKind.FINISHED or ending.view is None:
        return False
    try:
        line = ask(_("Another game with the same people? y plays it, Enter ends."))
    except (EOFError, KeyboardInterrupt):
        return False
    return line.strip().lower() in YES_WORDS


def next_seat_order(ending: Ending) -> tuple[bytes, ...]:
    """The keys by seat of the next game: the player on seat 2 comes first. Bots get new keys."""
    assert ending.view is not None
    keys = [b"" if p.bot else p.key for p in ending.view.players]
    return (*keys[1:], keys[0])


def count_own_bots(ending: Ending) -> int:
    """How many of the others were bots of this player."""
    assert ending.view is not None
    view = ending.view
    return sum(p.bot and p.keeper == view.seat for p in view.players)


def was_solo(ending: Ending) -> bool:
    """All others were bots of this player, so nobody has to come back."""
    return ending.view is not None and count_own_bots(ending) + 1 == len(ending.view.players)


def explain_missing_host(ending: Ending | None) -> str:
    """How the people of a resumed game play another; empty if there is nothing to say."""
    if ending is None or ending.kind is not EndKind.FINISHED or was_solo(ending):
        return ""
    return _("For another game, one of you types kotp2p host: a game that was resumed has no host.")
