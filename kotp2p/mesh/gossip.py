"""How bodies spread: each once over each link, missing ones on request (PROTOCOL.md 9.1).

Scope: which seats a frame is sent to, when missing bodies are asked for, and how often such a
request is served.
Not here: whether a body counts (`kotp2p.game.ledger`), and which seats have a link
(`kotp2p.mesh.reachability`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import AppendRecord, CloseLink, Effect, SendFrame
from kotp2p.mesh.reachability import Reachability
from kotp2p.mesh.seat_budgets import SeatBudgets
from kotp2p.wire.entries import Signed
from kotp2p.wire.frame_codec import encode
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Links, Want
from referee.model.answers import Seat

REQUEST_PAUSE_SECONDS = 1.0
"""Pause between two requests for missing bodies over one link. It doubles as long as a request
brings nothing: perhaps our own votes forbid us to take what the other side has."""
MAX_REQUEST_PAUSE_SECONDS = 16.0
"""The pause grows no longer than this."""
MAX_BODIES_PER_REQUEST = 512
"""More bodies are sent only for the next request, which has a greater height."""


@dataclass(frozen=True, slots=True)
class SentRequest:
    """The last request over a link, and what it has to wait for."""

    have: tuple[tuple[int, int], int]
    """What this copy had then: its place, and how many entries of the gather there."""
    pause_seconds: float
    not_before: float
    """When the next request may be sent."""


@dataclass(slots=True)
class Gossip:
    ledger: Ledger
    reachability: Reachability
    effects: list[Effect] = field(default_factory=list)
    """Everything that the peer wants done, in order: frames, log records, notices and questions
    share one list, because the order between them matters."""
    budgets: SeatBudgets = field(default_factory=SeatBudgets)
    closing: set[Seat] = field(default_factory=set)
    """The seats whose link is being closed. What still comes over it is thrown away."""
    kept_back: dict[Seat, Mapping[Signed, tuple[int, float]]] = field(default_factory=dict)
    """By link: decisions of this seat that it must not hear from here, perhaps not yet
    (`kotp2p.peer.new_links`)."""
    _requests: dict[Seat, SentRequest] = field(default_factory=dict)
    _forked: dict[Seat, tuple[bytes, int]] = field(default_factory=dict)
    """By link: the head of this copy when the other side showed another past, and the height from
    which that was asked for."""
    _served_again_at: dict[Seat, float] = field(default_factory=dict)
    """When the next request of each seat is served."""

    def append_record(self, signed: Signed) -> None:
        """Writes a body into the log. The ledger MUST have taken it. Raises Unwritable if its bytes
        are none that a reader of logs would take."""
        encode(signed)  # a record holds the same array as a frame, within the same bounds
        self.effects.append(AppendRecord(signed))

    def send(self, seat: Seat, frame: Frame) -> None:
        """Sends a frame if there is a direct link to `seat`, and it is not kept back from it;
        otherwise nothing happens."""
        if seat in self.reachability.linked and frame not in self.kept_back.get(seat, ()):
            self.effects.append(SendFrame(seat, frame))

    def forget_unsent(self) -> None:
        """Takes back what has neither been written nor sent yet: a newer process of this seat may
        have decided otherwise."""
        self.effects = [e for e in self.effects if not isinstance(e, AppendRecord | SendFrame)]

    def broadcast(self, frame: Frame) -> None:
        """Sends a frame over all direct links."""
        for seat in sorted(self.reachability.linked):
            self.send(seat, frame)

    def close_link(self, seat: Seat, reason: str) -> None:
        """Closes the link of `seat`; `reason` is technical, in English."""
        self.effects.append(CloseLink(seat, reason))
        self.closing.add(seat)

    def relay_frame(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Passes on what `author` signed to the seats that cannot hear it directly."""
        for seat in self.reachability.relay_targets(author, source):
            self.send(seat, frame)

    def relay_news(self, source: Seat, author: Seat, frame: Frame) -> None:
        """As `relay_frame`, for what an author may sign without end: honest links must not be
        filled with it."""
        if self.budgets.may_relay(author):
            self.relay_frame(source, author, frame)

    def spread_news(self, source: Seat, author: Seat, frame: Frame) -> None:
        """As `relay_news`, also to seats with a link to `author`: it may tell each something
        else."""
        if self.budgets.may_relay(author):
            for seat in sorted(self.reachability.linked - {source, author}):
                self.send(seat, frame)

    def broadcast_links(self) -> None:
        self.broadcast(Links(tuple(sorted(self.reachability.linked))))

    def request_missing(self, source: Seat, now: float, *, later_view: bool = False) -> bool:
        """Asks `source` for everything from our height on, unless it was asked a moment ago.
        Returns whether it was asked now.

        `later_view`: it has gone on in a view that this copy does not know. Such a view may begin
        at any height since the last gather, so everything since then is asked for.
        """
        ledger, last = self.ledger, self._requests.get(source)
        if last is not None and now < last.not_before:
            return False
        have = (ledger.place, len(ledger.chain.gathered))
        pause = (
            REQUEST_PAUSE_SECONDS if last is None or last.have != have else 2 * last.pause_seconds
        )
        pause = min(pause, MAX_REQUEST_PAUSE_SECONDS)
        self._requests[source] = SentRequest(have, pause, now + pause)
        since = ledger.chain.last_gather if later_view else ledger.height
        head, fork_since = self._forked.get(source, (b"", 0))
        self.send(source, Want(min(since, fork_since) if head == ledger.head else since))
        return True

    def request_other_past(self, source: Seat, since: int) -> None:
        """Asks `source` for everything from a height before the fork on. So do further requests
        while this copy stands there: `source` refuses one that comes too soon after another."""
        self._forked[source] = (self.ledger.head, since)
        self.send(source, Want(since))

    def forget_requests(self, seat: Seat) -> None:
        """Over a new link, what is missing is asked for at once: answers may have been lost."""
        self._requests.pop(seat, None)

    def serve_request(self, source: Seat, height: int, now: float) -> bool:
        """Sends what `source` lacks from `height` on; False if it has asked too often.

        A request makes this process send far more than it receives, so its rate is limited.
        """
        if now < self._served_again_at.get(source, 0.0):
            return False
        self._served_again_at[source] = now + REQUEST_PAUSE_SECONDS / 2
        for signed in self.ledger.bodies_since(height)[:MAX_BODIES_PER_REQUEST]:
            self.send(source, signed)
        return True
