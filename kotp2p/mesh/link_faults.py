"""Whose fault it is that a body cannot be taken (PROTOCOL.md 3.1).

Scope: the author of a malformed or forged body: the other side of its link, or a third seat.
Not here: what is wrong with a body (`kotp2p.wire`, `kotp2p.game`), and frames that are not well
formed, which are always the fault of the link's other side.

How it works: a peer passes on only what it has read and what its author has rightly signed. So
bytes that nobody at the table has signed come from the other side of the link. A third seat answers
for what it has signed: another program may have taken it and passed it on in good faith.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.chat import RateLimit
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed, unpack_seals
from kotp2p.wire.genesis import Player, signed_by_keeper

MAX_BAD_BODIES = 16
"""So many of one link are looked at within `BAD_BODIES_WINDOW_SECONDS`. The rest is skipped: an
honest peer may pass on many, and to find an author takes a signature check for each seat."""
BAD_BODIES_WINDOW_SECONDS = 10.0


@dataclass(slots=True)
class LinkFaults:
    players: tuple[Player, ...]
    _looked_at: dict[Seat, RateLimit] = field(default_factory=dict)
    """How many bad bodies of each link were looked at."""

    def is_of_sender(self, source: Seat, signed: Signed, now: float) -> bool:
        """Whether the other side of the link of `source` answers for a body that cannot be taken.
        Otherwise the body is skipped, and the link stays."""
        limit = self._looked_at.setdefault(
            source, RateLimit(MAX_BAD_BODIES, BAD_BODIES_WINDOW_SECONDS)
        )
        if not limit.allows(now):
            return False
        authors = self._find_authors(signed)
        return not authors or source in authors

    def _find_authors(self, signed: Signed) -> set[Seat]:
        """The seats that have rightly signed these bytes; empty if a signature is nobody's."""
        match signed.kind:
            case BodyKind.LINE_UP:
                return self._find_sealers(signed)
            case BodyKind.CHEAT_PROOF:
                return set()  # it has no signature: its sender has judged it
            case _:  # all others have one author
                seats = range(len(self.players))
                return {seat for seat in seats if signed_by_keeper(self.players, seat, signed)}

    def _find_sealers(self, signed: Signed) -> set[Seat]:
        try:
            seals = unpack_seals(signed.signature)
        except BadBytes:
            return set()
        for seat, seal in seals.items():
            if not signed_by_keeper(self.players, seat, Signed(signed.kind, signed.body, seal)):
                return set()
        return set(seals)
