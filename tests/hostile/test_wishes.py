"""Seats that have no say at the table tell what they want."""

from __future__ import annotations

import pytest

from kotp2p.absence_notices import AdjournWanted, Paused, PauseEnded, Voted
from kotp2p.mesh.effects import ShowNotice
from kotp2p.notices import Notice
from kotp2p.peer.peer import Peer
from kotp2p.wire.intents import Intent, IntentKind
from referee.model.answers import Seat
from tests.support.hearing import hear_frame
from tests.support.hostile_seats import MALLORY, ME, NOW, OTHER, genesis, peer
from tests.tools.vector_table import SEATS

WISHES = (IntentKind.DROP, IntentKind.ADJOURN, IntentKind.PAUSE)


def wants(found: Peer, seat: Seat, verb: IntentKind, serial: int = 1) -> list[Notice]:
    """What is shown of it. It comes over the link of the other seat."""
    place = (0, found.ledger.chain.turns) if verb is IntentKind.PAUSE else found.ledger.place
    game, accused = genesis().id, (ME,) if verb is IntentKind.DROP else ()
    intent = Intent.sign(SEATS[seat], game, seat, serial, verb, place, accused)
    hear_frame(found, MALLORY, intent.signed, NOW)
    shown = [e.notice for e in found.take_effects() if isinstance(e, ShowNotice)]
    return [n for n in shown if isinstance(n, AdjournWanted | Paused | PauseEnded | Voted)]


@pytest.mark.parametrize("verb", WISHES)
def test_a_player_at_the_table_is_heard(verb: IntentKind) -> None:
    assert wants(peer(), MALLORY, verb)


@pytest.mark.parametrize("verb", WISHES)
def test_a_player_who_is_out_stops_no_clock_and_asks_for_nothing(verb: IntentKind) -> None:
    """Somebody who was voted out could pause each turn for ten minutes."""
    found = peer()
    found.ledger.game.state.monsters[MALLORY].alive = False
    assert wants(found, MALLORY, verb) == []
    assert not found._voting.clocks.paused_until


@pytest.mark.parametrize("verb", WISHES)
def test_a_bot_stops_no_clock_and_asks_for_nothing(verb: IntentKind) -> None:
    """A host with four bots could pause five times in each turn."""
    found = peer()
    assert genesis().players[OTHER].bot
    assert wants(found, OTHER, verb) == []
    assert not found._voting.clocks.paused_until


def test_a_player_who_is_out_since_can_end_the_own_pause() -> None:
    found = peer()
    assert wants(found, MALLORY, IntentKind.PAUSE) == [Paused(MALLORY, 600)]
    found.ledger.game.state.monsters[MALLORY].alive = False
    assert wants(found, MALLORY, IntentKind.GO, serial=2) == [PauseEnded(MALLORY)]
