"""The plain line mode: a `Front` for a person who reads and types lines.

Law: this is the only place that knows both what is asked and what was typed. Sentences come
from `story`, `notices`, `lobby` and `asking`; lines come from `lines`. Nothing here moves a
cursor, and everything works the same from a pipe.

A line counts only for the prompt that stood there when it was typed: `number` goes up with
every prompt that changes what a line means, and a line read under an older number is not used
(UX: a burst typed ahead answers one prompt, not three). Lines from a pipe wait until they are
wanted instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import trio

from cli import lobby, lookup, notices
from cli.asking import Asking, Memory, deciding, question
from cli.foresight import order_matters
from cli.output import Output
from cli.questions import Adviser
from cli.story import Story
from cli.words import _, listing
from kotp2p.front import (
    Cheated,
    Control,
    Diverged,
    Front,
    GameFinished,
    GameStarted,
    GuestIdentity,
    Happened,
    Leave,
    LinkChanged,
    LobbyChanged,
    LobbyRefused,
    NameChanged,
    Notice,
    SeatLeft,
    SeatLost,
    StartFailed,
    TableOpened,
    TopRevealed,
    View,
    Waiting,
)
from referee.answers import Answer, Seat
from referee.decisions import Decision, OrderDecision

PATIENCE = 0.5
"""Seconds before it is said who is waited for."""
LEAVE_WORDS = ("leave", "quit", "exit")


class Plain:
    def __init__(
        self,
        output: Output,
        adviser: Adviser,
        bot: Front | None = None,
        forget_typed: Callable[[], None] = lambda: None,
        *,
        alone: bool = False,
    ) -> None:
        """`bot` answers in place of a person; `forget_typed` throws away what was typed ahead;
        `alone`: nobody else can come, so that the lobby is not worth a word."""
        self.output = output
        self.number = 0
        self.farewell = False
        """The input ended and nobody could be asked: this seat left without wanting to."""
        self._adviser = adviser
        self._bot = bot
        self._forget_typed = forget_typed
        self._alone = alone
        self._control: Control | None = None
        self._lobby: LobbyChanged | None = None
        self._desk = lookup.Desk()
        self._memory = Memory()
        self._story: Story | None = None
        self._going: set[Seat] = set()
        """Seats that have said goodbye: the end of their link is no news."""
        self._asking: Asking | None = None
        self._answered = trio.Event()
        self._thinking = False
        """A bot is at it in this seat's place."""
        self._leaving = False
        """It was asked whether to leave."""
        self._left = False
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

    async def decide(self, view: View, decision: Decision) -> Answer | Leave:
        self._note_waiting(None)
        self._desk.view = view
        if self._bot is not None:
            return await self._bot_decides(self._bot, view, decision)
        if self._left or self._ended:
            return self._goodbye()
        if isinstance(decision, OrderDecision) and not order_matters(view, decision):
            if self._memory.first_word("order"):
                self._tell([_("You are asked for the order of your dice only when it matters.")])
            return decision.default
        asking = Asking(question(view, decision, self._adviser), self._memory)
        self._asking = asking
        self._answered = trio.Event()
        self._ask(asking.open(), new=True)
        self._call_reader()
        try:
            await self._answered.wait()
        finally:
            if self._asking is asking:  # withdrawn
                self._asking = None
                self.output.say(_("That question is withdrawn."))
        return Leave() if asking.answer is None else asking.answer

    async def _bot_decides(self, bot: Front, view: View, decision: Decision) -> Answer | Leave:
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
        match notice:
            case (
                TableOpened() | LobbyChanged() | LobbyRefused() | StartFailed() | GuestIdentity()
                | NameChanged()
            ):  # fmt: skip
                self._show_lobby(notice)
            case GameStarted(view=view):
                self._desk.view = view
                self._story = Story(view, asked=self._bot is None)
                self._tell(notices.started(view, alone=self._alone))
                self._tell(self._desk.look("who") or [])
            case Happened(events=events, view=view):
                self._note_waiting(None)
                self._desk.view = view
                if self._story is not None:
                    self._tell(self._story.tell(events, view))
            case Waiting():
                self._note_waiting(notice)
            case _:
                self._show_incident(notice)

    def _show_lobby(
        self,
        notice: TableOpened
        | LobbyChanged
        | LobbyRefused
        | StartFailed
        | GuestIdentity
        | NameChanged,
    ) -> None:
        match notice:
            case TableOpened():
                self._tell(lobby.opened(notice))
                for line in lobby.opened_hints(notice):
                    self.output.note(line)
            case LobbyChanged():
                if not self._alone:
                    self._tell(lobby.changes(self._lobby, notice))
                    self._lobby = notice
                    self._call_reader()
            case LobbyRefused():
                self._tell([lobby.fault(notice)])
            case StartFailed():
                self._tell([lobby.start_failed(notice)])
            case GuestIdentity():
                self.output.note(notices.guest(notice))
            case NameChanged():
                self.output.note(notices.renamed(notice))
            case _:
                assert_never(notice)

    def _show_incident(
        self,
        notice: TopRevealed | SeatLeft | LinkChanged | SeatLost | Cheated | Diverged | GameFinished,
    ) -> None:
        if isinstance(notice, GameFinished):
            self._note_waiting(None)
            self._desk.view = notice.view
            self._tell([notices.finished(notice)])
            return
        view = self._desk.view
        assert view is not None  # all of these come after GameStarted
        match notice:
            case TopRevealed():
                self._tell([notices.revealed(notice, view)])
            case SeatLeft() | LinkChanged() | SeatLost():
                self._show_seat(notice, view)
            case Cheated():
                self._tell([notices.cheated(notice, view)])
            case Diverged():
                self._tell([notices.diverged(notice, view)])
            case _:
                assert_never(notice)

    def _show_seat(self, notice: SeatLeft | LinkChanged | SeatLost, view: View) -> None:
        if isinstance(notice, LinkChanged) and notice.seat in self._going:
            return
        if isinstance(notice, SeatLeft):
            self._going.add(notice.seat)
        told_out = self._story is not None and not self._story.alive(notice.seat)
        self._tell(notices.about_seat(notice, view, told_out=told_out))

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            self.output.say(line)
            self._desk.told.append(line)
        if lines and (self._asking is not None or self._leaving):
            self.output.prompt()

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
                self._say_waiting(waiting)
                await self._changed.wait()

    def _say_waiting(self, waiting: Waiting) -> None:
        view = self._desk.view
        if view is None or not waiting.seats or self._left:
            return
        who = listing([view.players[seat].name for seat in waiting.seats])
        self.output.say(deciding(waiting.decision, who))

    # -- what was typed ----------------------------------------------------------------

    def _call_reader(self) -> None:
        self._wanted.set()
        self._wanted = trio.Event()

    async def wanted(self, line: str) -> None:
        """Returns when a line from a pipe has its place: a question, or the lobby's commands."""
        while not self._wants(line):
            await self._wanted.wait()

    def _wants(self, line: str) -> bool:
        if self._asking is not None or self._leaving:
            return True
        in_lobby = self._lobby is not None and self._desk.view is None
        return in_lobby and lobby.is_command(line)

    def line(self, text: str, number: int | None = None) -> None:
        """A typed line; `number` is that of the prompt under which it was typed."""
        self.output.typed(text)
        command = text.strip().lower()
        if self._leaving:
            self._answer_leaving(command)
        elif command in LEAVE_WORDS:
            self.ask_to_leave()
        elif command in ("?", "help") and self._desk.view is not None:
            self._say([*(self._asking.help() if self._asking else []), *lookup.help_lines()])
        elif (found := self._desk.look(text)) is not None:
            self._say(found)
        elif number is not None and number != self.number:
            self._say([_("Typed before the question was there, so not used: {text}", text=text)])
        elif self._asking is not None:
            self._take(self._asking, text)
        elif self._desk.view is not None:
            self._say(
                [_("Nothing is asked of you now; ? shows what you can type.")] * bool(command)
            )
        elif self._lobby is not None and self._control is not None and command:
            self._say(lobby.command(text, self._lobby, self._control))

    def _take(self, asking: Asking, text: str) -> None:
        before = asking.waiting
        lines = asking.take(text)
        if asking.answer is not None:
            self._close()
        else:
            self._ask(lines, new=asking.waiting is not before)

    def _close(self) -> None:
        """The question is over: the next line is not for it, though nobody has run yet."""
        self._asking = None
        self._answered.set()

    def _ask(self, lines: list[str], *, new: bool) -> None:
        """The last line is the prompt; `new`: what was typed before is no answer to it."""
        if new:
            self._forget_typed()
            self.number += 1
            self.output.ring()
        for line in lines:
            self.output.say(line)
        self.output.prompt()

    def _say(self, lines: list[str]) -> None:
        """An answer in between; then the same question again."""
        for line in lines:
            self.output.say(line)
        if self._asking is not None:
            self._ask(self._asking.again(), new=False)

    # -- leaving -----------------------------------------------------------------------

    def ask_to_leave(self) -> None:
        view = self._desk.view
        out = view is not None and not view.game.state.monsters[view.seat].alive
        if out or (view is None and self._lobby is None):
            self.leave_now()
            return
        self._leaving = True
        self._forget_typed()
        self.number += 1
        if view is None:
            self.output.say(_("Leave this table? y leaves, Enter stays."))
        else:
            self.output.say(
                _("Leave the game for good? Your monster is out, the others go on. "
                  "y leaves, Enter stays.")
            )  # fmt: skip
        self.output.prompt()
        self._call_reader()

    def _answer_leaving(self, command: str) -> None:
        self._leaving = False
        if command in ("y", "yes", *LEAVE_WORDS):
            self.leave_now()
            return
        self._say([_("You stay.")])

    def leave_now(self) -> None:
        """Without asking again."""
        if self._left:
            return
        self._left = True
        self._leaving = False
        if self._asking is not None:
            self._close()
            return
        if self._thinking:
            self._answered.set()
        elif self._control is not None:
            self._control.leave()

    def interrupt(self) -> None:
        """Ctrl-C: what was half typed is gone, and it is asked whether to leave."""
        self.output.typed("^C")
        self.output.say("")
        self.ask_to_leave()

    @property
    def is_leaving(self) -> bool:
        return self._leaving

    def end_of_input(self, terminal: bool) -> None:
        """Nothing more will be typed; on a terminal that is a wish to leave."""
        if terminal:
            if self._leaving:
                self.leave_now()
            else:
                self.ask_to_leave()
            return
        if self._bot is not None:
            return  # the bot needs no input
        self._ended = True
        if self._leaving or self._asking is not None:
            self._goodbye()
            self._close()

    def _goodbye(self) -> Leave:
        if self._ended and not self._left:
            self.output.note(_("The input has ended: your monster leaves the game."))
            self.farewell = True
        self._left = True
        return Leave()
