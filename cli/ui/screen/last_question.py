"""What is asked on the page of the end: whether there is another game, or that the page is closed.

Scope: its sentences, and what a line means there. Enter alone answers nothing where another game is
possible, since it may have been meant for the game that has ended.
Not here: the page (`pages`), and the same question on a line (`cli.commands.play`).
"""

from __future__ import annotations

import trio

from kotp2p.cli.ask.dialogue import MenuEntry
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.typed_words import NO, YES
from kotp2p.cli.ui.another_game import ask_on_page, is_possible, read_answer, refuse_answer
from kotp2p.cli.ui.prompts import LEAVE_WORDS
from kotp2p.seams.endings import Ending


class LastQuestion:
    def __init__(self, ending: Ending, *, is_person: bool, was_easy: bool = False) -> None:
        """`is_person`: the reader has played, and not a bot in their place. `was_easy`: as the
        game was a first one."""
        self.ending = ending
        self._was_easy = was_easy
        self.asks = is_person and is_possible(ending)
        """Another game may follow."""
        self.wants_another: bool | None = None
        self.closed = trio.Event()

    def prompt(self) -> str:
        return ask_on_page(self.ending, was_easy=self._was_easy) if self.asks else _("Enter ends.")

    def offered(self) -> list[MenuEntry]:
        """The answers for the arrow keys."""
        if not self.asks:
            return []
        yes, no = YES.translations[0], NO.translations[0]
        return [MenuEntry(yes, _("another game")), MenuEntry(no, _("end"))]

    def read_line(self, line: str) -> str:
        """Why the line has done nothing; empty if the table is closed now."""
        if not self.asks:
            if line.strip().lower() not in ("", *LEAVE_WORDS):
                return _("The game is over, so there is nothing more to type.")
            self.close()
            return ""
        if not line.strip():
            return _("Enter alone does nothing here.")
        answer = read_answer(line)
        if answer is None:
            return refuse_answer()
        self.wants_another = answer
        self.closed.set()
        return ""

    def close(self) -> None:
        """Whatever is asked: the reader wants to go."""
        self.wants_another = False if self.asks else None
        self.closed.set()
