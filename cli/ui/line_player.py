"""Whoever plays a seat by typing lines: what a line does, whatever the player looks at.

Law: this is the only place that knows both what is asked and what was typed. Sentences come
from `news`, `lookup`, `lobby`, `absence` and `asking`; how they are put before the player is
the business of a subclass (`plain` adds lines, `screen` draws a table) by the methods at the
end, and no subclass decides what a line means.

A line counts only for the prompt that stood there when it was typed: `number` goes up with
every prompt that changes what a line means, and a line typed under an older number is not used
(a burst typed ahead answers one prompt, not three). Lines from a pipe wait until they are
wanted instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import trio

from cli.ask.dialogue import Asking, Memory, deciding, question
from cli.ask.foresight import only_heals, order_matters
from cli.ask.question import Adviser
from cli.ask.standing_orders import Standing
from cli.text import queries
from cli.text.i18n import _, listing
from cli.ui import lobby_commands, table_commands
from cli.ui.notice_feed import News, Reader
from kotp2p.endings import Ending
from kotp2p.front import Control, Front, Leave
from kotp2p.notices import (
    GameFinished,
    GameStarted,
    Happened,
    LobbyChanged,
    Notice,
    VoteOpened,
    Waiting,
)
from kotp2p.seat_view import SeatView
from referee.model.answers import Answer
from referee.model.decisions import Decision
from referee.model.dice_decisions import HeartsDecision, OrderDecision

PATIENCE = 0.5
"""Seconds before it is said who is waited for."""
LEAVE_WORDS = ("leave", "quit", "exit")


class Typist(ABC):
    def __init__(self, adviser: Adviser, bot: Front | None, reader: Reader) -> None:
        """`bot` answers in place of the person."""
        self.number = 0
        self.farewell = False
        """The input ended and nobody could be asked: this seat left without wanting to."""
        self.news = News(reader)
        self.asking: Asking | None = None
        self.standing = Standing()
        self._adviser = adviser
        self._bot = bot
        self._control: Control | None = None
        self._memory = Memory()
        self._answered = trio.Event()
        self._thinking = False
        """A bot is at it in this seat's place."""
        self._leaving = False
        """It was asked whether to leave."""
        self._left = False
        self._kept = False
        """This process ends; what is asked from now on waits until the seat is resumed."""
        self._ended = False
        """No more input."""
        self._waiting: Waiting | None = None
        self._changed = trio.Event()
        self._wanted = trio.Event()

    # -- Front -------------------------------------------------------------------------

    def attach(self, control: Control) -> None:
        self._control = control
        if self._bot is not None:
            self._bot.attach(control)

    def show(self, notice: Notice) -> None:
        self._show(notice)
        if self._bot is not None:
            self._bot.show(notice)

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        self._note_waiting(None)
        self.news.desk.view = view
        if self._kept:
            await trio.sleep_forever()
        if self._bot is not None:
            return await self._bot_decides(self._bot, view, decision)
        if self._left or self._ended:
            return self._goodbye()
        if isinstance(decision, HeartsDecision) and only_heals(decision):
            return decision.default
        if isinstance(decision, OrderDecision) and not order_matters(view, decision):
            if self._memory.first_word("order"):
                self._tell([_("You are asked for the order of your dice only when it matters.")])
            return decision.default
        if (followed := self.standing.follow(view, decision)) is not None:
            self._tell([followed.sentence])
            return followed.answer
        asking = Asking(question(view, decision, self._adviser), self._memory)
        self.asking = asking
        self._answered = trio.Event()
        self._ask(asking.open(), new=True)
        self._call_reader()
        try:
            await self._answered.wait()
        finally:
            if self.asking is asking:  # withdrawn
                self.asking = None
                self.put_news([_("That question is withdrawn.")])
        return Leave() if asking.answer is None else asking.answer

    async def _bot_decides(self, bot: Front, view: SeatView, decision: Decision) -> Answer | Leave:
        """A person may still leave in its place."""
        if self._left:
            return Leave()
        answer: Answer | Leave = Leave()
        self._answered = trio.Event()
        self._thinking = True
        try:
            async with trio.open_nursery() as nursery:

                async def think() -> None:
                    nonlocal answer
                    answer = await bot.decide(view, decision)
                    nursery.cancel_scope.cancel()

                nursery.start_soon(think)
                await self._answered.wait()
                nursery.cancel_scope.cancel()
        finally:
            self._thinking = False
        return answer

    # -- what is told ------------------------------------------------------------------

    def _show(self, notice: Notice) -> None:
        if isinstance(notice, Happened | GameFinished):
            self._note_waiting(None)
        elif isinstance(notice, Waiting):
            self._note_waiting(notice)
        told = self.news.tell(notice)
        self._tell(told.lines, told.hints)
        if isinstance(notice, GameStarted) and self._bot is None:
            self._tell(self.standing.greeting(notice.view.game.setup.rules))
        if isinstance(notice, LobbyChanged):
            self._call_reader()
        if isinstance(notice, VoteOpened) and notice.yours and self._bot and self._control:
            # Whose seat a bot plays is not there to be asked: it does not keep the others waiting.
            self._control.vote(drop=notice.enough)

    def _tell(self, lines: list[str], hints: list[str] | None = None) -> None:
        self.news.desk.told.extend(lines)
        self.put_news(lines, hints or [])

    # -- who is waited for -------------------------------------------------------------

    def _note_waiting(self, waiting: Waiting | None) -> None:
        if waiting == self._waiting:
            return
        self._waiting = waiting
        self._changed.set()

    async def watch(self) -> None:
        """Runs beside the game: says once who is waited for, if it takes long."""
        while True:
            self._changed = trio.Event()
            waiting = self._waiting
            if waiting is None:
                await self._changed.wait()
                continue
            with trio.move_on_after(PATIENCE) as patience:
                await self._changed.wait()
            if patience.cancelled_caught:
                sentence = self.awaited()
                if sentence:
                    self.put_waiting(sentence)
                await self._changed.wait()

    def awaited(self) -> str:
        """Who is waited for, and for what; empty if nobody is."""
        view, waiting = self.news.view, self._waiting
        if view is None or waiting is None or not waiting.seats or self._left:
            return ""
        who = listing([view.players[seat].name for seat in waiting.seats])
        return deciding(waiting.decision, who)

    # -- what was typed ----------------------------------------------------------------

    def _call_reader(self) -> None:
        self._wanted.set()
        self._wanted = trio.Event()

    async def wanted(self, line: str) -> None:
        """Returns when a line from a pipe has its place: a question, or the lobby's commands."""
        while not self._wants(line):
            await self._wanted.wait()

    def _wants(self, line: str) -> bool:
        if self.asking is not None or self._leaving:
            return True
        return self.news.in_lobby and lobby_commands.is_command(line)

    def line(self, text: str, number: int | None = None) -> None:
        """A typed line; `number` is that of the prompt under which it was typed."""
        self.put_typed(text)
        command = text.strip().lower()
        if self._leaving:
            self._answer_leaving(command)
        elif command in LEAVE_WORDS:
            self.ask_to_leave()
        elif (words := queries.spoken(text)) and self._control is not None and self._is_seated():
            self._control.say(words)
        elif command in ("?", "help") and self.news.view is not None:
            self.put_reply([*(self.asking.help() if self.asking else []), *queries.help_lines()])
        elif (found := self.news.desk.look(text)) is not None:
            self.put_reply(found)
        elif self._bot is None and (ordered := self.standing.typed(text, self.news.rules)):
            self.put_reply(ordered)
        elif self._in_game() and table_commands.command(text, self._control_now()):
            self.put_reply([])
        elif number is not None and number != self.number:
            self.put_reply(
                [_("Typed before the question was there, so not used: {text}", text=text)]
            )
        elif self.asking is not None:
            self._take(self.asking, text)
        elif self.news.view is not None:
            self.put_reply(
                [_("Nothing is asked of you now; ? shows what you can type.")] * bool(command)
            )
        elif self.news.lobby is not None and self._control is not None:
            self.put_reply(
                lobby_commands.command(text, self.news.lobby, self._control) if command else []
            )

    def _is_seated(self) -> bool:
        return self.news.lobby is not None or self.news.view is not None

    def _in_game(self) -> bool:
        return self.news.view is not None and not self._left

    def _control_now(self) -> Control:
        assert self._control is not None
        return self._control

    def _take(self, asking: Asking, text: str) -> None:
        before = asking.waiting
        lines = asking.take(text)
        if asking.answer is not None:
            self._close()
        else:
            self._ask(lines, new=asking.waiting is not before)

    def _close(self) -> None:
        """The question is over: the next line is not for it, though nobody has run yet."""
        self.asking = None
        self._answered.set()

    def _ask(self, lines: list[str], *, new: bool) -> None:
        """`new`: what was typed before is no answer to it."""
        if new:
            self._turn_page()
        self.put_question(lines, new=new)
        if self._leaving:  # that is asked before all else, and the next line is for it
            self._put_leaving()

    def _turn_page(self) -> None:
        self.forget_typed()
        self.number += 1

    # -- leaving -----------------------------------------------------------------------

    def ask_to_leave(self) -> None:
        view = self.news.view
        out = view is not None and not view.game.state.monsters[view.seat].alive
        if out or (view is None and self.news.lobby is None):
            self.leave_now()
            return
        self._leaving = True
        self._turn_page()
        self._put_leaving()
        self._call_reader()

    def _put_leaving(self) -> None:
        if self.news.view is None:
            self.put_leaving(_("Leave this table? y leaves, Enter stays."))
        else:
            self.put_leaving(
                _("Leave the game for good? Your monster is out, the others go on. "
                  "y leaves, Enter stays. Ctrl-C stops for now and keeps your seat.")
            )  # fmt: skip

    def _answer_leaving(self, command: str) -> None:
        self._leaving = False
        if command in ("y", "yes", *LEAVE_WORDS):
            self.leave_now()
            return
        self.put_reply([_("You stay.")])

    def leave_now(self) -> None:
        """Without asking again."""
        if self._left:
            return
        self._left = True
        self._leaving = False
        if self.asking is not None:
            self._close()
            return
        if self._thinking:
            self._answered.set()
        elif self._control is not None:
            self._control.leave()

    def keep_now(self) -> bool:
        """The process ends; the seat is kept, if there is a game. False if nobody has been told,
        as nothing has begun yet."""
        if self._control is None:
            return False
        if not self._left and not self._kept:
            self._kept = True
            self._leaving = False
            self.asking = None
            self._control.keep()
        return True

    def interrupt(self) -> None:
        """Ctrl-C: what was half typed is gone, and it is asked whether to leave."""
        self.ask_to_leave()

    @property
    def is_leaving(self) -> bool:
        return self._leaving

    def end_of_input(self, terminal: bool) -> None:
        """Nothing more will be typed; on a terminal that is a wish to leave, and the second
        time the terminal is gone, which is no farewell."""
        if terminal:
            if self._leaving:
                self.keep_now()
            else:
                self.ask_to_leave()
            return
        if self._bot is not None:
            return  # the bot needs no input
        self._ended = True
        if self.asking is not None:
            self._goodbye()
            self._close()
        elif self._leaving:
            self.leave_now()  # nobody can take the word back any more

    def _goodbye(self) -> Leave:
        if self._ended and not self._left:
            self.put_news([], [_("The input has ended: your monster leaves the game.")])
            self.farewell = True
        self._left = True
        return Leave()

    async def linger(self, ending: Ending) -> None:
        """The end stands there as long as the player wants to read it."""
        await trio.lowlevel.checkpoint()  # printed lines stay by themselves

    # -- how it is put before the player ------------------------------------------------

    @abstractmethod
    def forget_typed(self) -> None:
        """What was typed and not yet read has no meaning any more."""

    @abstractmethod
    def put_news(self, lines: list[str], hints: list[str] | None = None) -> None:
        """What has happened; `hints` need not be kept."""

    @abstractmethod
    def put_question(self, lines: list[str], *, new: bool) -> None:
        """What is asked now (`asking`); the last line is the prompt."""

    @abstractmethod
    def put_reply(self, lines: list[str]) -> None:
        """What is said to a typed line that answered nothing; the same is asked as before."""

    @abstractmethod
    def put_leaving(self, sentence: str) -> None:
        """Whether to leave is asked now, before all else."""

    @abstractmethod
    def put_waiting(self, sentence: str) -> None:
        """Others are waited for, and have been for a while."""

    @abstractmethod
    def put_typed(self, text: str) -> None:
        """A line has come."""
