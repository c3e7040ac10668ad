"""The ways to sit down at a table: host, join, solo, resume. What `cli` calls.

Each gives the `Ending` of the local seat and raises nothing that a person could cause.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front, GuestIdentity, TableOpened
from kotp2p.lobby.host import HostLobby
from kotp2p.lobby.known_keys import Acquaintances, NewKeys
from kotp2p.net.invitation import Invitation, mark
from kotp2p.peer.peer import Peer
from kotp2p.shell.announcer import Announcer
from kotp2p.shell.bot_runner import Bots, Keeper, no_bots
from kotp2p.shell.find_host import Goal
from kotp2p.shell.join import Who, guest
from kotp2p.shell.lobby_loop import MakePeer, Table
from kotp2p.shell.resume import PORT_TRIES, game_at, go_on, resume
from kotp2p.store.saved_game import known_path
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS, Clocks
from kotp2p.world import FileTrouble, PortTaken, World
from referee.box.rulesets import RULE_SETS
from referee.box.setup import Options, Setup

__all__ = ["HostOptions", "Seating", "host", "join", "resume", "solo"]

DEFAULT_PORT = 4242
KNOCK = 1.0
"""Seconds between two looks whether the host of a rematch has opened the table."""
NOT_OPEN_YET = (EndKind.REFUSED, EndKind.NO_ANSWER, EndKind.CLOSED, EndKind.STARTED)
NOBODY_THERE = (
    EndKind.STARTED, EndKind.NAME_UNKNOWN, EndKind.REFUSED, EndKind.NO_ANSWER, EndKind.NOT_A_TABLE,
    EndKind.NOT_INVITED, EndKind.OTHER_TABLE,
)  # fmt: skip
"""No table is open at that address, or not any more."""


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
    secret: bytes = OPEN_TABLE_SECRET
    """What who comes must know; another one than OPEN: the table is by invitation."""
    new_keys: NewKeys = NewKeys.ASK
    order: tuple[bytes, ...] = ()
    """A rematch: whose key gets which seat; empty for a bot's."""


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


def _known(world: World, policy: NewKeys) -> Acquaintances:
    """Whom this profile has played with. Raises FileTrouble."""
    known, path = Acquaintances(policy), known_path(world)
    data = world.disk.read(path)
    try:
        if data is not None:
            known.decode(data)
    except BadBytes as fault:
        raise FileTrouble(f"{path}: {fault}; move it away to forget whom you know") from fault
    return known


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
    _check(options)
    try:
        signer, one_game = await _sit_down(world, front)
        known = _known(world, options.new_keys)
        acceptor = await world.net.listen(options.bind, options.port, PORT_TRIES)
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    except PortTaken as fault:
        return Ending(EndKind.PORT_TAKEN, str(fault))
    if announce:
        front.show(_opened(world, options, acceptor.port, signer.key))
    if options.secret != OPEN_TABLE_SECRET:
        world = replace(world, lan=None)
    lobby = _lobby(world, seating, options, acceptor.port, signer, known, one_game)
    announcer = Announcer(world, options.bind, front)
    async with trio.open_nursery() as nursery:
        keeper = Keeper(
            world, nursery, lobby, options.bind, options.level, bots, acceptor.port, options.secret
        )
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
            secret=options.secret,
            bind=options.bind or "",
        )
        keeper.break_off = table.break_off
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


def _lobby(
    world: World,
    seating: Seating,
    options: HostOptions,
    port: int,
    signer: Signer,
    known: Acquaintances,
    one_game: bool,
) -> HostLobby:
    return HostLobby(
        signer,
        seating.name,
        seating.monster or "",
        options.rules,
        options.players,
        port,
        world.entropy,
        options.options,
        options.clocks,
        options.start_when_full,
        options.order,
        acquaintances=known,
        one_game=one_game,
    )


def _check(options: HostOptions) -> None:
    """Refuses what no start could do. Raises ValueError."""
    if not MIN_SEATS <= options.players <= MAX_SEATS:
        raise ValueError("2 to 6 seats")
    fewest = options.players if options.start_when_full else MIN_SEATS
    rules = RULE_SETS[options.rules]
    Setup(rules, fewest, rules.deck(), options.options)


def _opened(world: World, options: HostOptions, port: int, key: bytes) -> TableOpened:
    """How others come to this table; a closed one has a link."""
    addresses, only_loopback = world.net.addresses(options.bind)
    link = ""
    if options.secret != OPEN_TABLE_SECRET:
        link = Invitation.to(addresses, port, options.secret, mark(key)).link()
    return TableOpened(addresses, port, only_loopback, link, key)


async def join(
    world: World,
    seating: Seating,
    address: str,
    port: int,
    front: Front,
    make_peer: MakePeer = Peer,
    bots: Bots = no_bots,
    patience: float = 0.0,
    invitation: Invitation | None = None,
    new_keys: NewKeys = NewKeys.ASK,
) -> Ending:
    """Sits down at the table that listens at `address`, or at that of the invitation; or, where no
    table is open, goes on with the game that this player has left there. `bots`: if he has kept
    some in it. A rematch has `patience` with its host, who may not have opened it yet."""
    goal = Goal((address,), port) if invitation is None else Goal.of(invitation)
    try:
        signer, one_game = await _sit_down(world, front)
        known = _known(world, new_keys)
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    who = Who(signer, seating.name, seating.monster, goal, one_game=one_game, known=known)
    deadline = trio.current_time() + patience
    while True:
        ending = await guest(world, who, front, make_peer)
        if ending.kind not in NOT_OPEN_YET or trio.current_time() >= deadline:
            break
        await trio.sleep(KNOCK)
    if ending.kind in NOBODY_THERE:
        own = game_at(world, signer, goal)
        if own is not None and world.disk.lock(own.folder / "lock"):
            return await go_on(world, own, front, bots, announce=False)
    return ending
