"""What a line player asks of a display: the seam between what is said and how it is shown.

Scope: the protocol alone. `plain` adds lines to a terminal or a pipe, `screen` draws a table.
Not here: the meaning of a typed line. A display never decides it; it shows the sentences that
it is given and reads `PlayerState`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kotp2p.seams.endings import Ending
from kotp2p.seams.notices import Notice


class Display(Protocol):
    def note_notice(self, notice: Notice) -> None:
        """A notice has come; its sentences follow by `put_news`."""

    def note_past(self, notice: Notice, lines: Sequence[str]) -> None:
        """What happened before the game was resumed, with its sentences: for the log only."""

    def note_typed(self, text: str) -> None:
        """A typed line has come, and is about to be read."""

    def note_interrupt(self) -> None:
        """Ctrl-C has come: what was half typed is gone."""

    def forget_typed(self) -> None:
        """What was typed and not yet read has no meaning any more."""

    def put_first_page(self, lines: Sequence[str]) -> None:
        """Shows a page before the game; a line without a word begins the game."""

    def put_page(self, title: str, lines: Sequence[str]) -> None:
        """Shows a page that the player closes."""

    def put_news(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        """Shows what has happened; `hints` need not be kept."""

    def put_summary(self, title: str, lines: Sequence[str]) -> None:
        """Shows what has happened since the player's last turn, before the first question of the
        next."""

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        """Shows `PlayerState.asking`; the last line is the prompt. `new`: not asked before."""

    def put_reply(self, lines: Sequence[str]) -> None:
        """Shows the reply to a line that answered nothing; the same is asked as before."""

    def put_leave_question(self, sentence: str) -> None:
        """Asks whether to leave, before everything else."""

    def put_threat(self, sentence: str) -> None:
        """Says what the dice of another would do to the player; empty: they lie there no more."""

    def put_waiting(self, sentence: str) -> None:
        """Says who is waited for: it has taken a while."""

    def put_warning(self, sentence: str) -> None:
        """Says that the time for the question is nearly up."""

    def clear_waiting(self) -> None:
        """Somebody else is waited for now, or nobody."""

    def copy_text(self, text: str) -> bool:
        """Puts a text into the clipboard of the terminal; False if there is no terminal."""

    async def show_ending(self, ending: Ending) -> bool | None:
        """Shows the end, and returns when the player may have read it: whether they want another
        game with the same people, or None if they were not asked."""
