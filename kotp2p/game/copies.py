"""Two logs of one game, held against each other (PROTOCOL.md 10.4).

Scope: whether they tell the same, whether one ends earlier, or where they part and which seats have
signed both.
Not here: whether a log is right (`kotp2p.game.verify`). Of a wrong log only the records before the
wrong one are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from kotp2p.game.report import Result
from kotp2p.game.verify import LogReading
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Blame, BodyKind, Entry, Signed

SignedPlace: TypeAlias = tuple[int, int, bytes, Seat]
"""Attempt, height, head and seat: of each at most one entry is signed (PROTOCOL.md 5.1)."""


class Relation(StrEnum):
    SAME = "same"
    """The same steps; and both have a signed end, or none has."""
    EARLIER = "earlier"
    """The second one has the same steps as far as it goes, but ends earlier, or lacks the end."""
    PARTED = "parted"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the second of two logs of one game is to the first."""

    relation: Relation
    height: int
    """Up to here they are the same."""
    turn: int
    """The turn in which that is."""
    signed_both: tuple[Seat, ...] = ()
    """Seats that have signed two different entries for one place, or two different ends."""


@dataclass(slots=True)
class _Line:
    """One log, as far as it is right."""

    heads: Sequence[bytes] = ()
    """heads[h]: the head before height h."""
    turns: list[int] = field(default_factory=list)
    """turns[h]: the turns that have begun when height h closes."""
    entries: dict[SignedPlace, bytes] = field(default_factory=dict)
    """Their bodies, also of those that a line-up has undone."""
    is_confirmed: bool = False
    """Somebody has signed the end."""

    def turn_at(self, height: int) -> int:
        return self.turns[min(height, len(self.turns) - 1)] if self.turns else 0


def compare_copies(first: bytes, second: bytes) -> Comparison:
    """Two logs of one game; the first one is the one that goes further, if one does."""
    one, other = _read_line(first), _read_line(second)
    shared = min(len(one.heads), len(other.heads))
    common = next((h for h in range(shared) if one.heads[h] != other.heads[h]), shared)
    height = max(0, common - 1)
    both = _find_contradictions(one, other)
    if common < shared or both:
        return Comparison(Relation.PARTED, height, one.turn_at(height), both)
    is_same = len(one.heads) == len(other.heads) and one.is_confirmed == other.is_confirmed
    relation = Relation.SAME if is_same else Relation.EARLIER
    return Comparison(relation, height, one.turn_at(height))


def _read_line(data: bytes) -> _Line:
    line, reading = _Line(), LogReading(data)
    while (read := reading.read_record()) is not None:
        if reading.ledger is None:
            continue
        _add_signed(line, read.signed)
        for closed in () if read.moved is None else read.moved.steps:
            del line.turns[closed.height :]
            line.turns.append(reading.ledger.chain.turns)
    if reading.ledger is not None:
        line.heads = tuple(reading.ledger.heads)
        line.is_confirmed = reading.report().result is Result.SOUND
    return line


def _add_signed(line: _Line, signed: Signed) -> None:
    if signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
        entry = Entry.parse(signed)
        if not isinstance(entry.payload, Blame):
            line.entries[entry.attempt, entry.height, entry.prev, entry.seat] = signed.body


def _find_contradictions(one: _Line, other: _Line) -> tuple[Seat, ...]:
    found = {
        place[-1] for place, body in one.entries.items() if other.entries.get(place, body) != body
    }
    return tuple(sorted(found))
