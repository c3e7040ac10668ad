"""A finding of `kotp2p doctor`, of the machine or network: how much it matters, and its words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from kotp2p.cli.commands.person import login_name
from kotp2p.cli.text.i18n import N_, _, plural


class Severity(Enum):
    """How much a finding matters, as the mark before its line."""

    OK = N_("ok:")
    NOTE = N_("note:")
    PROBLEM = N_("PROBLEM:")


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, why it matters, what to do: a sentence or two each, or nothing."""

    severity: Severity
    what: str
    matters: str = ""
    todo: str = ""

    def line(self) -> str:
        words = (_(self.severity.value), self.what, self.matters, self.todo)
        return " ".join(filter(None, words))


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
    for home in _homes():
        text = re.sub(rf"{re.escape(home)}(?![\w-]|\.\w)", "~", text)
    login = login_name()
    if login:
        text = re.sub(rf"(?<=[/\\]){re.escape(login)}(?![\w-]|\.\w)", HIDDEN, text)
    return text


def _homes() -> list[str]:
    try:
        home = Path.home()
        found = {str(home), str(home.resolve())}
    except (RuntimeError, OSError):  # neither HOME nor an entry for this user
        return []
    return sorted((one for one in found if len(one) > 1), key=len, reverse=True)
