"""Keeps the links of a running game up: dials who is missing, wherever he may be.

Shell. While a seat has no link every address that is known of it is tried, with growing pauses:
those that it has signed last, the one it had at the start. A machine that slept (its wall clock
has jumped), or whose own addresses have changed, drops all links and dials anew at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import trio

from kotp2p.crypto import Signer
from kotp2p.entries import Kind, Signed
from kotp2p.frames import Frame
from kotp2p.genesis import Genesis
from kotp2p.saved import Places
from kotp2p.whereabouts import MAX_ADDRESSES, Target, Whereabout, Whereabouts
from kotp2p.wiring import Wiring
from kotp2p.world import World
from referee.answers import Seat

REDIAL = 2.0
"""Seconds between two attempts, at first."""
SLOWEST = 30.0
"""Seconds between two attempts, in the end."""
HEAD_START = 3.0
"""Seconds that the seat with the lower number has before the other one dials."""
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
    linked: Callable[[], set[Seat]]
    send: Callable[[Seat, Frame], None]
    known: Whereabouts = field(init=False)
    _anew: trio.Event = field(default_factory=trio.Event)
    """Set when waiting any longer makes no sense."""

    def __post_init__(self) -> None:
        self.known = Whereabouts(self.genesis.id, self.genesis.players)
        for body, signature in self.places.whereabouts:
            self.known.take(Signed(Kind.ADDRESS, body, signature))

    def begin(self, nursery: trio.Nursery) -> None:
        for seat in range(len(self.genesis.players)):
            if seat != self.seat:
                nursery.start_soon(self._keep, seat)
        nursery.start_soon(self._watch_clock)
        nursery.start_soon(self._watch_addresses)

    # -- what seats say of themselves --------------------------------------------------------

    async def hear(self, source: Seat, signed: Signed) -> None:
        """An address of some seat, passed on if it is news. Raises BadBytes."""
        if self.known.take(signed) is None:
            return
        for seat in self.linked() - {source}:
            self.send(seat, signed)
        await self._remember()
        self.hurry()

    def greet(self, seat: Seat) -> None:
        """Tells a new link all that is known."""
        for known in self.known.newest.values():
            self.send(seat, known.signed)

    async def _remember(self) -> None:
        bodies = tuple(
            (known.signed.body, known.signed.signature) for known in self.known.newest.values()
        )
        self.places = replace(self.places, whereabouts=bodies)
        await self.world.disk.replace(self.folder / "places", self.places.encode())

    # -- dialling --------------------------------------------------------------------------

    def hurry(self) -> None:
        """Whoever waits before the next attempt waits no longer."""
        self._anew.set()
        self._anew = trio.Event()

    def targets(self, seat: Seat) -> list[Target]:
        """All that is known, most promising first."""
        address, port = self.places.addresses[seat]
        first = (address or self.places.host_address or "127.0.0.1", port)
        found = dict.fromkeys(self.known.targets(seat))
        if port:
            found.setdefault(first)
        return list(found)

    async def _keep(self, seat: Seat) -> None:
        if seat < self.seat:
            await trio.sleep(HEAD_START)
        pause = REDIAL
        while True:
            if seat in self.linked():
                pause = REDIAL
            else:
                for target in self.targets(seat):
                    if seat not in self.linked():
                        await self.wiring.dial(*target)
            anew = self._anew
            jitter = 0.8 + 0.4 * self.world.entropy(1)[0] / 255
            with trio.move_on_after(pause * jitter):
                await anew.wait()
                pause = REDIAL
                continue
            pause = min(1.5 * pause, SLOWEST)

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
        self.hurry()

    async def _watch_addresses(self) -> None:
        """Tells the others where this seat can be dialled, now and whenever that changes."""
        told: tuple[str, ...] | None = None
        while True:
            addresses, only_loopback = self.world.net.addresses(self.places.bind or None)
            here = () if only_loopback else addresses[:MAX_ADDRESSES]
            if here != told:
                if told:
                    self._begin_anew()
                told = here
                await self._tell(here)
            await trio.sleep(LOOK)

    async def _tell(self, addresses: tuple[str, ...]) -> None:
        targets = tuple((address, self.places.port) for address in addresses)
        before = self.known.newest.get(self.seat)
        if not self.places.port or (before.targets if before else ()) == targets:
            return
        sequence = before.sequence + 1 if before else 1
        own = Whereabout.sign(self.signer, self.genesis.id, self.seat, sequence, targets)
        self.known.newest[self.seat] = own
        await self._remember()
        for seat in self.linked():
            self.send(seat, own.signed)
