"""A keeper that leaves: while its bots may be signing something, and what it shows the others."""

from __future__ import annotations

import pytest

from kotp2p.endings import EndKind
from kotp2p.game.refusals import OwnFault
from kotp2p.membership.departure import WAIT_FOR_BOTS_SECONDS
from kotp2p.mesh.effects import AppendRecord, Effect, EndPeer, SendFrame
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames_game import Links
from tests.support.hearing import hear_frame
from tests.support.scribe import Scribe

HOST, GUEST, BOT, OTHER_BOT = range(4)
LEAVES = 1.0


def leaving_host() -> tuple[Scribe, Peer]:
    """Of two bots, at the first draw. It has opened its part, and they have not."""
    scribe = Scribe(4, bots=2)
    peer = Peer(scribe.ledger.genesis, HOST, scribe.signers[HOST], scribe.seeds[HOST])
    peer.begin(0.0)
    for seat in (GUEST, BOT, OTHER_BOT):
        peer.link_up(seat, 0.0)
    peer.take_effects()
    peer.leave_game(LEAVES)
    assert not peer.has_ended
    return scribe, peer


def farewells(effects: list[Effect]) -> int:
    records = [effect.signed for effect in effects if isinstance(effect, AppendRecord)]
    return sum(signed.kind is BodyKind.STAND_IN for signed in records)


def endings(effects: list[Effect]) -> list[EndKind]:
    return [effect.kind for effect in effects if isinstance(effect, EndPeer)]


def test_it_leaves_as_soon_as_they_have_signed() -> None:
    scribe, peer = leaving_host()
    hear_frame(peer, BOT, scribe.entry(BOT).signed, LEAVES)
    assert not peer.has_ended
    hear_frame(peer, OTHER_BOT, scribe.entry(OTHER_BOT).signed, LEAVES)
    effects = peer.take_effects()
    assert farewells(effects) == 1
    assert endings(effects) == [EndKind.LEFT]


def test_in_front_of_its_farewell_it_shows_all_what_it_was_told() -> None:
    """Also to those that have a link to the author, who may have told them nothing."""
    scribe, peer = leaving_host()
    hear_frame(peer, GUEST, Links((HOST, BOT, OTHER_BOT)), LEAVES)
    entries = [scribe.entry(seat).signed for seat in (BOT, OTHER_BOT)]
    for seat, entry in zip((BOT, OTHER_BOT), entries, strict=True):
        assert not peer.has_ended
        hear_frame(peer, seat, entry, LEAVES)
    effects = peer.take_effects()
    frames = [e.frame for e in effects if isinstance(e, SendFrame) and e.seat == GUEST]
    *before, last = [frame for frame in frames if isinstance(frame, Signed)]
    assert last.kind is BodyKind.STAND_IN
    assert {*entries} < {*before}


def test_it_keeps_all_their_seats_when_they_do_not_sign_in_time() -> None:
    """A farewell might contradict what a bot has signed and nobody has heard."""
    _, peer = leaving_host()
    peer.tick(LEAVES + WAIT_FOR_BOTS_SECONDS - 0.1)
    assert not peer.has_ended
    peer.tick(LEAVES + WAIT_FOR_BOTS_SECONDS)
    effects = peer.take_effects()
    assert farewells(effects) == 0
    assert endings(effects) == [EndKind.KEPT]


def test_no_farewell_is_signed_that_its_own_entry_contradicts() -> None:
    """It would convict this seat. Its program notices that it was about to sign one."""
    _, peer = leaving_host()
    with pytest.raises(OwnFault, match="a farewell"):
        peer._duties.sign_farewell((0, 0), ())
    peer._duties.sign_farewell((0, 1), ())
    assert farewells(peer.take_effects()) == 1


def test_a_peer_that_has_ended_does_and_tells_nothing_more() -> None:
    scribe, peer = leaving_host()
    late = LEAVES + WAIT_FOR_BOTS_SECONDS
    peer.tick(late)
    peer.take_effects()
    peer.link_down(GUEST, late)
    peer.link_up(GUEST, late)
    hear_frame(peer, BOT, scribe.entry(BOT).signed, late)
    peer.leave_game(late)
    peer.keep_seat()
    peer.tick(2 * late)
    assert peer.take_effects() == []
