"""The plain line mode: a `Front` for a person who reads and types lines.

Law: lines are only ever added, nothing here moves a cursor, and everything works the same from
a pipe. What is asked, told and understood is decided by `Typist`; this file says when a line is
printed, when the prompt sign stands there and when the bell rings.
"""

from __future__ import annotations

from collections.abc import Callable

from cli.ask.question import Adviser
from cli.system.output import Output
from cli.ui.line_player import Typist
from cli.ui.notice_feed import Reader
from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front


class Plain(Typist):
    def __init__(
        self,
        output: Output,
        adviser: Adviser,
        bot: Front | None = None,
        forget_typed: Callable[[], None] | None = None,
        reader: Reader | None = None,
    ) -> None:
        """`forget_typed` throws away what was typed ahead."""
        super().__init__(adviser, bot, reader or Reader(types=output.terminal, asked=bot is None))
        self.output = output
        self._forget_typed = forget_typed or (lambda: None)

    def forget_typed(self) -> None:
        self._forget_typed()

    def interrupt(self) -> None:
        self.output.typed("^C")
        self.output.say("")
        super().interrupt()

    def put_news(self, lines: list[str], hints: list[str] | None = None) -> None:
        for line in lines:
            self.output.say(line)
        if lines and (self.asking is not None or self._leaving):
            self.output.prompt()
        for line in hints or []:
            self.output.note(line)
        if self.news.in_lobby:
            self.output.prompt()

    def put_question(self, lines: list[str], *, new: bool) -> None:
        if new:
            self.output.ring()
        for line in lines:
            self.output.say(line)
        self.output.prompt()

    def put_reply(self, lines: list[str]) -> None:
        """An answer in between; then the same question again."""
        for line in lines:
            self.output.say(line)
        if self.asking is not None:
            self.put_question(self.asking.again(), new=False)
        elif self.news.in_lobby:
            self.output.prompt()

    def put_leaving(self, sentence: str) -> None:
        self.output.say(sentence)
        self.output.prompt()

    def put_waiting(self, sentence: str) -> None:
        self.output.say(sentence)

    async def linger(self, ending: Ending) -> None:
        if ending.kind is EndKind.FINISHED:
            self.put_news(self.news.counted())
        await super().linger(ending)

    def put_typed(self, text: str) -> None:
        self.output.typed(text)
