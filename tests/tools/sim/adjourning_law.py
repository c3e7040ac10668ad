"""I18: no honest seat is sent away alone (PROTOCOL.md 9.5).

Law: where an honest session ends by a break, each honest player that the break holds present has
signed it. In calm weather an honest player that it holds absent, and that is linked to it, wants to
stop as well: only one that did not sign in time is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from kotp2p.membership.adjourning import Adjournment, AgreedBreak
from kotp2p.peer.peer import Peer
from kotp2p.wire.closings import unpack_seals
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import keepers_of
from tests.tools.sim.life import CURRENT

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame


@contextmanager
def watched_adjourning(game: SimGame) -> Iterator[None]:
    """Within, each honest session that ends by a break is held to the law."""
    find = Adjournment.find_agreed_break

    def finds(stopping: Adjournment, now: float) -> AgreedBreak | None:
        agreed, life = find(stopping, now), CURRENT.get()
        if agreed is not None and life is not None and game.invariants.watches_votes(life):
            game.trace.reach("adjourns", stopping.seat)
            for peer in _honest_peers(game):
                _hold_to_law(game, stopping, agreed, peer)
        return agreed

    with patch.object(Adjournment, "find_agreed_break", finds):
        yield


def _honest_peers(game: SimGame) -> Iterator[Peer]:
    """Of all players with a process that is there, bots left out."""
    for machine in game.machines:
        life = machine.life
        if life is not None and life.alive and game.invariants.watches_votes(life):
            yield from life.peers[:1]


def _hold_to_law(game: SimGame, stopping: Adjournment, agreed: AgreedBreak, other: Peer) -> None:
    ledger, stop = stopping.ledger, agreed.stop
    players, alive = ledger.genesis.players, ledger.game.state.seats_alive()
    if other.seat not in keepers_of(players, alive) or other.seat in ledger.farewells:
        return
    who = f"seat {stopping.seat} stops at {stop.place[:2]}"
    if other.seat not in keepers_of(players, stop.absent):
        if other.seat not in unpack_seals(agreed.shown.signature):
            game.invariants.broken("I18", f"{who} without the signature of seat {other.seat}")
        return
    is_calm = not any(game.mix.weights.values())
    is_linked = stopping.seat in other.follower.reachability.linked
    wish = other._voting.intents.newest.get(other.seat)
    wants = wish is not None and wish.kind is IntentKind.ADJOURN
    if is_calm and is_linked and not other.has_ended and not wants:
        game.invariants.broken("I18", f"{who}, and seat {other.seat}, which plays on, is absent")
