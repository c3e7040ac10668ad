"""A guest: from the first dial to the end of the game."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front
from kotp2p.lobby.followed_start import FollowedStart
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.shell.find_host import NotSeated, TableAddress, connect_to_host
from kotp2p.shell.game_start import PeerFactory, SeatSetup
from kotp2p.shell.guest_session import GuestSession
from kotp2p.shell.profile import read_known_keys
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.epoch_file import SavedEpoch, make_instance, read_epoch, write_epoch
from kotp2p.store.signed_starts import SignedStart
from kotp2p.wire.addresses import Target
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.world import Acceptor, FileTrouble, PortTaken, World

MAX_PORT_TRIES = 20
"""How many ports in a row are tried, from the wanted one on."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A seat that is wanted: by which player, and at which table."""

    signer: Signer
    name: str
    monster: str | None
    table: TableAddress
    joins_mesh: bool = True
    """Other guests may dial this player. False for bots, which have one link: to their keeper."""
    one_game: bool = True
    known: KnownKeys = field(default_factory=lambda: KnownKeys(NewKeyPolicy.ACCEPT))

    def lobby(self, world: World, port: int) -> GuestLobby:
        return GuestLobby(
            self.signer,
            self.name,
            self.monster or "",
            port,
            world.entropy,
            self.known,
            self.one_game,
            is_bot=not self.joins_mesh,
        )

    def setup(self, port: int, host_address: str, make_peer: PeerFactory) -> SeatSetup:
        return SeatSetup(
            self.one_game,
            self.table.secret,
            port=port,
            host_address=host_address,
            shares_log=self.joins_mesh,
            make_peer=make_peer,
        )


async def play_as_guest(
    world: World, request: SeatRequest, front: Front, make_peer: PeerFactory
) -> Ending:
    acceptor = await _listen(world) if request.joins_mesh else None
    port = acceptor.port if acceptor is not None else 0
    lobby = request.lobby(world, port)
    loop = TableLoop(world, request.signer, front, request.table.secret)
    try:
        link, host_address = await connect_to_host(loop.connections, request.table)
    except NotSeated as fault:
        return fault.ending
    else:
        loop.connections.adopt_link(link)
        session = GuestSession(lobby, request.setup(port, host_address, make_peer))
        return await _run(loop, session, acceptor)
    finally:
        await _stop_listening(acceptor)


async def play_signed_start(
    world: World,
    start: SignedStart,
    front: Front,
    make_peer: PeerFactory,
    also_dial: Target | None = None,
    port: int | None = None,
) -> Ending:
    """Goes on with a start that an earlier process has signed, and which this process has locked:
    comes into the game if it began, or ends with `START_IN_DOUBT`."""
    places, folder = start.places, start.folder(world)
    acceptor = await _listen(world, places.port if port is None else port)
    try:
        epoch = read_epoch(world.disk, folder).next_epoch
        await write_epoch(world.disk, folder, SavedEpoch(epoch))
        recalled = FollowedStart.recall(start.genesis, start.signer, start.seed, places.addresses)
        known = read_known_keys(world, NewKeyPolicy.ACCEPT)
    except (FileTrouble, BadBytes) as fault:
        return Ending(EndKind.FILES, str(fault))
    else:
        table = TableAddress((places.host_address,), 0, places.secret)
        request = SeatRequest(start.signer, "", None, table, one_game=start.one_game, known=known)
        own_port = acceptor.port if acceptor is not None else 0
        session = GuestSession(
            request.lobby(world, own_port),
            request.setup(own_port, places.host_address, make_peer),
            recalled=recalled,
            also_dial=also_dial,
        )
        instance = make_instance(epoch, world.entropy(INSTANCE_BYTES))
        loop = TableLoop(world, start.signer, front, places.secret, instance)
        return await _run(loop, session, acceptor)
    finally:
        await _stop_listening(acceptor)
        world.disk.release(folder / "lock")


async def _run(loop: TableLoop, session: GuestSession, acceptor: Acceptor | None) -> Ending:
    async with trio.open_nursery() as nursery:
        if acceptor is not None:
            nursery.start_soon(acceptor.serve, loop.connections.accept_connection)
        ending = await loop.run(session)
        nursery.cancel_scope.cancel()
    return ending


async def _listen(world: World, port: int = 0) -> Acceptor | None:
    """For the other guests. Without a port the host passes on what they would have sent."""
    try:
        return await world.net.listen(None, port, MAX_PORT_TRIES)
    except PortTaken:
        return None


async def _stop_listening(acceptor: Acceptor | None) -> None:
    if acceptor is not None:
        # Shielded: a guest that is cancelled gives its port back all the same.
        with trio.CancelScope(shield=True):
            await acceptor.aclose()
