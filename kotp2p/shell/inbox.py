"""What comes in at a table: events of links, answers to questions, commands of the front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.front import Leave
from kotp2p.net.link_events import LinkEvent
from kotp2p.shell.commands import Command
from referee.model.answers import Answer


@dataclass(frozen=True, slots=True)
class AnswerGiven:
    """The front's answer to the question that was asked at `place`."""

    place: tuple[int, int]
    """View and height."""
    answer: Answer | Leave


Item: TypeAlias = LinkEvent | AnswerGiven | Command
