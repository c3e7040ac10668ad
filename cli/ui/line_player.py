"""A person who plays a seat by typing lines, on any display.

Scope: the `Front` of a person. It is composed of what each part does with a notice, a question or a
line. All of them keep their state in `PlayerState` and speak to a `Display`.
Not here: how anything is shown. No display decides what a line means.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, question_for
from kotp2p.cli.ask.foresight import only_heals, order_matters
from kotp2p.cli.ask.question import Adviser
from kotp2p.cli.ask.standing_orders import OrderKeeper, answer_by_orders
from kotp2p.cli.system.network import likely_firewall
from kotp2p.cli.text import names, notices
from kotp2p.cli.text.how_to_join import describe_empty_lobby
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.statistics import Statistics
from kotp2p.cli.ui import player_commands, player_state
from kotp2p.cli.ui.notice_feed import Turns, share_screen, wish_for_bot
from kotp2p.cli.ui.typed_lines import TypedLine, TypedLines
from kotp2p.game.recording import LogRecording, record_log, replay_moment
from kotp2p.game.steps import ChangedHands
from kotp2p.game.verify import Result
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision, HeartsDecision, OrderDecision, YieldDecision
from kotp2p.seams.commands import Control, Leave
from kotp2p.seams.endings import Ending
from kotp2p.seams.front import Front
from kotp2p.seams.notices import (
    GameFinished,
    GameStarted,
    Happened,
    LobbyChanged,
    Notice,
    OwnClock,
    PastLog,
    SeatView,
    TableOpened,
    Waiting,
)
from kotp2p.store.files import read_whole_file
from kotp2p.wire.genesis import MIN_SEATS
from kotp2p.wire.records import MAX_LOG_BYTES


class LinePlayer:
    def __init__(
        self,
        state: player_state.PlayerState,
        display: player_state.Display,
        adviser: Adviser,
        bot: Front | None = None,
        unread_seconds: float = player_commands.UNREAD_SECONDS,
    ) -> None:
        """Compose the player; `bot` answers instead of the person, who may still leave."""
        self.state = state
        self.display = display
        self.standing = OrderKeeper()
        self._adviser = adviser
        self._bot = bot
        self._memory = Explained()
        self._turns = Turns()
        self._reminders = Reminders(state, display)
        self._prompts = player_commands.Prompts(state, display)
        self._leaving = player_commands.LeavingSeat(state, display, self._prompts)
        audience = state.feed.audience
        self.coaching = player_commands.Coaching(
            is_on=audience.lesson is not None or audience.is_new_guest
        )
        self._waits_for_rules = audience.is_new_guest
        self._second_enter = player_commands.SecondEnter(state, unread_seconds)
        self._lines = TypedLines(
            state, display, self._prompts, self._leaving, self.standing, self.coaching,
            self._second_enter,
        )  # fmt: skip

    async def read_first_page(self) -> bool:
        """Show a page before a first game and wait until it is read."""
        audience = self.state.feed.audience
        if audience.lesson is None:
            return True
        if audience.can_type:
            self.state.open_page()
            self._prompts.begin_prompt()
        speed = self.state.pace.speed
        lines = player_state.first_page_lines(
            audience.lesson, audience.options, speed, is_easy=audience.is_easy
        )
        self.display.put_first_page(lines)
        if self.state.is_reading:
            await self.state.closed.wait()
        return self.state.departure.state is player_state.Departure.SEATED

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
        self._reminders.note_notice(notice)
        self._tell_notice(notice)
        if self._bot is not None:
            self._bot.show(notice)

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        self._reminders.note_waiting(None)
        if self.state.view is None:
            self.state.feed.desk.view = view
        if self.state.departure.state in (
            player_state.Departure.HANDED_OVER,
            player_state.Departure.KEPT,
        ):
            await trio.sleep_forever()
        if self._bot is not None:
            return await self._let_bot_decide(self._bot, view, decision)
        if self.state.departure.state is not player_state.Departure.SEATED:
            return self._leaving.give_up()
        if share_screen(view):
            self._call_person(view)
        answer = self._answer_unasked(view, decision)
        return await self._ask_player(view, decision) if answer is None else answer

    def _answer_unasked(self, view: SeatView, decision: Decision) -> Answer | None:
        if isinstance(decision, HeartsDecision) and only_heals(decision):
            return decision.default
        if isinstance(decision, OrderDecision) and not order_matters(view, decision):
            return decision.default
        followed = answer_by_orders(view, decision, self.standing.orders)
        if followed is None:
            return None
        if not (share_screen(view) and isinstance(decision, YieldDecision)):  # it may be hidden
            self._tell([followed.sentence])
        return followed.answer

    def _call_person(self, view: SeatView) -> None:
        """Name the person who is asked, if several share this screen."""
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
        lines = self.state.feed.since.describe_once(view)
        if lines:
            self.display.put_summary(_("Since your last turn"), lines)

    async def _let_bot_decide(
        self, bot: Front, view: SeatView, decision: Decision
    ) -> Answer | Leave:
        """Return the bot's answer, or `Leave` if the person leaves meanwhile."""
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

    # -- what the player reads ---------------------------------------------------------

    def _tell_notice(self, notice: Notice) -> None:
        if isinstance(notice, GameFinished):
            self.coaching.note_game_over()
        told = self.state.feed.tell_notice(notice)
        self._tell(told.lines, told.hints)
        if isinstance(notice, Happened):
            self.display.put_threat(told.threat)
        if isinstance(notice, GameStarted) and self._bot is None:
            self._tell(self.standing.greet())
        if isinstance(notice, LobbyChanged):
            self._prompts.wake_pipe()
            self._teach_guest()
        if self._bot is not None and self.state.control is not None and self.state.view is not None:
            wish_for_bot(notice, self.state.view.seat, self.state.control)

    def _teach_guest(self) -> None:
        feed = self.state.feed
        if self._waits_for_rules and feed.rules is not None:
            self._waits_for_rules = False
            options = feed.options
            if feed.lobby is not None and len(feed.lobby.seats) > MIN_SEATS:
                # Others may still sit down, and then the option for two players is off.
                options = replace(options, two_player=False)
            self.display.put_page(
                player_state.page_title(), player_state.guest_page_lines(feed.rules, options)
            )

    def _tell_past(self, past: PastLog) -> None:
        for notice in tell_log(past.data, past.view):
            lines = self.state.feed.tell_past(notice)
            self.state.feed.desk.history.extend(lines)
            self.display.note_past(notice, lines)

    def _tell(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        self.state.feed.desk.history.extend(lines)
        self.display.put_news(lines, hints)

    async def watch_time(self) -> None:
        """Run the reminders until cancelled."""
        async with trio.open_nursery() as nursery:
            for timer in (self._reminders.answer, self._reminders.others, self._reminders.guests):
                nursery.start_soon(timer.run)

    async def show_ending(self, ending: Ending) -> None:
        """Show the end and return when the player has read it."""
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
        """Wait until a line from a pipe is wanted: at a question or in the lobby."""
        await self._prompts.wait_until_wanted(line)

    def read_line(self, text: str, prompt_number: int | None = None) -> None:
        """Read a line, typed under the prompt of this number.

        While the display lags behind the game, an empty line shows the rest and does nothing else.
        """
        if self.state.pace.is_behind and not self.state.is_leave_asked and not text.strip():
            self.state.pace.jump()
            return
        self.display.note_typed(text)
        self._lines.read_line(TypedLine(text, prompt_number))

    def interrupt(self) -> None:
        """Handle Ctrl-C: discard what is half typed and ask whether to leave."""
        self.display.note_interrupt()
        self._leaving.ask_to_leave()

    def end_input(self, *, terminal: bool) -> None:
        self._leaving.end_input(terminal=terminal)

    def ask_to_leave(self) -> None:
        self._leaving.ask_to_leave()

    def leave_now(self) -> None:
        self._leaving.leave_now()

    def keep_seat(self) -> bool:
        """Keep the seat while the process ends; return False if no game has begun."""
        return self._leaving.keep_seat()


# -- what happened in a game before this process resumed it, from its log ------------------


@dataclass(frozen=True, slots=True)
class WholeGame:
    """What a log says of its game besides the course."""

    statistics: Statistics
    changes: tuple[ChangedHands, ...]


def read_log_file(path: Path, view: SeatView) -> WholeGame | None:
    """Return the whole game of a log, or None if it is no sound log of this game."""
    try:
        data = read_whole_file(path, MAX_LOG_BYTES)
    except OSError:
        return None
    return read_log(data, view)


def read_log(data: bytes, view: SeatView) -> WholeGame | None:
    log = record_log(data)
    counted = Statistics()
    for notice in _tell(log, view):
        counted.count_notice(notice)
    return WholeGame(counted, log.report().changes) if counted.counts else None


def tell_log(data: bytes, view: SeatView) -> Iterator[GameStarted | Happened]:
    """Yield the notices of a log, or nothing if it is no sound log of this game.

    The view of a notice is valid until the next one is taken. What was undone is left out.
    """
    yield from _tell(record_log(data), view)


def _tell(log: LogRecording, view: SeatView) -> Iterator[GameStarted | Happened]:
    report = log.report()
    if report.result not in (Result.SOUND, Result.UNFINISHED) or report.phrase != view.phrase:
        return
    recording = log.recording
    assert recording is not None  # it has a phrase
    game = recording.game_behind(0)
    past = SeatView(view.seat, view.players, game, view.phrase)
    yield GameStarted(past)
    for moment in recording.moments[1:]:
        replay_moment(game, moment)
        yield Happened(moment.events, past)


# -- what is said when some time has passed ------------------------------------------------


WARNING_SECONDS = 20
SAY_WAITING_AFTER_SECONDS = 0.5
SAY_EMPTY_AFTER_SECONDS = 60


class Timer:
    """Calls a function once, some seconds after it was set for the last time."""

    def __init__(self) -> None:
        self._wanted: tuple[float, Callable[[], None]] | None = None
        self._changed = trio.Event()

    def set(self, seconds: float, act: Callable[[], None]) -> None:
        self._wanted = seconds, act
        self._changed.set()

    def stop(self) -> None:
        self._wanted = None
        self._changed.set()

    async def run(self) -> None:
        while True:
            self._changed = trio.Event()
            if self._wanted is None:
                await self._changed.wait()
                continue
            seconds, act = self._wanted
            with trio.move_on_after(seconds) as runs:
                await self._changed.wait()
            if runs.cancelled_caught:
                self._wanted = None
                act()


class Reminders:
    """What a player is told when some time has passed, each of it once.

    It warns of the end of the time for an answer, names the players that the game waits for, and
    helps a host whom no guest reaches.
    Known limitation: only players who sit down count as guests, as the lobby does not report
    connections.
    """

    def __init__(self, state: player_state.PlayerState, display: player_state.Display) -> None:
        self._state = state
        self._display = display
        self.answer, self.others, self.guests = Timer(), Timer(), Timer()

    def note_notice(self, notice: Notice) -> None:
        match notice:
            case OwnClock():
                self._time_answer(notice.seconds_left)
            case Waiting():
                self.note_waiting(notice)
            case Happened() | GameFinished():
                self.note_waiting(None)
            case TableOpened(only_loopback=False):
                self.guests.set(SAY_EMPTY_AFTER_SECONDS, partial(self._help_host, notice))
            case GameStarted():
                self.guests.stop()
            case LobbyChanged() if _has_guest(notice):
                self.guests.stop()
            case _:  # it is about none of the three
                pass

    def _time_answer(self, seconds_left: float) -> None:
        self.answer.stop()
        if seconds_left > WARNING_SECONDS:
            self.answer.set(seconds_left - WARNING_SECONDS, self._warn)
        elif seconds_left > 0:
            self.answer.set(seconds_left, self._tell_time_up)

    def _warn(self) -> None:
        self._put_warning(notices.describe_warning(WARNING_SECONDS))
        self.answer.set(WARNING_SECONDS, self._tell_time_up)

    def _tell_time_up(self) -> None:
        self._put_warning(notices.describe_time_up())

    def _put_warning(self, words: str) -> None:
        if self._state.asking is not None:
            self._display.put_warning(words)

    def note_waiting(self, waiting: Waiting | None) -> None:
        """Record the players that the game waits for; None if for no other player."""
        if waiting == self._state.waiting:
            return
        self._state.waiting = waiting
        self._display.clear_waiting()
        self.others.stop()
        if waiting is not None:
            self.others.set(SAY_WAITING_AFTER_SECONDS, self._tell_waiting)

    def _tell_waiting(self) -> None:
        # What the player is shown is past: the game may be waiting for no other player.
        sentence = "" if self._state.pace.is_behind else self._state.awaited()
        if sentence:
            self._display.put_waiting(sentence)

    def _help_host(self, opened: TableOpened) -> None:
        interfaces = self._state.feed.audience.interfaces
        lines = describe_empty_lobby(opened, interfaces, likely_firewall(), sys.executable)
        self._display.put_news([], lines)


def _has_guest(lobby: LobbyChanged) -> bool:
    return any(
        seat is not None and not seat.bot and at != lobby.you for at, seat in enumerate(lobby.seats)
    )
