"""What comes in at a table: events of links, answers to questions, commands of the front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kotp2p.net.links import LinkEvent
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.seams.front import Leave
from kotp2p.shell.commands import Command
from kotp2p.wire.entries import Place


@dataclass(frozen=True, slots=True)
class AnswerGiven:
    """The answer for a seat to the question that was asked at `place`."""

    place: Place
    seat: Seat
    answer: Answer | Leave


Item: TypeAlias = LinkEvent | AnswerGiven | Command
