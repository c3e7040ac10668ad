"""The plain line mode: a display that only ever adds lines."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import trio

from kotp2p.cli.ask.dialogue import QuestionDialogue
from kotp2p.cli.ask.question import Adviser
from kotp2p.cli.system.output import Output
from kotp2p.cli.system.terminal import clipboard_sequence
from kotp2p.cli.text.i18n import _, line_width, typed_signs
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.player_commands import LastQuestion
from kotp2p.cli.ui.player_state import Display, PlayerState, describe_page_prompt
from kotp2p.seams.commands import Front
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.store.files import read_stdin


class PlainDisplay(Display):
    def __init__(
        self, state: PlayerState, output: Output, forget_typed: Callable[[], None] = lambda: None
    ) -> None:
        self.output = output
        self._state = state
        self._forget_typed = forget_typed
        self._coach_told = ""
        self._called_to: QuestionDialogue | None = None
        self._last_question: LastQuestion | None = None

    def note_typed(self, text: str) -> None:
        self.output.echo_line(text)

    def _say(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.output.say_line(line)

    def note_interrupt(self) -> None:
        if self.output.is_holding:
            self.output.write_typed("\n")
            self.output.let_go(entered=True)
            return
        self.output.echo_line("^C")
        self.output.say_line("")

    def forget_typed(self) -> None:
        self._forget_typed()

    def put_first_page(self, lines: Sequence[str]) -> None:
        self._say(lines)
        if self._state.is_reading:
            self.output.say_line(describe_page_prompt())
            self.output.show_prompt()

    def put_page(self, title: str, lines: Sequence[str]) -> None:
        self._say([_("{title}:", title=title), *lines])
        self.output.show_prompt()

    def put_news(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        self._say(lines)
        if lines and (self._state.asking is not None or self._state.is_leave_asked):
            self.output.show_prompt()
        for line in hints:
            self.output.note_line(line)
        if self._state.feed.in_lobby:
            self.output.show_prompt()

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        asking = self._state.asking
        if new and asking is not self._called_to:  # once for all that one decision asks
            self._call_player()
        self._called_to = asking
        if asking is not None and asking.coach in lines:
            self._coach_told = asking.coach
        self._say(lines)
        self.output.show_prompt()

    def put_reply(self, lines: Sequence[str]) -> None:
        self._say(lines)
        asking = self._state.asking
        if asking is not None:
            fresh = asking.coach not in ("", self._coach_told)
            coach = [asking.coach] if fresh else []
            self.put_question([*coach, *asking.repeat_prompt()], new=False)
        elif self._state.feed.in_lobby or self._state.is_reading:
            self.output.show_prompt()

    def put_leave_question(self, sentence: str) -> None:
        self.output.say_line(sentence)
        self.output.show_prompt()

    def put_waiting(self, sentence: str) -> None:
        self.output.say_line(sentence)

    def put_warning(self, sentence: str) -> None:
        self._call_player()
        self.output.say_line(sentence)
        self.output.show_prompt()

    def _call_player(self) -> None:
        self.output.ring_bell()
        self._state.on_called()

    def copy_text(self, text: str) -> bool:
        return self.output.write_sequence(clipboard_sequence(text))

    async def show_ending(self, ending: Ending) -> bool | None:
        """Print the deeds, and ask for another game, for which the process stays.

        Return at once where nobody can answer, as printed lines stay.
        """
        audience = self._state.feed.audience
        if ending.kind is EndKind.FINISHED:
            self.put_news(self._state.feed.describe_deeds())
        is_person = audience.answers and audience.can_type
        question = LastQuestion(ending, is_person=is_person, was_easy=audience.is_easy)
        if not question.asks:
            await trio.lowlevel.checkpoint()
            return None
        self._last_question = question
        self._state.prompt_number += 1
        self.output.say_line(question.prompt())
        self.output.show_prompt()
        await question.closed.wait()
        return question.wants_another

    @property
    def is_over(self) -> bool:
        return self._last_question is not None and self._last_question.closed.is_set()

    def read_last_line(self, text: str) -> bool:
        question = self._last_question
        if question is None:
            return False
        refusal = question.read_line(text)
        if refusal:
            self._say([refusal, question.prompt()])
            self.output.show_prompt()
        return True

    def close_end(self) -> bool:
        if self._last_question is None:
            return False
        self._last_question.close()
        return True


def seat_plain_player(
    output: Output,
    adviser: Adviser,
    bot: Front | None = None,
    forget_typed: Callable[[], None] = lambda: None,
    audience: Audience | None = None,
) -> LinePlayer:
    audience = audience or Audience(can_type=output.terminal, answers=bot is None)
    state = PlayerState(NoticeFeed(audience))
    return LinePlayer(state, PlainDisplay(state, output, forget_typed), adviser, bot)


# -- lines from stdin, whatever it is: a terminal, a pipe, a file, nothing -----------------
#
# Bytes are read by a thread, since a file cannot be waited for and a terminal may be anything.
# `read_stdin` holds no lock of Python, so a thread that still waits there does not hinder the end
# of the program. From a terminal each line is tagged with the prompt of that moment. Lines of a
# pipe are handed over when the player wants one.


CHUNK_BYTES = 4096
MAX_LINE_BYTES = 10_000


def input_discarder(fd: int) -> Callable[[], None]:
    try:
        import termios
    except ImportError:  # Windows: only the tags remain
        return lambda: None

    def discard() -> None:
        try:
            termios.tcflush(fd, termios.TCIFLUSH)
        except termios.error:
            return  # the terminal is gone; the reader will see it

    return discard


def is_terminal() -> bool:
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False


async def read_lines(
    fd: int, player: LinePlayer, terminal: bool, output: Output | None = None
) -> None:
    """Read lines until the input ends.

    At a terminal the end of the input asks whether to leave, and the loss of the terminal keeps the
    seat. `output` waits while a line is typed.
    """
    try:
        if not terminal or output is None:
            await _read_on(fd, player, terminal)
            return
        with key_mode(fd) as mode:
            if mode is None:
                await _read_on(fd, player, terminal)
            else:
                await _read_keys_on(fd, player, output, mode)
    finally:
        if output is not None:
            output.let_go(entered=False)


async def _read_keys_on(fd: int, player: LinePlayer, output: Output, mode: KeyMode) -> None:
    typed = HalfTyped(output, echoes=mode.echoes)
    while not player.is_over:
        chunk, number = await trio.to_thread.run_sync(_read, fd, player, abandon_on_cancel=True)
        if chunk is None:
            player.leaving.keep_seat()
            return
        echoed = mode.renew()
        for line, began in typed.read_keys(chunk or END.encode(), number, echoed=echoed):
            if line is not None:
                player.read_line(line, began)
                continue
            is_first_end = not player.is_leave_asked
            player.leaving.end_input(terminal=True)
            if not is_first_end:
                return


async def _read_on(fd: int, player: LinePlayer, terminal: bool) -> None:
    rest = b""
    while not player.is_over:
        chunk, number = await trio.to_thread.run_sync(_read, fd, player, abandon_on_cancel=True)
        if chunk is None and terminal:
            player.leaving.keep_seat()
            return
        if not chunk:
            if rest:
                await _hand_over(rest, number, player, terminal)
                rest = b""
            is_first_end = terminal and not player.is_leave_asked
            player.leaving.end_input(terminal=terminal)
            if not is_first_end:
                return
            continue
        rest += chunk
        *whole, rest = rest.split(b"\n")
        if len(rest) > MAX_LINE_BYTES:
            whole, rest = [*whole, rest], b""
        for line in whole:
            await _hand_over(line, number, player, terminal)


async def _hand_over(line: bytes, number: int, player: LinePlayer, terminal: bool) -> None:
    text = line.decode("utf-8", "replace").rstrip("\r")
    if terminal:
        player.read_line(text, number)
    else:
        await player.prompts.wait_until_wanted(text)
        player.read_line(text)
        # A pipe is always ready: let the game take the answer before the next line.
        await trio.lowlevel.checkpoint()


def _read(fd: int, player: LinePlayer) -> tuple[bytes | None, int]:
    """Read a chunk in a thread; return it with the number of the prompt it was typed under."""
    try:
        chunk: bytes | None = read_stdin(fd, CHUNK_BYTES)
    except OSError:  # the terminal is gone, or there is no stdin
        chunk = None
    return chunk, player.prompt_number


def read_one_line(fd: int) -> str:
    """Read one line, and no byte of the next, which is for the game; "" at the end."""
    line = b""
    while len(line) < MAX_LINE_BYTES:
        sign = read_stdin(fd, 1)
        if sign in (b"", b"\n"):
            break
        line += sign
    return line.decode("utf-8", "replace")


def ask_line(sentence: str) -> str:
    """Ask outside a game and return the typed line; raise EOFError at the end of the input."""
    output = Output.standard(terminal=True)
    for line in sentence.splitlines():
        output.say_line(line)
    output.show_prompt()
    chunk = read_stdin(0, CHUNK_BYTES)
    if not chunk:
        raise EOFError
    return chunk.decode("utf-8", "replace").split("\n")[0]


# -- the line that a person is typing, so that nothing is written into it ------------------
#
# The terminal hands over each key at once. Keys become an echo and whole lines, and the output
# waits from the first key of a line until Enter, so nothing has to be drawn anew.


SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\r\n])?")
"""What arrows and other keys without a letter send."""
ENTER, END, ERASE, ERASE_WORD, ERASE_LINE = "\r\n", "\x04", "\x7f\b", "\x17", "\x15"
MOST_LETTERS = 10_000


class HalfTyped:
    def __init__(self, output: Output, *, echoes: bool = True) -> None:
        """Begin without a line; `echoes`: whether what is typed is shown."""
        self._output = output
        self._echoes = echoes
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._letters = ""
        self._number = 0

    def read_keys(
        self, keys: bytes, number: int, *, echoed: bool = False
    ) -> Iterator[tuple[str | None, int]]:
        """Yield each line that ends here, with the number of the prompt at its first key.

        None in place of a line stands for the end of the input. `number` is that of the present
        prompt, and `echoed` says that the terminal has shown these keys itself.
        """
        if not self._output.is_holding:
            self._letters = ""  # Ctrl-C has taken them
        for key in SEQUENCE.sub("", self._decoder.decode(keys)):
            if not self._letters:
                self._number = number
            if key in ENTER or len(self._letters) == MOST_LETTERS:
                self._show("" if echoed else "\n")
                self._output.let_go(entered=True)
                line, self._letters = self._letters, ""
                yield line, self._number
            elif key == END:
                if not self._letters:
                    yield None, number
            else:
                self._edit(key, echoed=echoed)

    def _edit(self, key: str, *, echoed: bool) -> None:
        before = self._letters
        if key in ERASE:
            self._letters = without_last_letter(before)
        elif key == ERASE_WORD:
            self._letters = before.rstrip()[: before.rstrip().rfind(" ") + 1]
        elif key == ERASE_LINE:
            self._letters = ""
        elif typed_signs(key):
            self._output.hold_back()
            self._letters += key
        gone = line_width(before) - line_width(self._letters)
        self._show("" if echoed else "\b \b" * gone or self._letters[len(before) :])
        if not self._letters:
            self._output.let_go(entered=False)

    def _show(self, text: str) -> None:
        if self._echoes and text:
            self._output.write_typed(text)


def without_last_letter(text: str) -> str:
    """Return the text without its last letter and the marks that stand on it."""
    at = len(text) - 1
    while at > 0 and line_width(text[at]) == 0:
        at -= 1
    return text[: max(at, 0)]


@dataclass(frozen=True, slots=True)
class KeyMode:
    """Each key comes at once, and Ctrl-C still interrupts."""

    echoes: bool
    """The terminal has shown what is typed until now."""
    renew: Callable[[], bool]
    """Takes the mode again after a shell has reset it; returns whether that was so."""


@contextmanager
def key_mode(fd: int) -> Iterator[KeyMode | None]:
    """Take the terminal into the mode for this time; None where there is no such mode."""
    try:
        import termios

        before = termios.tcgetattr(fd)
    except ImportError:  # Windows
        yield None
        return
    except termios.error:  # it is gone, or it is no terminal
        yield None
        return

    def renew() -> bool:
        try:
            now = termios.tcgetattr(fd)
            if not now[3] & termios.ICANON:
                return False
            now[3] &= ~(termios.ICANON | termios.ECHO)
            now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
            termios.tcsetattr(fd, termios.TCSADRAIN, now)
        except termios.error:
            return False  # the terminal is gone; the reader will see it
        return True

    renew()
    try:
        yield KeyMode(bool(before[3] & termios.ECHO), renew)
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(fd, termios.TCSADRAIN, before)
