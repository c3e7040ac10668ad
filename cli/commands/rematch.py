"""Another game with the same people, when one has ended: seats move on by one, nobody types an
address. No I/O but one question on a terminal.
"""

from __future__ import annotations

from collections.abc import Callable

from cli.text.i18n import _
from kotp2p.endings import Ending, EndKind

PATIENCE = 120.0
"""Seconds for the host to open the table again."""
YES = ("y", "yes")


def wanted(ending: Ending | None, ask: Callable[[str], str]) -> bool:
    """Asks, after a game that has come to its end; `ask` shows a sentence and reads a line."""
    if ending is None or ending.kind is not EndKind.FINISHED or ending.view is None:
        return False
    try:
        line = ask(_("Another game with the same people? y plays it, Enter ends."))
    except (EOFError, KeyboardInterrupt):
        return False
    return line.strip().lower() in YES


def order(ending: Ending) -> tuple[bytes, ...]:
    """The keys by seat of the next game: who sat second is first. Bots have new keys."""
    assert ending.view is not None
    keys = [b"" if p.bot else p.key for p in ending.view.players]
    return (*keys[1:], keys[0])


def bots(ending: Ending) -> int:
    """How many of the others were bots of this seat."""
    assert ending.view is not None
    view = ending.view
    return sum(p.bot and p.keeper == view.seat for p in view.players)


def alone(ending: Ending) -> bool:
    """All others were bots of this seat: nobody has to come back."""
    return ending.view is not None and bots(ending) + 1 == len(ending.view.players)


def no_host(ending: Ending | None) -> str:
    """After a game that was resumed with others; empty if there is nothing to say."""
    if ending is None or ending.kind is not EndKind.FINISHED or alone(ending):
        return ""
    return _(
        "Another game: one of you types kotp2p host, as a game that was resumed has no host any "
        "more."
    )
