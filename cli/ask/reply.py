"""What a typed line turns out to be: an answer, or what has to be said first.

Scope: the four kinds of reply, as values.
Not here: how a line becomes a reply (`cli.ask.question`) and what a reply leads to
(`cli.ask.dialogue`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.referee.model.answers import Answer


@dataclass(frozen=True, slots=True)
class Give:
    """The answer."""

    answer: Answer
    remark: str = field(default="", compare=False)
    """One sentence that tells what the player may not have meant."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Not an answer; one sentence says why, and the same question comes again."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """A costly one: `y` does it, Enter goes back."""

    sentence: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Propose:
    """Enter again does it; anything else is read as an answer of its own."""

    sentence: str
    answer: Answer
    dice: str = field(default="", compare=False)
    """The dice with those in brackets that it keeps, for a reader who sees none."""
    reason: str = field(default="", compare=False)
    """One sentence that says why; may be empty."""

    @property
    def words(self) -> str:
        return " ".join(part for part in (self.sentence, self.reason) if part)


Reply: TypeAlias = Give | Refuse | Confirm | Propose
