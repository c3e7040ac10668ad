"""Entries and heads on another past: the two sides of a fork show each other what they have.

Scope: when a fork is answered, and with which bodies. One of the two sides then holds two bodies of
one seat for one place, which convicts that seat.
Not here: that conviction (`kotp2p.game.conviction`), and which past counts (`kotp2p.game.ledger`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import MAX_BODIES_PER_REQUEST, Gossip
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Head, Signed

MAX_FORKS_ANSWERED = 64
"""More forks are not answered to one seat. A seat could otherwise make us send without end."""
HEIGHTS_BEFORE_FORK = 8
"""So many heights before a fork are shown to the other side, and asked of it. The two pasts may
have parted before the first entry that does not fit."""


@dataclass(slots=True)
class Forks:
    ledger: Ledger
    gossip: Gossip
    _answered: dict[Seat, set[tuple[int, bytes]]] = field(default_factory=dict)
    """For each seat that was answered: the height, and our head at that time."""
    _shown_to_all: set[Signed] = field(default_factory=set)
    """The bodies that all seats have been shown because of forks."""

    def compare_head(self, source: Seat, head: Head) -> None:
        """Finds a fork that no entry would show.

        A seat that has come as far as this one by another way may have nothing to send that tells:
        both wait for the same seat, or both are at an end.
        """
        ledger = self.ledger
        if (head.attempt, head.height) == ledger.place and head.head != ledger.head:
            self.answer_fork(source, head.height)

    def answer_fork(self, source: Seat, height: int) -> None:
        """`source` has told of another past at `height`: shows it ours, and asks for its own."""
        answered = self._answered.setdefault(source, set())
        if (height, self.ledger.head) in answered or len(answered) >= MAX_FORKS_ANSWERED:
            return
        answered.add((height, self.ledger.head))
        since = max(0, height - HEIGHTS_BEFORE_FORK)
        # An entry may name any past place: one frame must not fill all links with a whole game.
        for signed in self.ledger.chain.bodies_since(since)[:MAX_BODIES_PER_REQUEST]:
            # All seats are shown a body the first time, as each of them may hold the other one. Not
            # at each new head: a cheat that told of another past at each once filled all links.
            if signed in self._shown_to_all:
                self.gossip.send(source, signed)
            else:
                self._shown_to_all.add(signed)
                self.gossip.broadcast(signed)
        self.gossip.request_other_past(source, since)
