"""The faults themselves: what each kind does to the table.

Law: a fault is chosen, aimed and timed by the seed alone. `strike` deals one after the other;
what lasts runs beside it and ends with the fault phase at the latest.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import trio

from kotp2p.endings import EndKind
from kotp2p.shell.run import resume
from tests.tools.sim import net_faults, second_processes, wire
from tests.tools.sim.life import CURRENT, Life
from tests.tools.sim.mix import SECOND_PROCESS
from tests.tools.sim.net_faults import Fault, alone, long, running

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame
    from tests.tools.sim.machines import Machine


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


# -- processes and machines ----------------------------------------------------------------


def _blow(power: bool) -> Fault:
    async def fault(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
        machine = running(game, chance)
        if machine is not None:
            machine.down = long(game, chance)
            game.kills(machine, power)
        return machine is not None

    return fault


def _blow_while_syncing(power: bool) -> Fault:
    async def fault(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
        machine = running(game, chance)
        if machine is None:
            return False
        down = long(game, chance)

        def blow(done: bool) -> None:
            game.trace.reach("died in a sync", machine.number, done)
            machine.down = down
            game.kills(machine, power)

        machine.disk.blow = blow
        return True

    return fault


async def _power_while_sending(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    machine = running(game, chance)
    if machine is None:
        return False
    down = long(game, chance)

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
    game.mend()
    with trio.move_on_after(60):
        while not all(m.is_at_table for m in game.machines):
            await trio.sleep(0.5)
    machine = running(game, chance)
    if machine is None or any(m.life is None or not m.life.alive for m in game.machines):
        return False
    machine.down = long(game, chance)
    game.kills(machine, True)
    for path, data in machine.disk.logs().items():
        genesis = wire.LOG_HEAD + 12 + int.from_bytes(data[wire.LOG_HEAD :][:4], "big")
        if len(data) > genesis:
            cuts = _before_own_decisions(game, machine, data)
            at = chance.choice(cuts) if cuts else chance.randint(genesis, len(data))
            machine.disk.files[path] = data[:at]
    game.invariants.restored(machine.number)
    if chance.random() < 0.6:  # and it hears nobody for a while who could tell it what it lacks
        lasting = machine.down + chance.uniform(0, 25)
        await net_faults.cutting(lambda game, chance: lasting, alone(machine))(
            game, chance, nursery
        )
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
    machine = running(game, chance)
    if machine is None or machine.life is None or machine.life.frozen is not None:
        return False
    life = machine.life
    life.frozen = trio.Event()

    async def thaw() -> None:
        await trio.sleep(long(game, chance))
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
    machine = running(game, chance)
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
    machine = running(game, chance)
    if machine is None or (machine.number == 0 and game.mix.bots):
        return False  # which of the logs of one process fails is a matter of chance
    machine.disk.full = machine.excused = True
    return True


KINDS: dict[str, Fault] = {
    "kill": _blow(False),
    "power": _blow(True),
    "kill while syncing": _blow_while_syncing(False),
    "power while syncing": _blow_while_syncing(True),
    "power while sending": _power_while_sending,
    "drop": net_faults.drop,
    "half-open": net_faults.half_open,
    "clog": net_faults.cutting(net_faults.short, net_faults.one_direction),
    "one-way": net_faults.cutting(long, net_faults.deaf),
    "partition": net_faults.cutting(long, net_faults.two_groups),
    "swizzle": net_faults.swizzle,
    "slow reader": net_faults.slow_reader,
    "freeze": _freeze,
    "skew": _skew,
    "slow disk": _slow_disk,
    "disk full": _disk_full,
    "older copy": _older_copy,
    "second start": _second_start,
    "stranger": net_faults.stranger,
    SECOND_PROCESS: second_processes.second_process,
}
