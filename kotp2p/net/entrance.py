"""The entrance of a listener: which new connections are let in, and how long each may take."""

import hmac
from collections import Counter, deque
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field, replace

import trio

from kotp2p.seams.world import Connection
from kotp2p.wire.addresses import network_of
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Tag, derive

# -- client hello --------------------------------------------------------------------------
#
# The server name (RFC 6066) of a ClientHello (RFC 8446, 4.1.2), in which a dialler shows a pass
# (see "passes"). Reading it costs some microseconds, a handshake some milliseconds.


MAX_RECORD_BYTES = 4096
"""A first record that is longer is not waited for. Ours have some hundred bytes, or 2000 with keys
that withstand quantum computers."""
_RECORD_HEAD = 5
_HANDSHAKE_RECORD, _CLIENT_HELLO, _SERVER_NAME, _HOST_NAME = 22, 1, 0, 0
_VERSION_AND_RANDOM = 34


class _CutOff(Exception):
    """A length leads past the end."""


@dataclass(slots=True)
class _Fields:
    """Fields one after the other, each with its length in front."""

    data: bytes

    def take(self, size: int) -> bytes:
        if size > len(self.data):
            raise _CutOff
        found, self.data = self.data[:size], self.data[size:]
        return found

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def field(self, length_size: int) -> bytes:
        return self.take(self.number(length_size))


def is_whole(data: bytes) -> bool:
    """Return whether the first record is all there, or is none that is worth waiting for."""
    if data[:1] != bytes((_HANDSHAKE_RECORD,)):
        return bool(data)
    size = _RECORD_HEAD + int.from_bytes(data[3:_RECORD_HEAD], "big")
    return len(data) >= _RECORD_HEAD and (len(data) >= size or size > MAX_RECORD_BYTES)


def server_name(data: bytes) -> str:
    """Return the name in the ClientHello with which `data` begins; empty if there is none."""
    try:
        return _server_name(_Fields(data))
    except _CutOff:
        return ""


def _server_name(record: _Fields) -> str:
    if record.number(1) != _HANDSHAKE_RECORD:
        return ""
    record.take(2)  # a version that means nothing any more
    message = _Fields(record.field(2))
    if message.number(1) != _CLIENT_HELLO:
        return ""
    hello = _Fields(message.field(3))
    hello.take(_VERSION_AND_RANDOM)
    for length_size in (1, 2, 1):  # session, ciphers, compressions
        hello.field(length_size)
    extensions = _Fields(hello.field(2))
    while extensions.data:
        kind, body = extensions.number(2), extensions.field(2)
        if kind == _SERVER_NAME:
            names = _Fields(_Fields(body).field(2))
            name = names.field(2) if names.number(1) == _HOST_NAME else b""
            return name.decode("ascii", "replace")
    return ""


# -- passes --------------------------------------------------------------------------------
#
# A pass is a number that is used once, with a MAC over it. The key of the MAC is the secret of a
# closed table, which its invitation carries, or what only the seats of a running game know: its
# id. A dialler shows its pass as the server name of TLS, in its first bytes and for anybody to
# read. It gives a place in a queue and nothing else: a newcomer without one, or with an old one,
# is a stranger and may come in as strangers do. A version that knows no passes takes it for any
# name.


NONCE_BYTES = 12
_MAC_BYTES = 16
MAX_PASSES_KEPT = 4096
"""Passes that were shown here; each counts once. With one more, the oldest is forgotten."""


def _mac(secret: bytes, game: bytes, nonce: bytes) -> bytes:
    return derive(secret, Tag.PASS, game, nonce)[:_MAC_BYTES]


@dataclass(slots=True)
class Passes:
    secret: bytes = OPEN_TABLE_SECRET
    game: bytes = b""
    _shown: dict[bytes, None] = field(default_factory=dict)
    """The passes that have come, the oldest first. An eavesdropper can show one again."""

    def make(self, nonce: bytes) -> str:
        return (nonce + _mac(self.secret, self.game, nonce)).hex()

    @property
    def are_worth_making(self) -> bool:
        """Return whether passes prove anything here: at an open lobby anybody could make them."""
        return bool(self.game) or self.secret != OPEN_TABLE_SECRET

    def take(self, name: str) -> bool:
        """Return whether a server name is a pass that was not shown here before, and note it."""
        try:
            shown = bytes.fromhex(name)
        except ValueError:
            return False
        if shown.hex() != name or len(shown) != NONCE_BYTES + _MAC_BYTES or shown in self._shown:
            return False
        nonce, mac = shown[:NONCE_BYTES], shown[NONCE_BYTES:]
        games = {self.game} if self.secret == OPEN_TABLE_SECRET else {self.game, b""}
        if not self.are_worth_making or not any(
            hmac.compare_digest(mac, _mac(self.secret, game, nonce)) for game in games
        ):
            return False
        self._shown[shown] = None
        if len(self._shown) > MAX_PASSES_KEPT:
            del self._shown[next(iter(self._shown))]
        return True


# -- newcomers -----------------------------------------------------------------------------


BUSY_LINE = b"kotp2p busy\n"
"""What a listener says in the clear, in place of TLS, to a connection that it has no room for."""
GOODBYE_SECONDS = 0.5
"""How long a connection that is turned away may take to read so. If it were closed with bytes of
its own unread, its machine could throw the line away."""

GOODBYE_READS = 8
"""How often something is read of it meanwhile."""


class NoRoom(Exception):
    """The listener has no room for this connection, and says so."""


class _Wrapped(trio.abc.HalfCloseableStream):
    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        if isinstance(self._stream, trio.abc.HalfCloseableStream):
            await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


class SplitStream(_Wrapped):
    def __init__(self, stream: trio.abc.Stream, first: bytes) -> None:
        super().__init__(stream)
        self._first = first

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if self._first:
            size = len(self._first) if max_bytes is None else max_bytes
            data, self._first = self._first[:size], self._first[size:]
            await trio.lowlevel.checkpoint()
            return data
        return await self._stream.receive_some(max_bytes)


class DialledStream(_Wrapped):
    """A stream to a listener that may have no room, now or later; reading raises NoRoom then."""

    is_let_in = False
    """Both keys are proved: what comes from now on is never such a line."""

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._stream.receive_some(max_bytes)
        if not self.is_let_in and data.endswith(BUSY_LINE):
            raise NoRoom("the listener has no room")
        return data


async def say_no_room(stream: trio.abc.Stream) -> None:
    """Say that there is no room, as the last words to a connection, also when cancelled."""
    with trio.move_on_after(GOODBYE_SECONDS, shield=True):
        try:
            await stream.send_all(BUSY_LINE)
            if isinstance(stream, trio.abc.HalfCloseableStream):
                await stream.send_eof()
            for _ in range(GOODBYE_READS):
                if not await stream.receive_some(MAX_RECORD_BYTES):
                    break
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass


@dataclass(eq=False, slots=True)
class Newcomer:
    connection: Connection
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    first_bytes: bytes = b""
    """What it has said, once a whole record has come: one that says nothing costs no handshake."""
    has_begun: bool = False
    is_invited_watcher: bool = False

    @property
    def address(self) -> str:
        return self.connection.address

    async def hear_first_bytes(self) -> Connection | None:
        """Wait for the first record; return the connection with all bytes, None at its end."""
        stream, first = self.connection.stream, b""
        while not is_whole(first):
            try:
                data = bytes(await stream.receive_some(MAX_RECORD_BYTES))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return None
            if not data:
                return None
            first += data
        self.first_bytes = first
        return replace(self.connection, stream=SplitStream(stream, first))

    async def turn_away(self, *, with_words: bool = True) -> None:
        if with_words:
            await say_no_room(self.connection.stream)
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self.connection.stream)


# -- a limit on handshakes with strangers: each costs some milliseconds --------------------
#
# Before the proof a stranger cannot be told from a guest. So there is one limit for all strangers
# together, and one for each network. Where more come than the limit allows, it is not the first
# that gets in: it is one from the network that has come least in the last minute. So a flood from
# many addresses does not keep out a guest who has just come. The machines of the players are not
# strangers: they come back whatever the others do. Loopback, from which bots connect, is not
# limited.


MAX_STRANGERS_PER_SECOND = 10
"""Handshakes begun within a second, of all strangers together."""
MAX_PER_NETWORK_PER_SECOND = 4
"""Handshakes begun within a second with one network of strangers."""
ARRIVALS_SECONDS = 60.0
"""How long a connection counts against its network."""
MAX_ARRIVALS = 4096
"""Connections that are counted at a time."""
FLOOD_SECONDS = 10.0
FLOOD_CONNECTIONS = 20
"""This many connections turned away within `FLOOD_SECONDS` are a flood."""
FLOOD_PAUSE_SECONDS = 60.0
"""The time between two notices of a flood."""


@dataclass(slots=True)
class HandshakeLimit:
    player_addresses: Set[str] = frozenset()
    """The addresses from which players of the game have come, or given for them at the start."""
    _begun: deque[tuple[float, str]] = field(default_factory=deque)
    """When and for which address a handshake was begun, in the last second."""
    _arrived: deque[tuple[float, str]] = field(default_factory=deque)
    """When and from which network each connection of the last minute came."""
    _arrivals: Counter[str] = field(default_factory=Counter)
    """How many of these came from each network."""
    _turned_away: deque[float] = field(default_factory=deque)
    _flood_told_at: float = -FLOOD_PAUSE_SECONDS

    def note_arrival(self, address: str, now: float) -> None:
        self._arrived.append((now, network_of(address)))
        self._arrivals[network_of(address)] += 1
        while len(self._arrived) > MAX_ARRIVALS or now >= self._arrived[0][0] + ARRIVALS_SECONDS:
            _, network = self._arrived.popleft()
            self._arrivals[network] -= 1
            if not self._arrivals[network]:
                del self._arrivals[network]

    def choose_to_go(self, addresses: Iterable[str]) -> int:
        """Return the place of the connection, the oldest first, that goes when one must."""
        # It is of the network that has come most; players of the game go last.
        ranks = [self._rank(address) for address in addresses]
        return ranks.index(max(ranks))

    def begin_handshake(self, address: str, waiting: Iterable[str], now: float) -> bool:
        """Return whether a handshake may begin now; if so, count it.

        `address` is empty for loopback; `waiting` holds the addresses of all that want to begin,
        this one among them.
        """
        if not address:
            return True
        while self._begun and now >= self._begun[0][0] + 1.0:
            self._begun.popleft()
        if not self._has_room(address) or self._rank(address) > min(
            self._rank(other) for other in waiting if self._has_room(other)
        ):
            return False
        self._begun.append((now, address))
        return True

    def note_turned_away(self, now: float) -> int:
        """Note a connection that was closed for others; return the number of a new flood."""
        self._turned_away.append(now)
        while now >= self._turned_away[0] + FLOOD_SECONDS:
            self._turned_away.popleft()
        count = len(self._turned_away)
        if count < FLOOD_CONNECTIONS or now < self._flood_told_at + FLOOD_PAUSE_SECONDS:
            return 0
        self._flood_told_at = now
        return count

    def _has_room(self, address: str) -> bool:
        network = network_of(address)
        if sum(network_of(one) == network for _, one in self._begun) >= MAX_PER_NETWORK_PER_SECOND:
            return False
        strangers = sum(one not in self.player_addresses for _, one in self._begun)
        return address in self.player_addresses or strangers < MAX_STRANGERS_PER_SECOND

    def _rank(self, address: str) -> int:
        """Return the rank of an address: the greater it is, the sooner it has to go."""
        if not address or address in self.player_addresses:
            return 0
        return self._arrivals[network_of(address)]


# -- entrance ------------------------------------------------------------------------------
#
# Which newcomers wait here, and when each begins its handshake. There are two queues with the same
# bounds: one for those that have shown a pass, and one for strangers. So strangers take no place of
# an invited guest or of a player, however many they are. A newcomer is a stranger until its first
# bytes have come.


MAX_HANDSHAKES = 16
"""Connections of one queue at a time. One more, and one of the network that has come most is
closed: a stranger that proves nothing cannot keep a guest out by waiting."""
MAX_HANDSHAKES_PER_NETWORK = 4
"""Of these, connections of one network. Loopback is not limited: a host's bots come from there."""
TURN_SECONDS = 0.05
"""How often a connection whose first bytes have come looks whether its turn has come."""
MAX_GOODBYES = 64
"""Connections that are sent the words that there is no room, at a time. More are closed without a
word: each costs a socket until its other side has read."""


@dataclass(slots=True)
class _Queue:
    limit: HandshakeLimit = field(default_factory=HandshakeLimit)
    newcomers: list[Newcomer] = field(default_factory=list)

    def add(self, newcomer: Newcomer, now: float) -> Newcomer | None:
        """Add a newcomer at the end; return the one that has to go for it, if one has."""
        self.limit.note_arrival(newcomer.address, now)
        self.newcomers.append(newcomer)
        network = network_of(newcomer.address)
        own = [n for n in self.newcomers if n.address and network_of(n.address) == network]
        if newcomer.address and len(own) > MAX_HANDSHAKES_PER_NETWORK:
            return own[0]
        if len(self.newcomers) > MAX_HANDSHAKES:
            addresses = [waiting.address for waiting in self.newcomers]
            return self.newcomers[self.limit.choose_to_go(addresses)]
        return None

    def may_begin(self, newcomer: Newcomer, now: float) -> bool:
        waiting = [n.address for n in self.newcomers if n.first_bytes and not n.has_begun]
        return self.limit.begin_handshake(newcomer.address, waiting, now)


@dataclass(slots=True)
class Entrance:
    tell_flood: Callable[[int], None] = lambda _: None
    """Called with the number of connections that were turned away, if there are many."""
    passes: Passes = field(default_factory=Passes)
    watch_passes: Passes = field(default_factory=Passes)
    """Those of watchers, if they have an invitation of their own. They give no better place, as no
    watcher takes the place of a player."""
    _strangers: _Queue = field(default_factory=_Queue)
    _known: _Queue = field(default_factory=_Queue)
    _goodbyes: int = 0

    @property
    def strangers_limit(self) -> HandshakeLimit:
        return self._strangers.limit

    def admit(self, connection: Connection) -> Newcomer:
        """Let a new connection wait; it, or another one, may be turned away for it."""
        newcomer = Newcomer(connection)
        self._add_to(self._strangers, newcomer)
        return newcomer

    async def await_turn(self, newcomer: Newcomer) -> Connection | None:
        """Return the connection once its handshake may begin; None if it has ended silently."""
        connection = await newcomer.hear_first_bytes()
        if connection is None or newcomer.scope.cancel_called:
            return None
        queue, name = self._strangers, server_name(newcomer.first_bytes)
        if self.watch_passes.take(name):
            newcomer.is_invited_watcher = True
        elif self.passes.take(name):
            queue = self._known
            self._strangers.newcomers.remove(newcomer)
            self._add_to(queue, newcomer)
        while not queue.may_begin(newcomer, trio.current_time()):  # noqa: ASYNC110  of time alone
            await trio.sleep(TURN_SECONDS)
        newcomer.has_begun = True
        return connection

    async def let_go(self, newcomer: Newcomer) -> None:
        for queue in (self._strangers, self._known):
            if newcomer in queue.newcomers:
                queue.newcomers.remove(newcomer)
        if newcomer.has_begun:
            return
        self._goodbyes += 1
        try:
            await newcomer.turn_away(with_words=self._goodbyes <= MAX_GOODBYES)
        finally:
            self._goodbyes -= 1

    def _add_to(self, queue: _Queue, newcomer: Newcomer) -> None:
        now = trio.current_time()
        leaving = queue.add(newcomer, now)
        if leaving is None:
            return
        queue.newcomers.remove(leaving)
        leaving.scope.cancel()
        count = queue.limit.note_turned_away(now)
        if count:
            self.tell_flood(count)
