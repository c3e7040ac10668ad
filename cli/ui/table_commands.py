"""What a player may type at the table at any time: votes, pauses, adjourning.

Scope: the commands as values. What comes of one is told by notices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kotp2p.front import Control


@dataclass(frozen=True, slots=True)
class TableCommand:
    word: str
    do: Callable[[Control], None]


def _wait(control: Control) -> None:
    """Takes back whatever was agreed to: a vote, or the wish to stop for today."""
    control.vote(drop=False)


DROP = TableCommand("drop", lambda control: control.vote(drop=True))
WAIT = TableCommand("wait", _wait)
PAUSE = TableCommand("pause", lambda control: control.pause())
GO_ON = TableCommand("go", lambda control: control.go_on())
ADJOURN = TableCommand("adjourn", lambda control: control.adjourn(wanted=True))
COMMANDS = (DROP, WAIT, PAUSE, GO_ON, ADJOURN)
_BY_WORD = {command.word: command for command in COMMANDS}


def find_command(line: str) -> TableCommand | None:
    """The command that a line is; None if it is none."""
    return _BY_WORD.get(line.strip().lower())
