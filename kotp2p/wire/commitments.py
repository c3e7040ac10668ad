"""Dice and cards that nobody can choose: commit ahead, open after the decision (PROTOCOL.md 7).

Scope: the arithmetic of contributions, commitments and results.
Not here: which seat owes an opening, and when (`kotp2p.game`).

Every seat derives a contribution for each slot of each stream from its seed of this table. It
commits to it, in the log, before any seat opens that slot. The result of a slot is a hash of all
contributions in seat order and of the head that the openings sign. The head names the decision
that was made before. So a seat can choose neither the result for a decision nor the decision for a
result, as long as one contributor is honest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from struct import Struct

from kotp2p.wire.crypto import Tag, derive, digest, digest_further, join_fields

DICE_WINDOW = 2
CARD_WINDOW = 8
"""How many slots are committed ahead. A draw takes at most a whole market of cards, of which one
slot may be half open."""


class Stream(IntEnum):
    """The two sequences of slots, each numbered from 0."""

    DICE = 0
    CARDS = 1


STREAMS = tuple(Stream)
"""Each stream at the place that is its number."""
DICE_STREAM, CARD_STREAM = STREAMS
"""With names of their own: Python 3.11 takes longer for `Stream.DICE` than for a call."""
_COMMITMENT_TAG, _RESULT_TAG, _STREAM_TAG = Tag.COMMITMENT, Tag.RESULT, Tag.STREAM
"""The tags of what each draw hashes, for the same reason."""
_NUMBERS = Struct(">4Q")
"""The numbers in one hash."""
_BEGINNINGS_KEPT = 64
"""Of what is hashed for commitments. A table of six has twelve."""
WINDOW = {DICE_STREAM: DICE_WINDOW, CARD_STREAM: CARD_WINDOW}


def contribution(seed: bytes, origin: bytes, stream: Stream, slot: int) -> bytes:
    """c of PROTOCOL.md 7.1: 32 bytes that only the owner of `seed` can know.

    `origin` is the table id, or the id of the certificate that began the view (7.5). A new origin
    gives new contributions, so that none is used for two results.
    """
    return derive(seed, Tag.CONTRIBUTION, origin, int(stream), slot)


def commitment(table: bytes, stream: Stream, seat: int, slot: int, c: bytes) -> bytes:
    """Binds `seat` to the contribution `c` for one slot of one table, without revealing it."""
    return digest_further(_begin_commitment(table, stream, seat), slot, c)


@lru_cache(_BEGINNINGS_KEPT)
def _begin_commitment(table: bytes, stream: Stream, seat: int) -> bytes:
    """What all commitments of a seat to one stream hash first."""
    return join_fields(_COMMITMENT_TAG, table, stream, seat)


def own_commitment(
    seed: bytes, table: bytes, origin: bytes, stream: Stream, seat: int, slot: int
) -> bytes:
    """The commitment of `seat` to the contribution that its own `seed` gives for a slot."""
    return commitment(table, stream, seat, slot, contribution(seed, origin, stream, slot))


def slot_result(
    game: bytes, head: bytes, stream: Stream, slot: int, contributions: Sequence[bytes]
) -> bytes:
    """The 32 bytes that all contributions, in seat order, make together at `head`."""
    return digest(_RESULT_TAG, game, head, stream, slot, *contributions)


def _number_stream(seed: bytes) -> Iterator[int]:
    """An endless stream of 64-bit numbers from a result."""
    block = 0
    while True:
        yield from _NUMBERS.unpack(digest(_STREAM_TAG, seed, block))
        block += 1


def _next_below(numbers: Iterator[int], size: int) -> int:
    """The next value below `size`, uniform.

    Numbers of the incomplete last round are skipped: taking them modulo `size` would favour small
    values.
    """
    limit = 2**64 - 2**64 % size
    for number in numbers:
        if number < limit:
            return number % size
    raise AssertionError("the stream never ends")


def draw_values(seed: bytes, sizes: Sequence[int]) -> tuple[int, ...]:
    """One value below each of `sizes`, in order (dice, tile sides)."""
    numbers = _number_stream(seed)
    return tuple([_next_below(numbers, size) for size in sizes])


def draw_untaken(seed: bytes, size: int, taken: Collection[int]) -> int:
    """A value below `size` that is not in `taken` (the skip rule of PROTOCOL.md 7.3).

    It is uniform over the values that are left. The card of a slot is the same in whatever order
    the slots are opened.
    """
    numbers = _number_stream(seed)
    while True:
        value = _next_below(numbers, size)
        if value not in taken:
            return value
