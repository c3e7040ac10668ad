"""A guest: from the first dial to the end of the game."""

from dataclasses import dataclass, field

import trio

from kotp2p.lobby.guest import FollowedStart, GuestLobby
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy, read_known_keys
from kotp2p.net.connections import ANYWHERE, MAX_PORT_TRIES, ListenAt, Listener
from kotp2p.net.links import Link
from kotp2p.seams.commands import NO_WATCHERS, Front, WatchOffer
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import FileTrouble, PortTaken, World
from kotp2p.shell.find_host import NotSeated, TableAddress, connect_to_host
from kotp2p.shell.game_stage import SeatSetup
from kotp2p.shell.lobby_stage import GuestStage
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.game_files import SignedStart
from kotp2p.store.saved_game import SavedPlaces, make_instance, next_epoch, read_epoch, write_epoch
from kotp2p.wire.addresses import Target
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import INSTANCE_BYTES


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A seat that is wanted: by which player, and at which table."""

    signer: Signer
    name: str
    monster: str | None
    table: TableAddress
    one_game: bool = True
    automatic: bool = False
    known: KnownKeys = field(default_factory=lambda: KnownKeys(NewKeyPolicy.ACCEPT))
    here: ListenAt = ANYWHERE
    watch: WatchOffer = NO_WATCHERS

    def lobby(self, world: World, port: int) -> GuestLobby:
        return GuestLobby(
            self.signer,
            self.name,
            self.monster or "",
            port,
            world.entropy,
            self.known,
            self.one_game,
            self.automatic,
        )

    def setup(self, listener: Listener | None, host_address: str) -> SeatSetup:
        places = SavedPlaces(
            bind=listener.bind if listener is not None else "",
            port=port_of(listener),
            host_address=host_address,
            secret=self.table.secret,
            near=listener.near if listener is not None else "",
            watch=self.watch,
            relay=self.table.relay,
        )
        return SeatSetup(self.one_game, places)


async def play_as_guest(world: World, request: SeatRequest, front: Front) -> Ending:
    here, listener = request.here, None
    loop = TableLoop(world, request.signer, front, request.table.secret, watch=request.watch)
    try:
        if here.bind is not None:
            listener = await _listen(world, here)
        link, host_address = await connect_to_host(loop.connections, request.table)
        if listener is None:
            listener = await _listen_beside(world, here, link)
    except NotSeated as fault:
        return fault.ending
    except PortTaken as fault:
        return Ending(EndKind.PORT_TAKEN, str(fault))
    else:
        loop.connections.adopt_link(link)
        lobby = request.lobby(world, port_of(listener))
        setup = request.setup(listener, host_address)
        stage = GuestStage(loop=loop, lobby=lobby, setup=setup, table=request.table)
        return await _run(stage, listener)
    finally:
        await _stop_listening(listener)


async def play_signed_start(
    world: World,
    start: SignedStart,
    front: Front,
    also_dial: Target | None = None,
    here: ListenAt = ANYWHERE,
) -> Ending:
    """Go on with a signed and locked start: come into the game, or end with `START_IN_DOUBT`."""
    places, folder = start.places, start.folder(world)
    try:
        listener = await listen_again(world, places, here)
    except PortTaken as fault:
        if here != ANYWHERE:
            return Ending(EndKind.PORT_TAKEN, str(fault))
        listener = None
    try:
        epoch = next_epoch(read_epoch(world.disk, folder))
        await write_epoch(world.disk, folder, epoch)
        recalled = FollowedStart.recall(start.genesis, start.signer, start.seed, places.addresses)
        known = read_known_keys(world.disk, world.profile_folder, NewKeyPolicy.ACCEPT)
    except FileTrouble as fault:
        return Ending.of_files(fault)
    else:
        table = TableAddress((places.host_address,), 0, places.secret)
        request = SeatRequest(start.signer, "", None, table, one_game=start.one_game, known=known)
        instance = make_instance(epoch, world.entropy(INSTANCE_BYTES))
        stage = GuestStage(
            loop=TableLoop(world, start.signer, front, places.secret, instance),
            lobby=request.lobby(world, port_of(listener)),
            setup=request.setup(listener, places.host_address),
            recalled=recalled,
            also_dial=also_dial,
        )
        return await _run(stage, listener)
    finally:
        await _stop_listening(listener)
        world.disk.release(folder / "lock")


async def _run(stage: GuestStage, listener: Listener | None) -> Ending:
    loop = stage.loop
    loop.listener = listener
    loop.code.listen_at(listener, loop.signer.key, loop.secret)
    async with trio.open_nursery() as nursery:
        if listener is not None:
            nursery.start_soon(listener.serve, loop.connections.accept_connection)
        ending = await loop.run(stage)
        nursery.cancel_scope.cancel()
    return ending


def port_of(listener: Listener | None) -> int:
    return listener.port if listener is not None else 0


async def _listen_beside(world: World, here: ListenAt, link: Link) -> Listener | None:
    """Listen at the own address of the link to the host; raise PortTaken, and end the link then."""
    try:
        return await _listen(world, here, link.local)
    except PortTaken:
        link.cut()
        await link.run(lambda _frame: None)
        raise


async def _listen(world: World, here: ListenAt, near: str = "") -> Listener | None:
    """Listen for the other guests; return None without a port; raise PortTaken."""
    try:
        return await Listener.open(world.net, here.bind or "", near, here.port or 0, 1)
    except PortTaken:
        if here != ANYWHERE:
            raise
        return None


async def listen_again(world: World, places: SavedPlaces, here: ListenAt) -> Listener:
    """Listen where this process did before, or where the player now wants it; raise PortTaken."""
    port = places.port if here.port is None else here.port
    near = "" if here.bind else places.near
    return await Listener.open(world.net, here.bind or places.bind, near, port, MAX_PORT_TRIES)


async def _stop_listening(listener: Listener | None) -> None:
    if listener is not None:
        await listener.aclose()
