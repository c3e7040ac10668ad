"""The ways to sit down at a table: host, join, solo. What `cli` calls.

Each gives the `Ending` of the local seat and raises nothing that a person could cause.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

import trio

from kotp2p.announcing import Announcer
from kotp2p.crypto import Signer
from kotp2p.frames import Refusal, Why
from kotp2p.front import (
    Control,
    Ending,
    EndKind,
    Front,
    GuestIdentity,
    Reopened,
    TableOpened,
)
from kotp2p.genesis import MAX_SEATS, MIN_SEATS, PROTOCOL_VERSION, Clocks
from kotp2p.links import Link, LinkFault, Refused, shake_hands
from kotp2p.lobby import fold
from kotp2p.lobby_guest import ENDINGS, TABLE, GuestLobby
from kotp2p.lobby_host import HostLobby
from kotp2p.peer import Peer
from kotp2p.saved import CannotResume, Places, Saved, bots_of, unfinished
from kotp2p.table import MakePeer, Table
from kotp2p.world import FileTrouble, NoTable, PortTaken, World
from referee.game import Options, Setup
from referee.rulesets import RULE_SETS, RULES_VERSION

DEFAULT_PORT = 4242
PORT_TRIES = 20
KNOCK = 1.0
"""Seconds between two looks whether the host of a rematch has opened the table."""
OWN_TABLE = (EndKind.STARTED, EndKind.REFUSED, EndKind.NO_ANSWER)
"""What a player meets who types `join` again for a game of his own: it has begun, or its host is
gone while the others play on."""
NOT_OPEN_YET = (EndKind.REFUSED, EndKind.NO_ANSWER, EndKind.CLOSED, EndKind.STARTED)
FINISHING = 3.0
"""Seconds that bots have to finish after their keeper."""
BOT_NAMES = ("Otto", "Nina", "Pip", "Momo", "Kira", "Bela")


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits down."""

    name: str
    monster: str | None = None


@dataclass(frozen=True, slots=True)
class HostOptions:
    rules: str = "second"
    players: int = MAX_SEATS
    """Seats at the table."""
    bots: int = 0
    level: str = "normal"
    start_when_full: bool = False
    bind: str | None = None
    port: int = DEFAULT_PORT
    options: Options = field(default_factory=Options)
    clocks: Clocks = field(default_factory=Clocks)
    order: tuple[bytes, ...] = ()
    """A rematch: whose key gets which seat; empty for a bot's."""


class Bots(Protocol):
    """Makes a front that plays."""

    def __call__(self, level: str, entropy: bytes) -> Front: ...


async def _sit_down(world: World, front: Front) -> tuple[Signer, bool]:
    """Opens the identity of the profile, making one on the first run; True: it is made for one
    game only, as another process plays under the profile's."""
    folder = world.data / "profiles" / world.profile
    if not world.disk.lock(folder / "lock"):
        front.show(GuestIdentity(world.profile))
        return Signer(world.entropy(32)), True
    secret = world.disk.read(folder / "key")
    if secret is None:
        secret = world.entropy(32)
        await world.disk.write_secret(folder / "key", secret)
    if len(secret) != 32:
        raise FileTrouble(f"{folder / 'key'}: not a key (32 bytes); move it away to get a new one")
    return Signer(secret), False


async def host(
    world: World,
    seating: Seating,
    options: HostOptions,
    front: Front,
    bots: Bots,
    make_peer: MakePeer = Peer,
) -> Ending:
    """Opens a table, plays at it, and runs its bots."""
    return await _host(world, seating, options, front, bots, True, make_peer)


async def solo(
    world: World, seating: Seating, options: HostOptions, front: Front, bots: Bots
) -> Ending:
    """A table on loopback whose other seats are bots: the whole protocol, no network."""
    alone = replace(
        options,
        players=options.bots + 1,
        start_when_full=True,
        bind="127.0.0.1",
        port=0,
        clocks=Clocks(0, 0),
    )
    return await _host(world, seating, alone, front, bots, False, Peer)


async def _host(
    world: World,
    seating: Seating,
    options: HostOptions,
    front: Front,
    bots: Bots,
    announce: bool,
    make_peer: MakePeer,
) -> Ending:
    if not MIN_SEATS <= options.players <= MAX_SEATS:
        raise ValueError("2 to 6 seats")
    # What no start could do is refused now: the fewest seats with which there is one.
    seats = options.players if options.start_when_full else MIN_SEATS
    rules = RULE_SETS[options.rules]
    Setup(rules, seats, rules.deck(), options.options)
    try:
        signer, one_game = await _sit_down(world, front)
        acceptor = await world.net.listen(options.bind, options.port, PORT_TRIES)
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    except PortTaken as fault:
        return Ending(EndKind.PORT_TAKEN, str(fault))
    if announce:
        addresses, only_loopback = world.net.addresses(options.bind)
        front.show(TableOpened(addresses, acceptor.port, only_loopback))
    lobby = HostLobby(
        signer,
        seating.name,
        seating.monster or "",
        options.rules,
        options.players,
        acceptor.port,
        world.entropy,
        options.options,
        options.clocks,
        options.start_when_full,
        options.order,
    )
    announcer = Announcer(world, options.bind, front)
    async with trio.open_nursery() as nursery:
        keeper = _Keeper(world, nursery, lobby, options, bots, acceptor.port)
        table = Table(
            world,
            signer,
            front,
            lobby,
            spawn_bot=keeper.spawn,
            dismiss_bots=keeper.dismiss,
            post=announcer.post,
            keep_bots=keeper.keep,
            make_peer=make_peer,
            one_game=one_game,
            bind=options.bind or "",
        )
        nursery.start_soon(acceptor.serve, table.wiring.admit)
        nursery.start_soon(announcer.run)
        for _ in range(options.bots):
            lobby.add_bot()
        ending = await table.run()
        announcer.close()
        await keeper.wait()
        nursery.cancel_scope.cancel()
    await acceptor.aclose()
    return replace(ending, port=acceptor.port)


class _Kept:
    """A bot's front, with the string on which its keeper holds it."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self.show = front.show
        self.decide = front.decide
        self.control: Control | None = None

    def attach(self, control: Control) -> None:
        self.control = control
        self._front.attach(control)


@dataclass(slots=True)
class _Keeper:
    """Runs the bots of a host: each is a peer with a key of its own that joins over loopback."""

    world: World
    nursery: trio.Nursery
    lobby: HostLobby | None
    """None: the game goes on after a restart."""
    options: HostOptions
    bots: Bots
    port: int
    _running: list[_Kept] = field(default_factory=list)
    _count: int = 0
    _changed: trio.Event = field(default_factory=trio.Event)

    def spawn(self) -> None:
        signer = Signer(self.world.entropy(32))
        assert self.lobby is not None
        self.lobby.bots.add(signer.key)
        name = BOT_NAMES[self._count % len(BOT_NAMES)]
        self._count += 1
        kept = _Kept(self.bots(self.options.level, self.world.entropy(32)))
        self._running.append(kept)
        self.nursery.start_soon(self._play, signer, name, kept)

    async def _play(self, signer: Signer, name: str, kept: _Kept) -> None:
        address = self.options.bind or "127.0.0.1"
        await _guest(self.world, signer, name, None, address, self.port, kept, False, True, Peer)
        self._running.remove(kept)
        self._changed.set()

    def bring_back(self, saved: Saved, keeper: int) -> None:
        """A bot of a game that goes on: it knows the way to its keeper only."""
        kept = _Kept(self.bots(self.options.level, saved.seed))
        self._running.append(kept)
        nowhere = [("", 0)] * len(saved.genesis.players)
        nowhere[keeper] = (self.options.bind or "127.0.0.1", self.port)
        alone = replace(saved, places=Places("", 0, "", tuple(nowhere), ""))
        self.nursery.start_soon(self._play_on, alone, kept)

    async def _play_on(self, saved: Saved, kept: _Kept) -> None:
        await Table(self.world, saved.signer, kept, None, saved, keeps_log=False).run()
        self._running.remove(kept)
        self._changed.set()

    async def dismiss(self) -> None:
        """A keeper and its bots leave together (PROTOCOL.md 9.3)."""
        for kept in self._running:
            if kept.control is not None:
                kept.control.leave()
        await self.wait()

    async def keep(self) -> None:
        """They end, and come back with their keeper."""
        for kept in self._running:
            if kept.control is not None:
                kept.control.keep()
        await self.wait()

    async def wait(self) -> None:
        """Bots finish what they owe the others, but not for ever."""
        with trio.move_on_after(FINISHING):
            while self._running:
                self._changed = trio.Event()
                await self._changed.wait()


async def join(
    world: World,
    seating: Seating,
    address: str,
    port: int,
    front: Front,
    make_peer: MakePeer = Peer,
    patience: float = 0.0,
) -> Ending:
    """Sits down at the table that listens at `address`; a rematch has `patience` with its host,
    who may not have opened it yet."""
    try:
        signer, one_game = await _sit_down(world, front)
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    deadline = trio.current_time() + patience
    while True:
        ending = await _guest(
            world, signer, seating.name, seating.monster, address, port, front, True, one_game,
            make_peer,
        )  # fmt: skip
        if ending.kind not in NOT_OPEN_YET or trio.current_time() >= deadline:
            break
        await trio.sleep(KNOCK)
    if ending.kind not in OWN_TABLE:
        return ending
    games = [s for s in unfinished(world, signer) if isinstance(s, Saved)]
    own = next((s for s in games if _was_at(s, address, port)), None)
    if own is None or not world.disk.lock(own.folder / "lock"):
        return ending
    return await _continue(world, own, front, no_bots, None, False)


async def _guest(
    world: World,
    signer: Signer,
    name: str,
    monster: str | None,
    address: str,
    port: int,
    front: Front,
    mesh: bool,
    one_game: bool,
    make_peer: MakePeer,
) -> Ending:
    """A guest from the first dial to the end; `mesh`: others may dial it, and it dials them."""
    acceptor = None
    if mesh:
        try:
            acceptor = await world.net.listen(None, 0, 1)
        except PortTaken:
            acceptor = None  # the host passes on what the others would have sent
    lobby = GuestLobby(signer, name, monster or "", acceptor.port if acceptor else 0, world.entropy)
    table = Table(
        world,
        signer,
        front,
        lobby,
        host_address=address,
        keeps_log=mesh,
        listens=mesh,
        make_peer=make_peer,
        one_game=one_game,
    )
    try:
        link = await _reach(world, table, signer, address, port)
    except _NotSeated as fault:
        return fault.ending
    else:
        table.wiring.adopt(link)
        async with trio.open_nursery() as nursery:
            if acceptor is not None:
                nursery.start_soon(acceptor.serve, table.wiring.admit)
            ending = await table.run()
            nursery.cancel_scope.cancel()
        return ending
    finally:
        if acceptor is not None:
            with trio.CancelScope(shield=True):
                await acceptor.aclose()


class _NotSeated(Exception):
    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.kind)
        self.ending = ending


async def _reach(world: World, table: Table, signer: Signer, address: str, port: int) -> Link:
    """Dials the host and proves both keys."""
    try:
        connection = await world.net.dial(address, port)
        return await shake_hands(
            connection, signer, table.wiring.hello(), True, TABLE, lambda _: None
        )
    except NoTable as fault:
        kinds = {
            "name-unknown": EndKind.NAME_UNKNOWN,
            "refused": EndKind.REFUSED,
            "no-answer": EndKind.NO_ANSWER,
        }
        raise _NotSeated(Ending(kinds[fault.why], fault.detail)) from fault
    except LinkFault as fault:
        raise _NotSeated(Ending(EndKind.NOT_A_TABLE, str(fault))) from fault
    except Refused as fault:
        raise _NotSeated(_refused(fault.refusal)) from fault


def _refused(refusal: Refusal) -> Ending:
    if refusal.why == Why.VERSION:
        theirs = f"{refusal.protocol}.{refusal.rules}"
        return Ending(EndKind.VERSION, f"{theirs} {PROTOCOL_VERSION}.{RULES_VERSION}")
    kind = ENDINGS.get(Why(refusal.why)) if refusal.why <= max(Why) else None
    return Ending(kind or EndKind.CLOSED, refusal.words)


# -- going on with a game -------------------------------------------------------------------


async def resume(
    world: World,
    game: str | None,
    at: tuple[str, int] | None,
    front: Front,
    bots: Bots,
) -> Ending:
    """Goes on with an unfinished game of this profile: the newest, or the one that the words of
    its phrase name. `at`: where somebody of that table can be dialled now."""
    try:
        free = world.disk.lock(world.data / "profiles" / world.profile / "lock")
        secret = world.disk.read(world.data / "profiles" / world.profile / "key")
        signer = Signer(secret if free and secret is not None else world.entropy(32))
        wanted = fold(game.replace("-", " ")) if game else ""
        broken = in_use = None
        for saved in unfinished(world, signer):
            if isinstance(saved, CannotResume):
                broken = broken or saved
            elif fold(saved.genesis.phrase).startswith(wanted):
                if world.disk.lock(saved.folder / "lock"):
                    return await _continue(world, saved, front, bots, at, True)
                in_use = in_use or saved
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    if broken is not None:
        return Ending(EndKind.FILES, str(broken))
    return Ending(EndKind.NO_GAME if free and in_use is None else EndKind.IN_USE, game or "")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that can be resumed, for a list."""

    phrase: str
    rules: str
    turn: int
    players: tuple[str, ...]
    log: str
    """Where its log can be found."""


def unfinished_games(world: World) -> list[Unfinished | CannotResume]:
    """Of this profile, newest first; in place of a game whose files are wrong, what is wrong."""
    secret = world.disk.read(world.data / "profiles" / world.profile / "key")
    signer = Signer(secret if secret is not None else world.entropy(32))
    return [
        found
        if isinstance(found, CannotResume)
        else Unfinished(
            found.genesis.phrase,
            found.genesis.charter.rules,
            found.ledger.game.state.turn,
            tuple(p.name for p in found.genesis.players),
            found.places.shared or str(found.folder / "log"),
        )
        for found in unfinished(world, signer)
    ]


def _was_at(saved: Saved, address: str, port: int) -> bool:
    """Whether this seat joined that table by this address."""
    places = saved.places
    return (
        places.host_address == address and places.addresses[saved.genesis.charter.host][1] == port
    )


async def _continue(
    world: World,
    saved: Saved,
    front: Front,
    bots: Bots,
    at: tuple[str, int] | None,
    announce: bool,
) -> Ending:
    """`saved` is locked by this process."""
    try:
        kept = list(bots_of(world, saved))
        alone = len(kept) + 1 == len(saved.genesis.players)
        bind = saved.places.bind or ("127.0.0.1" if alone else None)
        acceptor = await world.net.listen(bind, saved.places.port, PORT_TRIES)
    except (CannotResume, FileTrouble) as fault:
        return Ending(EndKind.FILES, str(fault))
    except PortTaken as fault:
        return Ending(EndKind.PORT_TAKEN, str(fault))
    async with trio.open_nursery() as nursery:
        keeper = _Keeper(world, nursery, None, HostOptions(bind=bind), bots, acceptor.port)
        places = replace(saved.places, bind=bind or "", port=acceptor.port)
        table = Table(
            world,
            saved.signer,
            front,
            None,
            replace(saved, places=places),
            at,
            host_address=saved.places.host_address,
            bind=bind or "",
            dismiss_bots=keeper.dismiss,
            keep_bots=keeper.keep,
        )
        if announce and not alone:
            front.show(Reopened(world.net.addresses(bind)[0], acceptor.port))
        nursery.start_soon(acceptor.serve, table.wiring.admit)
        for bot in kept:
            keeper.bring_back(bot, saved.seat)
        ending = await table.run()
        await keeper.wait()
        nursery.cancel_scope.cancel()
    await acceptor.aclose()
    return ending


def no_bots(level: str, entropy: bytes) -> Front:
    """For a guest, who keeps none."""
    raise AssertionError("a guest keeps no bots")
