"""A recorded game on the drawn table: the panels of a game that is played, and a time line.

Scope: what the screen holds at the place where the player stands, and the tasks beside the keys:
reading the rest of the log, and the next frame while it plays by itself. Jobs of the keys run on
trio's side, one after the other.
Not here: the rows (`draw`), which key does what (`keys`), and the terminal (`cli.ui.screen.stage`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import trio
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.names import player_name
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.cli.ui.replay.draw import draw_replay, draw_replay_keys
from kotp2p.cli.ui.replay.explaining import explain_place
from kotp2p.cli.ui.replay.keys import bind_replay_keys
from kotp2p.cli.ui.replay.player import ReplayPlayer
from kotp2p.cli.ui.replay.reel import Place
from kotp2p.cli.ui.replay.words import ReplayWords, describe_words
from kotp2p.cli.ui.screen.last_events import LastEvents
from kotp2p.cli.ui.screen.pages import Page, cards_page
from kotp2p.cli.ui.screen.rows import Row
from kotp2p.cli.ui.screen.screen import Screen

LOG_LINES = 200
"""Sentences of the log that can be turned back to at a place."""
RECORDS_AT_ONCE = 8


class ReplayTable:
    def __init__(self, player: ReplayPlayer, *, animation: bool = False) -> None:
        self.player = player
        state = PlayerState(NoticeFeed(Audience(solo=True, answers=False)))
        self._screen = Screen(state, bell=False, animation=animation)
        self._words = ReplayWords(player)
        self._shown: tuple[Place, int] | None = None
        """The place and the seat of which the screen holds the position."""
        self._left = trio.Event()
        self._woken = trio.Event()
        self._jobs: trio.MemorySendChannel[Callable[[], None]]
        self._jobs, self._posted = trio.open_memory_channel(math.inf)
        self.refresh()

    # -- Face ----------------------------------------------------------------------------

    @property
    def screen(self) -> Screen:
        return self._screen

    @property
    def heading(self) -> str:
        view = self._screen.state.view
        if view is None or view.game.state.turn == 0:
            return _("Who begins?")
        if view.game.state.active == view.seat:
            return _("Your turn")
        return _("{name}'s turn", name=player_name(view, view.game.state.active))

    def draw(self, columns: int, height: int) -> list[Row]:
        return draw_replay(self.player, self._screen, self.heading, columns, height)

    def draw_keys(self, columns: int) -> Row:
        return draw_replay_keys(self.player, self._screen, columns)

    def bind_keys(self, line: Buffer) -> KeyBindings:
        return bind_replay_keys(self, line)

    def click(self, mark: str) -> None:
        """Nothing is chosen in a game that is over."""

    # -- tasks ---------------------------------------------------------------------------

    async def run(self) -> None:
        """Until the reader leaves."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run_jobs)
            nursery.start_soon(self._read_log)
            nursery.start_soon(self._keep_time)
            await self._left.wait()
            nursery.cancel_scope.cancel()

    def post_job(self, job: Callable[[], None]) -> None:
        """Runs `job` on trio's side, and shows what it has changed."""
        self._jobs.send_nowait(job)

    async def _run_jobs(self) -> None:
        async for job in self._posted:
            job()
            self.refresh()
            self._woken.set()

    async def _read_log(self) -> None:
        while not self.player.log.is_whole:
            self.player.read_on(RECORDS_AT_ONCE)
            self.refresh()
            await trio.lowlevel.checkpoint()

    async def _keep_time(self) -> None:
        """While it plays by itself, each frame stands for its time."""
        while True:
            self._woken = trio.Event()
            seconds = self.player.seconds_of_frame if self.player.is_playing else math.inf
            with trio.move_on_after(seconds) as waiting:
                await self._woken.wait()
            if waiting.cancelled_caught:
                self.player.play_next()
                self.refresh()

    # -- what stands there ---------------------------------------------------------------

    def refresh(self) -> None:
        """The screen holds what is to be seen at the place where the player stands."""
        player, screen = self.player, self._screen
        if player.has_left:
            self._left.set()
        wanted = player.place, player.seat
        if wanted != self._shown:
            before, self._shown = self._shown, wanted
            reel = player.reel
            screen.state.feed.desk.view = reel.view_at(player.place)
            screen.log.lines.clear()
            screen.log.lines.extend(reel.lines_until(player.place, LOG_LINES))
            screen.log.rows_below = 0
            screen.status.out_since = reel.fallen_by(player.place)
            screen.status.last = last = LastEvents()
            for frame in reel.frames_of_turn(player.place):
                last.note_events(frame.events)
            is_next = before is not None and reel.step(before[0], 1) == player.place
            frame = reel.frames_of(player.place.moment)[player.place.frame]
            screen.motion.note_events(frame.events if is_next else ())
        screen.redraw()

    # -- what keys and words do ----------------------------------------------------------

    def read_line(self) -> None:
        """Enter: what the typed line says; on an empty line the next event."""
        text = self._screen.input.text
        if self._screen.page is not None and not text.strip():
            self._screen.page = None
            self._screen.redraw()
            return
        self._screen.clear_input()
        self.post_job(lambda: self._read_line(text))

    def _read_line(self, text: str) -> None:
        self._screen.page = None
        lines = self._words.read_line(text)
        if len(lines) == 1:
            self.player.remark = lines[0]
        elif lines:
            self._screen.page = Page(_("What you asked for"), lines)

    def show_help(self) -> None:
        self._screen.page = Page(_("Help"), [*describe_keys(), "", *describe_words()])

    def show_cards(self) -> None:
        view = self._screen.state.view
        if view is not None:
            self._screen.page = cards_page(view)

    def show_log(self) -> None:
        self._screen.page = Page(_("Log"), list(self._screen.log.lines), at_end=True)

    def explain(self) -> None:
        """F4: how the dice or cards at this place were drawn."""
        player = self.player
        lines = explain_place(player.reel, player.place, player.name)
        self._screen.page = Page(_("How this was drawn"), lines)

    def close_page(self) -> None:
        """Esc: the page is closed; otherwise what was typed is gone."""
        if self._screen.page is not None:
            self._screen.page = None
        else:
            self._screen.clear_input()
            self.player.remark = ""

    def turn_pages(self, pages: int) -> None:
        if self._screen.page is not None:
            self._screen.page.turn(pages)
        else:
            self._screen.log.turn(pages)

    def leave(self) -> None:
        self.player.has_left = True


def describe_keys() -> list[str]:
    return [
        _("Right, Left: the next event, the one before. Down, Up: the next turn, the one before."),
        _("Tab, Shift-Tab, or n and p: the next decision, the one before; 1 to 6: of that player."),
        _("Home, End: the start and the end. Space: it plays by itself; + and -: faster, slower."),
        _("F1: this help. F2: the cards. F3: the whole log. F5 or v: look on from the next seat."),
        _("F4 or e: how these dice or cards were drawn, and how to check it without kotp2p."),
        _("Page Up, Page Down: move the log or a page. Esc: close a page. F10 or q: leave."),
        _("Words are typed as well. In front of one that begins with a key: a colon, as in :play."),
    ]
