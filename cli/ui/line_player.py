"""A person who plays a seat by typing lines, on any display."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import trio

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, question_for
from kotp2p.cli.ask.foresight import only_heals, order_matters
from kotp2p.cli.ask.question import Adviser, Confirm, Propose, Refuse
from kotp2p.cli.ask.standing_orders import ORDERS_WORD, OrderKeeper, answer_by_orders
from kotp2p.cli.text import how_to_join, names, notices, queries, typed_words
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.names import is_alone
from kotp2p.cli.text.player_rules import RULES_WORD, answer_rules
from kotp2p.cli.text.queries import SINCE_WORD
from kotp2p.cli.text.typed_words import COMMANDS, plain_first_word, words_in_english
from kotp2p.cli.ui import notice_feed, player_commands, player_state
from kotp2p.cli.ui.notice_feed import Turns, share_screen, wish_for_bot
from kotp2p.cli.wing import wing
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision, HeartsDecision, OrderDecision, YieldDecision
from kotp2p.seams import notices as told
from kotp2p.seams.commands import Control, Front, Leave, Say
from kotp2p.seams.endings import Ending
from kotp2p.wire.genesis import MIN_SEATS


class LinePlayer:
    def __init__(
        self,
        state: player_state.PlayerState,
        display: player_state.Display,
        adviser: Adviser,
        bot: Front | None = None,
        unread_seconds: float = player_commands.UNREAD_SECONDS,
    ) -> None:
        self.state = state
        self.display = display
        self.standing = OrderKeeper()
        self._adviser = adviser
        self._bot = bot
        self._memory = Explained()
        self._turns = Turns()
        self._reminders = Reminders(state, display)
        self.prompts = player_commands.Prompts(state, display)
        self.leaving = player_commands.LeavingSeat(state, display, self.prompts)
        audience = state.feed.audience
        self.coaching = player_commands.Coaching(
            is_on=audience.lesson is not None or audience.is_new_guest
        )
        self._waits_for_rules = audience.is_new_guest
        self.second_enter = player_commands.SecondEnter(state, unread_seconds)
        self._lines = TypedLines(self)

    async def read_first_page(self) -> bool:
        """Show a page before a first game and wait until it is read."""
        audience = self.state.feed.audience
        if audience.lesson is None:
            return True
        if audience.can_type:
            self.state.open_page()
            self.prompts.begin_prompt()
        speed = self.state.pace.speed
        lines = player_state.first_page_lines(
            audience.lesson, audience.options, speed, is_easy=audience.is_easy
        )
        self.display.put_first_page(lines)
        if self.state.is_reading:
            await self.state.closed.wait()
        return self.state.departure is player_state.Departure.SEATED

    @property
    def is_played_by_bot(self) -> bool:
        return self._bot is not None

    # -- Front -------------------------------------------------------------------------

    def attach(self, control: Control) -> None:
        self.state.control = control
        if self._bot is not None:
            self._bot.attach(control)

    def show(self, notice: told.Notice) -> None:
        if isinstance(notice, told.PastLog):
            self._tell_past(notice)
            return
        self.display.note_notice(notice)
        self._reminders.note_notice(notice)
        self._tell_notice(notice)
        if self._bot is not None:
            self._bot.show(notice)

    async def decide(self, view: told.SeatView, decision: Decision) -> Answer | Leave:
        self._reminders.note_waiting(None)
        if self.state.view is None:
            self.state.feed.desk.view = view
        if self.state.departure in (
            player_state.Departure.HANDED_OVER,
            player_state.Departure.KEPT,
        ):
            await trio.sleep_forever()
        if self._bot is not None:
            return await self._let_bot_decide(self._bot, view, decision)
        if self.state.departure is not player_state.Departure.SEATED:
            return self.leaving.give_up()
        if share_screen(view) and self._turns.pass_to(view.seat, self.standing):
            name = names.player_name(view, view.seat)
            self._tell([_("It is up to {name} to decide.", name=name)])
        answer = self._answer_unasked(view, decision)
        return await self._ask_player(view, decision) if answer is None else answer

    def _answer_unasked(self, view: told.SeatView, decision: Decision) -> Answer | None:
        if isinstance(decision, HeartsDecision) and only_heals(decision):
            return decision.default
        if isinstance(decision, OrderDecision) and not order_matters(view, decision):
            return decision.default
        followed = answer_by_orders(view, decision, self.standing.orders)
        if followed is None:
            return None
        if not (share_screen(view) and isinstance(decision, YieldDecision)):  # it may be hidden
            self._tell([followed[1]])
        return followed[0]

    async def _ask_player(self, view: told.SeatView, decision: Decision) -> Answer | Leave:
        if view.game.state.active == view.seat and not share_screen(view):
            lines = self.state.feed.since.describe_once(view)
            if lines:
                title = _("{title}:", title=_("Since your last turn"))
                self.display.put_news([title, *lines])
        asking = self._make_dialogue(view, decision)
        self.state.open_question(asking)
        self.prompts.put_question(asking.first_lines(), new=True)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.second_enter.run)
                await self.state.closed.wait()
                nursery.cancel_scope.cancel()
        finally:
            self.state.pace.end_dwell()
            if self.state.asking is asking:  # cancelled before it was answered
                self.state.close_question()
                self.display.put_reply([])  # what was said to it holds no more
                self.display.put_news([_("That question is withdrawn.")])
        return Leave() if asking.answer is None else asking.answer

    def _make_dialogue(self, view: told.SeatView, decision: Decision) -> QuestionDialogue:
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

    async def _let_bot_decide(
        self, bot: Front, view: told.SeatView, decision: Decision
    ) -> Answer | Leave:
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

    def _tell_notice(self, notice: told.Notice) -> None:
        if isinstance(notice, told.GameFinished):
            self.coaching.note_game_over()
        found = self.state.feed.tell_notice(notice)
        self._tell(found.lines, found.hints)
        if isinstance(notice, told.GameStarted) and self._bot is None:
            self._tell(self.standing.greet())
        if isinstance(notice, told.LobbyChanged):
            self.prompts.wake_pipe()
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

    def _tell_past(self, past: told.PastLog) -> None:
        self.state.feed.changes = list(past.changes)
        for notice in wing().tell_log(past.data, past.view):
            self.coaching.note_past(notice)
            lines = self.state.feed.tell_past(notice)
            self.state.feed.desk.history.extend(lines)
            self.display.note_past(notice, lines)

    def _tell(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        self.state.feed.desk.history.extend(lines)
        self.display.put_news(lines, hints)

    async def watch_time(self) -> None:
        async with trio.open_nursery() as nursery:
            for timer in (self._reminders.answer, self._reminders.others, self._reminders.guests):
                nursery.start_soon(timer.run)

    async def show_ending(self, ending: Ending) -> None:
        self.state.wants_another = await self.display.show_ending(ending)

    # -- what is typed -----------------------------------------------------------------

    @property
    def prompt_number(self) -> int:
        return self.state.prompt_number

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended and the last question is answered."""
        return self.display.is_over

    @property
    def is_leave_asked(self) -> bool:
        return self.state.is_leave_asked

    def read_line(self, text: str, prompt_number: int | None = None) -> None:
        """Read a line, typed under the prompt of this number; an empty one may catch up."""
        if self.state.pace.is_behind and not self.state.is_leave_asked and not text.strip():
            self.state.pace.jump()
            return
        self.display.note_typed(text)
        # A line that was begun before the last question does not answer it.
        is_early = prompt_number not in (None, self.prompt_number)
        if not self.display.read_last_line("" if is_early else text):
            self._lines.read_line(TypedLine(text, prompt_number))

    def interrupt(self) -> None:
        """Handle Ctrl-C: discard what is half typed and ask whether to leave."""
        self.display.note_interrupt()
        self.leaving.ask_to_leave()


# -- what a typed line means ---------------------------------------------------------------
#
# Readers in order, and the first that takes a line does it. This is the only place that knows both
# what is asked and what was typed.


HELP_WORDS = ("?", "help")
GAME_WORDS = (*queries.QUERY_WORDS, *notice_feed.WORDS)
LOBBY_WORDS = tuple(command.word for command in player_commands.LOBBY_COMMANDS)
WORDS_ANYWHERE = (
    *player_commands.LEAVE_WORDS,
    "help",
    RULES_WORD,
    queries.SAY_WORD,
    ORDERS_WORD,
    *(() if wing().coach is None else (player_commands.COACH_WORD,)),
    player_commands.LOOK_WORD,
)


@dataclass(frozen=True, slots=True)
class TypedLine:
    text: str
    prompt_number: int | None = None
    """That of the prompt under which the line was typed; None for a line from a pipe."""

    @property
    def word(self) -> str:
        return self.text.strip().lower()


LineReader: TypeAlias = Callable[[TypedLine], list[str] | bool | None]
"""Does what a line says, and returns True or a reply; or returns False or None, and the next reader
gets the line."""


class TypedLines:
    def __init__(self, player: LinePlayer) -> None:
        self._player = player
        self._state = player.state
        self._display = player.display
        self._start = player_commands.StartQuestion()
        self._readers: tuple[LineReader, ...] = (
            self._read_leave_answer,
            self._read_leave,
            self._read_chat,
            self._read_help,
            self._read_query,
            self._read_rules,
            self._read_coach,
            self._read_speed,
            self._read_look,
            self._read_since,
            self._read_standing_order,
            self._read_table_command,
            # Whatever comes below depends on the prompt, so the line must have been typed under it.
            self._read_stale,
            self._read_first_page,
            self._read_known_word,
            self._read_answer,
            self._read_unasked,
            self._read_copy,
            self._read_lobby_command,
        )

    def read_line(self, line: TypedLine) -> None:
        if line.word:
            self._start.close()  # Enter alone begins only right after a line has said so
        asking = self._state.asking
        line = replace(line, text=plain_first_word(line.text))
        if asking is None or not asking.question.has_word(line.text):
            line = replace(line, text=words_in_english(line.text, COMMANDS))
        for read in self._readers:
            done = read(line)
            if isinstance(done, list):
                self._display.put_reply(done)
            if done is not None and done is not False:
                return

    def _read_leave_answer(self, line: TypedLine) -> list[str] | bool | None:
        if not self._state.is_leave_asked:
            return False
        self._player.leaving.read_answer(line.word)
        return True

    def _read_leave(self, line: TypedLine) -> list[str] | bool | None:
        asking = self._state.asking
        if line.word not in player_commands.LEAVE_WORDS or (
            asking is not None and asking.claims(line.word)
        ):
            return False
        self._player.leaving.ask_to_leave()
        return True

    def _read_chat(self, line: TypedLine) -> list[str] | bool | None:
        words = queries.chat_text(line.text)
        control = self._state.control
        if not words or control is None or not self._state.is_seated:
            return False
        control(Say(words))
        return True

    def _read_help(self, line: TypedLine) -> list[str] | bool | None:
        """Answer a request for help in a game; the lobby has a command for it."""
        view = self._state.view
        if line.word not in HELP_WORDS or view is None:
            return False
        asking = self._state.asking
        about_question = asking.help_lines() if asking is not None else []
        return [*about_question, *queries.help_lines(view)]

    def _read_query(self, line: TypedLine) -> list[str] | bool | None:
        return self._state.feed.desk.answer_query(line.text)

    def _read_rules(self, line: TypedLine) -> list[str] | bool | None:
        feed = self._state.feed
        return answer_rules(line.text, feed.rules or SECOND, feed.options)

    def _read_coach(self, line: TypedLine) -> list[str] | bool | None:
        if not self._state.feed.audience.answers:
            return False
        reply = self._player.coaching.read_line(line.text)
        if not reply:
            return False
        asking = self._state.asking
        if asking is not None:
            asking.coach = self._player.coaching.speak(asking.question)
        return reply

    def _read_speed(self, line: TypedLine) -> list[str] | bool | None:
        can_type = self._state.feed.audience.can_type
        return player_commands.answer_speed(line.text, self._state.pace, can_type=can_type)

    def _read_look(self, line: TypedLine) -> list[str] | bool | None:
        asking = self._state.asking
        if line.word != player_commands.LOOK_WORD or (
            asking is not None and asking.claims(line.word)
        ):
            return False
        audience = self._state.feed.audience
        return player_commands.look_lines(
            self._state.pace, audience.appearance, can_type=audience.can_type
        )

    def _read_since(self, line: TypedLine) -> list[str] | bool | None:
        view, since = self._state.view, self._state.feed.since
        if line.word != SINCE_WORD or view is None:
            return False
        title = _("Since your last turn") if since.has_had_turn else _("Since the start")
        lines = since.describe(view)
        return [_("{title}:", title=title), *lines] if lines else [_("Nothing has changed.")]

    def _read_standing_order(self, line: TypedLine) -> list[str] | bool | None:
        if not self._state.feed.audience.answers:
            return False
        return self._player.standing.read_line(line.text)

    def _read_table_command(self, line: TypedLine) -> list[str] | bool | None:
        """Run a command of the table, or a letter that no question takes."""
        view, control = self._state.view, self._state.control
        if view is None or control is None or self._state.has_left:
            return False
        matters, text = self._state.feed.matters, line.text
        if self._is_no_answer(line):
            text = matters.read_letter(line.word) or text
        if self._state.only_watches:
            if line.word not in notice_feed.WORDS:
                return False
            return [_("You only watch, so the players decide about that.")]
        return matters.do_command(text, view, control)

    def _read_stale(self, line: TypedLine) -> list[str] | bool | None:
        if line.prompt_number in (None, self._state.prompt_number):
            return False
        return [_("Typed before the question was there, so not used: {text}", text=line.text)]

    def _read_first_page(self, line: TypedLine) -> list[str] | bool | None:
        """Begin the game on an empty line; explain that on any other."""
        if not self._state.is_reading:
            return False
        if line.word:
            return [_("Nothing has begun yet: Enter begins the game, ? shows help.")]
        self._state.close_page()
        return True

    def _read_known_word(self, line: TypedLine) -> list[str] | bool | None:
        """Read a word that is no answer, but is known or similar to a known one."""
        asking = self._state.asking
        if asking is not None and asking.claims(line.word):
            return False
        if not line.word or not self._is_no_answer(line):
            return False
        meant = typed_words.known_line(line.text)
        if meant is not None:
            self.read_line(TypedLine(meant, line.prompt_number))
            return True
        if self._state.asking is not None and isinstance(self._state.asking.waiting, Confirm):
            return False  # it says itself what it wants
        if self._state.view is not None:
            sentence = typed_words.explain_word(line.text)
        else:
            sentence = typed_words.explain_early_word(line.text, GAME_WORDS)
        sentence = sentence or typed_words.suggest_word(line.text, self._list_words())
        if not sentence:
            return False
        return [sentence]

    def _is_no_answer(self, line: TypedLine) -> bool:
        asking = self._state.asking
        if asking is not None:
            return isinstance(asking.question.reply(line.text), Refuse)
        if self._state.view is None:
            return not player_commands.is_command(line.word.partition(" ")[0])
        return True

    def _list_words(self) -> tuple[str, ...]:
        if self._state.view is None:
            return (*LOBBY_WORDS, *WORDS_ANYWHERE)
        return (*GAME_WORDS, *WORDS_ANYWHERE)

    def _read_answer(self, line: TypedLine) -> list[str] | bool | None:
        asking = self._state.asking
        if asking is None:
            return False
        is_second = isinstance(asking.waiting, Propose) and not line.word
        if not is_second or line.prompt_number is None:
            self._put_answer(asking, line.text)
        elif not self._player.second_enter.press(partial(self._put_answer, asking, "")):
            return [player_commands.describe_early_key()]
        return True

    def _put_answer(self, asking: QuestionDialogue, text: str) -> None:
        before = (asking.waiting, asking.veil)
        lines = asking.read_line(text)
        if asking.answer is not None:
            self._state.close_question()
        else:
            # A sub-question is a new prompt: what was typed ahead does not confirm it.
            is_new = (asking.waiting, asking.veil) != before
            self._player.prompts.put_question(lines, new=is_new)
            if isinstance(asking.waiting, Propose):
                self._player.second_enter.note_proposal()

    def _read_unasked(self, line: TypedLine) -> list[str] | bool | None:
        view = self._state.view
        if view is None:
            return False
        unasked = _("Nothing is asked of you now; ? shows what you can type.")
        if " " in line.text.strip() and not is_alone(view):
            unasked = _("Nothing is asked of you now. Type say before that: all will read it.")
        return [unasked] if line.word else []

    def _read_copy(self, line: TypedLine) -> list[str] | bool | None:
        feed = self._state.feed
        if line.word != player_commands.COPY.word or feed.opened is None:
            return False
        command = how_to_join.best_command(feed.opened, feed.audience.interfaces, feed.code)
        is_copied = self._display.copy_text(command)
        return [how_to_join.describe_copy(command, is_copied=is_copied)]

    def _read_lobby_command(self, line: TypedLine) -> list[str] | bool | None:
        lobby, control = self._state.feed.lobby, self._state.control
        if lobby is None or control is None:
            return False
        reply = player_commands.do_command(line.text, lobby, control, self._start)
        code = self._state.feed.code
        if line.word in HELP_WORDS and code is not None:
            reply = [*reply, how_to_join.describe_code_help(code)]
        return reply


# -- what is said when some time has passed ------------------------------------------------


WARNING_SECONDS = 20
SAY_WAITING_AFTER_SECONDS = 0.5
SAY_EMPTY_AFTER_SECONDS = 60


class Timer:
    """Calls a function once, some seconds after it was set for the last time."""

    def __init__(self) -> None:
        self._clock: Callable[[], float] = lambda: 0.0
        """Stands still until the timer runs."""
        self._act: Callable[[], None] = lambda: None
        self._due = self._wakes_at = math.inf
        self._is_earlier = trio.Event()

    def set(self, seconds: float, act: Callable[[], None]) -> None:
        self._due, self._act = self._clock() + seconds, act
        if self._due < self._wakes_at:
            self._is_earlier.set()

    def stop(self) -> None:
        self._due = math.inf

    async def run(self) -> None:
        self._clock = trio.current_time
        self._due += self._clock()
        while True:
            # What is set later, or stopped, meanwhile is found out only then: most of it is.
            self._wakes_at, self._is_earlier = self._due, trio.Event()
            with trio.move_on_at(self._wakes_at):
                await self._is_earlier.wait()
            if self._clock() >= self._due:
                self._due = math.inf
                self._act()


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

    def note_notice(self, notice: told.Notice) -> None:
        match notice:
            case told.OwnClock():
                self._time_answer(notice.seconds_left)
            case told.Waiting():
                self.note_waiting(notice)
            case told.Happened() | told.GameFinished():
                self.note_waiting(None)
            case told.TableOpened(only_loopback=False):
                self.guests.set(SAY_EMPTY_AFTER_SECONDS, partial(self._help_host, notice))
            case told.GameStarted():
                self.guests.stop()
            case told.LobbyChanged() if _has_guest(notice):
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
        self._put_warning(notices.describe_warning(WARNING_SECONDS, self._state.view))
        self.answer.set(WARNING_SECONDS, self._tell_time_up)

    def _tell_time_up(self) -> None:
        self._put_warning(notices.describe_time_up(self._state.view))

    def _put_warning(self, words: str) -> None:
        if self._state.asking is not None:
            self._display.put_warning(words)

    def note_waiting(self, waiting: told.Waiting | None) -> None:
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

    def _help_host(self, opened: told.TableOpened) -> None:
        interfaces = self._state.feed.audience.interfaces
        lines = how_to_join.describe_empty_lobby(opened, interfaces)
        self._display.put_news([], lines)


def _has_guest(lobby: told.LobbyChanged) -> bool:
    return any(
        seat is not None and not seat.bot and at != lobby.you for at, seat in enumerate(lobby.seats)
    )
