"""The drawn table: a display whose player sees everything at once.

Scope: what stands on the screen, as parts with names (`log`, `prompt`, `input`, `picker`, `page`,
`status`, `clock`, `guard`, `bell`, `focus`).
Not here: what is asked, told and understood (`line_player`), what the keys do (`controls`), the
rows (`draw`) and the terminal (`stage`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from kotp2p.cli.ask.dialogue import QuestionDialogue
from kotp2p.cli.ask.question import Confirm, Propose
from kotp2p.cli.pictures.depths import Depth
from kotp2p.cli.system.options import Speed
from kotp2p.cli.text import lobby
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.names import player_name
from kotp2p.cli.ui.first_page import describe_page_prompt, page_title
from kotp2p.cli.ui.people import share_screen
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.cli.ui.screen import headings, theme
from kotp2p.cli.ui.screen.few_words import room_for_facts, shorten
from kotp2p.cli.ui.screen.great_moments import GreatMoments
from kotp2p.cli.ui.screen.last_question import LastQuestion
from kotp2p.cli.ui.screen.lobby_rows import lines_in_panels
from kotp2p.cli.ui.screen.mouse import BURST_SECONDS, WheelInKeys
from kotp2p.cli.ui.screen.pages import Page, end_page
from kotp2p.cli.ui.screen.panes import InputLine, LogPane, PromptPane, Summary
from kotp2p.cli.ui.screen.picker import Picker
from kotp2p.cli.ui.screen.roll_motion import RollMotion
from kotp2p.cli.ui.screen.table_status import TableStatus
from kotp2p.cli.ui.screen.timing import AnswerClock, Clock, ReadGuard, TurnBell
from kotp2p.cli.ui.screen.window_focus import WindowFocus
from kotp2p.cli.ui.second_enter import UNREAD_SECONDS
from kotp2p.referee.model.decisions import ResponseDecision, YieldDecision
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameFinished, Happened, Notice, OwnClock, Waiting


class Screen:
    def __init__(
        self,
        state: PlayerState,
        *,
        bell: bool = True,
        animation: bool = False,
        unread_seconds: float = UNREAD_SECONDS,
        clock: Clock = time.monotonic,
        keys_are_words: bool = False,
    ) -> None:
        """`keys_are_words`: the terminal may take some function keys for itself."""
        self.state = state
        self.keys_are_words = keys_are_words
        self.redraw: Callable[[], None] = lambda: None
        """Called when something else is to be drawn."""
        self.columns = 80
        """The width of the window when it was last drawn."""
        self.depth = Depth.NONE
        """The colours for pictures; the stage says which."""
        self.input = InputLine()
        self.log = LogPane()
        self.prompt = PromptPane()
        self.summary: Summary | None = None
        self.page: Page | None = None
        """Lies over the table until it is closed."""
        self.first_page: Page | None = None
        """Stands there before a first game."""
        self.picker = Picker()
        self.status = TableStatus()
        self.motion = RollMotion(is_on=animation)
        self.moments = GreatMoments(is_on=animation)
        self.bell = TurnBell(is_on=bell, on_ring=lambda: state.on_called())
        self.focus = WindowFocus()
        self.write_clipboard: Callable[[str], None] | None = None
        """Set where there is a terminal."""
        self.clock = AnswerClock(clock)
        self.is_long_wait = False
        """Others have been waited for so long that it is said who."""
        self.guard = ReadGuard(state, clock, unread_seconds)
        self.wheel = WheelInKeys(clock, BURST_SECONDS if unread_seconds else 0)
        self.ending: Ending | None = None
        self.last_question: LastQuestion | None = None
        """Stands on the page of the end."""
        self.end_page: Page | None = None
        self._typed = ""
        """The last line that was sent."""

    # -- Display -------------------------------------------------------------------------

    def note_notice(self, notice: Notice) -> None:
        self.status.note_notice(notice)
        if isinstance(notice, Happened):
            self.summary = None
            if self.state.asking is None:  # a reply to what was typed before has been read
                self.prompt.remark = ""
            self.motion.note_events(notice.events)
            self.moments.note_events(notice.events)
            if self.state.pace.speed is Speed.INSTANT:  # nothing stands still then
                self.moments.end()
        if isinstance(notice, Waiting) and notice.decision is not None:
            self.bell.rearm()
        elif isinstance(notice, OwnClock):
            self.clock.note_clock(notice)
        elif isinstance(notice, GameFinished):
            self.page = None

    def note_past(self, notice: Notice, lines: Sequence[str]) -> None:
        self.status.note_past(notice)
        self.log.add(list(lines))

    def note_typed(self, text: str) -> None:
        """The input line has shown it while it was typed; a page names what it answers."""
        self._typed = " ".join(text.split())

    def note_interrupt(self) -> None:
        """Asking whether to leave clears the input line."""

    def forget_typed(self) -> None:
        if self.input.text.strip():
            self.prompt.unused_input = self.input.text
        self.clear_input()

    def put_first_page(self, lines: Sequence[str]) -> None:
        self.first_page = Page(page_title(), list(lines))
        self.page = self.first_page
        self.redraw()

    def put_page(self, title: str, lines: Sequence[str]) -> None:
        self.page = Page(title, list(lines))
        self.redraw()

    def put_news(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        in_sight: set[str] = set()
        if self.state.view is None:
            feed = self.state.feed
            names = feed.audience.interfaces
            in_sight = set(lines_in_panels(feed.lobby, self.status, names))
        new = [line for line in [*lines, *hints] if line not in in_sight]
        self.moments.note_lines(new)
        if self.are_dice_rolling:
            self.log.hold(new)
        else:
            self.log.add(new)
        self.redraw()

    def put_summary(self, title: str, lines: Sequence[str]) -> None:
        self.summary = Summary(title, tuple(lines))

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        asking = self.state.asking
        assert asking is not None
        self.moments.end()
        before_prompt = list(lines[: -len(asking.repeat_prompt())])
        facts = asking.question.facts() if asking.shows_facts else []
        self.prompt.remark = ""
        if facts and before_prompt[: len(facts)] == facts:
            hints = [line for line in before_prompt[len(facts) :] if line != asking.coach]
            self._open_decision(hints)
        elif before_prompt:
            self.prompt.remark = " ".join(before_prompt)
        if self.prompt.unused_input and new:
            self.prompt.remark = _("Typed before the question was there, so not used: {text}",
                                   text=self.prompt.unused_input)  # fmt: skip
        self.prompt.unused_input = ""
        self._restore_question()

    def _open_decision(self, hints: list[str]) -> None:
        """A decision is asked about for the first time; each hint is told once."""
        self.log.add(hints)
        view, asking = self.state.view, self.state.asking
        assert view is not None and asking is not None
        if not isinstance(asking.question.decision, YieldDecision | ResponseDecision):
            self.status.last.forget_blow()
        self.bell.ring(view.game.state.turn)

    def put_reply(self, lines: Sequence[str]) -> None:
        self.prompt.remark = ""
        if len(lines) == 1:
            self.prompt.remark = lines[0]
        elif lines:
            self.page = Page(_("What you asked for: {line}", line=self._typed), list(lines))
        self._restore_question()

    def _restore_question(self) -> None:
        """What is asked stands there again."""
        asking = self.state.asking
        if asking is not None:
            self.prompt.lines = self._list_question(asking)
        self.redraw()

    def _list_question(self, asking: QuestionDialogue) -> list[str]:
        """What has to be answered, and as much of what is told with it as has room."""
        first, *told, last = ["", *asking.repeat_prompt(beside_dice=True)]
        if isinstance(asking.waiting, Propose):
            first, reason = asking.waiting.sentence, asking.waiting.reason
            told = [*([reason] if reason else []), *told[1:]]
        elif asking.shows_facts:
            told = asking.question.facts_beside_dice()
        asked = [line for line in (first, last) if line]
        if isinstance(asking.waiting, Confirm):
            return [*told, *asked]
        told = shorten(told, room_for_facts(self.heading, asked))
        return [*([first] if first else []), *told, last]

    def put_leave_question(self, sentence: str) -> None:
        self.prompt.unused_input = self.prompt.remark = ""
        self.page = None
        self.prompt.lines = [sentence]
        self.redraw()

    def put_threat(self, sentence: str) -> None:
        self.prompt.threat = sentence
        self.redraw()

    def put_waiting(self, sentence: str) -> None:
        self.is_long_wait = True
        self.redraw()

    def put_warning(self, sentence: str) -> None:
        self.prompt.remark = sentence
        self.bell.ring_again()
        self.redraw()

    def clear_waiting(self) -> None:
        self.is_long_wait = False

    def copy_text(self, text: str) -> bool:
        if self.write_clipboard is None:
            return False
        self.write_clipboard(text)
        return True

    async def show_ending(self, ending: Ending) -> bool | None:
        """The end stays on the screen until the player closes it."""
        self.ending = ending
        self.page = None
        self.prompt.remark = ""
        if ending.kind is EndKind.LEFT or not self.state.is_seated:
            return None
        question = self.open_end(ending)
        await question.closed.wait()
        return question.wants_another

    def open_end(self, ending: Ending) -> LastQuestion:
        feed = self.state.feed
        self.ending = ending
        self.last_question = LastQuestion(
            ending, is_person=feed.audience.answers, was_easy=feed.audience.is_easy
        )
        self.page = self.end_page = end_page(ending, feed, self.columns)
        self.forget_typed()
        self.state.prompt_number += 1
        self.redraw()
        return self.last_question

    @property
    def are_dice_rolling(self) -> bool:
        """What they show is told when they lie still, or when the player chooses among them."""
        return self.motion.is_moving and not self.input.text and self.picker.die is None

    # -- what stands there ---------------------------------------------------------------

    @property
    def has_pictures(self) -> bool:
        """In colour only, and where the terminal has half blocks."""
        return self.depth is not Depth.NONE and not theme.signs().levels.isascii()

    @property
    def heading(self) -> str:
        """What this is about, in a few words; also the title of the window."""
        view = self.state.view
        if self.ending is not None:
            return _("The end")
        if self.state.is_leave_asked:
            return _("Leave?")
        if self.state.asking is not None:
            question = self.state.asking.question
            heading = headings.decision_heading(question.view, question.decision)
            if share_screen(question.view):
                return _("{name}: {heading}", name=player_name(question.view, question.view.seat),
                         heading=heading)  # fmt: skip
            return heading
        if self.state.is_reading:
            return page_title()
        if view is None:
            in_lobby = self.state.feed.lobby is not None
            if self.state.feed.audience.solo:
                return _("The game begins")
            if self.state.feed.waits_for_game:
                return _("Waiting for the game")
            return _("Lobby") if in_lobby else _("Looking for the table")
        if view.game.state.turn == 0:
            return _("Who begins?")
        if view.game.state.active == view.seat:
            return _("Your turn")
        return _("{name}'s turn", name=player_name(view, view.game.state.active))

    @property
    def time_left(self) -> str:
        """What is left for the question before the player; empty while others are waited for."""
        is_asked = self.state.asking is not None and not self.state.is_leave_asked
        return self.clock.describe() if is_asked and self.ending is None else ""

    @property
    def seconds_to_change(self) -> float | None:
        """Until something else is to be drawn although nothing happens; None if that never is."""
        return self.clock.seconds_to_change if self.time_left else None

    def _awaited(self) -> str:
        return self.state.awaited() if self.is_long_wait else ""

    def prompt_lines(self) -> list[str]:
        """The text of the prompt's rows."""
        if self.ending is not None:
            return [] if self.last_question is None else [self.last_question.prompt()]
        if self.state.is_reading:
            return [describe_page_prompt()]
        if self.state.is_leave_asked or self.state.asking is not None:
            return self.prompt.lines[-1:] if self.are_dice_rolling else self.prompt.lines
        view = self.state.view
        if view is not None:
            awaited = self._awaited()
            is_behind = self.state.pace.is_behind
            return [
                *([self.prompt.threat] if self.prompt.threat and not self.are_dice_rolling else []),
                *([_("Any key shows the rest at once.")] if is_behind else []),
                *([awaited] if awaited else []),
                *self.state.feed.matters.describe(view),
            ]
        if self.state.feed.lobby is not None:
            return lobby.describe_first_commands(self.state.feed.lobby)
        return []

    # -- what the keys change ------------------------------------------------------------

    def replace_input(self, text: str) -> None:
        self.input.replace(text)

    def clear_input(self) -> None:
        self.input.replace("")
        self.picker = Picker()

    def scroll(self, rows: int) -> None:
        """The wheel moves the open page, or the log: towards the end, or back if negative."""
        if self.page is not None:
            self.page.scroll(rows)
        else:
            self.log.scroll(rows)
        self.redraw()
