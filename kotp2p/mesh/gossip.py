"""How bodies spread: each once over each link, missing ones on request (PROTOCOL.md 9.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import Effect, SendFrame
from kotp2p.mesh.reachability import Reachability
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Links, Want
from referee.model.answers import Seat

REQUEST_PAUSE_SECONDS = 1.0
"""Seconds between two requests for what is missing over one link; twice as many each time while
that brings nothing: a peer that claims to be further may be kept back by our votes."""
MAX_REQUEST_PAUSE_SECONDS = 16.0
"""Seconds between two requests at the most."""
MAX_BODIES_PER_REQUEST = 512
"""Bodies sent for one request."""


@dataclass(frozen=True, slots=True)
class SentRequest:
    """The last request over a link."""

    have: tuple[tuple[int, int], int]
    """What we had then: our place, and how many parts of its gather."""
    pause: float
    again: float


@dataclass(slots=True)
class Gossip:
    ledger: Ledger
    reachability: Reachability
    effects: list[Effect] = field(default_factory=list)
    """What the peer wants done, frames and all else, in order."""
    _requests: dict[Seat, SentRequest] = field(default_factory=dict)
    _next_served: dict[Seat, float] = field(default_factory=dict)

    def send(self, seat: Seat, frame: Frame) -> None:
        """Nothing happens if there is no direct link to the seat."""
        if seat in self.reachability.linked:
            self.effects.append(SendFrame(seat, frame))

    def broadcast(self, frame: Frame) -> None:
        for seat in sorted(self.reachability.linked):
            self.send(seat, frame)

    def relay_frame(self, source: Seat, author: Seat, frame: Frame) -> None:
        """To those that have no direct link to the author."""
        for seat in self.reachability.relay_targets(author, source):
            self.send(seat, frame)

    def broadcast_links(self) -> None:
        self.broadcast(Links(tuple(sorted(self.reachability.linked))))

    def request_missing(self, source: Seat, now: float, *, later_view: bool = False) -> None:
        """Asks for everything from our height on, now and then; if a later view has begun, from
        where it may have begun on."""
        ledger, last = self.ledger, self._requests.get(source)
        if last is not None and now < last.again:
            return
        have = (ledger.place, len(ledger.chain.gathered))
        pause = REQUEST_PAUSE_SECONDS if last is None or last.have != have else 2 * last.pause
        pause = min(pause, MAX_REQUEST_PAUSE_SECONDS)
        self._requests[source] = SentRequest(have, pause, now + pause)
        self.send(source, Want(ledger.chain.last_gather if later_view else ledger.height))

    def forget_requests(self, seat: Seat) -> None:
        """What it has sent on its last link may be lost."""
        self._requests.pop(seat, None)

    def serve_request(self, source: Seat, height: int, now: float) -> bool:
        """Sends what `source` lacks. A peer that asks without end is not answered without end."""
        if now < self._next_served.get(source, 0.0):
            return False
        self._next_served[source] = now + REQUEST_PAUSE_SECONDS / 2
        for signed in self.ledger.bodies_since(height)[:MAX_BODIES_PER_REQUEST]:
            self.send(source, signed)
        return True
