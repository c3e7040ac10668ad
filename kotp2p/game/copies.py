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

from kotp2p.game.verify import LogReading
from kotp2p.wire.closings import End, parse_closing, unpack_seals
from kotp2p.wire.entries import Blame, BodyKind, Entry, Signed
from referee.model.answers import Seat

Place: TypeAlias = tuple[int, int, Seat]
"""View, height and seat: a seat signs at most one entry for a place (PROTOCOL.md 5.1)."""


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
    entries: dict[Place, bytes] = field(default_factory=dict)
    """Their bodies, also of those that votes have undone."""
    end: bytes = b""
    """The body of the signed end; empty if it has none."""
    signers: frozenset[Seat] = frozenset()
    """The seats that have signed that end."""

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
    is_same = len(one.heads) == len(other.heads) and bool(one.end) == bool(other.end)
    relation = Relation.SAME if is_same else Relation.EARLIER
    return Comparison(relation, height, one.turn_at(height))


def _read_line(data: bytes) -> _Line:
    line, reading = _Line(), LogReading(data)
    while (read := reading.read_record()) is not None:
        assert reading.ledger is not None  # a record of it was right
        _add_signed(line, read.signed, reading.ledger.genesis.id)
        for closed in () if read.moved is None else read.moved.steps:
            del line.turns[closed.height :]
            line.turns.append(reading.ledger.chain.turns)
    if reading.ledger is not None:
        line.heads = tuple(reading.ledger.heads)
    return line


def _add_signed(line: _Line, signed: Signed, game: bytes) -> None:
    if signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
        entry = Entry.parse(signed)
        if not isinstance(entry.payload, Blame):
            line.entries[entry.view, entry.height, entry.seat] = signed.body
    elif signed.kind is BodyKind.CLOSE and isinstance(parse_closing(signed.body, game), End):
        line.end, line.signers = signed.body, frozenset(unpack_seals(signed.signature))


def _find_contradictions(one: _Line, other: _Line) -> tuple[Seat, ...]:
    found = {
        place[2] for place, body in one.entries.items() if other.entries.get(place, body) != body
    }
    if one.end and other.end and one.end != other.end:
        found |= one.signers & other.signers
    return tuple(sorted(found))
