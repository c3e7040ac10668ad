"""The law about stopped copies holds a stop against the program where most are honest, not else.

Two of five are honest beside three cheats, in a gather to which all of them owe an opening.
"""

from __future__ import annotations

import pytest

from kotp2p.notices import Agreement, Diverged
from kotp2p.peer.peer import Peer
from kotp2p.wire.farewells import Farewell
from tests.support.five_players import PEOPLE, SEEDS, SIGNERS, genesis
from tests.tools.sim.accountability import Accountability
from tests.tools.sim.life import Life

HONEST, CHEATS = (0, 1), (2, 3, 4)


def laws_broken_by_a_stop(peer: Peer, agreement: Agreement = Agreement.NONE) -> list[str]:
    seats = {seat: seat for seat in range(PEOPLE)}
    laws = Accountability(cheats=frozenset(CHEATS), stops=True, played_by=seats)
    laws.i2_nobody_accused(
        Life(HONEST[0], 0, "", peers=[peer]), Diverged(CHEATS[0], "", "", "", agreement)
    )
    return [violation.number for violation in laws.violations]


def playing() -> Peer:
    return Peer(genesis(), HONEST[0], SIGNERS[HONEST[0]], SEEDS[HONEST[0]])


def leave(peer: Peer, seat: int, later: int) -> None:
    view, height = peer.ledger.place
    farewell = Farewell.sign(SIGNERS[seat], genesis().id, seat, view, height + later)
    peer.follower.accept_farewell(seat, farewell)


def test_more_cheats_than_honest_may_stop_a_copy() -> None:
    assert laws_broken_by_a_stop(playing()) == []


@pytest.mark.parametrize(("later", "broken"), [(0, ["I2"]), (1, []), (900_000, [])])
def test_cheats_that_have_left_may_stop_nobody_unless_from_a_later_place(
    later: int, broken: list[str]
) -> None:
    peer = playing()
    for cheat in CHEATS[:2]:
        leave(peer, cheat, later)
    assert laws_broken_by_a_stop(peer) == broken


def test_convicts_may_stop_nobody() -> None:
    peer = playing()
    for cheat in CHEATS[:2]:
        for later in (1, 2):
            leave(peer, cheat, later)
    assert {*peer.follower.accusations.convicts} == {*CHEATS[:2]}
    assert laws_broken_by_a_stop(peer) == ["I2"]


def test_a_dispute_that_goes_on_breaks_no_law() -> None:
    peer = playing()
    for cheat in CHEATS[:2]:
        leave(peer, cheat, 0)
    assert laws_broken_by_a_stop(peer, Agreement.OPEN) == []
