"""The texts in a JavaScript program, each with the function that is given it.

Scope: as much of the language as the scripts of the pages use. A slash begins an expression of a
pattern where no value stands before it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"""|(?P<pattern>/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/[a-z]*)"""
    r"""|(?P<word>[\w$.]+)|(?P<space>\s+)|(?P<sign>.)""",
    re.DOTALL,
)
VALUE_ENDS = (")", "]", "}")
WORDS_BEFORE_PATTERN = ("return", "case", "typeof")


@dataclass(frozen=True, slots=True)
class Text:
    given_to: str
    """The function of which it is an argument; empty if it is none."""
    text: str
    """Of a template, each part between what is filled in."""


def texts_of(script: str) -> Iterator[Text]:
    yield from _Scanner(script).scan(0, "")


class _Scanner:
    def __init__(self, script: str) -> None:
        self._script = script
        self.at = 0

    def scan(self, start: int, end: str) -> Iterator[Text]:
        """From `start` to the sign `end` that closes this part, or to the end of all."""
        self.at, before = start, ""
        called: list[str] = []
        while self.at < len(self._script):
            if self._script[self.at] == "`":
                yield from self._scan_template(called[-1] if called else "")
                before = ")"
                continue
            kind, token = self._next_token(before)
            if kind in ("comment", "space"):
                continue
            if not called and token == end:
                return
            if token in ("(", "[", "{"):
                called.append(before if token == "(" else "")
            elif token in VALUE_ENDS:
                called.pop()
            elif kind == "text":
                yield Text(called[-1] if called else "", token[1:-1])
            before = token

    def _next_token(self, before: str) -> tuple[str, str]:
        found = TOKEN.match(self._script, self.at)
        assert found is not None
        kind, token = str(found.lastgroup), found[0]
        is_value = before in VALUE_ENDS or bool(re.search(r"[\w\"']$", before))
        if kind == "pattern" and is_value and before not in WORDS_BEFORE_PATTERN:
            kind, token = "sign", "/"
        self.at += len(token)
        return kind, token

    def _scan_template(self, given_to: str) -> Iterator[Text]:
        self.at += 1
        part = ""
        while (sign := self._script[self.at]) != "`":
            if self._script.startswith("${", self.at):
                yield Text(given_to, part)
                part = ""
                yield from self.scan(self.at + 2, "}")
            else:
                size = 2 if sign == "\\" else 1
                part += self._script[self.at : self.at + size]
                self.at += size
        self.at += 1
        yield Text(given_to, part)
