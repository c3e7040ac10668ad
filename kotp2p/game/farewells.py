"""Farewells: a keeper leaves with its bots, and stand-ins take the places of what they would owe.

Scope: which farewell may be said, which seats it is about, from which place on it holds, the id of
a stand-in (PROTOCOL.md 9.3).
Not here: when a stand-in closes a step (`kotp2p.game.chain`), and what the referee is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kotp2p.game.history import ClosingItem, StandIn
from kotp2p.game.refusals import Forged, entry_behind_farewell, two_farewells
from kotp2p.wire.crypto import Tag, digest
from kotp2p.wire.entries import Entry
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Player
from kotp2p.wire.votes import seats_kept_by
from referee.model.answers import Seat


def has_left(farewells: Mapping[Seat, Farewell], seat: Seat, place: tuple[int, int]) -> bool:
    """Whether `seat` owes nothing at `place` (view, height) because of the farewell of its
    keeper."""
    farewell = farewells.get(seat)
    return farewell is not None and farewell.place <= place


def is_of_keeper(players: Sequence[Player], farewell: Farewell) -> bool:
    """Whether the seat of a farewell is at the table and keeps itself. A bot leaves by the farewell
    of its keeper."""
    return farewell.seat < len(players) and players[farewell.seat].keeper == farewell.seat


def require_keeper(players: Sequence[Player], farewell: Farewell) -> None:
    """Raises Forged for a farewell of nobody, or of a bot."""
    if not is_of_keeper(players, farewell):
        raise Forged("a farewell of nobody, or of a bot")


def leaving_seats(players: Sequence[Player], farewell: Farewell) -> set[Seat]:
    """The keeper that has said farewell, and its bots."""
    return seats_kept_by(players, {farewell.seat}, range(len(players)))


def check_farewell(
    players: Sequence[Player],
    farewell: Farewell,
    known: Farewell | None,
    taken: Iterable[ClosingItem],
) -> None:
    """Raises Cheat if its keeper has signed another one (`known`), or if one of the `taken`
    entries contradicts it."""
    behind = find_entry_behind(players, farewell, taken)
    if behind is not None:
        raise entry_behind_farewell(farewell, behind)
    if known is not None:
        raise two_farewells(known, farewell)


def find_entry_behind(
    players: Sequence[Player], farewell: Farewell, taken: Iterable[ClosingItem]
) -> Entry | None:
    """The first of the `taken` entries that is of a leaving seat, at or behind the farewell."""
    for item in taken:
        if (
            isinstance(item, Entry)
            and item.place >= farewell.place
            and players[item.seat].keeper == farewell.seat
        ):
            return item
    return None


def stand_in_id(game: bytes, head: bytes, height: int, stand_in: StandIn) -> bytes:
    """The id of a stand-in. It hashes seat, head and height, too: one farewell stands in for
    several seats, and at several places when votes undo the first one."""
    return digest(Tag.ABSENT, game, head, height, stand_in.seat, stand_in.farewell.id)
