"""A guest: from the first dial to the end of the game."""

from __future__ import annotations

import trio

from kotp2p.crypto import Signer
from kotp2p.frames import Refusal, Why
from kotp2p.front import Ending, EndKind, Front
from kotp2p.genesis import PROTOCOL_VERSION
from kotp2p.links import Link, LinkFault, Refused, shake_hands
from kotp2p.lobby_guest import ENDINGS, TABLE, GuestLobby
from kotp2p.table import MakePeer, Table
from kotp2p.world import NoTable, PortTaken, World
from referee.rulesets import RULES_VERSION


async def guest(
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
