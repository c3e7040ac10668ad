"""Answers of the terminal that nobody waits for any more: they are no keys.

Scope: from the text that the terminal sends to the text that was typed. What a terminal answers
to `cli.system.terminal` may come after the wait, over a slow line.
"""

from __future__ import annotations

import re

from prompt_toolkit.input import Input
from prompt_toolkit.input.vt100 import Vt100Input

ANSWER = re.compile(r"\x1b\][0-9]+;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?[0-9;]*c")
BEGUN = re.compile(r"\x1b(?:\][0-9]*(?:;[^\x07\x1b]*\x1b?)?|\[\?[0-9;]*)$")
MAX_ANSWER = 80
"""Signs after which something is no answer."""


class AnswerFilter:
    def __init__(self) -> None:
        self._begun = ""
        """The beginning of an answer whose end has not come yet."""

    def drop_answers(self, text: str) -> str:
        """What was typed. A lone Esc is a key and passes at once."""
        text = ANSWER.sub("", self._begun + text)
        begun = BEGUN.search(text)
        self._begun = ""
        if begun is None or len(begun[0]) > MAX_ANSWER:
            return text
        self._begun = begun[0]
        return text[: begun.start()]


def drop_late_answers(source: Input) -> None:
    """From now on `source` yields keys alone."""
    if not isinstance(source, Vt100Input):
        return
    parser, found = source.vt100_parser, AnswerFilter()
    feed = parser.feed

    def feed_keys(data: str) -> None:
        feed(found.drop_answers(data))

    parser.feed = feed_keys  # type: ignore[method-assign]
