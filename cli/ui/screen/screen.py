"""The table on the screen: a `Front` whose player sees everything at once.

Law: what is asked, told and understood is decided by `Typist`. This file keeps what stands on
the screen (`log`, `text`, `status`, `page`) and what the keys do; `draw` makes rows of it and
`stage` puts them on a terminal. The keys run on asyncio's side, everything of the game on
trio's: they meet in `_jobs`, a channel.

A key counts only for the prompt that was drawn when it was pressed, and not before it has stood
there for `FRESH` seconds: nobody can have read it.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from functools import partial

import trio

from cli.ask.dialogue import Asking
from cli.ask.menu import Way
from cli.ask.question import Adviser
from cli.text import absences, lobby
from cli.text.i18n import _
from cli.text.queries import LOG_KEPT
from cli.ui.line_player import Typist
from cli.ui.notice_feed import Reader
from cli.ui.screen import headings
from cli.ui.screen.command_menu import commands
from cli.ui.screen.pages import Page, cards_page, end_page, help_page
from cli.ui.screen.picker import Picking, offered
from cli.ui.screen.rows import folded
from cli.ui.screen.status import Seen
from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front
from kotp2p.notices import GameFinished, Notice, Waiting

FRESH = 0.3
"""Seconds in which nobody can have read a new prompt."""


class Screen(Typist):
    def __init__(
        self,
        adviser: Adviser,
        bot: Front | None = None,
        reader: Reader | None = None,
        *,
        bell: bool = True,
        fresh: float = FRESH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(adviser, bot, reader or Reader(asked=bot is None))
        self.changed: Callable[[], None] = lambda: None
        """Something else is to be drawn."""
        self.input = ""
        """What stands on the input line; the stage keeps it up to date."""
        self.set_input: Callable[[str], None] = self._note_input
        """Puts something else there."""
        self.log: deque[str] = deque(maxlen=LOG_KEPT)
        self.scroll = 0
        """Rows of the log below the window."""
        self.text: list[str] = []
        """What is asked; the last line is the prompt."""
        self.status = ""
        """One sentence: why something was refused, or what the picked answer does."""
        self.page: Page | None = None
        self.picking = Picking()
        self._menu = False
        """Commands are picked from, not answers."""
        self.rings = 0
        """Bells that are to be rung."""
        self.seen = Seen()
        self.ending: Ending | None = None
        self.clock = clock
        self.started_at = clock()
        """When what is asked or waited for began."""
        self._long = False
        """It has taken so long that it is said who is waited for."""
        self.columns = 80
        """Of the window, when it was last drawn."""
        self._bell = bell
        self._fresh = fresh
        self._drawn = 0
        """The prompt that the player sees."""
        self._quiet_since = -math.inf
        """When it was drawn, or when the last key came that was too early."""
        self._lost = ""
        """What stood on the input line when a new prompt came."""
        self._rung = -1
        """The turn in which the bell has rung."""
        self._jobs: trio.MemorySendChannel[Callable[[], None]]
        self._jobs, self._todo = trio.open_memory_channel(math.inf)
        self._closed = trio.Event()
        self.interrupted: Callable[[], None] = self.leave_now
        """A second Ctrl-C."""

    # -- the game's side -----------------------------------------------------------------

    async def read(self) -> None:
        """Runs beside the game: does what the keys want."""
        async for job in self._todo:
            job()
            self.changed()

    async def linger(self, ending: Ending) -> None:
        """The end stays on the screen until the player has read it."""
        self.ending = ending
        self.asking = None
        self.page = None
        self.status = ""
        if ending.kind is EndKind.LEFT or not (self.news.view or self.news.lobby):
            return
        self.page = end_page(ending, self.news, self.columns)
        self._turn_page()
        self.changed()
        await self._closed.wait()

    def _show(self, notice: Notice) -> None:
        self.seen.note(notice)
        if isinstance(notice, Waiting) and notice.decision is not None:
            self._rung = -1  # after the others have played the bell rings again
        elif isinstance(notice, GameFinished):
            self.page = None
        super()._show(notice)
        self.changed()

    def _note_waiting(self, waiting: Waiting | None) -> None:
        if waiting != self._waiting:
            self._long = False
            self.started_at = self.clock()
        super()._note_waiting(waiting)

    # -- what is put on the screen -------------------------------------------------------

    def forget_typed(self) -> None:
        if self.input.strip():
            self._lost = self.input
        self._unpick()

    def put_news(self, lines: list[str], hints: list[str] | None = None) -> None:
        standing = self._standing()
        new = [line for line in [*lines, *(hints or [])] if line not in standing]
        self.log.extend(new)
        if self.scroll:  # who reads further up goes on reading there
            self.scroll += len(folded(new, self.columns - 2))
        self.changed()

    def _standing(self) -> set[str]:
        """What the panels of the lobby say all the time."""
        if self.news.view is not None:
            return set()
        found, opened = self.news.lobby, self.seen.opened
        lines: list[str] = []
        if found is not None:  # the table is opened before anybody sits down, the host too
            lines += [*lobby.seats(found), *lobby.hints(found), *lobby.options(found)]
        if opened is not None:
            lines += [*lobby.opened(opened), *lobby.opened_hints(opened)]
        return set(lines)

    def put_question(self, lines: list[str], *, new: bool) -> None:
        asking = self.asking
        assert asking is not None
        tail = asking.again()
        said = lines[: -len(tail)]
        self.status = ""
        facts = asking.question.facts() if asking.waiting is None else []
        opening = bool(facts) and said[: len(facts)] == facts
        if opening:
            self._open(said[len(facts) :])
        elif said:
            self.status = " ".join(said)
        if self._lost and new:
            self.status = _("Typed before the question was there, so not used: {text}",
                            text=self._lost)  # fmt: skip
        self._lost = ""
        self._put_back()

    def _open(self, hints: list[str]) -> None:
        """A new decision: `hints` are those that are told once."""
        self.log.extend(hints)
        self.started_at = self.clock()
        view = self.news.view
        assert view is not None
        if view.game.state.turn != self._rung and self._bell:
            self._rung = view.game.state.turn
            self.rings += 1

    def put_reply(self, lines: list[str]) -> None:
        self.status = ""
        if len(lines) == 1:
            self.status = lines[0]
        elif lines:
            self.page = Page(_("What you asked for"), lines)
        self._put_back()

    def _put_back(self) -> None:
        """What is asked stands there again."""
        asking = self.asking
        if asking is not None:
            facts = asking.question.facts_beside_dice() if asking.waiting is None else []
            self.text = [*facts, *asking.again()]
        self.changed()

    def put_leaving(self, sentence: str) -> None:
        self._lost = self.status = ""
        self.page = None
        self.text = [sentence]
        if self.news.view is not None:
            self.text.insert(0, _("Ctrl-C closes the program and keeps your seat."))
        self.changed()

    def put_waiting(self, sentence: str) -> None:
        self._long = True
        self.changed()

    def put_typed(self, text: str) -> None:
        """The input line shows it while it is typed."""

    def _answer_leaving(self, command: str) -> None:
        super()._answer_leaving(command)
        self._put_back()

    # -- what stands there ---------------------------------------------------------------

    @property
    def heading(self) -> str:
        """What this is about, in a few words; also the title of the window."""
        view = self.news.view
        if self.ending is not None:
            return _("The end")
        if self._leaving:
            return _("Leave?")
        if self.asking is not None:
            return headings.asked(self.asking.question.view, self.asking.question.decision)
        if view is None:
            return _("Lobby") if self.news.lobby is not None else _("Looking for the table")
        if view.game.state.active == view.seat:
            return _("Your turn")
        return _("Turn of {name}", name=view.players[view.game.state.active].name)

    @property
    def seconds(self) -> int | None:
        """How long it has been asked or waited for; None if nobody is waited for."""
        if self._leaving or self.ending is not None:
            return None
        if self.asking is None and not (self._long and self.awaited()):
            return None
        return max(0, int(self.clock() - self.started_at))

    def lines(self) -> list[str]:
        """The text of the prompt's rows."""
        if self.ending is not None:
            return [_("Enter closes the table.")]
        if self._leaving or self.asking is not None:
            return self.text
        view = self.news.view
        if view is not None:
            waiting = [self.awaited()] if self._long and self.awaited() else []
            return [*waiting, *(absences.tell(self.seen.vote, view) if self.seen.vote else [])]
        if self.news.lobby is not None:
            return lobby.hints(self.news.lobby)
        return []

    def note_drawn(self) -> None:
        """All this is on the terminal now."""
        if self._drawn != self.number:
            self._drawn = self.number
            self._quiet_since = self.clock()

    # -- the keys ------------------------------------------------------------------------

    def ready(self) -> bool:
        """Whether a key counts: the prompt was drawn, and could be read. Of a burst that began
        too early no key does."""
        now = self.clock()
        if self._drawn == self.number and now - self._quiet_since >= self._fresh:
            return True
        self._quiet_since = now
        self.status = _("Too early: this is a new question. Press it again.")
        self.changed()
        return False

    def enter(self) -> None:
        text = self.input
        self._unpick()
        if self.ending is not None:
            self.do(self._closed.set)
        elif self.page is not None and not text.strip():
            self.close()
        else:
            self.page = None
            self.do(partial(self._enter, text, self._drawn))

    def _enter(self, text: str, number: int) -> None:
        if text.strip().lower() in ("?", "help"):
            self.help()
        elif number == self.number or not self._leaving:
            self.line(text, number)

    def leave(self) -> None:
        """F10: it is asked whether to leave."""
        if self.ending is not None:
            self.do(self._closed.set)
        elif not self._leaving:
            self.do(self.ask_to_leave)

    def break_off(self) -> None:
        """Ctrl-C, Ctrl-D: asked whether to leave; for who does it again that is an answer."""
        if self.ending is not None:
            self.do(self._closed.set)
        elif self._leaving:
            self.do(self.interrupted)
        else:
            self.do(self.interrupt)

    def close(self) -> None:
        """Esc: the page is closed, or what was typed is gone."""
        if self.page is not None:
            self.page = None
        else:
            self._unpick()
            self.status = ""
        self.changed()

    def do(self, job: Callable[[], None]) -> None:
        """On the game's side, as soon as that runs."""
        self._jobs.send_nowait(job)

    def _note_input(self, text: str) -> None:
        self.input = text

    def help(self) -> None:
        self.page = help_page(self.news, self.asking)
        self.changed()

    def cards(self) -> None:
        if self.news.view is not None:
            self.page = cards_page(self.news.view)
            self.changed()

    def whole_log(self) -> None:
        self.page = Page(_("Log"), list(self.log), at_end=True)
        self.changed()

    def turn(self, rows: int) -> None:
        """Page Up (more than 0) and Page Down, through the page or the log."""
        if self.page is not None:
            self.page.turn(-rows)
        else:
            self.scroll = max(0, self.scroll + rows)
        self.changed()

    # -- picking ---------------------------------------------------------------------------

    def pick(self, step: int) -> None:
        """Up and Down: another of the answers that are offered, or of the commands."""
        found = [] if self._menu else offered(self._asked(), self._leaving)
        self._choose(found or commands(self.news, self.seen.vote), step)

    def menu(self) -> None:
        """F6: what may be done at any time, one after the other."""
        if not self._menu:
            self.picking = Picking()
        self._menu = True
        self._choose(commands(self.news, self.seen.vote), 1)

    def _choose(self, found: list[Way], step: int) -> None:
        way = self.picking.step(found, step)
        if way is not None:
            self.set_input(way.line)
            self.status = way.label
        self.changed()

    def _unpick(self) -> None:
        self.set_input("")
        self.picking = Picking()
        self._menu = False

    def _asked(self) -> Asking | None:
        return None if self._leaving else self.asking

    def move(self, step: int) -> bool:
        """Left and Right among the dice; False if there are none to pick from."""
        done = self.picking.move(self._asked(), self.input, step)
        self.changed()
        return done

    def toggle(self) -> bool:
        """Space: keep this die, or do not; False if no die is picked."""
        text = self.picking.toggled(self._asked(), self.input)
        if text is None:
            return False
        self.set_input(text)
        self.changed()
        return True
