"""A person who plays a seat by typing lines, whatever display they sit before.

Scope: the `Front` of a person. It is composed of what each part does with a notice, a question
or a line: `typed_lines` reads, `departure` leaves, `prompts` asks, `waiting_watch` says who is
waited for. All of them keep their state in `PlayerState` and speak to a `Display`.
Not here: how anything is shown. No display decides what a line means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, question_for
from kotp2p.cli.ask.foresight import only_heals, order_matters
from kotp2p.cli.ask.question import Adviser
from kotp2p.cli.ask.standing_orders import OrderKeeper
from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui.absence import wish_for_bot
from kotp2p.cli.ui.clock_watch import ClockWatch
from kotp2p.cli.ui.coaching import Coaching
from kotp2p.cli.ui.departure import LeavingSeat
from kotp2p.cli.ui.display import Display
from kotp2p.cli.ui.first_page import first_page_lines, guest_page_lines, page_title
from kotp2p.cli.ui.lobby_watch import LobbyWatch
from kotp2p.cli.ui.past_game import read_log_file, tell_log
from kotp2p.cli.ui.people import Turns, share_screen
from kotp2p.cli.ui.player_state import Departure, PlayerState
from kotp2p.cli.ui.prompts import Prompts
from kotp2p.cli.ui.second_enter import UNREAD_SECONDS, SecondEnter
from kotp2p.cli.ui.typed_lines import TypedLine, TypedLines
from kotp2p.cli.ui.waiting_watch import WaitingWatch
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision, HeartsDecision, OrderDecision, YieldDecision
from kotp2p.seams.endings import Ending
from kotp2p.seams.front import Control, Front, Leave
from kotp2p.seams.notices import (
    GameFinished,
    GameStarted,
    Happened,
    LobbyChanged,
    Notice,
    OwnClock,
    PastLog,
    Waiting,
)
from kotp2p.seams.seat_view import SeatView


class LinePlayer:
    def __init__(
        self,
        state: PlayerState,
        display: Display,
        adviser: Adviser,
        bot: Front | None = None,
        unread_seconds: float = UNREAD_SECONDS,
    ) -> None:
        """`bot` answers in place of the person, who reads along and may leave."""
        self.state = state
        self.display = display
        self.standing = OrderKeeper()
        self._adviser = adviser
        self._bot = bot
        self._memory = Explained()
        self._turns = Turns()
        self._waiting = WaitingWatch(state, display)
        self._clock = ClockWatch(state, display)
        self._lobby = LobbyWatch(state, display)
        self._prompts = Prompts(state, display)
        self._leaving = LeavingSeat(state, display, self._prompts)
        audience = state.feed.audience
        self.coaching = Coaching(is_on=audience.lesson is not None or audience.is_new_guest)
        self._waits_for_rules = audience.is_new_guest
        self._second_enter = SecondEnter(state, unread_seconds)
        self._lines = TypedLines(
            state, display, self._prompts, self._leaving, self.standing, self.coaching,
            self._second_enter,
        )  # fmt: skip

    async def read_first_page(self) -> bool:
        """Before a first game: returns when the player has read a page about it. False if they
        leave instead."""
        audience = self.state.feed.audience
        if audience.lesson is None:
            return True
        if audience.can_type:
            self.state.open_page()
            self._prompts.begin_prompt()
        speed = self.state.pace.speed
        lines = first_page_lines(audience.lesson, audience.options, speed, is_easy=audience.is_easy)
        self.display.put_first_page(lines)
        if self.state.is_reading:
            await self.state.closed.wait()
        return self.state.departure.state is Departure.SEATED

    @property
    def is_played_by_bot(self) -> bool:
        return self._bot is not None

    # -- Front -------------------------------------------------------------------------

    def attach(self, control: Control) -> None:
        self.state.control = control
        if self._bot is not None:
            self._bot.attach(control)

    def show(self, notice: Notice) -> None:
        if isinstance(notice, PastLog):
            self._tell_past(notice)
            return
        self.display.note_notice(notice)
        self._lobby.note_notice(notice)
        self._tell_notice(notice)
        if self._bot is not None:
            self._bot.show(notice)

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        self._waiting.note_waiting(None)
        if self.state.view is None:
            self.state.feed.desk.view = view
        if self.state.departure.state in (Departure.HANDED_OVER, Departure.KEPT):
            await trio.sleep_forever()
        if self._bot is not None:
            return await self._let_bot_decide(self._bot, view, decision)
        if self.state.departure.state is not Departure.SEATED:
            return self._leaving.give_up()
        if share_screen(view):
            self._call_person(view)
        answer = self._answer_unasked(view, decision)
        return await self._ask_player(view, decision) if answer is None else answer

    def _answer_unasked(self, view: SeatView, decision: Decision) -> Answer | None:
        """The answer to a decision that need not be put to the player."""
        if isinstance(decision, HeartsDecision) and only_heals(decision):
            return decision.default
        if isinstance(decision, OrderDecision) and not order_matters(view, decision):
            return decision.default
        followed = self.standing.answer_by_orders(view, decision)
        if followed is None:
            return None
        if not (share_screen(view) and isinstance(decision, YieldDecision)):  # it may be hidden
            self._tell([followed.sentence])
        return followed.answer

    def _call_person(self, view: SeatView) -> None:
        """Several people share this screen, and this one is asked."""
        if self._turns.pass_to(view.seat, self.standing):
            name = names.player_name(view, view.seat)
            self._tell([_("It is up to {name} to decide.", name=name)])

    async def _ask_player(self, view: SeatView, decision: Decision) -> Answer | Leave:
        asking = self._make_dialogue(view, decision)
        self.state.open_question(asking)
        if view.game.state.active == view.seat and not share_screen(view):
            self._sum_up(view)
        self._prompts.put_question(asking.first_lines(), new=True)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._second_enter.run)
                await self.state.closed.wait()
                nursery.cancel_scope.cancel()
        finally:
            self.state.pace.end_dwell()
            if self.state.asking is asking:  # cancelled before it was answered
                self.state.close_question()
                self.display.put_news([_("That question is withdrawn.")])
        return Leave() if asking.answer is None else asking.answer

    def _make_dialogue(self, view: SeatView, decision: Decision) -> QuestionDialogue:
        is_veiled = share_screen(view) and view.top is not None
        seen = replace(view, top=None) if is_veiled else view
        question = question_for(seen, decision, self._adviser)
        asking = QuestionDialogue(question, self._memory, coach=self.coaching.speak(question))
        if not is_veiled:
            return asking

        def unveil() -> None:
            self._turns.seen_card = seen.top = view.top
            if self.state.view is not None:
                self.state.view.top = view.top

        if view.top == self._turns.seen_card:
            unveil()
            return asking
        asking.on_unveiled = unveil
        asking.veil = _(
            "{name} has looked at the top card of the deck. The others look away; Enter shows it "
            "with the question.",
            name=names.player_name(view, view.seat),
        )
        return asking

    def _sum_up(self, view: SeatView) -> None:
        """Before the first question of a turn: what the others did since the last one."""
        lines = self.state.feed.since.describe_once(view)
        if lines:
            self.display.put_summary(_("Since your last turn"), lines)

    async def _let_bot_decide(
        self, bot: Front, view: SeatView, decision: Decision
    ) -> Answer | Leave:
        """A person may still leave in its place."""
        if self.state.has_left:
            return Leave()
        answer: Answer | Leave = Leave()
        self.state.open_bot_question()
        try:
            async with trio.open_nursery() as nursery:

                async def think() -> None:
                    nonlocal answer
                    answer = await bot.decide(view, decision)
                    nursery.cancel_scope.cancel()

                nursery.start_soon(think)
                await self.state.closed.wait()
                nursery.cancel_scope.cancel()
        finally:
            self.state.close_question()
        return answer

    # -- what is told ------------------------------------------------------------------

    def _tell_notice(self, notice: Notice) -> None:
        if isinstance(notice, Happened | GameFinished):
            self._waiting.note_waiting(None)
        elif isinstance(notice, Waiting):
            self._waiting.note_waiting(notice)
        elif isinstance(notice, OwnClock):
            self._clock.note_clock(notice)
        if isinstance(notice, GameFinished):
            self.coaching.note_game_over()
        told = self.state.feed.tell_notice(notice)
        self._tell(told.lines, told.hints)
        if isinstance(notice, Happened):
            self.display.put_threat(told.threat)
        if isinstance(notice, GameStarted) and self._bot is None:
            self._tell(self.standing.greet(notice.view.game.setup.rules))
        if isinstance(notice, LobbyChanged):
            self._prompts.wake_pipe()
            self._teach_guest()
        if self._bot is not None and self.state.control is not None and self.state.view is not None:
            wish_for_bot(notice, self.state.view.seat, self.state.control)

    def _teach_guest(self) -> None:
        """The page before a first game, once the rules of the table are known."""
        feed = self.state.feed
        if self._waits_for_rules and feed.rules is not None:
            self._waits_for_rules = False
            self.display.put_page(page_title(), guest_page_lines(feed.rules, feed.options))

    def _tell_past(self, past: PastLog) -> None:
        for notice in tell_log(past.data, past.view):
            lines = self.state.feed.tell_past(notice)
            self.state.feed.desk.history.extend(lines)
            self.display.note_past(notice, lines)

    def _tell(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        self.state.feed.desk.history.extend(lines)
        self.display.put_news(lines, hints)

    async def watch_time(self) -> None:
        """Runs beside the game: says once who is waited for, if it takes long, warns a player
        whose own time is nearly up, and helps a host to whom nobody comes."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._waiting.run)
            nursery.start_soon(self._clock.run)
            nursery.start_soon(self._lobby.run)

    async def show_ending(self, ending: Ending) -> None:
        """Returns when the player has read the end. What came before a game was resumed is counted
        from its log."""
        feed = self.state.feed
        if feed.statistics.resumed_in_turn is not None and ending.log and ending.view:
            read = partial(read_log_file, Path(ending.log), ending.view)
            whole = await trio.to_thread.run_sync(read)
            if whole is not None:
                whole.statistics.winners = feed.statistics.winners
                feed.statistics, feed.changes = whole.statistics, [*whole.changes]
        self.state.wants_another = await self.display.show_ending(ending)

    # -- what is typed -----------------------------------------------------------------

    @property
    def prompt_number(self) -> int:
        return self.state.prompt_number

    @property
    def is_leave_asked(self) -> bool:
        return self.state.is_leave_asked

    async def wait_until_wanted(self, line: str) -> None:
        """Returns when a line from a pipe has its place: a question, or the lobby's commands."""
        await self._prompts.wait_until_wanted(line)

    def read_line(self, text: str, prompt_number: int | None = None) -> None:
        """A typed line; `prompt_number` is that of the prompt under which it was typed. While
        something is still being shown, an empty line shows the rest and does nothing else."""
        if self.state.pace.is_behind and not self.state.is_leave_asked and not text.strip():
            self.state.pace.jump()
            return
        self.display.note_typed(text)
        self._lines.read_line(TypedLine(text, prompt_number))

    def interrupt(self) -> None:
        """Ctrl-C: what was half typed is gone, and it is asked whether to leave."""
        self.display.note_interrupt()
        self._leaving.ask_to_leave()

    def end_input(self, *, terminal: bool) -> None:
        """Nothing more will be typed."""
        self._leaving.end_input(terminal=terminal)

    def ask_to_leave(self) -> None:
        self._leaving.ask_to_leave()

    def leave_now(self) -> None:
        """Leaves without asking."""
        self._leaving.leave_now()

    def keep_seat(self) -> bool:
        """The process ends. False if nothing has begun: then nobody has to be told."""
        return self._leaving.keep_seat()
