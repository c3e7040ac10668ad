"""Breaks: which seats a break may name as absent, and which may sign it (PROTOCOL.md 9.5).

Scope: the checks of a reader of logs and of a live peer.
Not here: when a peer signs a break (`kotp2p.membership.adjourning`).
"""

from __future__ import annotations

from collections.abc import Collection

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.wire.closings import Break
from kotp2p.wire.votes import keepers_of
from referee.model.answers import Seat


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
    missed = set(ledger.game.state.seats_alive()) - set(ledger.farewells)
    return stop.place == (ledger.view, ledger.height, ledger.head) and missed >= set(stop.absent)
