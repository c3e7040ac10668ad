"""Keeps the links of a running game up: dials missing peers at all their known addresses.

Scope: when a seat is dialled and where; the addresses that seats sign and pass on; and what
happens to this machine. While a seat has no link, all its addresses are tried with growing pauses:
where its last link was seen, what it has signed last, what it had at the start. A machine that
slept, or that has lost an address, drops all links and dials anew at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf

import trio

from kotp2p.net.connections import Connections, Listener
from kotp2p.net.links import Link
from kotp2p.referee.model.answers import Seat
from kotp2p.rendezvous.exchange import RelayPlace, is_relay_place, pair_token
from kotp2p.seams.cores import OwnFaultGuard
from kotp2p.seams.world import CannotReach, World
from kotp2p.store.game_files import PlacesFile
from kotp2p.wire.addresses import (
    MAX_ADDRESSES,
    AddressBook,
    Carrier,
    SignedAddress,
    Target,
    is_one_machine,
    is_public,
)
from kotp2p.wire.crypto import Signer, Tag, derive, exchange_public_key
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import CodeTold
from kotp2p.wire.genesis import Genesis

FIRST_REDIAL_SECONDS = 2.0
"""The first pause between two attempts to reach a seat; each later one is half as long again."""
MIN_REST_SECONDS = 0.5
"""The rest before an attempt that news has brought forward."""
STEADY_LINK_SECONDS = 10.0
"""A link that breaks sooner doubles the rest before the next attempt: two sides that close each
other's links in turn come to an end of it."""
MAX_REST_SECONDS = 8.0
MAX_REDIAL_SECONDS = 30.0
STRANGE_DIAL_SECONDS = 30.0
"""The time between two attempts at public addresses that only the seat itself has named."""
HEAD_START_SECONDS = 3.0
"""How long a seat waits for a lower seat to dial, so that both do not dial at once."""
ADDRESS_TIMEOUT_SECONDS = 5.0
"""How long one address has to answer before the next one is tried."""
RELAYED_REDIAL_SECONDS = 60.0
"""The time between two looks for a direct way beside a link that a relay carries."""
RELAY_WAIT_SECONDS = 60.0
"""How long this process waits at a relay until it looks again whether it has to."""
FIRST_RELAY_PAUSE_SECONDS, MAX_RELAY_PAUSE_SECONDS = 1.0, 60.0
"""The pause before a relay is asked again that has failed; it doubles."""
MACHINE_CHECK_SECONDS = 5.0
"""The time between two checks of this machine's clock and addresses."""
SLEEP_JUMP_SECONDS = 10.0
"""A jump of the wall clock by more than this means that the machine slept."""


@dataclass(slots=True)
class Dialer:
    world: World
    connections: Connections
    genesis: Genesis
    seat: Seat
    signer: Signer
    file: PlacesFile
    links: dict[Seat, int]
    guard: OwnFaultGuard
    may_relay: Callable[[Seat], bool] = lambda _: True
    """Whether news of a seat may be passed on to others."""
    listener: Listener | None = None
    note_sleep: Callable[[float], None] = lambda _: None
    addresses: AddressBook = field(init=False)
    _redials: dict[Seat, trio.Event] = field(default_factory=dict)
    """For each seat that is dialled: set when the next attempt should not wait."""
    _strange_dials: dict[Seat, dict[Target, float]] = field(default_factory=dict)
    """When each public address was dialled that only the seat itself has named."""
    _learned: trio.Event = field(default_factory=trio.Event)
    """Something is known that should be on disk at once."""
    _linked_at: dict[Seat, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.addresses = AddressBook(self.genesis.id, self.genesis.players)
        for body, signature in self.file.places.whereabouts:
            self.addresses.accept(Signed(BodyKind.ADDRESS, body, signature))
        self.addresses.last_link_addresses.update(dict(self.file.places.seen))
        self._expect_players()

    def start_dialing(self, nursery: trio.Nursery) -> None:
        for seat in self.genesis.keepers:
            if seat != self.seat:
                nursery.start_soon(self._keep_linked, seat)
                if seat > self.seat:
                    nursery.start_soon(self._keep_waiting_at_relay, seat)
        nursery.start_soon(self._watch_clock)
        nursery.start_soon(self._watch_addresses)

    # -- what seats say of themselves --------------------------------------------------------

    def accept_address(self, source: Seat, signed: Signed) -> None:
        """Accept the signed addresses of a seat, and pass on news of them; raise BadBytes."""
        found = self.addresses.accept(signed, near=self._is_near(source))
        if found is None:
            return
        self.file.is_stale = True
        if found.carrier is not None:
            self._learned.set()  # without it, a process that dies soon could not be met again
        if self.may_relay(found.seat):
            for seat in self.links.keys() - {source}:
                self._send_address(seat, found)
        self.redial_now(found.seat)

    def greet_link(self, seat: Seat, link: Link) -> None:
        """Note where a new link was seen, and send all known addresses over it."""
        self._linked_at[seat] = trio.current_time()
        known = self.addresses.last_link_addresses.get(seat)
        if known != link.address and not link.is_relayed:
            self.addresses.last_link_addresses[seat] = link.address
            self._expect_players()
            self.file.is_stale = True
        for told in self.addresses.newest_of_seat.values():
            self._send_address(seat, told)

    def _expect_players(self) -> None:
        # They are those from which a player has linked, or which were given at the start. An
        # address that a seat has merely signed could be anybody's.
        places, seen = self.file.places, self.addresses.last_link_addresses.values()
        first = {address or places.host_address for address, _ in places.addresses}
        self.connections.entrance.strangers_limit.player_addresses = first | set(seen)

    def _send_address(self, seat: Seat, known: SignedAddress) -> None:
        """Send `seat` an address, a loopback one only to a peer on this machine."""
        # Elsewhere it would lead to another machine.
        if self._is_near(seat) or not known.is_local:
            with self.guard:
                self.connections.send_frame(self.links.get(seat, -1), known.signed)

    def _is_near(self, seat: Seat) -> bool:
        link = self.connections.links.get(self.links.get(seat, -1))
        return link is not None and not link.address

    def keep_code(self, code: CodeTold) -> None:
        """Write the code of the table to the file at once: it leads back to this game.

        At such a table those who came by an address use their relay, too.
        """
        places, rendezvous = self.file.places, self.world.rendezvous
        relay = places.relay or (rendezvous.servers.relay if rendezvous is not None else "")
        if (code, relay) != (places.code, places.relay):
            self.file.places = replace(places, code=code, relay=relay)
            self.file.is_stale = True
            self._learned.set()

    # -- dialling --------------------------------------------------------------------------

    def redial_now(self, seat: Seat) -> None:
        """Dial the seat without a pause: it has lost its link, or has a new address."""
        if seat in self._redials:
            self._redials[seat].set()

    def targets_of(self, seat: Seat) -> list[Target]:
        address, port = self.file.places.addresses[seat]
        first = (address or self.file.places.host_address or "127.0.0.1", port)
        here = self.world.net.addresses(None)[0]
        return [
            t for t in dict.fromkeys((*self.addresses.targets_of(seat, port, here), first)) if t[1]
        ]

    def trusted_targets_of(self, seat: Seat) -> list[Target]:
        return [t for t in self.targets_of(seat) if not self._is_strange(seat, t)]

    def _is_strange(self, seat: Seat, target: Target) -> bool:
        known = (self.addresses.last_link_addresses.get(seat), self.file.places.addresses[seat][0])
        return is_public(target[0]) and target[0] not in known

    async def _keep_linked(self, seat: Seat) -> None:
        if seat < self.seat:
            await trio.sleep(HEAD_START_SECONDS)
        pause, rest, dialled_at = FIRST_REDIAL_SECONDS, MIN_REST_SECONDS, -inf
        while True:
            self._redials[seat] = anew = trio.Event()
            if seat in self.links:
                with trio.move_on_after(RELAYED_REDIAL_SECONDS if self._is_relayed(seat) else inf):
                    await anew.wait()
                if self._is_relayed(seat):
                    await self._dial_seat(seat)
                pause = FIRST_REDIAL_SECONDS
            else:
                dialled_at = trio.current_time()
                await self._dial_seat(seat)
                with trio.move_on_after(self._with_jitter(pause)):
                    await anew.wait()
                pause = (
                    FIRST_REDIAL_SECONDS if anew.is_set() else min(1.5 * pause, MAX_REDIAL_SECONDS)
                )
            if anew.is_set():
                rest = self._next_rest(seat, rest, dialled_at)
                await trio.sleep(rest)

    def _next_rest(self, seat: Seat, rest: float, dialled_at: float) -> float:
        # `dialled_at`: when the last one began. News that leads to no link may be meant to aim this
        # peer at machines of others, so the rest grows with each.
        linked_at = self._linked_at.get(seat, -inf)
        if linked_at < dialled_at:
            return min(2 * rest, MAX_REDIAL_SECONDS)
        if trio.current_time() < linked_at + STEADY_LINK_SECONDS:
            return min(2 * rest, MAX_REST_SECONDS)
        return MIN_REST_SECONDS

    async def _dial_seat(self, seat: Seat) -> None:
        for target in self.targets_of(seat):
            if seat in self.links and not self._is_relayed(seat):
                return
            if seat in self.links and is_relay_place(target[0]):
                continue
            if not self._may_dial(seat, target):
                continue
            with trio.move_on_after(ADDRESS_TIMEOUT_SECONDS):
                await self.connections.dial_peer(*target)
        place = self._relay_place(seat)
        if seat < self.seat and seat not in self.links and place is not None:
            with trio.move_on_after(ADDRESS_TIMEOUT_SECONDS):
                await self.connections.dial_peer(str(place), 0)

    # -- at a relay ------------------------------------------------------------------------

    def _is_relayed(self, seat: Seat) -> bool:
        link = self.connections.links.get(self.links.get(seat, -1))
        return link is not None and link.is_relayed

    def _relay_place(self, seat: Seat) -> RelayPlace | None:
        """Return where this seat and that one meet; None unless both name one relay."""
        # So no other seat can make this process ask another relay than its own.
        relay, theirs = self.file.places.relay, self.addresses.newest_of_seat.get(seat)
        if theirs is None or theirs.carrier is None or theirs.carrier.relay != relay:
            return None
        seats, game = (self.seat, seat), self.genesis.id
        try:
            token = pair_token(self._relay_secret(), theirs.carrier.key, game, seats)
        except BadBytes:
            return None  # a key with which anybody could compute the token
        return RelayPlace(relay, token)

    def _relay_secret(self) -> bytes:
        # It is the same after a restart, so that the others find this process again.
        return derive(self.signer.secret(), Tag.RELAY_KEY, self.genesis.id)

    def _own_carrier(self) -> Carrier | None:
        relay = self.file.places.relay
        return Carrier(relay, exchange_public_key(self._relay_secret())) if relay else None

    async def _keep_waiting_at_relay(self, seat: Seat) -> None:
        """Wait at the relay for a seat that has no link, again and again."""
        # Of two seats the lower one waits there, and the higher one dials.
        rendezvous, pause = self.world.rendezvous, FIRST_RELAY_PAUSE_SECONDS
        if rendezvous is None:
            return
        while True:
            place = None if seat in self.links else self._relay_place(seat)
            if place is None:
                with trio.move_on_after(MACHINE_CHECK_SECONDS):
                    await self._redials.get(seat, trio.Event()).wait()
                await trio.sleep(MIN_REST_SECONDS)
                continue
            try:
                with trio.move_on_after(RELAY_WAIT_SECONDS) as waiting:
                    connection = await rendezvous.wait_at_relay(place)
                    waiting.deadline = inf
                    await self.connections.accept_relayed(connection)
                    await trio.sleep(FIRST_REDIAL_SECONDS)  # until the link is served
                pause = FIRST_RELAY_PAUSE_SECONDS
            except CannotReach:
                await trio.sleep(self._with_jitter(pause))
                pause = min(2 * pause, MAX_RELAY_PAUSE_SECONDS)

    def _may_dial(self, seat: Seat, target: Target) -> bool:
        """Return whether a target may be dialled now; if it is a strange one, note it."""
        # A public address that only the seat itself has named may be anybody's. Of those one is
        # dialled now and then, in turn: a seat must not aim this peer at machines of its choice.
        if not self._is_strange(seat, target):
            return True
        now, dialled = trio.current_time(), self._strange_dials.setdefault(seat, {})
        if now < max(dialled.values(), default=-inf) + STRANGE_DIAL_SECONDS:
            return False
        strange = [t for t in self.targets_of(seat) if self._is_strange(seat, t)]
        if target != min(strange, key=lambda t: dialled.get(t, -inf)):
            return False
        self._strange_dials[seat] = {t: dialled[t] for t in strange if t in dialled} | {target: now}
        return True

    async def dial_until_found(self, target: Target, missing: Callable[[], bool]) -> None:
        """Dial a reported address until the peer is found, whose key shows who it is."""
        pause = FIRST_REDIAL_SECONDS
        while missing():
            with trio.move_on_after(ADDRESS_TIMEOUT_SECONDS):
                await self.connections.dial_peer(*target)
            await trio.sleep(self._with_jitter(pause))
            pause = min(1.5 * pause, MAX_REDIAL_SECONDS)

    def _with_jitter(self, seconds: float) -> float:
        # Two peers that dial each other must not stay in step.
        return seconds * (0.8 + 0.4 * self.world.entropy(1)[0] / 255)

    # -- this machine ------------------------------------------------------------------------

    async def _watch_clock(self) -> None:
        # While a machine sleeps its wall clock goes on, and trio's clock does not.
        ahead = self.world.wall_clock() - trio.current_time()
        while True:
            await trio.sleep(MACHINE_CHECK_SECONDS)
            now = self.world.wall_clock() - trio.current_time()
            if now - ahead > SLEEP_JUMP_SECONDS:
                self.note_sleep(trio.current_time())
                self._drop_all_links()
            ahead = now

    def _drop_all_links(self) -> None:
        for link in list(self.connections.links.values()):
            link.cut()
        self._redial_all_now()

    def _redial_all_now(self) -> None:
        for seat in self._redials:
            if seat not in self.links:  # a seat with a link is dialled when it has lost that
                self.redial_now(seat)

    async def _watch_addresses(self) -> None:
        """Send the others where this seat can be dialled, now and whenever that changes."""
        before: tuple[str, ...] = ()
        while True:
            self._learned = trio.Event()
            here = await self._find_own_addresses()
            has_address = self.world.net.has_address
            if any(one not in here and not has_address(one) for one in before):
                self._drop_all_links()
            elif before and here != before:
                self._redial_all_now()
            before = here
            await self._tell_addresses(here)
            if self.file.is_stale:
                await self.file.save(self.addresses)
            with trio.move_on_after(MACHINE_CHECK_SECONDS):
                await self._learned.wait()

    async def _find_own_addresses(self) -> tuple[str, ...]:
        # If it has moved, the port may be another one.
        if self.listener is None:
            return self.world.net.addresses(self.file.places.bind or None)[0]
        await self.listener.follow()
        if self.listener.port != self.file.places.port:
            self.file.places = replace(self.file.places, port=self.listener.port)
            self.file.is_stale = True
        return self.listener.addresses()

    async def _tell_addresses(self, here: tuple[str, ...]) -> None:
        numeric = [address for address in here if is_one_machine(address)]
        port = self.file.places.port
        targets = tuple((address, port) for address in numeric[:MAX_ADDRESSES] if port)
        before = self.addresses.newest_of_seat.get(self.seat)
        carrier = self._own_carrier()
        if not self.file.places.port and carrier is None:
            return
        if before is not None and (before.targets, before.carrier) == (targets, carrier):
            return
        # The greatest number counts for the others. Another copy of this seat's files may have
        # signed greater ones, which have come back to us.
        sequence = before.sequence + 1 if before else 1
        own: SignedAddress | None = None
        with self.guard:
            own = SignedAddress.sign(
                self.signer, self.genesis.id, self.seat, sequence, targets, carrier
            )
        if own is None:
            return
        self.addresses.newest_of_seat[self.seat] = own
        await self.file.save(self.addresses)
        for seat in self.links:
            self._send_address(seat, own)
