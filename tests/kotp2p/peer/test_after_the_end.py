"""A game that is over goes on for those that have not confirmed its end yet."""

from __future__ import annotations

import pytest

from kotp2p.game.chain import Chain
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished
from kotp2p.mesh.effects import SendFrame
from kotp2p.peer.peer import Peer
from kotp2p.wire.closings import End, unpack_seals
from kotp2p.wire.entries import BodyKind, Signed
from tests.support.five_players import PEOPLE, SEEDS, SIGNERS, at_a_decision, genesis, others


def test_a_new_link_gets_the_end_that_this_seat_has_signed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may have been away when the others signed."""
    ledger, me = at_a_decision()
    here, later = others(me)[:2]
    end = End(ledger.height, ledger.head, (0,), bytes(32))
    monkeypatch.setattr(Chain, "build_end", lambda _: end)
    monkeypatch.setattr(Ledger, "electorates", lambda _: [{*range(PEOPLE)}])
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.begin(0.0)
    peer.link_up(here, 0.0)
    ledger.chain.step = Finished((0,))
    peer.tick(1.0)
    peer.take_effects()
    peer.link_up(later, 2.0)
    sent = [e for e in peer.take_effects() if isinstance(e, SendFrame) and e.seat == later]
    (closing,) = [
        e.frame for e in sent if isinstance(e.frame, Signed) and e.frame.kind is BodyKind.CLOSE
    ]
    assert closing.body == end.body(genesis().id)
    assert set(unpack_seals(closing.signature)) == {me}
