"""A person's front that shows what happens at a pace that can be followed.

Scope: between the peer and the line player. What the peer shows goes into the presentation queue,
and is handed on when it is due; the player only knows what has been shown. A question is handed on
when all that led to it has been shown. The peer is never kept waiting but for an answer.
"""

from collections.abc import Callable
from dataclasses import replace

import trio

from kotp2p.cli.system.options import Speed
from kotp2p.cli.ui import shown_game
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import hides_answer, share_screen
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.state import State
from kotp2p.seams import notices
from kotp2p.seams.commands import Control, Leave
from kotp2p.seams.endings import Ending, EndKind

END_SECONDS = 0.1
"""Not 0, so that the end does not come together with the last blow."""


class PacedFront:
    def __init__(
        self, player: LinePlayer, *, clock: Callable[[], float] = trio.current_time
    ) -> None:
        self._player = player
        self._queue = player.state.pace
        self._clock = clock
        self._table: shown_game.ShownTable | None = None
        self._handed_on = trio.Event()
        self._changed = trio.Event()
        self._asked_at: float | None = None
        """The time of the open question; None if there is none."""
        self._hidden: list[notices.Notice] = []
        """The answer of one person here that another must not see before their own answer, and all
        notices since."""
        self._has_clock = False
        """Whether the time for that question, or for the next one, is limited."""
        self.ending: Ending | None = None
        self._queue.on_change = self._note_change

    def attach(self, control: Control) -> None:
        self._player.attach(control)

    def show(self, notice: notices.Notice) -> None:
        self._note_clocks(notice)
        handling = shown_game.handling_of(notice)
        if handling is shown_game.Handling.AT_ONCE:
            self._player.show(notice)
            return
        if handling is shown_game.Handling.BREAKS_IN:
            self._reveal()
            self._queue.jump()
            self._hand_on()
            self._begin_table(notice)
        if self._must_hide(notice):
            self._hidden.append(notice)
            return
        self._put(notice)
        self._hand_on()
        if self._queue.is_behind:
            self._note_change()

    async def decide(self, view: notices.SeatView, decision: Decision) -> Answer | Leave:
        if self._player.is_played_by_bot:  # a bot has nothing to see
            return await self._player.decide(view, decision)
        self._asked_at = self._clock()
        self._time_question()
        try:
            while self._queue.is_behind:
                await self._handed_on.wait()
            return await self._player.decide(self._view_of_asked(view), decision)
        finally:
            self._asked_at, self._has_clock = None, False
            self._queue.stop_clock(shown_game.RunningClock.QUESTION)
            if self._table is not None and share_screen(view):
                self._table.view.top = None
            self._reveal()

    def _view_of_asked(self, view: notices.SeatView) -> notices.SeatView:
        """Return what the asked person may know: what is shown, if an answer is hidden."""
        if self._table is None:
            return view
        self._table.sit_before(view)
        if not share_screen(view):
            return view
        self._table.view.top = None  # until that person wants to see it
        return replace(self._table.view, top=view.top) if self._hidden else view

    async def run(self) -> None:
        while True:
            changed = self._changed = trio.Event()
            self._hand_on()
            with trio.move_on_at(self._queue.next_due()):
                await changed.wait()

    async def show_ending(self, ending: Ending) -> None:
        """Show the rest of a finished game, or any other end at once, until it has been read."""
        self.ending = ending
        self._reveal()
        self._queue.has_ended = True
        self._queue.put(shown_game.End(), END_SECONDS, self._clock())
        if ending.kind is not EndKind.FINISHED:
            self._queue.jump()
        self._hand_on()
        self._note_change()
        while self._queue.is_behind:
            await self._handed_on.wait()
        await self._player.show_ending(ending)

    def _note_change(self) -> None:
        """Wake up `run`, as something may be due earlier than before."""
        self._changed.set()

    def _reveal(self) -> None:
        hidden, self._hidden = self._hidden, []
        for notice in hidden:
            self._put(notice)
        if hidden:
            self._hand_on()
            self._note_change()

    def _must_hide(self, notice: notices.Notice) -> bool:
        is_secret = isinstance(notice, notices.Happened) and hides_answer(
            notice.events, notice.view
        )
        return is_secret or bool(self._hidden)

    def _put(self, notice: notices.Notice) -> None:
        now = self._clock()
        if not isinstance(notice, notices.Happened) or self._table is None:
            self._queue.put(notice, 0.0, now)
            return
        pending = self._table.note_arrived(notice.events)
        if self._queue.speed is Speed.INSTANT:
            steps = [shown_game.EventStep(notice.events, 0.0)]
        else:
            steps = shown_game.split_events(notice.events, self._table.view.seat)
        for step in steps:
            progress = shown_game.Progress(step, pending if step is steps[-1] else None)
            self._queue.put(progress, step.dwell, now)

    def _begin_table(self, notice: notices.Notice) -> None:
        match notice:
            case notices.GameStarted(view=view):
                self._table = shown_game.ShownTable(view, notice.state)
            case notices.LineUpBegun(view=view, undone_from=State() as state):
                self._table = shown_game.ShownTable(view, state)
            case _:  # the game continues from its present position
                pass

    def _hand_on(self) -> None:
        for shown in self._queue.take_due(self._clock()):
            if not isinstance(shown, shown_game.End):
                self._player.show(self._as_shown(shown))
        self._handed_on.set()
        self._handed_on = trio.Event()

    def _as_shown(self, shown: notices.Notice | shown_game.Progress) -> notices.Notice:
        table = self._table
        if isinstance(shown, shown_game.Progress):
            assert table is not None  # it was there when these events came
            table.show_events(shown.step.events, shown.pending)
            return notices.Happened(shown.step.events, table.view)
        if (
            isinstance(shown, notices.TopRevealed)
            and table is not None
            and not share_screen(table.view)
        ):
            table.view.top = shown.card
        if (
            isinstance(
                shown,
                notices.GameStarted
                | notices.GameFinished
                | notices.LineUpBegun
                | notices.PlayedForYou,
            )
            and table is not None
        ):
            table.view.keepers = shown.view.keepers
            return replace(shown, view=table.view)
        return shown

    def _note_clocks(self, notice: notices.Notice) -> None:
        match notice:
            case notices.OwnClock():
                self._has_clock = True
                self._time_question()
            case notices.Offer(yours=True):
                self._queue.start_clock(shown_game.RunningClock.OFFER, self._clock())
            case notices.OfferEnded() | notices.LineUpBegun():
                self._queue.stop_clock(shown_game.RunningClock.OFFER)
            case _:  # no other notice starts or stops a clock of this player
                pass

    def _time_question(self) -> None:
        if self._has_clock and self._asked_at is not None:
            self._queue.start_clock(shown_game.RunningClock.QUESTION, self._asked_at)
        else:
            self._queue.stop_clock(shown_game.RunningClock.QUESTION)
