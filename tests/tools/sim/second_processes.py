"""The fault "second process": a player's folder is copied, and the copy is played elsewhere.

Law: as in `tests.tools.sim.faults`. The two processes have one player. The network is whole while
both are there, and all others are up, or the two could not hear of each other: what follows then
is an exception of the promises (PROTOCOL.md 11, E7). I22 says what must come of it: soon one of the
two goes on, and the other one has stopped by itself.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING

import trio

from kotp2p.endings import EndKind
from kotp2p.game.steps import Solo
from kotp2p.mesh.heartbeat import HEARTBEAT_SECONDS
from tests.tools.sim import net_faults
from tests.tools.sim.machines import Machine

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame

EVERYBODY_UP = 60.0
"""Virtual seconds that a fault waits for all others."""
HEADS_HEARD = HEARTBEAT_SECONDS + 1
SETTLED = 75.0
"""Virtual seconds within which one of two processes must have stopped."""
ASKED = 30.0
"""How long a fault waits for a player to be asked."""
MOST_TRIES = 1
"""How often the player types the command again where it has stopped at once."""
RETURNS = 0.3
"""How often the player comes back to the place that they had left."""


class Way(StrEnum):
    """What becomes of the first process."""

    PLAYS = "the first plays on"
    OLDER = "the first plays on, and the copy is an older one"
    KILLED = "the first was killed"
    POWER = "the first has lost its power, and the copy is an older one"
    SLEEPS = "the first sleeps, and wakes up"
    OFFLINE = "the first sleeps, and wakes up without a network"
    UNHEARD = "the first decides without a network, dies, and comes back later"
    BOTH = "the first was killed, and both come back at once"


WAYS = tuple(Way)


async def second_process(game: SimGame, chance: Random, nursery: trio.Nursery) -> bool:
    """Deals nothing else until one of the two has stopped."""
    if game.mix.lost is not None:
        return False
    game.mend()
    if not await _until_all_there(game):
        return False
    first = chance.choice([m for m in game.machines if m.number not in game.mix.cheats])
    if not game.can_hear_of_copies():
        game.trace.reach("excused: a second process among cheats alone (E7)", first.number)
        return False
    way = chance.choice(WAYS)
    if way in (Way.OFFLINE, Way.UNHEARD):
        await _until_asked(first)
    copy, lives = _copied(game, first, chance), first.lives
    if way in (Way.OLDER, Way.POWER):
        await trio.sleep(chance.uniform(1, 30))
        copy.is_older = first.lives > lives
    if not first.is_at_table:
        return False
    with trio.CancelScope(shield=True):  # whoever has moved must come back, also when all is mended
        await _play_twice(game, chance, way, first, copy)
    return True


async def _play_twice(
    game: SimGame, chance: Random, way: Way, first: Machine, copy: Machine
) -> None:
    game.trace.reach(f"second process: {way}", first.number)
    await _begin(game, chance, way, first, copy)
    await _settle(game, first.number)
    resting = [m for m in (first, copy) if m.done is EndKind.ELSEWHERE or m.left_alone]
    returns = way is Way.UNHEARD or chance.random() < RETURNS
    if resting and returns and not game.healed.is_set():
        await trio.sleep(chance.uniform(0, 20))
        if all(m.is_at_table for m in game.machines):
            game.trace.reach("second process: comes back", first.number)
            _come_back(game, resting[0])
            await _settle(game, first.number)


async def _until_asked(first: Machine) -> None:
    """Its player, or one of its bots, has a decision to make: they will make it."""
    with trio.move_on_after(ASKED):
        while first.is_at_table:
            peers = first.life.peers if first.life is not None else []
            if any(peer.ledger.step == Solo(peer.seat) for peer in peers):
                return
            await trio.sleep(0.02)


async def _begin(game: SimGame, chance: Random, way: Way, first: Machine, copy: Machine) -> None:
    match way:
        case Way.PLAYS | Way.OLDER:
            _come_back(game, copy)
        case Way.KILLED | Way.POWER | Way.BOTH:
            await _kill(game, chance, first, way is Way.POWER)
            if way is Way.BOTH:
                _come_back(game, first)
            _come_back(game, copy)
        case Way.UNHEARD:
            pairs = _cut_off(game, first)
            await trio.sleep(chance.uniform(1, 15))
            await _kill(game, chance, first, power=False)
            _reconnect(game, pairs)
            _come_back(game, copy)
        case Way.SLEEPS | Way.OFFLINE:
            await _sleep(game, chance, way, first, copy)


async def _sleep(game: SimGame, chance: Random, way: Way, first: Machine, copy: Machine) -> None:
    """It is shut down where it could decide something before anybody can tell it of the copy."""
    pairs = _cut_off(game, first) if way is Way.OFFLINE else []
    life = first.life
    assert life is not None
    life.frozen = trio.Event()
    _come_back(game, copy)
    await trio.sleep(chance.uniform(1, 90))
    can_hear = bool(pairs) or await _all_know(game)
    if can_hear and life.frozen is not None:
        life.frozen.set()
        life.frozen = None
    if pairs:
        await trio.sleep(chance.uniform(0, 20))
        can_hear = await _all_know(game)
    if not can_hear:
        game.trace.reach("excused: nobody there knows of the newer process yet (E7)", first.number)
        await _kill(game, chance, first, power=False)
    _reconnect(game, pairs)


async def _all_know(game: SimGame) -> bool:
    """All are there who have not finished, and each has heard the heads of all processes since it
    came back."""
    await _until_all_there(game, or_done=True)
    await trio.sleep(HEADS_HEARD)
    return _are_there(game, or_done=True)


async def _until_all_there(game: SimGame, or_done: bool = False) -> bool:
    with trio.move_on_after(EVERYBODY_UP):
        while not _are_there(game, or_done):
            await trio.sleep(0.5)
    return _are_there(game, or_done)


def _are_there(game: SimGame, or_done: bool) -> bool:
    return all(m.is_at_table or (or_done and m.done is not None) for m in game.machines)


async def _kill(game: SimGame, chance: Random, first: Machine, power: bool) -> None:
    first.left_alone = True
    if first.life is not None and first.life.alive:
        game.kills(first, power)
    await trio.sleep(chance.uniform(0.5, 5))
    game.net.reboots(first.address)


def _cut_off(game: SimGame, machine: Machine) -> list[tuple[str, str]]:
    """Nothing leaves this machine any more or arrives there. What was on its way is lost."""
    pairs = net_faults.alone(machine)(game, game.chance)
    for pair in pairs:
        game.net.cut(*pair)
    if machine.life is not None:
        game.net.loses_players(machine.life)
    return pairs


def _reconnect(game: SimGame, pairs: list[tuple[str, str]]) -> None:
    for pair in pairs:
        game.net.mend(*pair)


def _copied(game: SimGame, first: Machine, chance: Random) -> Machine:
    """Another machine with a copy of all files."""
    home = len(game.homes.of_player(first.number))
    disk = first.disk.copy(Random(chance.random()))
    lives = 100 * home  # its processes have names of their own
    copy = Machine(first.number, disk, home=home, lives=lives, left_alone=True)
    game.homes.copies.append(copy)
    game.invariants.copied(first.number)
    return copy


def _come_back(game: SimGame, machine: Machine) -> None:
    """The player types the command there, and plays there from now on."""
    machine.left_alone, machine.done, machine.tries = False, None, 0
    game.homes.move_player(machine)
    game.nursery.start_soon(game._sit, machine)


async def _settle(game: SimGame, number: int) -> None:
    """I22: soon one process of the player goes on, and every other one has stopped by itself."""
    with trio.move_on_after(SETTLED):
        while len([m for m in game.homes.of_player(number) if m.is_used]) > 1:
            await trio.sleep(0.5)
    others = [m for m in game.machines if m.number != number]
    if not all(m.is_at_table for m in others):
        return  # they have finished, or have stopped for the day: nobody tells the two
    going = [m.address for m in game.homes.of_player(number) if m.is_used]
    if len(going) > 1:
        game.invariants.broken("I22", f"two processes of one player go on: {going}")


# -- what people do ------------------------------------------------------------------------


def told_address(game: SimGame, machine: Machine) -> tuple[str, int] | None:
    """A player that comes back asks another one for the address of a player that has moved."""
    others = {m.address for m in game.machines if m is not machine}
    there = [place for place in sorted(game.net.listening) if place[0] in others]
    return there[0] if game.homes.copies and there else None


def stop_for_copy(game: SimGame, machine: Machine) -> None:
    """I22: another process of the player goes on. Cheats may stop for their own lies."""
    machine.done = EndKind.ELSEWHERE
    if machine.number in game.mix.cheats:
        return
    others = [m for m in game.homes.of_player(machine.number) if m.is_used]
    if _has_found_an_unheard_decision(machine) and machine.tries < MOST_TRIES:
        game.trace.reach("excused: the newer one has stopped for what nobody had heard (9.10 R3)")
        machine.done, machine.tries = None, machine.tries + 1
    elif not others and machine.is_older:  # once: it has noted the epoch of the other one now
        game.trace.reach("excused: a process that is gone came out as the newer one (9.10)")
        machine.done, machine.is_older = None, False
    elif not others:
        game.invariants.broken("I22", f"{machine.address} stops, and nobody goes on")
    elif game.machines[machine.number] is machine:
        game.homes.move_player(others[0])


def _has_found_an_unheard_decision(machine: Machine) -> bool:
    """Its files, or those of its bot, had a decision that nobody had heard, and the one that it
    takes over from had decided otherwise. That is cut off when the player types the command
    again."""
    peers = machine.life.peers if machine.life is not None else []
    stopped = [peer for peer in peers if peer.has_ended]  # a bot that stops ends its process
    return not any(peer.own.newer or peer.own.has_decided for peer in stopped or peers)


def close_copies(game: SimGame, machine: Machine) -> None:
    """The game is over here: the player waits for nothing elsewhere."""
    game.homes.move_player(machine)
    for other in game.homes.of_player(machine.number):
        if other is not machine and other.is_used:
            other.left_alone = True
            if other.life is not None and other.life.alive:
                game.kills(other, False)
