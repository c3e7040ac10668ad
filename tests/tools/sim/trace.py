"""What happens in a simulated game, in order: hashed always, kept in words on demand.

Law: every byte that moves and every fault goes through `Trace.note`, payloads included, so that
two runs with one hash were the same run. Counts are kept beside it for the summary of a batch.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field

import trio


@dataclass(slots=True)
class Trace:
    in_words: bool = False
    lines: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    """What was done to the table, by kind."""
    reached: Counter[str] = field(default_factory=Counter)
    """What it came to: endings, torn tails that were cut off, votes…"""
    notes: int = 0
    shown: hashlib.blake2b = field(default_factory=lambda: hashlib.blake2b(digest_size=16))
    """Of what the players were shown, and when."""
    _hash: hashlib.blake2b = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    def note(self, what: str, *details: object, data: bytes = b"") -> None:
        """One thing that happened now."""
        line = f"{trio.current_time().hex()} {what} {details}"
        self.notes += 1
        self._hash.update(line.encode())
        self._hash.update(data)
        if self.in_words:
            tail = f" {len(data)} bytes {hashlib.sha256(data).hexdigest()[:8]}" if data else ""
            words = " ".join(str(d) for d in details)
            self.lines.append(f"{trio.current_time():10.4f} {what} {words}{tail}")

    def fault(self, kind: str, *details: object) -> None:
        self.faults[kind] += 1
        self.note(f"fault {kind}", *details)

    def reach(self, marker: str, *details: object) -> None:
        self.reached[marker] += 1
        self.note(marker, *details)

    def digest(self) -> str:
        return self._hash.hexdigest()
