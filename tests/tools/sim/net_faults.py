"""Faults of the network: what is cut, clogged, swallowed, or sent by who is no player.

Law: as in `tests.tools.sim.faults`, chance alone chooses and aims; what lasts runs in `nursery`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import trio

from kotp2p.world import CannotReach
from tests.tools.sim.life import Gone, Life

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame
    from tests.tools.sim.machines import Machine
    from tests.tools.sim.net import SimStream

Fault = Callable[["SimGame", Random, trio.Nursery], Awaitable[bool]]
"""Does its worst; False if there was nothing to do it to."""


def running(game: SimGame, chance: Random) -> Machine | None:
    """A machine whose process plays."""
    there = [m for m in game.machines if m.is_at_table]
    return chance.choice(there) if there else None


def long(game: SimGame, chance: Random) -> float:
    """Seconds: short enough to be missed by nobody, or long enough for a vote, if people vote."""
    if chance.random() < 0.6:
        return chance.uniform(0.2, 8)
    return chance.uniform(20, 180 if game.mix.hasty else 60)


def short(game: SimGame, chance: Random) -> float:
    return chance.uniform(0.5, 6)


def _connection(game: SimGame, chance: Random) -> SimStream | None:
    """One that leaves its machine: what runs within one does not break."""
    machine = running(game, chance)
    if machine is None or machine.life is None:
        return None
    outward = [s for s in machine.life.streams if s.out.target != machine.address]
    return chance.choice(outward) if outward else None


async def drop(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    stream = _connection(game, chance)
    if stream is not None:
        stream.breaks()
    return stream is not None


async def half_open(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """A router forgets a connection: what is sent on it reaches nobody."""
    stream = _connection(game, chance)
    if stream is not None:
        stream.out.hole = stream.into.hole = True
    return stream is not None


Cuts = Callable[["SimGame", Random], list[tuple[str, str]]]


def cutting(lasting: Callable[[SimGame, Random], float], cuts: Cuts) -> Fault:
    async def fault(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
        pairs = cuts(game, chance)
        for pair in pairs:
            game.net.cut(*pair)

        async def mends() -> None:
            await trio.sleep(lasting(game, chance))
            for pair in pairs:
                game.net.mend(*pair)

        nursery.start_soon(mends)
        return bool(pairs)

    return fault


def one_direction(game: SimGame, chance: Random) -> list[tuple[str, str]]:
    one, other = chance.sample(game.machines, 2) if len(game.machines) > 1 else (None, None)
    return [(one.address, other.address)] if one is not None and other is not None else []


def deaf(game: SimGame, chance: Random) -> list[tuple[str, str]]:
    one = chance.choice(game.machines)
    return [(other.address, one.address) for other in game.machines if other is not one]


def alone(machine: Machine) -> Cuts:
    def cuts(game: SimGame, chance: Random) -> list[tuple[str, str]]:
        others = [m.address for m in game.machines if m is not machine]
        return [(other, machine.address) for other in others] + [
            (machine.address, other) for other in others
        ]

    return cuts


def two_groups(game: SimGame, chance: Random) -> list[tuple[str, str]]:
    left = {m.address for m in game.machines if chance.random() < 0.5}
    right = {m.address for m in game.machines} - left
    return [(a, b) for a in sorted(left) for b in sorted(right)] + [
        (b, a) for a in sorted(left) for b in sorted(right)
    ]


async def swizzle(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """Pairs are cut one by one, and mended one by one in another order."""
    addresses = [m.address for m in game.machines]
    pairs = [pair for pair in combinations(addresses, 2) if chance.random() < 0.6]

    async def runs() -> None:
        for one, other in pairs:
            game.net.cut(one, other)
            game.net.cut(other, one)
            await trio.sleep(chance.uniform(0.1, 2))
        for one, other in chance.sample(pairs, len(pairs)):
            game.net.mend(one, other)
            game.net.mend(other, one)
            await trio.sleep(chance.uniform(0.1, 2))

    nursery.start_soon(runs)
    return bool(pairs)


async def slow_reader(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    machine = running(game, chance)
    if machine is None or machine.life is None:
        return False
    life = machine.life
    life.slow = True

    async def recovers() -> None:
        await trio.sleep(chance.uniform(2, 20))
        life.slow = False

    nursery.start_soon(recovers)
    return True


async def stranger(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """Somebody who is no player connects and sends what he likes, or nothing."""
    listening = game.net.listening.items()
    places = sorted(place for place, acceptor in listening if acceptor.life.machine >= 0)
    if not places:
        return False
    address, port = chance.choice(places)
    heard = game.invariants.heard
    data = chance.choice(
        (
            b"",
            b"GET / HTTP/1.1\r\n\r\n",
            chance.randbytes(chance.randint(1, 600)),
            (5).to_bytes(4, "big") + chance.randbytes(5),
            bytes(4),
            chance.choice(heard) if heard else b"\xff" * 8,
        )
    )

    async def visits() -> None:
        life = Life(-1, 0, "10.0.0.99")
        try:
            connection = await game.net.connect(life, address, port)
            await connection.stream.send_all(data)
            await trio.sleep(chance.uniform(0, 12))
            await connection.stream.aclose()
        except (CannotReach, Gone, trio.BrokenResourceError):
            pass

    nursery.start_soon(visits)
    return True
