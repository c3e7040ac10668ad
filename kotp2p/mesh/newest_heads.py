"""The newest process of each seat, as its heads tell it (PROTOCOL.md 9.10).

Scope: which process of a seat is the newest, telling that to the older ones, and telling all what
such a seat signs meanwhile.
Not here: what a process does that hears of a newer one of its own seat (`kotp2p.peer.peer`).

A copied folder or a restored backup makes a second process of one seat. It has the same key, so the
others cannot tell it from the first one but by the `instance` in its heads. Heads of a process that
is new go to all seats, that of its author included: the older process of that seat may be there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.mesh.gossip import Gossip
from kotp2p.wire.entries import Entry, Head, Signed
from referee.model.answers import Seat

CHANGING_SECONDS = 10.0
"""So long an older process may still be there once a newer one was heard of."""


@dataclass(slots=True)
class NewestHeads:
    gossip: Gossip
    _newest: dict[Seat, tuple[bytes, int, Signed]] = field(default_factory=dict)
    """By seat: the greatest instance, and the beat and the bytes of its last head."""
    _changed_at: dict[Seat, float] = field(default_factory=dict)
    """When a newer process of a seat was heard of beside an older one."""

    def is_of_newer_process(self, head: Head) -> bool:
        """Whether an older process of its seat has been heard of before. What that has decided last
        may stand in this copy alone. So the newer one must hear in time how far this copy is."""
        known = self._newest.get(head.seat)
        return known is not None and head.instance > known[0]

    def note_head(self, source: Seat, head: Head, signed: Signed) -> bool:
        """Another seat's head, which is rightly signed, has come over the link of `source`. Whether
        it is a sign of life: no other seat can have sent it again."""
        instance, beat, newest = self._newest.get(head.seat, (b"", -1, signed))
        budgets = self.gossip.budgets
        if head.instance < instance:
            if budgets.may_relay(head.seat):
                self.gossip.send(source, newest)
            return False
        if head.instance == instance and head.beat <= beat:
            return False
        if instance < head.instance and instance:
            self._changed_at[head.seat] = budgets.now
        self._newest[head.seat] = (head.instance, head.beat, signed)
        if head.instance > instance and budgets.may_relay(head.seat):
            for seat in sorted(self.gossip.reachability.linked - {source}):
                self.gossip.send(seat, signed)
        return True

    def relay_entry(self, source: Seat, entry: Entry) -> None:
        """Passes on an entry that was taken: to the seats that cannot hear its author directly, and
        to all while an older process of the author may be there. That one may have told this copy
        alone, and the newer one must hear of it before it decides."""
        changed = self._changed_at.get(entry.seat, -math.inf)
        if self.gossip.budgets.now >= changed + CHANGING_SECONDS:
            self.gossip.relay_frame(source, entry.seat, entry.signed)
            return
        for seat in sorted(self.gossip.reachability.linked - {source}):
            self.gossip.send(seat, entry.signed)

    def bodies_for_new_link(self, seat: Seat) -> list[Signed]:
        """An older process of `seat` may be at that link."""
        newest = self.find_newest(seat)
        return [] if newest is None else [newest]

    def find_newest(self, seat: Seat) -> Signed | None:
        """The last head of the newest process of `seat` that is known."""
        known = self._newest.get(seat)
        return None if known is None else known[-1]
