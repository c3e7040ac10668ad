"""Closings: which ends and breaks fit a game, and who may sign them (PROTOCOL.md 9.4 and 9.5).

Scope: the checks of a reader of logs. A live peer checks by them what it is sent, and its own
record before it writes that.
Not here: when a peer signs (`kotp2p.membership`).
"""

from __future__ import annotations

from collections.abc import Collection

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged, NotSigned
from kotp2p.game.steps import Finished
from kotp2p.wire.closings import Break, End, parse_closing, unpack_seals
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import sealed_by_seat
from kotp2p.wire.votes import keepers_of
from referee.model.answers import Seat


def check_closing(ledger: Ledger, signed: Signed) -> tuple[End | Break, dict[Seat, bytes]]:
    """What a close record says where the game stands, and its signatures by seat. Raises BadBytes,
    or Forged if it does not fit there."""
    closing = parse_closing(signed.body, ledger.genesis.id)
    seals = unpack_seals(signed.signature)
    for seat, seal in seals.items():
        if not sealed_by_seat(ledger.genesis.players, seat, signed.body, seal):
            raise NotSigned("a confirmation that is not its seat's")
    if isinstance(closing, Break):
        check_break_seats(ledger, closing, seals)
        if not is_break_here(ledger, closing):
            raise Forged("a break that does not fit this place")
    elif not isinstance(ledger.step, Finished):
        raise Forged("an end before the game is over")
    elif closing != ledger.chain.build_end():
        raise Forged("an end that is not this game's")
    return closing, seals


def check_break_seats(ledger: Ledger, stop: Break, signers: Collection[Seat]) -> None:
    """Raises Forged if a seat is named that is not at the table, or if a seat has signed that
    cannot be there: an absent one, or the keeper of an absent one.

    All peers judge this alike, wherever their copies stand.
    """
    players = ledger.genesis.players
    if any(seat >= len(players) for seat in stop.absent):
        raise Forged("a break without a seat that is not at the table")
    if set(signers) & (set(stop.absent) | keepers_of(players, stop.absent)):
        raise Forged("a break that an absent player has signed")


def is_break_here(ledger: Ledger, stop: Break) -> bool:
    """Whether the break is of the present place, and all that it names are missed there: a monster
    that is out owes nothing, and a seat that has said farewell has not just gone away."""
    is_here = stop.place == (ledger.view, ledger.height, ledger.head)
    return is_here and find_missed_seats(ledger) >= set(stop.absent)


def find_missed_seats(ledger: Ledger) -> set[Seat]:
    """The seats that a break of the present place may name as absent."""
    return set(ledger.game.state.seats_alive()) - set(ledger.farewells)
