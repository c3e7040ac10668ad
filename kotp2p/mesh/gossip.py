"""How bodies spread: each once over each link, missing ones on request (PROTOCOL.md 9.1).

Scope: which seats a frame is sent to, when missing bodies are asked for, and how often such a
request is served.
Not here: whether a body counts (`kotp2p.game.ledger`), and which seats have a link
(`kotp2p.mesh.reachability`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import AppendRecord, CloseLink, Effect, SendFrame, ShowNotice
from kotp2p.mesh.reachability import Reachability
from kotp2p.mesh.seat_budgets import SeatBudgets
from kotp2p.notices import Notice
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame, Links, Want, encode

REQUEST_PAUSE_SECONDS = 1.0
"""Pause between two requests for missing bodies over one link. It doubles as long as a request
brings nothing."""
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
    _requests: dict[Seat, SentRequest] = field(default_factory=dict)
    _forked: dict[Seat, tuple[bytes, int]] = field(default_factory=dict)
    """By link: the head of this copy when the other side showed another past, and the height from
    which that was asked for."""
    _served_again_at: dict[Seat, float] = field(default_factory=dict)
    """When the next request of each seat is served."""

    def show(self, notice: Notice) -> None:
        self.effects.append(ShowNotice(notice))

    def append_record(self, signed: Signed) -> None:
        """Writes a body into the log. The ledger MUST have taken it. Raises Unwritable if its bytes
        are none that a reader of logs would take."""
        encode(signed)  # a record holds the same array as a frame, within the same bounds
        self.effects.append(AppendRecord(signed))

    def send(self, seat: Seat, frame: Frame) -> None:
        """Send a frame if there is a direct link to `seat`; otherwise do nothing."""
        if seat in self.reachability.linked:
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

    def spread(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Pass on to all what `author` may tell each something else, but to `author`. What a
        line-up needs to begin is spread so, and is under no budget."""
        for seat in sorted(self.reachability.linked - {source, author}):
            self.send(seat, frame)

    def spread_news(self, source: Seat, author: Seat, frame: Frame) -> None:
        """As `spread`, for what an author may sign without end."""
        if self.budgets.may_relay(author):
            self.spread(source, author, frame)

    def broadcast_links(self) -> None:
        self.broadcast(Links(tuple(sorted(self.reachability.linked))))

    def request_missing(self, source: Seat, now: float, *, later_line_up: bool = False) -> bool:
        """Ask `source` for everything beyond our place, unless it was asked a moment ago; return
        whether it was asked now.

        `later_line_up`: it plays in a line-up that this copy does not know. Its base may be at any
        place since the last gathers, so everything since then is asked for.
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
        since = ledger.chain.gather_before_last if later_line_up else ledger.height
        head, fork_since = self._forked.get(source, (b"", 0))
        since = min(since, fork_since) if head == ledger.head else since
        self.send(source, Want(ledger.attempt, since))
        return True

    def request_other_past(self, source: Seat, since: int) -> None:
        """Asks `source` for everything from a height before the fork on. So do further requests
        while this copy stands there: `source` refuses one that comes too soon after another."""
        self._forked[source] = (self.ledger.head, since)
        self.send(source, Want(self.ledger.attempt, since))

    def forget_requests(self, seat: Seat) -> None:
        """Over a new link, what is missing is asked for at once: answers may have been lost."""
        self._requests.pop(seat, None)

    def serve_request(self, source: Seat, want: Want, now: float) -> bool:
        """Send what `source` lacks; return False if it has asked too often.

        A request makes this process send far more than it receives, so its rate is limited.
        """
        if now < self._served_again_at.get(source, 0.0):
            return False
        self._served_again_at[source] = now + REQUEST_PAUSE_SECONDS / 2
        bodies = self.ledger.bodies_after(want.attempt, want.height)
        for signed in bodies[:MAX_BODIES_PER_REQUEST]:
            self.send(source, signed)
        return True
