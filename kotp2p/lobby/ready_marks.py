"""Marks of players who are ready: what a mark signs, and which marks of a lobby count.

A mark is signed by the player alone, so a host can make none for another player. It is signed for
the table as that player saw it, so it ends by itself when there is something to look at again.

Scope: the body of a mark, without any state.
Not here: when a mark is made or taken (`kotp2p.lobby.guest_choices`, `kotp2p.lobby.host_choices`).
"""

from __future__ import annotations

from kotp2p.wire.crypto import Signer, Tag, is_valid_signature
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.frames import NO_MARK, Lobby, TakenSeat
from kotp2p.wire.genesis import options_to_value


def sign_mark(lobby: Lobby, signer: Signer) -> bytes:
    """The mark of a player who sits in this lobby."""
    own = next(seat for seat in lobby.taken_seats if seat.key == signer.key)
    return signer.sign(Tag.READY, _body(lobby, own))


def is_mark_of(lobby: Lobby, seat: TakenSeat, mark: bytes) -> bool:
    """Whether the owner of this seat has signed the mark for the lobby as it stands."""
    if mark == NO_MARK or seat.is_kept:
        return False
    return is_valid_signature(seat.key, Tag.READY, _body(lobby, seat), mark)


def ready_places(lobby: Lobby) -> frozenset[int]:
    """The places of those who are ready. A bot always is, and a second person is when the keeper of
    their place is."""
    marks = lobby.marks or (NO_MARK,) * len(lobby.seats)
    found = {
        place
        for place, seat in enumerate(lobby.seats)
        if seat is not None and (seat.automatic or is_mark_of(lobby, seat, marks[place]))
    }
    kept = {
        place
        for place, seat in enumerate(lobby.seats)
        if seat is not None and not isinstance(seat.owner, bytes) and seat.owner in found
    }
    return frozenset(found | kept)


def _body(lobby: Lobby, author: TakenSeat) -> bytes:
    """The seats and their players, how the table plays, and the name and monster of the author. A
    player who has seen all that need not look again because another one has a new name."""
    places: tuple[Value, ...] = tuple(
        None if seat is None else (seat.owner, seat.fresh) for seat in lobby.seats
    )
    options, clocks = lobby.options.options, lobby.options.clocks
    chosen = (lobby.rules, options_to_value(options), clocks.value())
    return pack((places, *chosen, author.key, author.name, author.monster))
