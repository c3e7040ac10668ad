"""Those who only watch a simulated game: who they are, and where they sit.

Law: watchers have chances of their own, so that a seed means the same game to its players with and
without them (`tests.tools.sim.life.FOR_WATCHER`). Honest ones run `kotp2p.shell.watch` as it is.
What they hold is judged by `tests.tools.sim.watch_laws`; the others are in
`tests.tools.sim.hostile_watchers`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePath
from random import Random
from typing import TYPE_CHECKING

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.watch import WatchWish, watch
from kotp2p.watch_offer import NO_WATCHERS, WatchOffer
from kotp2p.world import World
from tests.support.memory_world import seeded
from tests.tools.sim.disk import LifeDisk, SimDisk
from tests.tools.sim.escapes import Escapes
from tests.tools.sim.hostile_watchers import ATTACKS, attack
from tests.tools.sim.life import CURRENT, FOR_WATCHER, Life
from tests.tools.sim.mix import Mix
from tests.tools.sim.net import SimHost
from tests.tools.sim.onlookers import SimOnlooker
from tests.tools.sim.watch_laws import WatchLaws

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame

PORT = 4242
FIRST_MACHINE = -10
"""The number of the machine of the first watcher; the next ones count downwards."""
MOST_WATCHERS = 6
END_SECONDS = 250.0
"""Virtual seconds in which watchers come to an end once the game has. A lost source is looked for
for 120 of them."""


class Kind(StrEnum):
    FOLLOWS = "follows"
    COMES_LATE = "comes late"
    IS_CUT = "is cut, and comes back"
    READS_SLOWLY = "reads slowly"
    BEHIND_ANOTHER = "watches a watcher"


HONEST = tuple(map(str, Kind))
AGAIN = (
    EndKind.ADJOURNED, EndKind.CLAIMED, EndKind.LOST_TABLE, EndKind.NO_ANSWER, EndKind.REFUSED,
    EndKind.CLOSED, EndKind.BUSY, EndKind.NOT_A_TABLE, EndKind.FULL, EndKind.OTHER_TABLE,
)  # fmt: skip
"""Endings after which the command is typed again."""


def with_watchers(mix: Mix) -> Mix:
    """The same game, and none to three who watch it."""
    chance = Random(f"watchers {mix.seed}")
    kinds = [*HONEST, *HONEST, *ATTACKS]
    return replace(mix, watchers=tuple(chance.choices(kinds, k=chance.randint(0, 3))))


def offer_of(mix: Mix) -> WatchOffer:
    if not mix.watchers:
        return NO_WATCHERS
    return WatchOffer(MOST_WATCHERS, has_chat=Random(f"chat {mix.seed}").random() < 0.5)


@dataclass
class Watchers:
    game: SimGame
    laws: WatchLaws = field(init=False)
    lives: list[Life] = field(default_factory=list)
    _waiting: set[int] = field(default_factory=set)
    """Honest ones that have not come to their end."""
    _is_over: bool = False
    """There is nothing more to see, or what there is needs no more commands."""

    def __post_init__(self) -> None:
        self.laws = WatchLaws(self.game)

    def begin(self) -> None:
        mix = self.game.mix
        if not mix.watchers:
            return
        self.game.net.watch_chance = Random(f"net of watchers {mix.seed}")
        self.game.invariants.tell_written = self.laws.note_written
        before = FOR_WATCHER.set(True)
        for number, kind in enumerate(mix.watchers):
            if kind in HONEST:
                self._waiting.add(number)
            act = self._watch if kind in HONEST else self._attack
            self.game.nursery.start_soon(act, number, kind)
        FOR_WATCHER.reset(before)

    def stop(self) -> None:
        for life in self.lives:
            life.alive = False
            if life.frozen is not None:
                life.frozen.set()

    async def end(self) -> None:
        """W5: soon after the game all honest watchers have come to an end by themselves. Where the
        players wait for somebody, their watchers wait with them."""
        self._is_over = True
        await self._wait_for_ends()
        if self._waiting and not self._has_players:  # the last may have gone a moment ago
            await self._wait_for_ends()
        if self._waiting and self._has_players:
            self.game.trace.reach("watcher: waits with the players")
            return
        for number in self._waiting:
            kind = self.game.mix.watchers[number]
            self.game.invariants.broken("W5", f"watcher {number}, who {kind}, waits for ever")

    async def _wait_for_ends(self) -> None:
        with trio.move_on_after(END_SECONDS if self._waiting else 0):
            while self._waiting:
                await self.game.clock.sleep(1.0)

    @property
    def _has_players(self) -> bool:
        lives = [machine.life for machine in self.game.machines]
        return any(life is not None and life.alive for life in lives)

    # -- one of them -----------------------------------------------------------------------

    async def _watch(self, number: int, kind: str) -> None:
        """Types the command, and types it again as long as that makes sense."""
        chance = Random(f"watcher {self.game.mix.seed} {number}")
        clock = self.game.clock
        await clock.sleep(
            chance.uniform(5, 40) if kind == Kind.COMES_LATE else chance.uniform(0, 4)
        )
        disk = SimDisk(self.game.trace, Random(f"{chance.random()}"), self.game.invariants)
        lives = 0
        while True:
            life = self._new_life(number, lives)
            lives += 1
            ending = await self._live(life, disk, kind, chance)
            if ending is not None:
                self.laws.judge_ending(life, ending)
            if ending is not None and (ending.kind not in AGAIN or self._is_over):
                break
            await clock.sleep(chance.uniform(0.5, 10))
            self.game.net.reboots(life.address)
        self._waiting.discard(number)

    async def _live(self, life: Life, disk: SimDisk, kind: str, chance: Random) -> Ending | None:
        """A process from its start to its end; None: it was killed."""
        game, endings = self.game, list[Ending]()
        CURRENT.set(life)
        log = PurePath(f"watched-{life.number}.kotlog")
        wish = WatchWish("Zoe", chance.random() < 0.5, log, WatchOffer(2), PORT)
        front = SimOnlooker(game, life)
        table = TableAddress((self._source_of(life, kind),), PORT)
        async with trio.open_nursery() as nursery:
            if kind == Kind.IS_CUT:
                nursery.start_soon(self._cut_now_and_then, life, chance)
            if kind == Kind.READS_SLOWLY:
                nursery.start_soon(self._read_slowly, life, chance)
            with Escapes(game.invariants, life), life.scope:
                endings.append(await watch(self._world(life, disk), wish, table, front))
            nursery.cancel_scope.cancel()
        if life.alive:
            life.alive = False
            game.net.close_doors(life)
            game.net.dies(life)
        return endings[0] if endings else None

    def _source_of(self, life: Life, kind: str) -> str:
        """The host, or the watcher before."""
        host = self.game.machines[0].address
        if kind != Kind.BEHIND_ANOTHER:
            return host
        others = (address for address, _ in self.game.net.listening if address < life.address)
        return max((a for a in others if a.startswith("10.9.")), default=host)

    def _new_life(self, number: int, lives: int) -> Life:
        life = Life(FIRST_MACHINE - number, lives, f"10.9.{number}.1")
        self.lives.append(life)
        return life

    def _world(self, life: Life, disk: SimDisk) -> World:
        entropy = seeded(f"{self.game.mix.seed} {life.name} ")
        return World(
            entropy, SimHost(self.game.net, life), LifeDisk(disk, life),
            PurePath("data"), PurePath("logs"), "default", lambda: "2026-11-20",
        )  # fmt: skip

    # -- what becomes of them --------------------------------------------------------------

    async def _cut_now_and_then(self, life: Life, chance: Random) -> None:
        game = self.game
        while not game.healed.is_set():
            await game.clock.sleep(chance.expovariate(1 / 8))
            match chance.choice(("drop", "half-open", "freeze", "kill")):
                case "drop" if life.watch_streams:
                    chance.choice(life.watch_streams).breaks()
                case "half-open" if life.watch_streams:
                    stream = chance.choice(life.watch_streams)
                    stream.out.hole = stream.into.hole = True
                case "freeze":
                    life.frozen = trio.Event()
                    await game.clock.sleep(chance.uniform(1, 60))
                    life.frozen.set()
                    life.frozen = None
                case "kill" if life.watch_streams:
                    life.alive = False
                    game.net.close_doors(life)
                    game.net.dies(life)
                    life.scope.cancel()
                case _:
                    continue
            game.trace.reach("watcher: cut")

    async def _read_slowly(self, life: Life, chance: Random) -> None:
        while not self.game.healed.is_set():
            life.slow = True
            await self.game.clock.sleep(chance.uniform(5, 60))
            life.slow = False
            await self.game.clock.sleep(chance.uniform(1, 20))

    async def _attack(self, number: int, kind: str) -> None:
        """Comes again and again, until all is mended."""
        game, lives = self.game, 0
        chance = Random(f"watcher {game.mix.seed} {number}")
        while not game.healed.is_set():
            await game.clock.sleep(chance.expovariate(1 / 3))
            life = self._new_life(number, lives)
            lives += 1
            CURRENT.set(life)
            game.trace.reach(f"watcher: {kind}")
            disk = SimDisk(game.trace, chance, game.invariants)
            await attack(game, self._world(life, disk), life, kind, chance)
            life.alive = False
            game.net.dies(life)
