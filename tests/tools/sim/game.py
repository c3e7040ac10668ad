"""One simulated game: machines, the processes on them, and the people who type commands.

Law: the product runs as it is, from `kotp2p.shell.run` on; what is simulated is the world below it
and the people above it. After the fault phase everything is mended, and everybody must come to an
end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from random import Random
from typing import ClassVar

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front
from kotp2p.game.ledger import Ledger
from kotp2p.game.report import Result
from kotp2p.peer.peer import Peer
from kotp2p.shell.bot_runner import BotFactory
from kotp2p.shell.run import HostOptions, SeatWish, host, join, resume
from kotp2p.wire.crypto import Signer
from kotp2p.wire.genesis import Genesis
from kotp2p.world import World
from tests.support.memory_world import seeded
from tests.tools.sim import faults, lobby_choices, second_processes, wire
from tests.tools.sim.clock import SimClock
from tests.tools.sim.disk import LifeDisk, SimDisk
from tests.tools.sim.escapes import Escapes
from tests.tools.sim.invariants import Invariants, verified_once
from tests.tools.sim.life import CURRENT, FOR_WATCHER, Life, state_of
from tests.tools.sim.machines import Homes, Machine
from tests.tools.sim.mix import Mix
from tests.tools.sim.net import SimHost, SimNet
from tests.tools.sim.people import Person
from tests.tools.sim.start_laws import StartLaws
from tests.tools.sim.trace import Trace
from tests.tools.sim.watchers import Watchers, offer_of

PORT = 4242
STARTING = 120.0
MOST_HEALINGS, LEAST_HEIGHTS = 4, 20
"""A game that has come so many heights further in the time of healing gets it again, so often."""
AGAIN = (EndKind.FILES, EndKind.ADJOURNED, EndKind.CLAIMED, EndKind.IN_USE)
"""Endings after which the command is typed again."""
NOT_YET = (
    EndKind.NO_ANSWER, EndKind.REFUSED, EndKind.LOST_HOST, EndKind.START_IN_DOUBT,
    EndKind.NOT_A_TABLE,
)  # fmt: skip
"""Endings before the start, likewise."""


@dataclass
class SimGame:
    mix: Mix
    clock: SimClock
    trace: Trace
    invariants: Invariants = field(default_factory=Invariants)
    homes: Homes = field(default_factory=Homes)
    healed: trio.Event = field(default_factory=trio.Event)
    machine_of: dict[bytes, int] = field(default_factory=dict)
    """By key of a seat."""
    begun: set[int] = field(default_factory=set)
    starts: StartLaws = field(init=False)
    watchers: Watchers = field(init=False)
    chance: Random = field(init=False)
    net: SimNet = field(init=False)
    nursery: trio.Nursery = field(init=False)
    healing: ClassVar[float] = 400.0
    """Virtual seconds within which everybody must have come to an end once all is mended, or the
    game must have gone on: it may be a long one."""
    _scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    def __post_init__(self) -> None:
        seed = self.mix.seed
        self.starts = StartLaws(self)
        self.watchers = Watchers(self)
        self.chance = Random(f"people {seed}")
        self.net = SimNet(self.trace, Random(f"net {seed}"), self.invariants, self.mix.latency)
        for n in range(self.mix.players - self.mix.bots):
            disk = SimDisk(self.trace, Random(f"disk {seed} {n}"), self.invariants)
            self.machines.append(Machine(n, disk))

    async def run(self) -> None:
        self.invariants.stop = self._stop
        with self._scope:
            async with trio.open_nursery() as self.nursery:
                self.watchers.begin()
                for machine in self.machines:
                    self.nursery.start_soon(self._sit, machine)
                    await self.clock.sleep(0.3)
                await self._weather()
                self._stop()

    def _stop(self) -> None:
        """Ends all processes; what waits in a shield must not wait for ever."""
        for life in (m.life for m in self.homes.all_machines() if m.life is not None):
            life.alive = False
            if life.frozen is not None:
                life.frozen.set()
        self.watchers.stop()
        self._scope.cancel()

    @property
    def machines(self) -> list[Machine]:
        """By player: where they play now."""
        return self.homes.machines

    # -- the two phases --------------------------------------------------------------------

    async def _weather(self) -> None:
        with trio.move_on_after(STARTING):
            while len(self.begun) < len(self.machines):
                await self.clock.sleep(0.2)
        async with trio.open_nursery() as nursery:
            with trio.move_on_after(self.mix.lasting):
                nursery.start_soon(faults.strike, self, nursery)
                await self._all_done()
            nursery.cancel_scope.cancel()
        self.mend()
        self.healed.set()
        for _ in range(MOST_HEALINGS):
            before = self._height()
            with trio.move_on_after(self.healing):
                await self._all_done()
                break
            if self._height() < before + LEAST_HEIGHTS:
                break
        self._judge()
        await self.watchers.end()

    def _height(self) -> int:
        """How far the game has come, by the peer that is ahead."""
        lives = [machine.life for machine in self.machines if machine.life is not None]
        return max((peer.ledger.height for life in lives for peer in life.peers), default=0)

    async def _all_done(self) -> None:
        while any(machine.done is None and not machine.lost for machine in self.machines):
            await self.clock.sleep(1.0)

    def _judge(self) -> None:
        self.starts.judge_start(self.machines)
        there = [m for m in self.machines if not m.lost]
        waiting = {m.number: state_of(m.life) for m in there if m.done is None}
        finished = [m for m in self.machines if m.done is EndKind.FINISHED]
        if waiting and self._cannot_vote():
            self.trace.reach("waits for who never comes back", *waiting)
        elif waiting and finished:
            # The others have sealed the game and gone while he was away: he can read it in
            # their log, but nobody is there to tell him.
            self.trace.reach("left behind", *waiting)
        else:
            self.invariants.i5_liveness(waiting)
        chance = Random(f"flips {self.mix.seed}")
        logs = {m.number: m.own_log()[0] for m in finished}
        self.invariants.i4_verifiability(logs, chance)
        for machine in self.homes.all_machines():
            if machine not in finished:
                self.invariants.i4_logs(machine.number, machine.disk)

    def _cannot_vote(self) -> bool:
        """Too few are left to go on without those that will not come back, the ones among them
        included whose farewell nobody has heard."""
        lost = {m.number for m in self.machines if self._is_away(m)}
        for machine in self.machines:
            if machine.life is not None and machine.life.peers:
                peer = machine.life.peers[0]
                players, alive = peer.genesis.players, peer.ledger.game.state.seats_alive()
                keepers = {players[seat].keeper for seat in alive}
                gone = {self.machine_of[players[seat].key] for seat in keepers} & lost
                return bool(gone) and 2 * (len(keepers) - len(gone)) <= len(keepers)
        return False

    @staticmethod
    def _is_away(machine: Machine) -> bool:
        return machine.lost or machine.done is EndKind.LEFT

    def never_return(self, life: Life, seats: tuple[int, ...]) -> bool:
        """What people tell each other on the phone."""
        players = life.peers[0].genesis.players
        return all(self._is_away(self.machines[self.machine_of[players[s].key]]) for s in seats)

    # -- people and their processes --------------------------------------------------------

    async def _sit(self, machine: Machine) -> None:
        """Types a command, and types it again as long as that makes sense."""
        while machine.is_used:
            machine.down = 0.0
            ending = await self.live(machine, Life(machine.number, machine.lives, machine.address))
            if machine.lost:
                return
            if ending is None and machine.left_alone:
                return
            if ending is None:
                await self._rest(machine.down)
                self.net.reboots(machine.address)
                continue
            self.trace.reach(f"ended {ending.kind}", machine.number)
            if ending.kind is EndKind.ELSEWHERE:
                second_processes.stop_for_copy(self, machine)
            elif self._again(ending.kind):
                if ending.kind is EndKind.FILES and not machine.excused:
                    self.invariants.broken("I4", f"{machine.number}: {ending.detail}")
                machine.excused = machine.disk.full  # the next one may be the one that meets it
                await self._rest(self.chance.uniform(0.5, 15))
            elif ending.kind is EndKind.NO_GAME and machine.has_game():
                machine.done = self._what_is_over(machine)
            else:
                machine.done = ending.kind
        if machine.done not in (None, EndKind.ELSEWHERE):
            second_processes.close_copies(self, machine)

    def _again(self, kind: EndKind) -> bool:
        """Whether the command is typed again."""
        return kind in AGAIN or kind in NOT_YET

    def _what_is_over(self, machine: Machine) -> EndKind:
        """There is nothing to go on with: how the game of this machine has ended, by its log."""
        log, key = machine.own_log()
        report = verified_once(log)
        if report.result is Result.SOUND:
            return EndKind.FINISHED
        if not any(path.name == "places" for path in self._own_files(machine)):
            return EndKind.LEFT  # it had ended, and was killed before it could say so
        if report.winners is not None:
            self.trace.reach("died between the end and its record")
        elif not any(
            body.kind == wire.STAND_IN and report.players[body.seat or 0].key == key
            for body in wire.of_log(log[wire.LOG_HEAD :])
        ):
            self.invariants.i5_liveness({machine.number: f"cannot resume: {report.reason}"})
        return EndKind.LEFT

    @staticmethod
    def _own_files(machine: Machine) -> list[PurePath]:
        key = machine.own_log()[1].hex()
        return [path for path in machine.disk.files if path.parent.name == key]

    async def _rest(self, seconds: float) -> None:
        """Until it is time, or soon after all is mended."""
        with trio.move_on_after(seconds):
            await self.healed.wait()
            await self.clock.sleep(self.chance.uniform(0.5, 5))

    async def live(self, machine: Machine, life: Life) -> Ending | None:
        """A process from its start to its end; None: it was killed."""
        machine.life, machine.lives = life, machine.lives + 1
        CURRENT.set(life)
        endings: list[Ending] = []
        with Escapes(self.invariants, life), life.scope:
            endings.append(await self._command(machine, life))
        if life.alive:
            life.alive = False
            self.net.close_doors(life)
            self.net.dies(life)
        return endings[0] if endings else None

    async def _command(self, machine: Machine, life: Life) -> Ending:
        world = self.world(machine, life)
        front = self.person(life)
        if machine.has_game():
            self.trace.reach("resumes", life.name)
            return await resume(
                world, None, second_processes.told_address(self, machine), front, self._bots(life)
            )
        if machine.number:
            seating, at = SeatWish(f"Guest {machine.number}"), self.machines[0].address
            return await join(world, seating, at, PORT, front, self.peer)
        mix = self.mix
        options = HostOptions(
            mix.rules, mix.players, mix.bots, start_when_full=True, port=PORT, clocks=mix.clocks,
            watch=offer_of(mix),
        )  # fmt: skip
        return await host(world, SeatWish("Ana"), options, front, self._bots(life), self.peer)

    def peer(
        self,
        genesis: Genesis,
        seat: int,
        signer: Signer,
        seed: bytes,
        resumed: Ledger | None = None,
    ) -> Peer:
        """One seat in the present process."""
        return Peer(genesis, seat, signer, seed, resumed)

    def world(self, machine: Machine, life: Life) -> World:
        entropy = seeded(f"{self.mix.seed} {life.name} ")
        for_watchers = seeded(f"{self.mix.seed} {life.name} watchers ")
        day = f"2026-11-{Random(f'{self.mix.seed} {life.name}').randint(10, 28)}"

        def bytes_of_a_life(size: int) -> bytes:
            life.check()
            return for_watchers(size) if FOR_WATCHER.get() else entropy(size)

        return World(
            bytes_of_a_life,
            SimHost(self.net, life),
            LifeDisk(machine.disk, life),
            PurePath("data"),
            PurePath("logs"),
            "default",
            lambda: day,
        )

    def person(self, life: Life) -> Person:
        chance = Random(f"person {self.mix.seed} {life.name}")
        leaves_at = chance.randint(1, 25) if life.machine in self.mix.leavers else None
        tells = life.machine == 0 and life.address == "10.0.0.1"  # of one process alone
        mix = self.mix
        return Person(
            self,
            life,
            chance,
            mix.level,
            mix.thinking,
            leaves_at,
            tells,
            hasty=life.machine in mix.hasty,
            breaks=mix.breaks,
            looks=mix.looks,
            fidgets=lobby_choices.chance_of(mix.seed, life.name),
        )

    def _bots(self, life: Life) -> BotFactory:
        def bots(level: str, entropy: bytes) -> Front:
            chance = Random(entropy)
            return Person(self, life, chance, self.mix.level, self.mix.thinking)

        return bots

    def can_hear_of_copies(self) -> bool:
        """Whether somebody tells two processes of one player of each other."""
        return len(self.machines) > 1

    # -- blows -----------------------------------------------------------------------------

    def kills(self, machine: Machine, power: bool) -> None:
        """The process is gone, and with `power` all that its machine had in memory."""
        life = machine.life
        assert life is not None
        life.alive = False
        self.net.close_doors(life)
        if power:
            self.net.loses_power(life)
            self.net.dark.add(machine.address)
            machine.disk.power_fails()
        else:
            machine.disk.is_killed()
            self.net.dies(life)
        if life.frozen is not None:
            life.frozen.set()
        machine.disk.full, machine.disk.blow = False, None
        life.scope.cancel()

    def mend(self) -> None:
        """Ends all that lasts."""
        self.net.mend_all()
        self.net.blow = None
        for machine in self.homes.all_machines():
            machine.mend()

    def sits(self, life: Life, peer: Peer) -> None:
        """A peer begins in a process."""
        homes = self.homes.of_player(life.machine)
        machine = next((m for m in homes if m.life is life), homes[0])
        self.begun.add(life.machine)
        self.machine_of[peer.signer.key] = life.machine
        life.peers.append(peer)
        self.invariants.sits(life, peer, machine.disk)
