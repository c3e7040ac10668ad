"""How the values of flags are read: numbers in a range, seconds, one word of a few.

Scope: readers that typer calls, so that a value that is refused is refused in a sentence of this
program. Typer's own checks answer in the words of the library behind them.
Not here: which flags there are (`cli.system.options`).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import typer

from cli.text.i18n import _, ascii_digits, list_with_or

MOST_SECONDS = 86_400
"""Of a time limit: a day."""


def parse_number(least: int, most: int) -> Callable[[str | int], int]:
    def parse(text: str | int) -> int:
        typed = ascii_digits(str(text)).strip()
        # the length first: to convert very many digits can take very long
        is_number = typed.isascii() and typed.isdigit() and len(typed.lstrip("0")) < 10
        if not is_number or not least <= int(typed) <= most:
            raise typer.BadParameter(
                _("{text} is not a number from {least} to {most}.",
                  text=text, least=least, most=most)
            )  # fmt: skip
        return int(typed)

    return parse


def parse_seconds(text: str | int) -> int:
    """`--turn-time SECONDS`: 0 is "none"."""
    typed = ascii_digits(str(text)).strip().lower()
    if typed == "none":
        return 0
    if not (typed.isascii() and typed.isdigit()) or not 1 <= int(typed[:10]) <= MOST_SECONDS:
        raise typer.BadParameter(
            _("{text} is not a number of seconds from 1 to {most}, nor none.",
              text=text, most=MOST_SECONDS)
        )  # fmt: skip
    return int(typed)


def choice(words: type[StrEnum], flag: str, **details: Any) -> Any:
    """The option of a flag that takes one of these words. `details` are typer's own."""

    def parse(text: str) -> StrEnum:
        try:
            return words(str(text).strip().lower())
        except ValueError:
            raise typer.BadParameter(
                _("{text} is not {words}.", text=text, words=list_with_or(list(words)))
            ) from None

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return typer.Option(
        flag, parser=parse, autocompletion=complete, metavar="|".join(words), **details
    )
