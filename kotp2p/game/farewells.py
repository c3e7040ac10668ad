"""Farewells: a seat leaves for good, and a stand-in takes the place of what it would owe.

Scope: which farewell may be said, from which place on it holds, the id of its stand-in
(PROTOCOL.md 9.3).
Not here: when a stand-in closes a step (`kotp2p.game.chain`), and what the referee is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kotp2p.game.history import ClosingItem
from kotp2p.game.refusals import entry_behind_farewell, two_farewells
from kotp2p.wire.crypto import Tag, digest
from kotp2p.wire.entries import Entry, Farewell
from referee.model.answers import Seat


def has_left(farewells: Mapping[Seat, Farewell], seat: Seat, place: tuple[int, int]) -> bool:
    """Whether `seat` owes nothing at `place` (view, height) because of its farewell."""
    farewell = farewells.get(seat)
    return farewell is not None and farewell.place <= place


def check_farewell(
    farewell: Farewell, known: Farewell | None, taken: Iterable[ClosingItem]
) -> None:
    """Raises Cheat if its seat has signed one of the `taken` entries at its place or behind it,
    or another farewell (`known`)."""
    for item in taken:
        if isinstance(item, Entry) and item.seat == farewell.seat and item.place >= farewell.place:
            raise entry_behind_farewell(farewell, item)
    if known is not None:
        raise two_farewells(known, farewell)


def stand_in_id(game: bytes, head: bytes, height: int, farewell: Farewell) -> bytes:
    """The id of a stand-in. It hashes head and height, too: one farewell stands in at several
    places when votes undo the first one."""
    return digest(Tag.ABSENT, game, head, height, farewell.seat, farewell.id)
