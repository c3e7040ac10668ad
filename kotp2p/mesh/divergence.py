"""Copies that differ though both are legal: an error of a program, or a lie that proves nothing.

Scope: the seats whose signed digest of the position is not ours, the keepers that agree, and the
first number that differs (PROTOCOL.md 5.6).
Not here: what ends because of it (`kotp2p.peer.peer`).

How it works: an entry with another digest is not taken, so its keeper goes on owing it. It is
shown to all, as they must count the same digests. Once more than half of the members agree, they
go on: the other one cannot, and holds the game up. A copy that most do not agree with ends. So does
every copy where no majority can agree any more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Cheat, Gather, equivocation
from kotp2p.mesh.gossip import Gossip
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.position import digest_of_numbers
from kotp2p.seams.notices import Agreement, Diverged
from kotp2p.wire.entries import End, Entry, Opening, Signed
from kotp2p.wire.frames import PositionShown

POSITION_TIMEOUT_SECONDS = 5.0
"""How long the position of a seat whose digest is not ours is waited for."""


@dataclass(slots=True)
class DisputedSeat:
    """A seat that has signed another digest than ours at the present place."""

    entry: Entry
    told_at: float
    """When it is reported, also if the seat has not shown its position."""
    difference: tuple[str, str, str] = ("", "", "")
    """The first number that differs: its field, ours and theirs."""
    positions_sent: int = 0
    last_told: Agreement | None = None

    @property
    def digest(self) -> bytes:
        assert isinstance(self.entry.payload, Opening | End)  # no other entry has a digest
        assert self.entry.payload.position is not None  # it differs from ours
        return self.entry.payload.position


@dataclass(slots=True)
class Divergence:
    ledger: Ledger
    gossip: Gossip
    seat: Seat
    """The keeper of this process, which agrees with this copy before it has signed."""
    deadline: float = math.inf
    """When `find_news` is due at the latest."""
    _place: tuple[int, int] = (-1, -1)
    """Where the seats below differ. At any other place there is no dispute."""
    _disputed: dict[Seat, DisputedSeat] = field(default_factory=dict)

    def note_entry(self, source: Seat, entry: Entry, now: float) -> Cheat | None:
        """Note a signed entry of the present place with another digest than ours.

        Return the cheat if its seat has signed another such entry there.
        """
        if self._place != self.ledger.place:
            self._place, self._disputed = self.ledger.place, {}
        known = self._disputed.get(entry.seat)
        if known is not None:
            is_second = known.entry.id != entry.id
            return equivocation(entry.seat, known.entry, entry) if is_second else None
        self._disputed[entry.seat] = DisputedSeat(entry, now + POSITION_TIMEOUT_SECONDS)
        for seat in sorted(self.gossip.reachability.linked - {source}):
            self.gossip.send(seat, entry.signed)
        return None

    def find_second_entry(self, entry: Entry) -> Cheat | None:
        """Find the cheat of a seat whose entry was taken after it signed another one."""
        known = self._disputed.get(entry.seat)
        if known is None or known.entry.place != entry.place or known.entry.id == entry.id:
            return None
        return equivocation(entry.seat, known.entry, entry)

    def bodies_for_new_link(self) -> list[Signed]:
        """Return the entries that differ; no log contains them."""
        return [known.entry.signed for known in self._open_disputes().values()]

    # -- positions -------------------------------------------------------------------------

    def compare_position(self, source: Seat, shown: PositionShown) -> None:
        """Find the first number of a shown position that is not ours.

        A position counts in an open dispute only, and only if it is the one that its sender has
        signed.
        """
        known = self._open_disputes().get(source)
        if (
            known is None
            or shown.height != self.ledger.height
            or digest_of_numbers(shown.numbers) != known.digest
        ):
            return
        if known.positions_sent == 1:
            self._send_position(source, known)  # it may have been too early for our first one
        ours = self.ledger.game.position()
        # The ends are compared, too, so that a position with a field more or less differs.
        for (name, value), theirs in zip((*ours, ("end", -1)), (*shown.numbers, -1), strict=False):
            if value != theirs:
                known.difference = (name, str(value), str(theirs))
                return

    def show_position(self) -> None:
        """Send our position to the seats that differ, after our own digest."""
        disputes = self._open_disputes()
        if not disputes or self.seat in self.ledger.owing_seats():
            return
        for seat, known in disputes.items():
            if not known.positions_sent:
                self._send_position(seat, known)

    def _send_position(self, seat: Seat, known: DisputedSeat) -> None:
        known.positions_sent += 1
        numbers = tuple(value for _, value in self.ledger.game.position())
        self.gossip.send(seat, PositionShown(self.ledger.height, numbers))

    # -- what follows ----------------------------------------------------------------------

    def find_news(self, now: float) -> Diverged | None:
        """Return a seat that differs, with the side of the majority, if it is due to be shown."""
        self.deadline = math.inf
        disputes = self._open_disputes()
        if not disputes:
            return None
        agreement, majority = self._find_agreement(disputes)
        for seat, known in sorted(disputes.items()):
            is_of_majority = agreement is not Agreement.THEIRS or known.digest == majority
            if known.last_told is agreement or not is_of_majority:
                continue
            is_waiting = not known.difference[0] or agreement is Agreement.OPEN
            if is_waiting and now < known.told_at:
                self.deadline = min(self.deadline, known.told_at)
                continue
            known.last_told = agreement
            return Diverged(seat, *known.difference, agreement)
        return None

    def _open_disputes(self) -> dict[Seat, DisputedSeat]:
        is_here = self._disputed and self._place == self.ledger.place
        return self._disputed if is_here else {}

    def _find_agreement(
        self, disputes: Mapping[Seat, DisputedSeat]
    ) -> tuple[Agreement, bytes | None]:
        """Return with which copy most of the electorate agree, and its digest."""
        ledger = self.ledger
        ours = ledger.chain.feed.position_digest()
        # Witnesses sign no digest; those that have left by now, or cheated, do not count.
        step = ledger.step
        asked = step.contributors if isinstance(step, Gather) else ledger.roster.members
        electorate = {
            keeper
            for keeper in asked
            if keeper not in ledger.convicts and not ledger.has_left(keeper, ledger.attempt + 1)
        }
        signed = dict.fromkeys((*ledger.chain.gathered, self.seat), ours)
        signed |= {seat: known.digest for seat, known in disputes.items()}
        counts = Counter(digest for keeper, digest in signed.items() if keeper in electorate)
        silent = len(electorate - signed.keys())
        for digest, count in counts.items():
            if 2 * count > len(electorate):
                return (Agreement.OURS if digest == ours else Agreement.THEIRS), digest
        if 2 * (max(counts.values(), default=0) + silent) > len(electorate):
            return Agreement.OPEN, None
        return Agreement.NONE, None
