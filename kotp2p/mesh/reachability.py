"""Links between seats, the last sign of each seat, and which link is to blame for bad bytes.

Scope: the direct links of this process, the links that others tell of theirs, when each seat was
heard of last, and seats that are reached through one other seat alone.

How it works (PROTOCOL.md 9.1): a connected graph of links is enough for a game. Each peer tells its
own links, so each knows which seats it can reach through which. A peer passes on what one of its
neighbours signs to every other neighbour without a link to that seat.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from kotp2p.referee.model.answers import Seat
from kotp2p.seams.cores import RateLimit
from kotp2p.seams.notices import Detour
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed, unpack_seals
from kotp2p.wire.genesis import Player, signed_by_keeper

GONE_AFTER_SILENT_SECONDS = 30.0
"""A seat is gone if nothing that it signed has arrived for so long, by any way."""
GONE_AFTER_UNREACHABLE_SECONDS = 30.0
"""A seat is gone if no chain of links has led to it for so long. A player whose process was killed,
and who types the same command again at once, is back in time."""
QUIET_AFTER_SECONDS = 5.0
"""A direct link that is silent for so long is shown to the player: a PING is due every 2 s."""
DEAD_LINK_AFTER_SECONDS = 12.0
"""A direct link is dead if no frame, not even a PING, has come over it for so long. A router
that forgets a connection tells neither side."""


@dataclass(slots=True)
class Reachability:
    seat: Seat
    linked: set[Seat] = field(default_factory=set)
    _neighbours: dict[Seat, frozenset[Seat]] = field(default_factory=dict)
    _last_heard: dict[Seat, float] = field(default_factory=dict)
    _cut_since: dict[Seat, float] = field(default_factory=dict)
    _last_frame: dict[Seat, float] = field(default_factory=dict)

    def start_clocks(self, seats: int, now: float) -> None:
        self._last_heard = dict.fromkeys(range(seats), now)

    def add_link(self, seat: Seat, now: float) -> bool:
        """Add a link, perhaps in place of another; return whether there was none before."""
        self.note_frame(seat, now)
        self._cut_since.pop(seat, None)
        if seat in self.linked:
            return False
        self.linked.add(seat)
        return True

    def remove_link(self, seat: Seat) -> None:
        self.linked.discard(seat)
        self._neighbours.pop(seat, None)
        self._last_frame.pop(seat, None)

    def learn_links(self, seat: Seat, neighbours: Iterable[Seat]) -> None:
        self._neighbours[seat] = frozenset(neighbours)

    def note_heard(self, seat: Seat, now: float) -> None:
        self._last_heard[seat] = now

    def note_frame(self, seat: Seat, now: float) -> None:
        self.note_heard(seat, now)
        self._last_frame[seat] = now

    def find_quiet_links(self, now: float) -> dict[Seat, int]:
        """Return the seconds since the last frame over each direct link that is quiet."""
        return {
            seat: int(now - last)
            for seat, last in self._last_frame.items()
            if now >= last + QUIET_AFTER_SECONDS
        }

    def find_dead_links(self, now: float) -> list[Seat]:
        """Return the direct links that have died, each once, to be made anew."""
        found = [
            seat for seat, last in self._last_frame.items() if now >= last + DEAD_LINK_AFTER_SECONDS
        ]
        for seat in found:
            del self._last_frame[seat]
        return found

    def excuse_silence(self, now: float) -> None:
        """Excuse the silence of all seats: this machine was stopped meanwhile."""
        self._last_frame = dict.fromkeys(self._last_frame, now)
        self._last_heard = dict.fromkeys(self._last_heard, now)
        self._cut_since = dict.fromkeys(self._cut_since, now)

    def relay_targets(self, author: Seat, source: Seat) -> list[Seat]:
        """Return the seats to pass on what `author` signed and `source` gave us."""
        # What a neighbour has told of its links may be old. Then it gets a body twice, or asks for
        # it later. A neighbour that has told nothing yet gets everything.
        return [
            seat
            for seat in sorted(self.linked - {source, author})
            if author not in self._neighbours.get(seat, ())
        ]

    def reachable_seats(self) -> set[Seat]:
        reached, fresh = {self.seat}, set(self.linked)
        while fresh:
            reached |= fresh
            known = [self._neighbours.get(seat, frozenset()) for seat in fresh]
            fresh = set().union(*known) - reached
        return reached

    def find_ways(self, seat: Seat) -> set[Seat]:
        """Return the linked seats through which `seat` is reached by their word, or itself."""
        if seat in self.linked:
            return {seat}
        return {near for near in self.linked if seat in self._neighbours.get(near, ())}

    def find_gone_seats(self, seats: Collection[Seat], now: float) -> dict[Seat, float]:
        """Find which of `seats` are gone, and since when each was cut off or silent."""
        found: dict[Seat, float] = {}
        # Where all have a link to this process, no other way is looked for.
        all_linked = self.linked.issuperset(seats)
        reached = self.linked if all_linked else self.reachable_seats()
        for seat in seats:
            if seat in reached:
                self._cut_since.pop(seat, None)
            elif now >= self._cut_since.setdefault(seat, now) + GONE_AFTER_UNREACHABLE_SECONDS:
                found[seat] = self._cut_since[seat]
            if now >= self._last_heard[seat] + GONE_AFTER_SILENT_SECONDS:
                found.setdefault(seat, self._last_heard[seat])
        return found

    def next_deadline(self, now: float) -> float:
        """Return when a seat that is cut off now will be gone; a heartbeat finds silent ones."""
        waiting = [since + GONE_AFTER_UNREACHABLE_SECONDS for since in self._cut_since.values()]
        return min((due for due in waiting if due > now), default=math.inf)


# -- seats that are reached through one other seat alone (PROTOCOL.md 9.1 R15) -------------
#
# Such a seat in between can keep back what the two others sign, so that they hold each other for
# gone. A firewall leads to the same picture. The player is told, and can find another way.


DETOUR_SECONDS = 20.0
"""How long a detour lasts before it is reported. All addresses of a seat are tried in less, unless
many lead nowhere."""


@dataclass(slots=True)
class Detours:
    reachability: Reachability
    _since: dict[tuple[Seat, Seat], float] = field(default_factory=dict)
    """By the only seat through which another one is reached, and that one: since when."""
    _told: set[tuple[Seat, Seat]] = field(default_factory=set)

    def find_news(self, seats: Collection[Seat], now: float) -> list[Detour]:
        """Return the new detours of these seats, each the keeper of its process."""
        cut = [seat for seat in seats if seat not in self.reachability.linked]
        ways = [(list(self.reachability.find_ways(seat)), seat) for seat in cut]
        only = [(found[0], seat) for found, seat in ways if len(found) == 1]
        # A seat that ends is reached for a moment through another one that has not noticed yet.
        self._since = {pair: self._since.get(pair, now) for pair in only}
        last = {pair for pair in only if now >= self._since[pair] + DETOUR_SECONDS}
        news = sorted({between for between, _ in last - self._told})
        self._told |= last
        return [Detour(one, tuple(sorted(s for by, s in last if by == one))) for one in news]

    def next_change(self, now: float) -> float:
        times = [since + DETOUR_SECONDS for since in self._since.values()]
        return min((due for due in times if due > now), default=math.inf)


# -- whose fault it is that a body cannot be taken (PROTOCOL.md 3.1) -----------------------
#
# A peer passes on only what it has read and what its author has rightly signed. So bytes that
# nobody at the table has signed come from the other side of the link. A third seat answers for
# what it has signed: another program may have taken it and passed it on in good faith.


MAX_BAD_BODIES = 16
"""How many bad bodies of one link are looked at within `BAD_BODIES_WINDOW_SECONDS`. The rest is
skipped: an honest peer may pass on many, and to find an author takes a signature check for each
seat."""
BAD_BODIES_WINDOW_SECONDS = 10.0


@dataclass(slots=True)
class LinkFaults:
    players: tuple[Player, ...]
    _looked_at: dict[Seat, RateLimit] = field(default_factory=dict)

    def is_of_sender(self, source: Seat, signed: Signed, now: float) -> bool:
        """Return whether the link's other side answers for a bad body, which else is skipped."""
        limit = self._looked_at.setdefault(
            source, RateLimit(MAX_BAD_BODIES, BAD_BODIES_WINDOW_SECONDS)
        )
        if not limit.allows(now):
            return False
        authors = self._find_authors(signed)
        return not authors or source in authors

    def _find_authors(self, signed: Signed) -> set[Seat]:
        """Return the seats that have rightly signed these bytes; empty if a signature is wrong."""
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
