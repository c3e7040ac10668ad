"""A guest: from the first dial to the end of the game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import trio

from kotp2p.endings import Ending
from kotp2p.front import Front
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.shell.find_host import NotSeated, TableAddress, connect_to_host
from kotp2p.shell.game_start import PeerFactory, SeatSetup
from kotp2p.shell.guest_session import GuestSession
from kotp2p.shell.table_loop import TableLoop
from kotp2p.wire.crypto import Signer
from kotp2p.world import Acceptor, PortTaken, World


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
        async with trio.open_nursery() as nursery:
            if acceptor is not None:
                nursery.start_soon(acceptor.serve, loop.connections.accept_connection)
            ending = await loop.run(session)
            nursery.cancel_scope.cancel()
        return replace(ending, host_key=link.key)
    finally:
        if acceptor is not None:
            # Shielded: a guest that is cancelled gives its port back all the same.
            with trio.CancelScope(shield=True):
                await acceptor.aclose()


async def _listen(world: World) -> Acceptor | None:
    """For the other guests. Without a port the host passes on what they would have sent."""
    try:
        return await world.net.listen(None, 0, 1)
    except PortTaken:
        return None
