"""The plain line mode: a display that only ever adds lines.

Scope: when a line is printed, when the prompt sign stands there and when the bell rings. Nothing
here moves a cursor, and everything works the same from a pipe.
Not here: what is asked, told and understood (`line_player`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from kotp2p.cli.ask.question import Adviser
from kotp2p.cli.system.output import Output
from kotp2p.cli.system.terminal import clipboard_sequence
from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui.first_page import describe_page_prompt
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.front import Front
from kotp2p.seams.notices import Notice


class PlainDisplay:
    def __init__(
        self, state: PlayerState, output: Output, forget_typed: Callable[[], None] = lambda: None
    ) -> None:
        """`forget_typed` throws away what the terminal holds and nobody has read."""
        self.output = output
        self._state = state
        self._forget_typed = forget_typed
        self._coach_told = ""
        """What the coach said last."""
        self._threat_told = ""

    def note_notice(self, notice: Notice) -> None:
        """Its sentences say everything."""

    def note_past(self, notice: Notice, lines: Sequence[str]) -> None:
        """`log` shows it."""

    def note_typed(self, text: str) -> None:
        self.output.echo_line(text)

    def note_interrupt(self) -> None:
        self.output.echo_line("^C")
        self.output.say_line("")

    def forget_typed(self) -> None:
        self._forget_typed()

    def put_first_page(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.output.say_line(line)
        if self._state.is_reading:
            self.output.say_line(describe_page_prompt())
            self.output.show_prompt()

    def put_page(self, title: str, lines: Sequence[str]) -> None:
        self.put_summary(title, lines)
        self.output.show_prompt()

    def put_news(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        for line in lines:
            self.output.say_line(line)
        if lines and (self._state.asking is not None or self._state.is_leave_asked):
            self.output.show_prompt()
        for line in hints:
            self.output.note_line(line)
        if self._state.feed.in_lobby:
            self.output.show_prompt()

    def put_summary(self, title: str, lines: Sequence[str]) -> None:
        self.output.say_line(_("{title}:", title=title))
        for line in lines:
            self.output.say_line(line)

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        if new:
            self._call_player()
        asking = self._state.asking
        if asking is not None and asking.coach in lines:
            self._coach_told = asking.coach
        for line in lines:
            self.output.say_line(line)
        self.output.show_prompt()

    def put_reply(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.output.say_line(line)
        asking = self._state.asking
        if asking is not None:
            fresh = asking.coach not in ("", self._coach_told)
            self.put_question(
                [*([asking.coach] if fresh else []), *asking.repeat_prompt()], new=False
            )
        elif self._state.feed.in_lobby or self._state.is_reading:
            self.output.show_prompt()

    def put_leave_question(self, sentence: str) -> None:
        self.output.say_line(sentence)
        self.output.show_prompt()

    def put_threat(self, sentence: str) -> None:
        """Once as long as it stays the same, as printed lines stay."""
        if sentence and sentence != self._threat_told:
            self.output.note_line(sentence)
        self._threat_told = sentence

    def put_waiting(self, sentence: str) -> None:
        self.output.say_line(sentence)

    def put_warning(self, sentence: str) -> None:
        self._call_player()
        self.output.say_line(sentence)
        self.output.show_prompt()

    def clear_waiting(self) -> None:
        """What was printed stays."""

    def _call_player(self) -> None:
        self.output.ring_bell()
        self._state.on_called()

    def copy_text(self, text: str) -> bool:
        return self.output.write_sequence(clipboard_sequence(text))

    async def show_ending(self, ending: Ending) -> bool | None:
        """Printed lines stay by themselves, so nothing is waited for."""
        if ending.kind is EndKind.FINISHED:
            self.put_news(self._state.feed.describe_deeds())
        await trio.lowlevel.checkpoint()
        return None


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
