"""A table of three, of which one peer is looked at and the other two are in the test's hand."""

from kotp2p.mesh.gossip import CloseLink, Effect, EndPeer, SendFrame, ShowNotice
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.genesis import Genesis
from tests.support.five_players import genesis_of
from tests.support.hearing import hear_frame
from tests.tools.vector_table import SEATS, SEEDS

ME, MALLORY, OTHER = 0, 1, 2
NOW = 100.0


def genesis() -> Genesis:
    return genesis_of(3)


def peer() -> Peer:
    """Seat 0, linked to both others and at its first gather."""
    found = Peer(genesis(), ME, SEATS[ME], SEEDS[ME])
    found.begin(NOW)
    for seat in (MALLORY, OTHER):
        found.link_up(seat, NOW)
    found.take_effects()
    return found


def hears(found: Peer, frame: Frame, now: float = NOW) -> list[Effect]:
    hear_frame(found, MALLORY, frame, now)
    return found.take_effects()


def dropped(effects: list[Effect]) -> bool:
    """Mallory's link goes; nobody is accused and the game goes on."""
    assert not [e for e in effects if isinstance(e, EndPeer | ShowNotice)]
    assert not [e for e in effects if isinstance(e, SendFrame) and isinstance(e.frame, Signed)]
    return CloseLink in {type(e) for e in effects} and all(
        e.seat == MALLORY for e in effects if isinstance(e, CloseLink)
    )
