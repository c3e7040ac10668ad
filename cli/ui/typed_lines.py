"""What a typed line means: readers in order, and the first that takes a line does it.

Scope: this is the only place that knows both what is asked and what was typed. Commands of the
table and of the lobby come before the answer to a question, since they are understood at any time.
Not here: the sentences (`cli.text`), and how a question reads its answer (`cli.ask`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from kotp2p.cli.ask.dialogue import QuestionDialogue
from kotp2p.cli.ask.question import Confirm, Propose, Refuse
from kotp2p.cli.ask.standing_orders import ORDERS_WORD, OrderKeeper
from kotp2p.cli.text import queries, typed_words
from kotp2p.cli.text.how_to_join import best_command, describe_code_help, describe_copy
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.names import is_alone
from kotp2p.cli.text.queries import SINCE_WORD
from kotp2p.cli.text.rulebook import RULES_WORD, answer_rules
from kotp2p.cli.text.typed_words import COMMANDS, plain_first_word, words_in_english
from kotp2p.cli.ui import notice_feed, player_commands
from kotp2p.cli.ui.player_state import Display, PlayerState, describe_way_on
from kotp2p.referee.box.rulesets import SECOND

HELP_WORDS = ("?", "help")
GAME_WORDS = (*queries.QUERY_WORDS, *notice_feed.WORDS)
LOBBY_WORDS = tuple(command.word for command in player_commands.LOBBY_COMMANDS)
WORDS_ANYWHERE = (
    *player_commands.LEAVE_WORDS,
    "help",
    RULES_WORD,
    queries.SAY_WORD,
    ORDERS_WORD,
    player_commands.COACH_WORD,
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


LineReader: TypeAlias = Callable[[TypedLine], bool]
"""Does what a line says and returns True; or returns False, and the next reader gets it."""


class TypedLines:
    def __init__(
        self,
        state: PlayerState,
        display: Display,
        prompts: player_commands.Prompts,
        leaving: player_commands.LeavingSeat,
        standing: OrderKeeper,
        coaching: player_commands.Coaching,
        second_enter: player_commands.SecondEnter,
    ) -> None:
        self._state = state
        self._display = display
        self._prompts = prompts
        self._leaving = leaving
        self._standing = standing
        self._coaching = coaching
        self._second_enter = second_enter
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
            if read(line):
                return

    def _read_leave_answer(self, line: TypedLine) -> bool:
        if not self._state.is_leave_asked:
            return False
        self._leaving.read_answer(line.word)
        return True

    def _read_leave(self, line: TypedLine) -> bool:
        asking = self._state.asking
        if line.word not in player_commands.LEAVE_WORDS or (
            asking is not None and asking.claims(line.word)
        ):
            return False
        self._leaving.ask_to_leave()
        return True

    def _read_chat(self, line: TypedLine) -> bool:
        words = queries.chat_text(line.text)
        control = self._state.control
        if not words or control is None or not self._state.is_seated:
            return False
        control.say(words)
        return True

    def _read_help(self, line: TypedLine) -> bool:
        """Answer a request for help in a game; the lobby has a command for it."""
        view = self._state.view
        if line.word not in HELP_WORDS or view is None:
            return False
        asking = self._state.asking
        about_question = asking.help_lines() if asking is not None else []
        self._display.put_reply([*about_question, *queries.help_lines(view)])
        return True

    def _read_query(self, line: TypedLine) -> bool:
        found = self._state.feed.desk.answer_query(line.text)
        if found is None:
            return False
        self._display.put_reply(found)
        return True

    def _read_rules(self, line: TypedLine) -> bool:
        feed = self._state.feed
        found = answer_rules(line.text, feed.rules or SECOND, feed.options)
        if found is None:
            return False
        self._display.put_reply(found)
        return True

    def _read_coach(self, line: TypedLine) -> bool:
        reply = self._coaching.read_line(line.text) if self._state.feed.audience.answers else []
        if not reply:
            return False
        asking = self._state.asking
        if asking is not None:
            asking.coach = self._coaching.speak(asking.question)
        self._display.put_reply(reply)
        return True

    def _read_speed(self, line: TypedLine) -> bool:
        can_type = self._state.feed.audience.can_type
        reply = player_commands.answer_speed(line.text, self._state.pace, can_type=can_type)
        if reply is None:
            return False
        self._display.put_reply(reply)
        return True

    def _read_look(self, line: TypedLine) -> bool:
        asking = self._state.asking
        if line.word != player_commands.LOOK_WORD or (
            asking is not None and asking.claims(line.word)
        ):
            return False
        audience = self._state.feed.audience
        lines = player_commands.look_lines(
            self._state.pace, audience.appearance, can_type=audience.can_type
        )
        self._display.put_reply(lines)
        return True

    def _read_since(self, line: TypedLine) -> bool:
        view, since = self._state.view, self._state.feed.since
        if line.word != SINCE_WORD or view is None:
            return False
        title = _("Since your last turn") if since.has_had_turn else _("Since the start")
        lines = since.describe(view)
        self._display.put_reply(
            [_("{title}:", title=title), *lines] if lines else [_("Nothing has changed.")]
        )
        return True

    def _read_standing_order(self, line: TypedLine) -> bool:
        if not self._state.feed.audience.answers:
            return False
        ordered = self._standing.read_line(line.text)
        if not ordered:
            return False
        self._display.put_reply(ordered)
        return True

    def _read_table_command(self, line: TypedLine) -> bool:
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
            reply: list[str] | None = [_("You only watch, so the players decide about that.")]
        else:
            reply = matters.do_command(text, view, control)
        if reply is None:
            return False
        self._display.put_reply(reply)
        return True

    def _read_stale(self, line: TypedLine) -> bool:
        if line.prompt_number in (None, self._state.prompt_number):
            return False
        self._display.put_reply(
            [_("Typed before the question was there, so not used: {text}", text=line.text)]
        )
        return True

    def _read_first_page(self, line: TypedLine) -> bool:
        """Begin the game on an empty line; explain that on any other."""
        if not self._state.is_reading:
            return False
        if line.word:
            self._display.put_reply([describe_way_on()])
        else:
            self._state.close_page()
        return True

    def _read_known_word(self, line: TypedLine) -> bool:
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
        self._display.put_reply([sentence])
        return True

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

    def _read_answer(self, line: TypedLine) -> bool:
        asking = self._state.asking
        if asking is None:
            return False
        is_second = isinstance(asking.waiting, Propose) and not line.word
        if not is_second or line.prompt_number is None:
            self._put_answer(asking, line.text)
        elif not self._second_enter.press(partial(self._put_answer, asking, "")):
            self._display.put_reply([player_commands.describe_early_key()])
        return True

    def _put_answer(self, asking: QuestionDialogue, text: str) -> None:
        before = (asking.waiting, asking.veil)
        lines = asking.read_line(text)
        if asking.answer is not None:
            self._state.close_question()
        else:
            # A sub-question is a new prompt: what was typed ahead does not confirm it.
            is_new = (asking.waiting, asking.veil) != before
            self._prompts.put_question(lines, new=is_new)
            if isinstance(asking.waiting, Propose):
                self._second_enter.note_proposal()

    def _read_unasked(self, line: TypedLine) -> bool:
        view = self._state.view
        if view is None:
            return False
        unasked = _("Nothing is asked of you now; ? shows what you can type.")
        if " " in line.text.strip() and not is_alone(view):
            unasked = _("Nothing is asked of you now. Type say before that: all will read it.")
        self._display.put_reply([unasked] if line.word else [])
        return True

    def _read_copy(self, line: TypedLine) -> bool:
        feed = self._state.feed
        if line.word != player_commands.COPY.word or feed.opened is None:
            return False
        command = best_command(feed.opened, feed.audience.interfaces)
        is_copied = self._display.copy_text(command)
        self._display.put_reply([describe_copy(command, is_copied=is_copied)])
        return True

    def _read_lobby_command(self, line: TypedLine) -> bool:
        lobby, control = self._state.feed.lobby, self._state.control
        if lobby is None or control is None:
            return False
        reply = player_commands.do_command(line.text, lobby, control, self._start)
        code = self._state.feed.code
        if line.word in HELP_WORDS and code is not None:
            reply = [*reply, describe_code_help(code)]
        self._display.put_reply(reply)
        return True
