"""What has closed the steps of a game."""

from __future__ import annotations

from kotp2p.game.history import StandIn, height_left
from kotp2p.wire.farewells import Farewell
from tests.support.five_players import SIGNERS, at_a_decision, genesis, owes

BOT, KEEPER, OTHER = 3, 1, 2


def test_a_keeper_has_left_where_its_farewell_has_stood_in_first_for_any_of_its_seats() -> None:
    ledger, asked = at_a_decision()
    bye = Farewell.sign(SIGNERS[KEEPER], genesis().id, KEEPER, 0, 1)
    entry = owes(ledger, asked)
    closed = [(entry,), (entry, StandIn(BOT, bye)), (StandIn(KEEPER, bye),)]
    assert height_left(closed, KEEPER) == 1
    assert height_left(closed, BOT) is None
    assert height_left(closed, OTHER) is None
