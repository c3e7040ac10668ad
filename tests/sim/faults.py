"""The faults themselves: what each kind does to the table, and how all of it is mended.

Law: a fault is chosen, aimed and timed by the seed alone. `strike` deals one after the other;
what lasts runs beside it and ends with the fault phase at the latest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import trio

from kotp2p.front import EndKind
from kotp2p.run import resume
from kotp2p.world import NoTable
from tests.sim import wire
from tests.sim.life import CURRENT, Gone, Life

if TYPE_CHECKING:
    from tests.sim.game import Machine, SimGame
    from tests.sim.net import SimStream

Fault = Callable[["SimGame", Random, trio.Nursery], Awaitable[bool]]
"""Does its worst; False if there was nothing to do it to."""


async def strike(game: SimGame, nursery: trio.Nursery) -> None:
    """Deals faults until it is cancelled."""
    chance = Random(f"faults {game.mix.seed}")
    if game.mix.lost is not None:
        nursery.start_soon(_lose, game, game.machines[game.mix.lost])
    kinds = [kind for kind, weight in game.mix.weights.items() if weight]
    weights = [game.mix.weights[kind] for kind in kinds]
    while kinds:
        await trio.sleep(chance.expovariate(1 / game.mix.every))
        (kind,) = chance.choices(kinds, weights)
        if await KINDS[kind](game, chance, nursery):
            game.trace.fault(kind)


async def _lose(game: SimGame, machine: Machine) -> None:
    """Its power goes, and it is never seen again."""
    chance = Random(f"lost {game.mix.seed}")
    await trio.sleep(chance.uniform(1, 15))
    while machine.life is None or not machine.life.alive:
        if machine.done is not None:
            return
        await trio.sleep(0.5)
    game.trace.fault("never comes back", machine.number)
    machine.lost = True
    game.kills(machine, True)


def mend(game: SimGame) -> None:
    """Ends all that lasts."""
    game.net.mend_all()
    game.net.blow = None
    for machine in game.machines:
        machine.disk.full, machine.disk.blow, machine.disk.sync_time = False, None, 0.005
        if machine.life is not None:
            machine.life.slow = False
            if machine.life.frozen is not None:
                machine.life.frozen.set()
                machine.life.frozen = None


def _running(game: SimGame, chance: Random) -> Machine | None:
    """A machine whose process plays."""
    there = [m for m in game.machines if m.life is not None and m.life.alive and m.life.peers]
    return chance.choice(there) if there else None


def _long(game: SimGame, chance: Random) -> float:
    """Seconds: short enough to be missed by nobody, or long enough for a vote, if people vote."""
    if chance.random() < 0.6:
        return chance.uniform(0.2, 8)
    return chance.uniform(20, 180 if game.mix.hasty else 60)


def _short(game: SimGame, chance: Random) -> float:
    return chance.uniform(0.5, 6)


# -- processes and machines ----------------------------------------------------------------


def _blow(power: bool) -> Fault:
    async def fault(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
        machine = _running(game, chance)
        if machine is not None:
            machine.down = _long(game, chance)
            game.kills(machine, power)
        return machine is not None

    return fault


def _blow_while_syncing(power: bool) -> Fault:
    async def fault(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
        machine = _running(game, chance)
        if machine is None:
            return False
        down = _long(game, chance)

        def blow(done: bool) -> None:
            game.trace.reach("died in a sync", machine.number, done)
            machine.down = down
            game.kills(machine, power)

        machine.disk.blow = blow
        return True

    return fault


async def _power_while_sending(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    machine = _running(game, chance)
    if machine is None:
        return False
    down = _long(game, chance)

    def blow() -> None:
        game.net.blow = None
        game.trace.reach("died in a send", machine.number)
        machine.down = down
        game.kills(machine, True)

    game.net.blow, game.net.strike = machine.life, blow
    return True


async def _older_copy(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """Somebody restores a backup of his whole folder after a crash. He may decide again after
    half a minute even if those that know better are still away (PROTOCOL.md 10.6), so here nobody
    is away for that long."""
    if game.mix.lost is not None:
        return False
    mend(game)
    with trio.move_on_after(60):
        while not all(m.life is not None and m.life.alive and m.life.peers for m in game.machines):
            await trio.sleep(0.5)
    machine = _running(game, chance)
    if machine is None or any(m.life is None or not m.life.alive for m in game.machines):
        return False
    machine.down = _long(game, chance)
    game.kills(machine, True)
    for path, data in machine.disk.files.items():
        if path.name == "log":
            genesis = wire.LOG_HEAD + 12 + int.from_bytes(data[wire.LOG_HEAD :][:4], "big")
            if len(data) > genesis:
                cuts = _before_own_decisions(game, machine, data)
                at = chance.choice(cuts) if cuts else chance.randint(genesis, len(data))
                machine.disk.files[path] = data[:at]
    if chance.random() < 0.6:  # and it hears nobody for a while who could tell it what it lacks
        lasting = machine.down + chance.uniform(0, 25)
        await _cutting(lambda game, chance: lasting, _alone(machine))(game, chance, nursery)
    game.trace.fault("older copy")
    await trio.sleep(machine.down + 60)
    return False


def _before_own_decisions(game: SimGame, machine: Machine, data: bytes) -> list[int]:
    """Where a log must end to tempt its seat into deciding again what it has decided."""
    seats = {s.seat for (n, _), s in game.invariants.secrets.items() if n == machine.number}
    found, at = [], wire.LOG_HEAD
    for body in wire.of_log(data[wire.LOG_HEAD :]):
        if body.kind == wire.PLAY and body.seat in seats and body.fields()[6] == wire.ANSWER:
            found.append(at)
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return found


async def _freeze(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    machine = _running(game, chance)
    if machine is None or machine.life is None or machine.life.frozen is not None:
        return False
    life = machine.life
    life.frozen = trio.Event()

    async def thaw() -> None:
        await trio.sleep(_long(game, chance))
        if life.frozen is not None:
            life.frozen.set()
            life.frozen = None

    nursery.start_soon(thaw)
    return True


async def _skew(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """Everybody's clock jumps ahead: what is on its way arrives at once."""
    game.clock.jump(chance.uniform(0.1, 12))
    return True


async def _second_start(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    machine = _running(game, chance)
    if machine is None:
        return False
    first = machine.life
    assert first is not None
    life = Life(machine.number, machine.lives, machine.address)
    machine.lives += 1

    async def start() -> None:
        CURRENT.set(life)
        with trio.move_on_after(30), life.scope:
            world = game.world(machine, life)
            front = game.person(life)
            ending = await resume(world, None, None, front, game._bots(life))
            game.trace.reach(f"second start: {ending.kind}", life.name)
            wanted = (EndKind.IN_USE, EndKind.NO_GAME)
            if first is machine.life and first.alive and ending.kind not in wanted:
                game.invariants.broken("I7", f"{life.name} has started beside {first.name}")
        life.alive = False
        game.net.close_doors(life)
        game.net.dies(life)

    nursery.start_soon(start)
    return True


# -- disks ---------------------------------------------------------------------------------


async def _slow_disk(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    disk = chance.choice(game.machines).disk

    async def slow() -> None:
        disk.sync_time = chance.uniform(0.2, 2)
        await trio.sleep(chance.uniform(2, 15))
        disk.sync_time = 0.005

    nursery.start_soon(slow)
    return True


async def _disk_full(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    machine = _running(game, chance)
    if machine is None or (machine.number == 0 and game.mix.bots):
        return False  # which of the logs of one process fails is a matter of chance
    machine.disk.full = machine.excused = True
    return True


# -- the network ---------------------------------------------------------------------------


def _connection(game: SimGame, chance: Random) -> SimStream | None:
    """One that leaves its machine: what runs within one does not break."""
    machine = _running(game, chance)
    if machine is None or machine.life is None:
        return None
    outward = [s for s in machine.life.streams if s.out.target != machine.address]
    return chance.choice(outward) if outward else None


async def _drop(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    stream = _connection(game, chance)
    if stream is not None:
        stream.breaks()
    return stream is not None


async def _half_open(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """A router forgets a connection: what is sent on it reaches nobody."""
    stream = _connection(game, chance)
    if stream is not None:
        stream.out.hole = stream.into.hole = True
    return stream is not None


Cuts = Callable[["SimGame", Random], list[tuple[str, str]]]


def _cutting(lasting: Callable[[SimGame, Random], float], cuts: Cuts) -> Fault:
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


def _one_direction(game: SimGame, chance: Random) -> list[tuple[str, str]]:
    one, other = chance.sample(game.machines, 2) if len(game.machines) > 1 else (None, None)
    return [(one.address, other.address)] if one is not None and other is not None else []


def _deaf(game: SimGame, chance: Random) -> list[tuple[str, str]]:
    one = chance.choice(game.machines)
    return [(other.address, one.address) for other in game.machines if other is not one]


def _alone(machine: Machine) -> Cuts:
    def cuts(game: SimGame, chance: Random) -> list[tuple[str, str]]:
        others = [m.address for m in game.machines if m is not machine]
        return [(other, machine.address) for other in others] + [
            (machine.address, other) for other in others
        ]

    return cuts


def _two_groups(game: SimGame, chance: Random) -> list[tuple[str, str]]:
    left = {m.address for m in game.machines if chance.random() < 0.5}
    right = {m.address for m in game.machines} - left
    return [(a, b) for a in sorted(left) for b in sorted(right)] + [
        (b, a) for a in sorted(left) for b in sorted(right)
    ]


async def _swizzle(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """Pairs are cut one by one, and mended one by one in another order."""
    addresses = [m.address for m in game.machines]
    pairs = [pair for pair in combinations(addresses, 2) if chance.random() < 0.6]

    async def swizzle() -> None:
        for one, other in pairs:
            game.net.cut(one, other)
            game.net.cut(other, one)
            await trio.sleep(chance.uniform(0.1, 2))
        for one, other in chance.sample(pairs, len(pairs)):
            game.net.mend(one, other)
            game.net.mend(other, one)
            await trio.sleep(chance.uniform(0.1, 2))

    nursery.start_soon(swizzle)
    return bool(pairs)


async def _slow_reader(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    machine = _running(game, chance)
    if machine is None or machine.life is None:
        return False
    life = machine.life
    life.slow = True

    async def recovers() -> None:
        await trio.sleep(chance.uniform(2, 20))
        life.slow = False

    nursery.start_soon(recovers)
    return True


async def _stranger(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """Somebody who is no player connects and sends what he likes, or nothing."""
    places = sorted(game.net.listening)
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
        except (NoTable, Gone, trio.BrokenResourceError):
            pass

    nursery.start_soon(visits)
    return True


KINDS: dict[str, Fault] = {
    "kill": _blow(False),
    "power": _blow(True),
    "kill while syncing": _blow_while_syncing(False),
    "power while syncing": _blow_while_syncing(True),
    "power while sending": _power_while_sending,
    "drop": _drop,
    "half-open": _half_open,
    "clog": _cutting(_short, _one_direction),
    "one-way": _cutting(_long, _deaf),
    "partition": _cutting(_long, _two_groups),
    "swizzle": _swizzle,
    "slow reader": _slow_reader,
    "freeze": _freeze,
    "skew": _skew,
    "slow disk": _slow_disk,
    "disk full": _disk_full,
    "older copy": _older_copy,
    "second start": _second_start,
    "stranger": _stranger,
}
