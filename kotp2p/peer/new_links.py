"""What a new link gets at once, and what it gets only later.

Scope: the bodies since the last gather, which the other side may have lost with its old link.
Not here: links themselves (`kotp2p.mesh.reachability`), and what is passed on later
(`kotp2p.mesh.gossip`).

A process that slept, or lost its power, may have signed a decision that nobody has heard, while a
newer process of its seat decided otherwise. Sent now, the two would convict the seat. On a new link
the newest head of the other side's seat comes first, and the sender's own head last. So a decision
that nobody builds on waits for that last head. It is never sent to a seat that has come past its
place, which has this decision or the other one. In a process that has returned it waits until a new
decision could be signed: an older process may have decided just now (PROTOCOL.md 9.10 R5).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.divergence import Divergence
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.newest_heads import NewestHeads
from kotp2p.votes.accusations import Accusations
from kotp2p.wire.entries import Answering, BodyKind, Entry, Head, Signed
from kotp2p.wire.frames_lobby import AllAssent
from kotp2p.wire.votes import Vote, seats_kept_by
from referee.model.answers import Seat


@dataclass(slots=True)
class NewLinks:
    seat: Seat
    """The seat of this process."""
    ledger: Ledger
    gossip: Gossip
    newest_heads: NewestHeads
    accusations: Accusations
    divergence: Divergence
    _told_start: set[Seat] = field(default_factory=set)
    """The seats that have got the signatures of all over their link."""
    _told: dict[Seat, tuple[int, int]] = field(default_factory=dict)
    """By link: the view and height that its other side has told there since `send_unheard`."""

    def tell_start(self, link: Seat) -> None:
        """The other side has signed the genesis, and asks whether all have. Once for each link."""
        if link not in self._told_start:
            self._told_start.add(link)
            self.gossip.send(link, AllAssent(self.ledger.genesis.signatures))

    def send_recent_bodies(self, link: Seat) -> None:
        """Everything since the last gather, but what is kept back."""
        self._told_start.discard(link)
        self._told.pop(link, None)
        recent = self.ledger.bodies_since(self.ledger.chain.last_gather)
        self.gossip.kept_back[link] = self._unheard_among(recent)
        for signed in (
            *self.newest_heads.bodies_for_new_link(link),
            *self.accusations.bodies_for_new_link(),
            *recent,
            *self.divergence.bodies_for_new_link(),
        ):
            self.gossip.send(link, signed)

    def note_head(self, link: Seat, head: Head) -> None:
        """The other side has told its own head on this link."""
        self._told[link] = (head.view, head.height)

    def send_unheard(self) -> None:
        """This process may decide: each link whose other side has told its head gets what was kept
        back from it, but the decisions that it has come past."""
        for link, place in self._told.items():
            kept_back = self.gossip.kept_back.pop(link, {})
            passed = {body: at for body, at in kept_back.items() if at < place}
            if passed:
                self.gossip.kept_back[link] = passed
            for body in kept_back:
                self.gossip.send(link, body)
        self._told.clear()

    def _unheard_among(self, bodies: Iterable[Signed]) -> dict[Signed, tuple[int, float]]:
        """What the seats of this process have decided and no other builds on, and up to which place
        of another seat it may be sent: all from their first answer behind the last entry of another
        keeper's seat on, and their votes. Their openings behind that answer name a head that only
        this answer has."""
        players = self.ledger.genesis.players
        own = seats_kept_by(players, {players[self.seat].keeper}, range(len(players)))
        entries, votes = dict[Signed, tuple[int, float]](), dict[Signed, tuple[int, float]]()
        for signed in bodies:
            if signed.kind is BodyKind.VOTE:
                vote = Vote.parse(signed, self.ledger.genesis.id)
                if vote.seat in own:  # it may be about an earlier height of this view
                    votes[signed] = (vote.view, math.inf)
            elif signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
                entry = Entry.parse(signed)
                if entry.seat not in own:
                    entries.clear()
                elif entries or isinstance(entry.payload, Answering):
                    entries[signed] = (entry.view, entry.height)
        return entries | votes
