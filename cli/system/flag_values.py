"""How the values of flags are read: numbers in a range, seconds, one word of a few.

Scope: readers that typer calls, so that a value that is refused is refused in a sentence of this
program. Typer's own checks answer in the words of the library behind them.
Not here: which flags there are (`cli.flags`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

import typer

from kotp2p.cli.system.choices import Level
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_or

MOST_SECONDS = 86_400
"""Of a time limit: a day."""
MOST_WATCHERS = 200
WATCHER_WORDS = ("none", "invited")
FACTOR_PATTERN = re.compile(r"\d{1,3}(\.\d{1,3})?")
KEY_PATTERN = re.compile(r"[0-9a-f]{64}|[0-9a-z]{4}(?:-[0-9a-z]{4}){3}")
"""A key in hexadecimal, or its fingerprint."""


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


def parse_watchers(text: str | int) -> str:
    """`--watchers N`: a number, `none` or `invited`."""
    typed = ascii_digits(str(text)).strip().lower()
    if typed in WATCHER_WORDS:
        return typed
    is_number = typed.isascii() and typed.isdigit()
    if not is_number or not 1 <= int(typed[:10]) <= MOST_WATCHERS:
        raise typer.BadParameter(
            _("{text} is not a number from 1 to {most}, nor none or invited.",
              text=text, most=MOST_WATCHERS)
        )  # fmt: skip
    return str(int(typed))


def parse_replay_speed(text: str | float) -> float:
    """`--speed FACTOR` of a replay."""
    typed = ascii_digits(str(text)).strip()
    if not FACTOR_PATTERN.fullmatch(typed) or not 0.5 <= float(typed) <= 16:
        raise typer.BadParameter(_("{text} is not a number from 0.5 to 16.", text=text))
    return float(typed)


def parse_bot_level(text: str) -> Level:
    """`--bot LEVEL`: a slip towards `--bots K` is named as such."""
    if text.isdigit():
        raise typer.BadParameter(
            _(
                "--bot takes easy, normal or hard; for {n} more seats played by bots: --bots {n}",
                n=text,
            )
        )
    try:
        return Level(text)
    except ValueError:
        raise typer.BadParameter(_("{text} is not easy, normal or hard", text=text)) from None


def parse_bot_count(text: str | int) -> int:
    """`--bots K`: a slip towards `--bot LEVEL` is named as such."""
    if str(text) in set(Level):
        raise typer.BadParameter(
            _("--bots takes a number; to let a bot play your own seat: --bot {level}", level=text)
        )
    return parse_number(0, 5)(text)


def parse_expected_key(text: str) -> str:
    """`--expect NAME=KEY`, with the key in small letters."""
    name, _sign, key = text.rpartition("=")
    if not name.strip() or not KEY_PATTERN.fullmatch(key.strip().lower()):
        raise typer.BadParameter(
            _("{text} is not NAME=KEY, with a key as verify shows it or 64 hexadecimal digits.",
              text=text)
        )  # fmt: skip
    return f"{name.strip()}={key.strip().lower()}"


def parse_word(words: type[StrEnum]) -> Callable[[str], StrEnum]:
    """Make the reader of a flag that takes one of these words."""

    def parse(text: str) -> StrEnum:
        try:
            return words(str(text).strip().lower())
        except ValueError:
            raise typer.BadParameter(
                _("{text} is not {words}.", text=text, words=list_with_or(list(words)))
            ) from None

    return parse
