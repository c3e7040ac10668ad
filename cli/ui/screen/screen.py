"""The drawn table: a display whose player sees everything at once."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output

from kotp2p.cli.ask.dialogue import MenuEntry, QuestionDialogue, list_answers
from kotp2p.cli.ask.dice import spell_out_faces
from kotp2p.cli.ask.question import Confirm, Propose
from kotp2p.cli.system.options import Depth, Speed
from kotp2p.cli.text import lobby
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.names import FACE_OF_LETTER, player_name
from kotp2p.cli.text.notices import describe_time_left
from kotp2p.cli.text.queries import MAX_KEPT_LINES
from kotp2p.cli.text.typed_words import YES, letter_of_face, own_letter_of_face
from kotp2p.cli.ui.line_player import WARNING_SECONDS
from kotp2p.cli.ui.notice_feed import share_screen
from kotp2p.cli.ui.player_commands import UNREAD_SECONDS, LastQuestion
from kotp2p.cli.ui.player_state import Display, PlayerState, describe_page_prompt, page_title
from kotp2p.cli.ui.screen import table_status, theme
from kotp2p.cli.ui.screen.pages import Page, cards_page, end_page
from kotp2p.cli.ui.screen.panels import GreatMoments, RollMotion
from kotp2p.cli.ui.screen.theme import LogRow, Row, list_log_rows
from kotp2p.referee.model.answers import Face, Reroll, Stop
from kotp2p.referee.model.decisions import RollDecision
from kotp2p.seams import notices
from kotp2p.seams.endings import Ending, EndKind


class Screen(Display):
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
        """Set up; with `keys_are_words` the terminal may take some function keys."""
        self.state = state
        self.keys_are_words = keys_are_words
        self.redraw: Callable[[], None] = lambda: None
        self.columns = 80
        self.depth = Depth.NONE
        self.input = InputLine()
        self.log = LogPane()
        self.prompt = PromptPane()
        self.page: Page | None = None
        self.first_page: Page | None = None
        self.picker = Picker()
        self.status = table_status.TableStatus()
        self.motion = RollMotion(is_on=animation)
        self.moments = GreatMoments(is_on=animation)
        self.bell = TurnBell(is_on=bell, on_ring=lambda: state.on_called())
        self.focus = WindowFocus()
        self.write_clipboard: Callable[[str], None] | None = None
        """Set where there is a terminal."""
        self.clock = AnswerClock(clock)
        self.is_long_wait = False
        """Whether others keep the table waiting for so long that they are named."""
        self.guard = ReadGuard(state, clock, unread_seconds)
        self.ending: Ending | None = None
        self.last_question: LastQuestion | None = None
        self.end_page: Page | None = None
        self._typed = ""

    # -- Display -------------------------------------------------------------------------

    def note_notice(self, notice: notices.Notice) -> None:
        self.status.note_notice(notice)
        if isinstance(notice, notices.Happened):
            if self.state.asking is None:  # a reply to what was typed before has been read
                self.prompt.remark = ""
            self.motion.note_events(notice.events)
            self.moments.note_events(notice.events)
            if self.state.pace.speed is Speed.INSTANT:  # nothing pauses then
                self.moments.end()
        if isinstance(notice, notices.Waiting) and notice.decision is not None:
            self.bell.rearm()
        elif isinstance(notice, notices.OwnClock):
            self.clock.note_clock(notice)
        elif isinstance(notice, notices.LobbyChanged):
            self._ask_about_start_anew(notice)
        elif isinstance(notice, notices.GameStarted):
            self._close_page_of_guest()
        elif isinstance(notice, notices.GameFinished):
            self.page = None

    def _ask_about_start_anew(self, new: notices.LobbyChanged) -> None:
        """Bring the question who is not ready, if it stands there, up to the lobby."""
        before = lobby.list_unready(self.state.feed.lobby or new)
        if self.prompt.remark == lobby.describe_unready(before):
            unready = lobby.list_unready(new)
            self.prompt.remark = lobby.describe_unready(unready) if unready else ""

    def _close_page_of_guest(self) -> None:
        """Close the page before a first game, which the host has not waited for."""
        is_open = self.page is not None and self.page.title == page_title()
        if is_open and not self.state.is_reading:
            self.page = None

    def note_past(self, notice: notices.Notice, lines: Sequence[str]) -> None:
        self.status.note_past(notice)
        self.log.add(list(lines))

    def note_typed(self, text: str) -> None:
        self._typed = " ".join(text.split())

    def forget_typed(self) -> None:
        if self.input.text.strip():
            self.prompt.unused_input = self.input.text
        self.clear_input()

    def put_first_page(self, lines: Sequence[str]) -> None:
        self.first_page = Page(page_title(), list(lines))
        self.page = self.first_page
        self.redraw()

    def put_page(self, title: str, lines: Sequence[str]) -> None:
        self.open_page(Page(title, list(lines)))

    def put_news(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        in_sight: set[str] = set()
        if self.state.view is None:
            feed = self.state.feed
            names = feed.audience.interfaces
            in_sight = set(table_status.lines_in_panels(feed.lobby, self.status, names))
        new = [line for line in [*lines, *hints] if line not in in_sight]
        self.moments.note_lines(new)
        if self.are_dice_rolling:
            self.log.hold(new)
        else:
            self.log.add(new)
        self.redraw()

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
        """Show a decision that is asked for the first time, with its hints."""
        self.log.add(hints)
        view = self.state.view
        assert view is not None  # a decision is of a game
        self.bell.ring(view.game.state.turn)

    def put_reply(self, lines: Sequence[str]) -> None:
        self.prompt.remark = ""
        if len(lines) == 1:
            self.prompt.remark = lines[0]
        elif lines:
            self.page = Page(_("What you asked for: {line}", line=self._typed), list(lines))
        self._restore_question()

    def _restore_question(self) -> None:
        asking = self.state.asking
        if asking is not None:
            self.prompt.lines = self._list_question(asking)
        self.redraw()

    def _list_question(self, asking: QuestionDialogue) -> list[str]:
        first, *told, last = ["", *asking.repeat_prompt(beside_dice=True)]
        reasons: list[str] = []
        if isinstance(asking.waiting, Propose):
            first, told = asking.waiting.sentence, told[1:]
            reasons = [asking.waiting.reason] if asking.waiting.reason else []
        elif asking.shows_facts:
            told = asking.question.facts_beside_dice()
        asked = [line for line in (first, last) if line]
        if isinstance(asking.waiting, Confirm):
            return [*told, *asked]
        room = table_status.room_for_facts(self.heading, asked)
        reasons = table_status.shorten(reasons, room)
        told = table_status.shorten(told, room - sum(map(table_status.count_words, reasons)))
        return [*([first] if first else []), *reasons, *told, last]

    def put_leave_question(self, sentence: str) -> None:
        self.prompt.unused_input = self.prompt.remark = ""
        self.page = None
        self.prompt.lines = [sentence]
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
        return self.motion.is_moving and not self.input.text and self.picker.die is None

    # -- what the screen shows -----------------------------------------------------------

    @property
    def has_pictures(self) -> bool:
        """Return whether there are colours and half blocks for pictures."""
        return self.depth is not Depth.NONE and not theme.signs().levels.isascii()

    @property
    def heading(self) -> str:
        """Return the subject in a few words; also the title of the window."""
        view = self.state.view
        if self.ending is not None:
            return _("The end")
        if self.state.is_leave_asked:
            return _("Leave?")
        if self.state.asking is not None:
            question = self.state.asking.question
            heading = question.heading()
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
        is_asked = self.state.asking is not None and not self.state.is_leave_asked
        return self.clock.describe() if is_asked and self.ending is None else ""

    @property
    def seconds_to_change(self) -> float | None:
        left = self.clock.seconds_to_change if self.time_left else None
        if self.status.quiet_since:  # it is shown for how long nothing has come
            return 1.0 if left is None else min(1.0, left)
        return left

    def prompt_lines(self) -> list[str]:
        if self.ending is not None:
            return [] if self.last_question is None else [self.last_question.prompt()]
        if self.state.is_reading:
            return [describe_page_prompt()]
        if self.state.is_leave_asked or self.state.asking is not None:
            return self.prompt.lines[-1:] if self.are_dice_rolling else self.prompt.lines
        view = self.state.view
        if view is not None:
            awaited = self.state.awaited() if self.is_long_wait else ""
            is_behind = self.state.pace.is_behind
            return [
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

    def open_page(self, page: Page | None) -> None:
        self.page = page
        self.redraw()

    def show_cards(self) -> None:
        if self.state.view is not None:
            self.open_page(cards_page(self.state.view))

    def show_log(self) -> None:
        self.open_page(Page(_("Log"), list(self.log.lines), at_end=True))

    def turn_pages(self, pages: int) -> None:
        (self.log if self.page is None else self.page).turn(pages)
        self.redraw()

    def scroll(self, rows: int) -> None:
        (self.log if self.page is None else self.page).scroll(rows)
        self.redraw()


# -- the parts of the drawn table that keep text: the input line, the log, the prompt ------


@dataclass
class InputLine:
    text: str = ""
    """The text on the line; the stage keeps it up to date while the player types."""
    on_replaced: Callable[[str], None] = lambda text: None
    """Puts a text on the line of the terminal."""

    def replace(self, text: str) -> None:
        self.text = text
        self.on_replaced(text)


@dataclass
class LogPane:
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_KEPT_LINES))
    rows_below: int = 0
    """Rows of the log below the window; 0 while its end is shown."""
    columns: int = 80
    """The width of the log when it was last drawn."""
    height: int = 1

    held: int = 0
    """The number of last lines that are held back while the dice that they describe still roll."""

    def hold(self, lines: Sequence[str]) -> None:
        self.add(lines)
        self.held += len(lines)

    def release(self) -> None:
        self.held = 0

    def add(self, lines: Sequence[str]) -> None:
        self.lines.extend(lines)
        if self.rows_below:  # a reader further up goes on reading there
            self.rows_below += sum(len(list_log_rows(line, self.columns)) for line in lines)

    def turn(self, pages: int) -> None:
        self.scroll(pages * max(1, self.height - 1))

    def scroll(self, rows: int) -> None:
        self.rows_below = max(0, self.rows_below - rows)

    def visible_rows(self, columns: int, height: int) -> list[LogRow]:
        self.columns, self.height = columns, height
        rows: list[LogRow] = []
        wanted = height + self.rows_below
        shown = list(self.lines)[: len(self.lines) - self.held]
        for line in reversed(shown):
            rows = [*list_log_rows(line, columns), *rows]
            if len(rows) >= wanted:
                break
        self.rows_below = max(0, min(self.rows_below, len(rows) - height))
        end = len(rows) - self.rows_below
        found = rows[max(0, end - height) : end]
        while not self.rows_below and found and not found[0].is_first:
            found = found[1:]  # no log begins in the middle of a sentence
        return found


@dataclass
class PromptPane:
    lines: list[str] = field(default_factory=list)
    remark: str = ""
    """A sentence: why something was refused, or what the picked answer does."""
    unused_input: str = ""
    """The text on the input line when a new prompt came."""


# -- timing --------------------------------------------------------------------------------


Clock = Callable[[], float]


class AnswerClock:
    """The rest of the player's time, as the peer counts it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: notices.OwnClock | None = None
        self._told_at = 0.0

    def note_clock(self, told: notices.OwnClock) -> None:
        self._told, self._told_at = told, self._clock()

    def describe(self) -> str:
        told = self._told
        if told is None:
            return ""
        return describe_time_left(self._seconds_left(told), told.limit)

    @property
    def is_urgent(self) -> bool:
        told = self._told
        return told is not None and self._seconds_left(told) <= WARNING_SECONDS

    @property
    def seconds_to_change(self) -> float | None:
        """Return the seconds until the description changes, or None if it does not."""
        told = self._told
        if told is None:
            return None
        left = self._seconds_left(told)
        return left - math.ceil(left) + 1 if left > 0 else None

    def _seconds_left(self, told: notices.OwnClock) -> float:
        passed = self._clock() - self._told_at
        return told.seconds_left - passed


class ReadGuard:
    """A guard that accepts a key only for a prompt that has been visible for a moment."""

    def __init__(self, state: PlayerState, clock: Clock, unread_seconds: float) -> None:
        self._state = state
        self._clock = clock
        self._unread_seconds = unread_seconds
        self.drawn_prompt = 0
        self._quiet_since = -math.inf
        """The time when it was drawn, or of the last key that was too early."""

    @property
    def is_prompt_drawn(self) -> bool:
        return self.drawn_prompt == self._state.prompt_number

    def note_drawn(self) -> None:
        """Record that the terminal now shows the whole screen."""
        if not self.is_prompt_drawn:
            self.drawn_prompt = self._state.prompt_number
            self._quiet_since = self._clock()

    def accept_key(self) -> bool:
        """Return whether the prompt can have been read; a burst that is too early is refused."""
        now = self._clock()
        if self.is_prompt_drawn and now - self._quiet_since >= self._unread_seconds:
            return True
        self._quiet_since = now
        return False


class TurnBell:
    def __init__(self, *, is_on: bool, on_ring: Callable[[], None] = lambda: None) -> None:
        """Set up; `on_ring` is called for each ring, also without a sound."""
        self._is_on = is_on
        self._on_ring = on_ring
        self._rung_in_turn: int | None = None
        self._unrung = 0

    def ring(self, turn: int) -> None:
        if turn != self._rung_in_turn:
            self._rung_in_turn = turn
            self.ring_again()

    def ring_again(self) -> None:
        self._unrung += self._is_on
        self._on_ring()

    def rearm(self) -> None:
        self._rung_in_turn = None

    def take_ring(self) -> bool:
        """Return whether the bell must ring now; several rings at once are one."""
        is_due = self._unrung > 0
        self._unrung = 0
        return is_due


# -- answering without letters: arrows pick among the answers, and dice one by one ---------
#
# Picking writes the line that could have been typed (`cli.ask.dialogue`), and Enter then sends the
# line. Nothing is answered by picking alone.


@dataclass
class Picker:
    picks_commands: bool = False
    chosen: int | None = None
    """The index of the chosen answer in the list that is offered."""
    die: int | None = None
    held: list[bool] | None = None

    def step(self, offered: Sequence[MenuEntry], step: int) -> MenuEntry | None:
        if not offered:
            return None
        if self.chosen is None or self.chosen >= len(offered):
            self.chosen = 0 if step > 0 else len(offered) - 1
        else:
            self.chosen = (self.chosen + step) % len(offered)
        return offered[self.chosen]

    def move_cursor(self, asking: QuestionDialogue | None, text: str, step: int) -> bool:
        """Move to another die; return False if there are none to pick from."""
        dice = keepable_dice(asking)
        if not dice or self.kept_dice(text, dice) is None:
            return False
        if self.die is None:
            self.die = 0 if step > 0 else len(dice) - 1
        else:
            self.die = (self.die + step) % len(dice)
        return True

    def point_at(self, die: int) -> None:
        self.die = die

    def toggle_die(self, asking: QuestionDialogue | None, text: str) -> str | None:
        dice = keepable_dice(asking)
        held = self.kept_dice(text, dice)
        if held is None or self.die is None or self.die >= len(dice):
            return None
        held[self.die] = not held[self.die]
        self.held = held
        kept = (face for face, is_kept in zip(dice, held, strict=True) if is_kept)
        return "".join(own_letter_of_face(face) for face in kept)

    def kept_dice(self, text: str, dice: list[Face]) -> list[bool] | None:
        """Return which dice a line keeps, the picked ones if they fit; None without faces."""
        signs = [sign for sign in spell_out_faces(text, dice) if sign not in " ,"]
        if any(sign not in FACE_OF_LETTER for sign in signs):
            return None
        wanted = Counter(FACE_OF_LETTER[sign] for sign in signs)
        if self.held is not None and len(self.held) == len(dice):
            picked = Counter(face for face, held in zip(dice, self.held, strict=True) if held)
            if picked == wanted:
                return list(self.held)
        held = []
        for face in dice:
            held.append(wanted[face] > 0)
            wanted[face] -= held[-1]
        return held


def shown_as_kept(
    picker: Picker, asking: QuestionDialogue | None, text: str, dice: list[Face]
) -> list[bool] | None:
    if asking is None or text.strip() or not isinstance(asking.waiting, Propose):
        return picker.kept_dice(text, dice)
    match asking.waiting.answer:
        case Reroll(dice=rolled):
            shown = asking.question.dice()
            kept = [face for at, face in enumerate(shown) if at not in rolled]
            return picker.kept_dice("".join(letter_of_face(face) for face in kept), dice)
        case Stop():
            return [True] * len(dice)
        case _:  # a card, which keeps no dice
            return picker.kept_dice(text, dice)


def offered_answers(asking: QuestionDialogue | None, *, is_leave_asked: bool) -> list[MenuEntry]:
    if is_leave_asked:
        return [MenuEntry(YES.translations[0], _("leave"))]
    return [] if asking is None else list_answers(asking)


def keepable_dice(asking: QuestionDialogue | None) -> list[Face]:
    if asking is None or isinstance(asking.waiting, Confirm):
        return []
    decision = asking.question.decision
    if not isinstance(decision, RollDecision) or not decision.rolls_left:
        return []
    return sorted(decision.dice)


# -- mouse ---------------------------------------------------------------------------------
#
# A part of a row that can be clicked has a mark among the names of its style, such as `face heart
# at-die-2`, so that no drawing has to be measured.


DIE = "at-die-"
CARD = "at-card-"
ROWS_OF_A_NOTCH = 3


def mark_row(row: Row, mark: str) -> Row:
    return [(f"{style} {mark}", text) for style, text in row]


def mark_at(rows: Sequence[Row], row: int, sign: int) -> str:
    """Return the mark at a position, or an empty string if it cannot be clicked."""
    if not 0 <= row < len(rows):
        return ""
    for style, text in rows[row]:
        if sign < len(text):
            return next((name for name in style.split() if name.startswith((DIE, CARD))), "")
        sign -= len(text)
    return ""


def index_of(mark: str, kind: str) -> int | None:
    return int(mark.removeprefix(kind)) if mark.startswith(kind) else None


# -- whether the window of the terminal is in front, as the terminal reports it ------------
#
# Focus reporting (DECSET 1004) is switched on and off together with bracketed paste, which
# prompt_toolkit switches off whenever it gives the terminal back: at the end, after an error, and
# before Ctrl-Z stops the process. What the terminal reports arrives as a key.


REPORTING_ON, REPORTING_OFF = "\x1b[?1004h", "\x1b[?1004l"
REPORTS = {"\x1b[I": True, "\x1b[O": False}
"""What the terminal sends when its window comes to the front, and when it leaves it."""


class WindowFocus:
    def __init__(self) -> None:
        self.in_front: bool | None = None
        """Whether the window is in front; None until the terminal reports it. Many never do."""

    def bind_reports(self, keys: KeyBindings) -> None:
        for report in REPORTS:
            ANSI_SEQUENCES.setdefault(report, Keys.Ignore)

        @keys.add(Keys.Ignore, eager=True)
        def _note(event: KeyPressEvent) -> None:
            self.in_front = REPORTS.get(event.data, self.in_front)


def ask_for_reports(output: Output) -> None:
    """Let `output` ask the terminal for reports as long as it asks for bracketed paste."""
    if not isinstance(output, Vt100_Output):
        return
    enable, disable = output.enable_bracketed_paste, output.disable_bracketed_paste

    def enable_both() -> None:
        enable()
        output.write_raw(REPORTING_ON)

    def disable_both() -> None:
        output.write_raw(REPORTING_OFF)
        disable()

    output.enable_bracketed_paste = enable_both  # type: ignore[method-assign]
    output.disable_bracketed_paste = disable_both  # type: ignore[method-assign]
