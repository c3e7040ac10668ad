"""What the keys of the drawn table do, and which key does what."""

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import trio
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from kotp2p.cli.ask.dialogue import MenuEntry, QuestionDialogue
from kotp2p.cli.ask.question import Adviser, Question, Refuse
from kotp2p.cli.ask.shop import ShopQuestion
from kotp2p.cli.ask.standing_orders import ORDERS_WORD
from kotp2p.cli.text.i18n import _, typed_signs
from kotp2p.cli.ui import player_commands
from kotp2p.cli.ui.line_player import HELP_WORDS, LinePlayer
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.player_commands import UNREAD_SECONDS, describe_early_key
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.cli.ui.screen.draw import draw_key_row, draw_screen
from kotp2p.cli.ui.screen.pages import Page, help_page, list_commands, rules_page
from kotp2p.cli.ui.screen.screen import CARD, DIE, Clock, Picker, Screen, index_of, offered_answers
from kotp2p.cli.ui.screen.theme import Row
from kotp2p.seams.commands import Front


class DrawnTable:
    """The player, the screen, and what the keys do."""

    def __init__(self, player: LinePlayer, screen: Screen) -> None:
        self.player = player
        self._state = player.state
        self.screen = screen
        self.on_second_interrupt: Callable[[], None] = player.leaving.leave_now
        """Runs on the game's side when Ctrl-C comes while it is asked whether to leave."""
        self._jobs: trio.MemorySendChannel[Callable[[], None]]
        self._jobs, self._posted = trio.open_memory_channel(math.inf)

    async def run_jobs(self) -> None:
        async for job in self._posted:
            job()
            self.screen.redraw()

    def post_job(self, job: Callable[[], None]) -> None:
        """Run `job` on the game's side as soon as that side runs."""
        self._jobs.send_nowait(job)

    @property
    def is_behind(self) -> bool:
        """Return whether the screen lags behind the game, and a key would catch up."""
        # Keys that continue a line, or answer the question about leaving, work as usual.
        if self.screen.input.text or self._state.is_leave_asked:
            return False
        return self._state.pace.is_behind

    def jump_to_present(self) -> None:
        self.post_job(self._state.pace.jump)

    def show_look(self) -> None:
        audience = self._state.feed.audience
        lines = player_commands.look_lines(
            self._state.pace, audience.appearance, can_type=audience.can_type
        )
        self.screen.open_page(Page(player_commands.page_title(), lines))

    def accept_key(self) -> bool:
        """Return whether a key that answers counts: a new prompt cannot have been read."""
        if self.screen.guard.accept_key():
            return True
        if self._state.asking is not None or self._state.is_leave_asked:
            self._put_remark(describe_early_key())
        return False

    # -- Face ----------------------------------------------------------------------------

    def draw(self, columns: int, height: int) -> list[Row]:
        return draw_screen(self.screen, columns, height)

    def draw_keys(self, columns: int) -> Row:
        return draw_key_row(self.screen, columns)

    def bind_keys(self, line: Buffer) -> KeyBindings:
        return bind_keys(self, line)

    # -- the line ------------------------------------------------------------------------

    def submit_line(self) -> None:
        screen = self.screen
        text = screen.input.text
        screen.clear_input()
        self.clear_remark()
        if screen.ending is not None:
            self.post_job(partial(self._read_last_line, text))
        elif screen.page is not None and not text.strip():
            self.close_page()
        else:
            screen.page = screen.first_page if self._state.is_reading else None
            self.post_job(partial(self._read_line, text, screen.guard.drawn_prompt))

    def _read_line(self, text: str, prompt_number: int) -> None:
        if text.strip().lower() in HELP_WORDS:
            self.show_help()
        elif prompt_number == self._state.prompt_number or not self._state.is_leave_asked:
            self.player.read_line(text, prompt_number)

    def _read_last_line(self, text: str) -> None:
        """Read a line on the page of the end; close another page on it first."""
        screen = self.screen
        if screen.last_question is None:
            return
        if not text.strip() and screen.page not in (None, screen.end_page):
            self.close_page()
            return
        self._put_remark(screen.last_question.read_line(text))

    def _close_end(self) -> None:
        if self.screen.last_question is not None:
            self.screen.last_question.close()

    def clear_remark(self) -> None:
        self.screen.prompt.remark = ""

    def show_standing_orders(self) -> None:
        if not self._state.is_leave_asked:
            self.post_job(partial(self.player.read_line, ORDERS_WORD))

    # -- leaving -------------------------------------------------------------------------

    def ask_to_leave(self) -> None:
        if not self._close_what_ended() and not self._state.is_leave_asked:
            self.post_job(self.player.leaving.ask_to_leave)

    def interrupt(self) -> None:
        if not self._close_what_ended():
            is_second = self._state.is_leave_asked
            self.post_job(self.on_second_interrupt if is_second else self.player.interrupt)

    def _close_what_ended(self) -> bool:
        """Close the page of the end, or show it; return False if the game goes on."""
        if self.screen.ending is not None:
            self.post_job(self._close_end)
        elif self._state.pace.has_ended:
            self.post_job(self._state.pace.jump)
        else:
            return False
        return True

    # -- pages ---------------------------------------------------------------------------

    def close_page(self) -> None:
        """Handle Esc: close the page, or stay in the game, or else discard the line."""
        # Before a first game this begins it; at the end it switches between page and table.
        if self.screen.ending is not None:
            screen, shown = self.screen, self.screen.page
            screen.page = None if shown is screen.end_page else screen.end_page
        elif self.screen.page is not None:
            was_first = self.screen.page is self.screen.first_page
            self.screen.page = None
            if self._state.is_reading and was_first:
                self.post_job(partial(self.player.read_line, ""))
            elif self._state.is_reading:
                self.screen.page = self.screen.first_page
        elif self._state.is_leave_asked:
            self.post_job(self._stay)
        else:
            self.screen.clear_input()
            self.clear_remark()
        self.screen.redraw()

    def _stay(self) -> None:
        """Stay, as Enter on an empty line does where it is asked whether to leave."""
        if self._state.is_leave_asked:
            self.screen.clear_input()
            self.player.read_line("")

    def show_help(self) -> None:
        found = help_page(self._state.feed, self._state.asking)
        page = self.screen.page
        if page is not None and page.title == found.title:
            found = rules_page(self._state.feed)
        self.screen.open_page(found)

    # -- picking ---------------------------------------------------------------------------

    def pick_answer(self, step: int) -> None:
        answers: list[MenuEntry] = []
        if self.screen.last_question is not None:
            self._choose(self.screen.last_question.offered(), step)
            return
        if not self.screen.picker.picks_commands:
            answers = offered_answers(self._state.asking, is_leave_asked=self._state.is_leave_asked)
        self._choose(answers or self._list_commands(), step)

    def pick_command(self) -> None:
        if self.screen.last_question is not None:
            return  # no command is read any more
        if not self.screen.picker.picks_commands:
            self.screen.picker = Picker(picks_commands=True)
        self._choose(self._list_commands(), 1)

    def _list_commands(self) -> list[MenuEntry]:
        return list_commands(self._state.feed)

    def _choose(self, offered: list[MenuEntry], step: int) -> None:
        way = self.screen.picker.step(offered, step)
        if way is not None:
            self.screen.replace_input(way.line)
            label = way.label
            if self.screen.picker.picks_commands:
                label = _("{label} (Enter does it, F6 names the next)", label=label)
            self._put_remark(label)
        else:
            self.screen.redraw()

    def move_cursor(self, step: int) -> bool:
        text = self.screen.input.text
        has_moved = self.screen.picker.move_cursor(self._dice_question, text, step)
        self.screen.redraw()
        return has_moved

    def toggle_die(self) -> bool:
        """Handle Space: keep this die, or not; return False if no die is picked."""
        screen = self.screen
        text = screen.picker.toggle_die(self._dice_question, screen.input.text)
        if text is None:
            return False
        screen.replace_input(text)
        screen.redraw()
        return True

    # -- the mouse -------------------------------------------------------------------------

    def click(self, mark: str) -> None:
        """Handle a click on a mark: toggle a die, or put a card on the line for Enter to buy."""
        die, card = index_of(mark, DIE), index_of(mark, CARD)
        if (die is None and card is None) or self.screen.page is not None:
            return
        if self.is_behind:
            self.jump_to_present()
        elif self.accept_key() and die is not None:
            self.screen.picker.point_at(die)
            self.toggle_die()
        elif card is not None and self._dice_question is not None:
            self._choose_card(self._dice_question.question, card)

    def _choose_card(self, question: Question[Any, Any], card: int) -> None:
        if not isinstance(question, ShopQuestion):
            return
        line = question.line_for_place(card)
        reply = question.reply(line)
        if isinstance(reply, Refuse):
            self._put_remark(reply.sentence)
        else:
            self.screen.replace_input(line)
            self._put_remark(question.label(reply.answer))

    @property
    def _dice_question(self) -> QuestionDialogue | None:
        return None if self._state.is_leave_asked else self._state.asking

    def _put_remark(self, sentence: str) -> None:
        self.screen.prompt.remark = sentence
        self.screen.redraw()


# -- the keys of the table, and the method of `DrawnTable` that each calls -------------------
#
# Which key does what. No key that is needed to play is a letter: digits, arrows, Space, Enter,
# Esc and function keys reach everything, whatever keyboard is in use.


MAX_INPUT_SIGNS = 200
KEYS_THAT_NEVER_WAIT = (
    Keys.F5, Keys.F10, Keys.ControlC, Keys.ControlD, Keys.ControlZ, Keys.ControlL,
)  # fmt: skip
KEYS_OF_A_PAGE = (Keys.Escape, Keys.PageUp, Keys.PageDown)
NO_KEYS = (
    Keys.CPRResponse, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.Ignore, Keys.SIGINT,
)  # fmt: skip
"""Names that prompt_toolkit has for events that are no key presses."""


def bind_keys(table: DrawnTable, line: Buffer) -> KeyBindings:
    keys = KeyBindings()
    _bind_at_any_time(keys, table)
    _bind_when_read(keys, table, line)
    _bind_cursor(keys, table, line)
    _bind_jump(keys, table)
    return keys


def _bind_at_any_time(keys: KeyBindings, table: DrawnTable) -> None:
    """Bind the keys that answer nothing, and so count at any time."""
    at_any_time: dict[str, Callable[[], None]] = {
        "escape": table.close_page,
        "f1": table.show_help,
        "f2": lambda: table.screen.show_cards(),
        "f3": lambda: table.screen.show_log(),
        "f4": table.show_standing_orders,
        "f5": table.show_look,
        "f10": table.ask_to_leave,
        "pageup": lambda: table.screen.turn_pages(-1),
        "pagedown": lambda: table.screen.turn_pages(1),
    }
    for key, method in at_any_time.items():
        keys.add(key, eager=True)(_handler(method))

    @keys.add("c-c", eager=True)
    @keys.add("c-d", eager=True)
    def _interrupt(event: KeyPressEvent) -> None:
        table.interrupt()

    bind_terminal_keys(keys)


def bind_terminal_keys(keys: KeyBindings) -> None:
    @keys.add("c-z", eager=True)
    def _suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-l", eager=True)
    def _redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()


def _bind_when_read(keys: KeyBindings, table: DrawnTable, line: Buffer) -> None:
    """Bind the keys that answer: they count once the question could be read."""
    when_read: dict[str, Callable[[], None]] = {
        "enter": table.submit_line,
        "up": lambda: table.pick_answer(-1),
        "down": lambda: table.pick_answer(1),
        "f6": table.pick_command,
    }
    for key, method in when_read.items():
        keys.add(key, eager=True)(_handler(method, table.accept_key))

    @keys.add(" ", eager=True)
    def _space(event: KeyPressEvent) -> None:
        if table.accept_key() and not table.toggle_die():
            insert_text(line, " ")

    @keys.add(Keys.Any)
    def _sign(event: KeyPressEvent) -> None:
        if typed_signs(event.data) and table.accept_key():
            table.clear_remark()
            insert_text(line, event.data)

    @keys.add(Keys.BracketedPaste, eager=True)
    def _paste(event: KeyPressEvent) -> None:
        if table.accept_key():
            insert_text(line, "".join(event.data.splitlines()[:1]))


def _bind_cursor(keys: KeyBindings, table: DrawnTable, line: Buffer) -> None:

    @keys.add("left", eager=True)
    def _left(event: KeyPressEvent) -> None:
        if not table.move_cursor(-1):
            line.cursor_left()

    @keys.add("right", eager=True)
    def _right(event: KeyPressEvent) -> None:
        if not table.move_cursor(1):
            line.cursor_right()


def _bind_jump(keys: KeyBindings, table: DrawnTable) -> None:
    """Bind all other keys to catch up while the screen lags behind; call this last."""
    is_behind = Condition(lambda: table.is_behind)
    is_table_in_sight = Condition(lambda: table.screen.page is None)
    jump = _handler(table.jump_to_present)
    for key in [*Keys, " "]:
        if key in KEYS_OF_A_PAGE:
            keys.add(key, filter=is_behind & is_table_in_sight, eager=True)(jump)
        elif key not in (*KEYS_THAT_NEVER_WAIT, *NO_KEYS):
            keys.add(key, filter=is_behind, eager=True)(jump)


def insert_text(line: Buffer, text: str) -> None:
    line.insert_text(typed_signs(text)[: max(0, MAX_INPUT_SIGNS - len(line.text))])


def _handler(
    method: Callable[[], None], is_allowed: Callable[[], bool] = lambda: True
) -> Callable[[KeyPressEvent], None]:
    def handle(event: KeyPressEvent) -> None:
        if is_allowed():
            method()

    return handle


# -- the player, the screen and the keys, put together -------------------------------------


def seat_screen_player(
    adviser: Adviser,
    bot: Front | None = None,
    audience: Audience | None = None,
    *,
    bell: bool = True,
    animation: bool = False,
    unread_seconds: float = UNREAD_SECONDS,
    clock: Clock = time.monotonic,
    keys_are_words: bool = False,
) -> DrawnTable:
    state = PlayerState(NoticeFeed(audience or Audience(answers=bot is None)))
    screen = Screen(
        state,
        bell=bell,
        animation=animation,
        unread_seconds=unread_seconds,
        clock=clock,
        keys_are_words=keys_are_words,
    )
    return DrawnTable(LinePlayer(state, screen, adviser, bot, unread_seconds), screen)
