"""Going on with a game from its files, whoever of its players comes first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front, Reopened
from kotp2p.shell.bot_runner import Bots, Keeper
from kotp2p.shell.find_host import Goal
from kotp2p.shell.lobby_loop import Table
from kotp2p.store.saved_game import CannotResume, Saved, bots_of, load
from kotp2p.store.unfinished_games import Unfinished, unfinished
from kotp2p.wire.crypto import KEY, Signer
from kotp2p.wire.names import fold
from kotp2p.world import FileTrouble, PortTaken, World

PORT_TRIES = 20
"""Ports in a row that are tried."""
BACK = "normal"
"""How well bots play that have come back: how they did before is in no file."""


@dataclass(frozen=True, slots=True)
class Here:
    """Where this process listens, if not where it did before."""

    bind: str | None = None
    port: int | None = None


async def resume(
    world: World,
    game: str | None,
    at: tuple[str, int] | None,
    front: Front,
    bots: Bots,
    here: Here = Here(),
) -> Ending:
    """Goes on with an unfinished game of this profile: the newest, or the one that the words of
    its phrase name. `at`: where somebody of that table can be dialled now. `here`: where this
    process is to listen."""
    try:
        free = world.disk.lock(world.data / "profiles" / world.profile / "lock")
        own = _identity(world)
        signer = own if free and own is not None else Signer(world.entropy(32))
        wanted = fold(game.replace("-", " ")) if game else ""
        broken = in_use = None
        for found in unfinished(world, signer.key):
            if isinstance(found, CannotResume):
                broken = broken or found
            elif not fold(found.genesis.phrase).startswith(wanted):
                continue
            elif world.disk.lock(found.folder / "lock"):
                try:
                    saved = load(world, found.folder, signer)
                except CannotResume as fault:
                    broken = broken or fault
                    continue
                if saved is not None:
                    return await go_on(world, saved, front, bots, at, here, announce=True)
            else:
                in_use = in_use or found
    except FileTrouble as fault:
        return Ending(EndKind.FILES, str(fault))
    if broken is not None:
        return Ending(EndKind.FILES, str(broken))
    return Ending(EndKind.NO_GAME if free and in_use is None else EndKind.IN_USE, game or "")


def games(world: World) -> Iterator[Unfinished | CannotResume]:
    """Those that this profile can resume, the newest first. Raises FileTrouble."""
    own = _identity(world)
    return unfinished(world, own.key if own is not None else bytes(32))


def _identity(world: World) -> Signer | None:
    """The profile's, if it has one. Raises FileTrouble."""
    path = world.data / "profiles" / world.profile / "key"
    secret = world.disk.read(path)
    if secret is not None and len(secret) != KEY:
        raise FileTrouble(f"{path}: not a key (32 bytes)")
    return None if secret is None else Signer(secret)


def game_at(world: World, signer: Signer, goal: Goal) -> Saved | None:
    """The newest unfinished game of this player in which somebody was to be dialled there."""
    wanted = {(place, goal.port) for place in goal.places}
    for found in unfinished(world, signer.key):
        if isinstance(found, Unfinished) and wanted & set(found.targets()):
            try:
                return load(world, found.folder, signer)
            except CannotResume:
                continue
    return None


async def go_on(
    world: World,
    saved: Saved,
    front: Front,
    bots: Bots,
    at: tuple[str, int] | None = None,
    here: Here = Here(),
    *,
    announce: bool,
) -> Ending:
    """`saved` is locked by this process."""
    try:
        kept = list(bots_of(world, saved))
        alone = len(kept) + 1 == len(saved.genesis.players)
        bind = here.bind or saved.places.bind or ("127.0.0.1" if alone else None)
        port = saved.places.port if here.port is None else here.port
        acceptor = await world.net.listen(bind, port, PORT_TRIES)
    except (CannotResume, FileTrouble) as fault:
        return Ending(EndKind.FILES, str(fault))
    except PortTaken as fault:
        return Ending(EndKind.PORT_TAKEN, str(fault))
    secret = saved.places.secret
    async with trio.open_nursery() as nursery:
        keeper = Keeper(world, nursery, None, bind, BACK, bots, acceptor.port, secret)
        places = replace(saved.places, bind=bind or "", port=acceptor.port)
        table = Table(
            world,
            saved.signer,
            front,
            None,
            replace(saved, places=places),
            at,
            host_address=saved.places.host_address,
            secret=secret,
            bind=bind or "",
            dismiss_bots=keeper.dismiss,
            keep_bots=keeper.keep,
        )
        if announce and not alone:
            front.show(Reopened(world.net.addresses(bind)[0], acceptor.port))
        keeper.break_off = table.break_off
        nursery.start_soon(acceptor.serve, table.wiring.admit)
        for bot in kept:
            keeper.bring_back(bot, saved.seat)
        ending = await table.run()
        await keeper.wait()
        nursery.cancel_scope.cancel()
    await acceptor.aclose()
    return ending
