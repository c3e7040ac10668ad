"""Keeps the links of a running game up: dials who is missing, wherever he may be.

Shell. While a seat has no link every address that is known of it is tried, with growing pauses:
where its last link was seen, what it has signed last, what it had at the start. A machine that
slept (its wall clock has jumped), or that has lost an address, drops all links and dials anew at
once. A bot dials its keeper only: both are in one process, and it goes where its keeper goes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import PurePath

import trio

from kotp2p.net.connections import Wiring
from kotp2p.net.links import Link
from kotp2p.store.saved_game import Places
from kotp2p.wire.addresses import MAX_ADDRESSES, Target, Whereabout, Whereabouts
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Kind, Signed
from kotp2p.wire.genesis import Genesis
from kotp2p.world import World
from referee.model.answers import Seat

REDIAL = 2.0
"""Seconds between two attempts, at first."""
LEAST = 0.5
"""Seconds between two attempts, whatever has changed."""
STEADY = 10.0
"""Seconds that a link has to last: a storm of links that break at once dies down."""
MOST = 8.0
"""Seconds between two attempts after many such links."""
SLOWEST = 30.0
"""Seconds between two attempts, in the end."""
HEAD_START = 3.0
"""Seconds that the seat with the lower number has before the other one dials."""
PATIENCE = 5.0
"""Seconds that one address has to answer before the next one is tried."""
LOOK = 5.0
"""Seconds between two looks at clock and addresses."""
SLEPT = 10.0
"""Seconds by which the wall clock may run away before it means that this machine slept."""


@dataclass(slots=True)
class Dialling:
    world: World
    wiring: Wiring
    genesis: Genesis
    seat: Seat
    signer: Signer
    folder: PurePath
    places: Places
    seats: dict[Seat, int]
    """Link number of each linked seat; the table's own."""
    known: Whereabouts = field(init=False)
    _anew: dict[Seat, trio.Event] = field(default_factory=dict)
    """Set when it makes no sense to wait any longer."""
    _linked: dict[Seat, float] = field(default_factory=dict)
    """When the last link came."""
    over: bool = False
    """The file is needed no more."""
    _stale: bool = True
    """The file does not hold all that is known."""

    def __post_init__(self) -> None:
        self.known = Whereabouts(self.genesis.id, self.genesis.players)
        for body, signature in self.places.whereabouts:
            self.known.take(Signed(Kind.ADDRESS, body, signature))
        self.known.seen.update(dict(self.places.seen))
        self._expect_players()

    def begin(self, nursery: trio.Nursery) -> None:
        me = self.genesis.players[self.seat]
        for seat, player in enumerate(self.genesis.players):
            if seat == me.keeper if me.bot else not player.bot and seat != self.seat:
                nursery.start_soon(self._keep, seat)
        if not me.bot:
            nursery.start_soon(self._watch_clock)
            nursery.start_soon(self._watch_addresses)

    # -- what seats say of themselves --------------------------------------------------------

    def hear(self, source: Seat, signed: Signed) -> None:
        """An address of some seat, passed on if it is news. Raises BadBytes."""
        found = self.known.take(signed, near=self._is_near(source))
        if found is None:
            return
        self._stale = True
        for seat in self.seats.keys() - {source}:
            self._tell(seat, found)
        self.hurry(found.seat)

    def greet(self, seat: Seat, link: Link) -> None:
        """A new link: all that is known is told there, and where it was seen is kept."""
        self._linked[seat] = trio.current_time()
        if self.known.seen.get(seat) != link.address:
            self.known.seen[seat] = link.address
            self._expect_players()
            self._stale = True
        for known in self.known.newest.values():
            self._tell(seat, known)

    def _expect_players(self) -> None:
        """Not those addresses that seats have only told: they could be anybody's."""
        first = {address or self.places.host_address for address, _ in self.places.addresses}
        self.wiring.entrance.players = first | set(self.known.seen.values())

    def _tell(self, seat: Seat, known: Whereabout) -> None:
        """Loopback addresses are for this machine only."""
        if self._is_near(seat) or not known.is_local:
            self.wiring.send(self.seats.get(seat, -1), known.signed)

    def _is_near(self, seat: Seat) -> bool:
        """Linked over this machine's loopback."""
        link = self.wiring.links.get(self.seats.get(seat, -1))
        return link is not None and not link.address

    async def _remember(self) -> None:
        said = tuple((k.signed.body, k.signed.signature) for k in self.known.newest.values())
        seen = tuple(sorted(self.known.seen.items()))
        self._stale = False
        self.places = replace(self.places, whereabouts=said, seen=seen)
        if self.over:
            return
        await self.world.disk.replace(self.folder / "places", self.places.encode())

    # -- dialling --------------------------------------------------------------------------

    def hurry(self, seat: Seat) -> None:
        """It has lost its link, or has another address: no pause before the next attempt."""
        if seat in self._anew:
            self._anew[seat].set()

    def targets(self, seat: Seat) -> list[Target]:
        """All that is known, most promising first."""
        address, port = self.places.addresses[seat]
        first = (address or self.places.host_address or "127.0.0.1", port)
        here = self.world.net.addresses(None)[0]
        return [t for t in dict.fromkeys((*self.known.targets(seat, port, here), first)) if t[1]]

    async def _keep(self, seat: Seat) -> None:
        if seat < self.seat:
            await trio.sleep(HEAD_START)
        pause, rest = REDIAL, LEAST
        while True:
            self._anew[seat] = anew = trio.Event()
            if seat in self.seats:
                await anew.wait()
                pause = REDIAL
            else:
                await self._dial(seat)
                with trio.move_on_after(self._about(pause)):
                    await anew.wait()
                pause = REDIAL if anew.is_set() else min(1.5 * pause, SLOWEST)
            if anew.is_set():
                new = trio.current_time() < self._linked.get(seat, -inf) + STEADY
                rest = min(2 * rest, MOST) if new else LEAST
                await trio.sleep(rest)

    async def _dial(self, seat: Seat) -> None:
        for target in self.targets(seat):
            if seat in self.seats:
                return
            with trio.move_on_after(PATIENCE):
                await self.wiring.dial(*target)

    async def seek(self, target: Target, missing: Callable[[], bool]) -> None:
        """An address that somebody has told us: who answers there says who he is."""
        pause = REDIAL
        while missing():
            with trio.move_on_after(PATIENCE):
                await self.wiring.dial(*target)
            await trio.sleep(self._about(pause))
            pause = min(1.5 * pause, SLOWEST)

    def _about(self, seconds: float) -> float:
        """So that two do not meet each other busy again and again."""
        return seconds * (0.8 + 0.4 * self.world.entropy(1)[0] / 255)

    # -- this machine ------------------------------------------------------------------------

    async def _watch_clock(self) -> None:
        """A jump of the wall clock against the monotonic one is a sleep."""
        ahead = self.world.wall() - trio.current_time()
        while True:
            await trio.sleep(LOOK)
            now = self.world.wall() - trio.current_time()
            if now - ahead > SLEPT:
                self._begin_anew()
            ahead = now

    def _begin_anew(self) -> None:
        for link in list(self.wiring.links.values()):
            link.cut()
        self._hurry_all()

    def _hurry_all(self) -> None:
        for seat in self._anew:
            if seat not in self.seats:  # who has a link will lose it first
                self.hurry(seat)

    async def _watch_addresses(self) -> None:
        """Tells the others where this seat can be dialled, now and whenever that changes."""
        before: tuple[str, ...] = ()
        while True:
            here, _only_loopback = self.world.net.addresses(self.places.bind or None)
            if set(before) - set(here):
                self._begin_anew()
            elif before and here != before:
                self._hurry_all()
            before = here
            await self._say_where(here)
            if self._stale:
                await self._remember()
            await trio.sleep(LOOK)

    async def _say_where(self, here: tuple[str, ...]) -> None:
        targets = tuple((address, self.places.port) for address in here[:MAX_ADDRESSES])
        before = self.known.newest.get(self.seat)
        if not self.places.port or (before is not None and before.targets == targets):
            return
        # What another copy of this seat's files has said counts, too: it has been told to us.
        sequence = before.sequence + 1 if before else 1
        own = Whereabout.sign(self.signer, self.genesis.id, self.seat, sequence, targets)
        self.known.newest[self.seat] = own
        await self._remember()
        for seat in self.seats:
            self._tell(seat, own)
