"""A finding of `kotp2p doctor` as a value: how much it matters, its fields, its words.

Scope: what all findings have in common. Whatever is printed may be sent to a friend, so the name of
the user is taken out of all of it.
Not here: the findings (`doctor_network`, `doctor_terminal`, `data_findings`).
"""

from __future__ import annotations

import getpass
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from kotp2p.cli.text.i18n import _, plural


class Severity(StrEnum):
    OK = "ok"
    NOTE = "note"
    """It may matter."""
    PROBLEM = "problem"
    """It prevents something."""


class Part(StrEnum):
    """A part of the examination."""

    NETWORK = "network"
    PEER = "peer"
    TERMINAL = "terminal"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Words:
    """What was found, why it matters, what to do: a sentence or two each, or nothing."""

    what: str
    matters: str = ""
    todo: str = ""


@dataclass(frozen=True, slots=True)
class Finding(ABC):
    """A finding; a subclass is one kind, and its fields are its facts."""

    @property
    @abstractmethod
    def severity(self) -> Severity: ...

    @abstractmethod
    def words(self) -> Words: ...

    def line(self) -> str:
        words = self.words()
        sentences = (words.what, words.matters, words.todo)
        return f"{_mark(self.severity)} {' '.join(filter(None, sentences))}"


def _mark(severity: Severity) -> str:
    match severity:
        case Severity.OK:
            return _("ok:")
        case Severity.NOTE:
            return _("note:")
        case Severity.PROBLEM:
            return _("PROBLEM:")
        case _:
            assert_never(severity)


def count_problems(findings: Iterable[Finding]) -> int:
    return sum(one.severity is Severity.PROBLEM for one in findings)


def sum_up(findings: Iterable[Finding]) -> str:
    count = count_problems(findings)
    if not count:
        return _("Nothing that was looked at stands in the way.")
    return plural("{n} thing stands in the way.", "{n} things stand in the way.", count)


# -- the name of the user, taken out of a text ---------------------------------------------
#
# The home folder becomes `~`, and the login name, where it is a part of another path, dots.


HIDDEN = "..."


def hide_user(text: str) -> str:
    login = _login()
    for home in _homes():
        text = re.sub(rf"{re.escape(home)}(?![\w-]|\.\w)", "~", text)
    if login:
        text = re.sub(rf"(?<=[/\\]){re.escape(login)}(?![\w-]|\.\w)", HIDDEN, text)
    return text


def _homes() -> list[str]:
    """Return the home folder under all its names, the longest first."""
    try:
        home = Path.home()
        found = {str(home), str(home.resolve())}
    except (RuntimeError, OSError):  # neither HOME nor an entry for this user
        return []
    return sorted((one for one in found if len(one) > 1), key=len, reverse=True)


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
