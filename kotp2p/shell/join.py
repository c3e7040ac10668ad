"""A guest: from the first dial to the end of the game."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from kotp2p.endings import Ending
from kotp2p.front import Front
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.known_keys import Acquaintances, NewKeys
from kotp2p.shell.find_host import Goal, NotSeated, reach
from kotp2p.shell.lobby_loop import MakePeer, Table
from kotp2p.wire.crypto import Signer
from kotp2p.world import PortTaken, World


@dataclass(frozen=True, slots=True)
class Who:
    """Who wants a seat, and where."""

    signer: Signer
    name: str
    monster: str | None
    goal: Goal
    mesh: bool = True
    """Others may dial it, and it dials them."""
    one_game: bool = True
    known: Acquaintances = field(default_factory=lambda: Acquaintances(NewKeys.ACCEPT))


async def guest(world: World, who: Who, front: Front, make_peer: MakePeer) -> Ending:
    """A guest from the first dial to the end."""
    signer, mesh = who.signer, who.mesh
    acceptor = None
    if mesh:
        try:
            acceptor = await world.net.listen(None, 0, 1)
        except PortTaken:
            acceptor = None  # the host passes on what the others would have sent
    lobby = GuestLobby(
        signer,
        who.name,
        who.monster or "",
        acceptor.port if acceptor else 0,
        world.entropy,
        who.known,
        who.one_game,
    )
    table = Table(
        world,
        signer,
        front,
        lobby,
        secret=who.goal.secret,
        keeps_log=mesh,
        listens=mesh,
        make_peer=make_peer,
        one_game=who.one_game,
    )
    try:
        link, table.host_address = await reach(table.wiring, who.goal)
    except NotSeated as fault:
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
