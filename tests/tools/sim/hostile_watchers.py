"""Watchers that do not keep to the protocol: what they send, and how they hold on.

Law: they have the key of nobody, and a link as any watcher has it. Nothing that they do may change
what the players see: the laws of the game are asked as in any other, and with the same chances
(`tests.simulated.test_watched_games`) the game is the same one.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import trio

from kotp2p.net.handshake import Door, LinkFault, OwnSide, Refused, make_hello, shake_hands
from kotp2p.net.links import Link
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frame_codec import decode
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_link import HelloRole
from kotp2p.wire.frames_lobby import Ping
from kotp2p.wire.frames_watch import Remark, Watch
from kotp2p.world import CannotReach, World
from tests.tools.sim.escapes import Escapes
from tests.tools.sim.life import Life
from tests.tools.vector_frames import all_frames

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame

PORT = 4242
READS_NOTHING = "asks, and reads nothing"
SENDS_FRAMES = "sends what players send"
SENDS_RUBBISH = "sends rubbish"
FLOODS = "talks and asks without end"
HALF_OPEN = "is half-open"
BREAKS_OFF = "breaks off the handshake"
ATTACKS = (READS_NOTHING, SENDS_FRAMES, SENDS_RUBBISH, FLOODS, HALF_OPEN, BREAKS_OFF)
FRAMES_AT_ONCE = 150
HOLDS_SECONDS = 40.0
"""How long one holds on that does nothing more."""


async def attack(game: SimGame, world: World, life: Life, kind: str, chance: Random) -> None:
    """Comes once, and goes when its link ends, or after a while."""
    address = game.machines[0].address
    expected = suppress(CannotReach, LinkFault, Refused, trio.BrokenResourceError)
    with Escapes(game.invariants, life), trio.move_on_after(HOLDS_SECONDS), expected:
        if kind == BREAKS_OFF:
            with trio.move_on_after(chance.uniform(0, 0.5)):
                await _link(world, address)
            return
        link = await _link(world, address)
        async with trio.open_nursery() as nursery:
            if kind in (READS_NOTHING, HALF_OPEN):
                nursery.start_soon(link._write)
                if kind == HALF_OPEN:
                    _fall_silent(life)
                await trio.sleep_forever()
            nursery.start_soon(_send, game, link, kind, chance)
            await link.run(lambda _frame: link.note_taken())
            nursery.cancel_scope.cancel()


async def _link(world: World, address: str) -> Link:
    """A link of role 1 that has asked for the whole log."""
    signer = Signer(world.entropy(32))
    hello = make_hello(signer, bytes(8), b"", world.entropy(32), HelloRole.WATCHER)
    connection = await world.net.dial(address, PORT)
    side = OwnSide(Door(None, OPEN_TABLE_SECRET), signer, hello)
    link = await shake_hands(connection, side, True, 1, lambda _: None)
    link.send(Watch(0, b""))
    return link


def _fall_silent(life: Life) -> None:
    for stream in life.watch_streams:
        stream.out.hole = stream.into.hole = True


async def _send(game: SimGame, link: Link, kind: str, chance: Random) -> None:
    await trio.sleep(chance.expovariate(1.0))
    if kind == SENDS_RUBBISH:
        closed = (trio.BrokenResourceError, trio.ClosedResourceError)
        with suppress(trio.BusyResourceError, *closed):
            await link._stream.send_all(_rubbish(chance))
    elif kind == SENDS_FRAMES:
        link.send(chance.choice(_frames_of_players(game)))
    else:
        for n in range(FRAMES_AT_ONCE):
            link.send(chance.choice((Ping(), Remark("Eve", f"{n}"), Watch(n, b""))))
            if n % 20 == 0:
                await trio.sleep(chance.uniform(0, 0.2))
    await trio.sleep_forever()


def _rubbish(chance: Random) -> bytes:
    return chance.choice(
        (
            b"\xff" * 64,
            b"\xff\xff\xff\xff",
            bytes(4),
            (60_000).to_bytes(4, "big") + b"\x91" * 60_000,
            (60_000).to_bytes(4, "big") + b"\xc4",
            (2).to_bytes(4, "big") + b"\x91\x7f",
            chance.randbytes(chance.randint(1, 600)),
        )
    )


def _frames_of_players(game: SimGame) -> list[Frame]:
    """Of every kind, and those that the players of this game have sent each other: their heads,
    entries and votes among them."""
    every = [bytes.fromhex(str(data))[4:] for data in all_frames().values()]
    every += [data[4:] for data in game.invariants.heard]
    found = []
    for data in every:
        with suppress(BadBytes):
            frame = decode(data)
            if frame is not None:
                found.append(frame)
    return found
