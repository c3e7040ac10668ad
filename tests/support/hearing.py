"""Frames that reach a peer one by one, as `kotp2p.shell.game_stage` gives them."""

from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.frames import Frame


def hear_frame(peer: Peer, source: Seat, frame: Frame, now: float) -> None:
    """A frame behind which no other waits, and what the seat of the peer owes then."""
    peer.receive_frame(source, frame, now)
    if now >= peer.deadline:
        peer.tick(now)
