"""Dice and cards out of commitments and openings: section 7.

Law: a `Deck` of slots is part of one line of play. It knows what is committed to, which slot is
next, and which one is half-open; it changes only when a step closes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from kotp2p.referee.model.decisions import Chance, ChanceKind
from tests.tools.independent.bodies import Opening, Rows
from tests.tools.independent.genesis import WINDOWS, Genesis
from tests.tools.independent.wire import hashed, need

DICE, CARDS = 0, 1


@dataclass(frozen=True)
class HalfOpen:
    slot: int
    owner: int
    """The keeper that withholds its part."""
    seat: int
    """That has looked first."""
    head: bytes
    parts: dict[int, bytes]
    """What the others have opened."""


def stream(result: bytes) -> Iterator[int]:
    block = 0
    while True:
        found = hashed("stream", result, block)
        yield from (int.from_bytes(found[i : i + 8], "big") for i in range(0, 32, 8))
        block += 1


def below(numbers: Iterator[int], most: int) -> int:
    bound = 2**64 - 2**64 % most
    return next(x for x in numbers if x < bound) % most


class Slots:
    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.next = [0, 0]
        self.half: HalfOpen | None = None
        self.committed: dict[tuple[int, int, int], bytes] = {}
        self.stood: set[bytes] = set()
        for seat, row in genesis.rows.items():
            for which in (DICE, CARDS):
                self._commit(which, seat, 0, tuple(row[which]))
        self.settle()

    def _commit(self, which: int, seat: int, slot: int, commitments: tuple[bytes, ...]) -> None:
        for i, commitment in enumerate(commitments):
            self.committed[which, seat, slot + i] = commitment

    def settle(self) -> None:
        """What stood in a closed gather must not stand again, also if a renewal has replaced it."""
        self.stood |= set(self.committed.values())

    def opens(self, which: int, seat: int, slot: int, part: bytes) -> bool:
        made = hashed("commitment", self.genesis.table, which, seat, slot, part)
        return self.committed.get((which, seat, slot)) == made

    # -- what a step asks for ----------------------------------------------------------------

    def wanted(self, node: Chance) -> tuple[int, int]:
        """The stream, and how many fresh slots a gather opens."""
        if node.kind in (ChanceKind.DICE, ChanceKind.SIDES):
            return DICE, 1
        if node.kind is ChanceKind.LOOK:
            return CARDS, 1
        return CARDS, len(node.draws) - (self.half is not None)

    def check(self, node: Chance, seat: int, looker: int | None, opening: Opening) -> None:
        """`looker`: the keeper of the seat that looks, at a secret look."""
        which, many = self.wanted(node)
        first = self.next[which]
        need(len(opening.opened) == len(opening.commitments) == many, "number of slots")
        withheld = looker == seat
        for i, part in enumerate(opening.opened):
            need((part is None) == withheld, "a part withheld")
            need(part is None or self.opens(which, seat, first + i, part), "opens another part")
        half = self.half if node.kind is ChanceKind.CARDS else None
        asked = half is not None and half.owner == seat
        need((opening.top is not None) == asked, "the top card")
        if half is not None and opening.top is not None:
            need(self.opens(CARDS, seat, half.slot, opening.top), "opens another top card")
        self._check_new(opening.commitments)

    def _check_new(self, commitments: tuple[bytes, ...]) -> None:
        need(len(set(commitments)) == len(commitments), "one commitment for two slots")
        need(not self.stood & set(commitments), "a commitment that has stood before")

    def check_rows(self, rows: Rows) -> None:
        dice, cards = rows.windows
        self._check_new((*dice, *cards))

    # -- what a closed step does -------------------------------------------------------------

    def commit(self, seat: int, rows: Rows) -> None:
        for which, window in enumerate(rows.windows):
            self._commit(which, seat, self.next[which], window)

    def take(self, node: Chance, seat: int, opening: Opening) -> None:
        which, _ = self.wanted(node)
        self._commit(which, seat, self.next[which] + WINDOWS[which], opening.commitments)

    def result(self, head: bytes, which: int, slot: int, parts: dict[int, bytes]) -> bytes:
        each = [parts[seat] for seat in sorted(parts)]
        return hashed("result", self.genesis.game, head, which, slot, *each)

    def look(self, node: Chance, looker: int, head: bytes, openings: dict[int, Opening]) -> int:
        slot = self.next[CARDS]
        parts = {s: o.opened[0] for s, o in openings.items() if o.opened[0] is not None}
        assert node.seat is not None
        self.half = HalfOpen(slot, looker, node.seat, head, parts)
        self.next[CARDS] += 1
        return slot

    def drawn(self, node: Chance, head: bytes, openings: dict[int, Opening]) -> tuple[int, ...]:
        which, many = self.wanted(node)
        first = self.next[which]
        results = []
        if which == CARDS and self.half is not None:
            top = openings[self.half.owner].top
            assert top is not None
            results.append(self.top_result(top))
            self.half = None
        for i in range(many):
            parts = {s: o.opened[i] or b"" for s, o in openings.items()}
            results.append(self.result(head, which, first + i, parts))
        self.next[which] += many
        if which == DICE:
            numbers = stream(results[0])
            return tuple(below(numbers, draw.size) for draw in node.draws)
        return self._cards(node, results)

    @staticmethod
    def _cards(node: Chance, results: list[bytes]) -> tuple[int, ...]:
        values: list[int] = []
        taken: set[tuple[int, int]] = set()
        for draw, result in zip(node.draws, results, strict=True):
            numbers = stream(result)
            value = below(numbers, draw.size)
            while (draw.pool, value) in taken:
                value = below(numbers, draw.size)
            taken.add((draw.pool, value))
            values.append(value)
        return tuple(values)

    def top_result(self, secret: bytes) -> bytes:
        assert self.half is not None
        parts = {**self.half.parts, self.half.owner: secret}
        return self.result(self.half.head, CARDS, self.half.slot, parts)

    def top_card(self, secret: bytes, undrawn: list[int]) -> int:
        return undrawn[below(stream(self.top_result(secret)), len(undrawn))]
