"""What strikes machines, links and people while a simulated game goes on, and their repair."""

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.endings import EndKind
from kotp2p.wire.entries import BodyKind, Signed, unpack_seals
from tests.tools.sim.mesh import Mesh, Pair
from tests.tools.sim.promises import Promises


@dataclass
class Weather:
    mesh: Mesh
    promises: Promises
    chance: Random
    every: float
    """Mean seconds between two faults."""
    weights: dict[str, float]
    topology: frozenset[Pair] = frozenset()
    """Pairs that never have a link."""
    faults: Counter[str] = field(default_factory=Counter)
    lost: set[Seat] = field(default_factory=set)
    """Keepers that never come back."""
    is_healed: bool = False

    def begin(self) -> None:
        self.mesh.apart |= self.topology
        self._strike_later()

    def heal(self) -> None:
        self.is_healed = True
        mesh = self.mesh
        mesh.apart.clear()
        mesh.apart |= self.topology
        for link in list(mesh.links.values()):
            if link.is_dumb:
                mesh.drop(link)
        for keeper, process in list(mesh.processes.items()):
            if process.is_asleep:
                mesh.wake(keeper)
            if not mesh.runs(keeper):
                self._restart(keeper)
        self._keep_mended()

    def _keep_mended(self) -> None:
        for keeper in list(self.mesh.processes):
            if not self.mesh.runs(keeper):
                self._restart(keeper)
        if not self._is_connected():
            self.mesh.apart.clear()  # who stood between the others is gone: they find another way
        self.mesh.dial_again()
        self.mesh.after(3, self._keep_mended)

    def _is_connected(self) -> bool:
        """Whether chains of links can lead from each process to each."""
        honest = self.promises.honest
        here = {keeper for keeper in honest if self.mesh.runs(keeper)}
        reached = set(sorted(here)[:1])
        while fresh := {
            k for k in here - reached for r in reached
            if (min(k, r), max(k, r)) not in self.mesh.apart
        }:  # fmt: skip
            reached |= fresh
        return reached == here

    # -- faults ------------------------------------------------------------------------------

    def _strike_later(self) -> None:
        self.mesh.after(self.chance.expovariate(1 / self.every), self._strike)

    def _strike(self) -> None:
        if self.is_healed:
            return
        kinds = [kind for kind, weight in self.weights.items() if weight]
        if kinds:
            weights = [self.weights[kind] for kind in kinds]
            (kind,) = self.chance.choices(kinds, weights)
            keeper = self.chance.choice(sorted(self.mesh.processes))
            self.mesh.note("FAULT", kind, keeper)
            self.faults[kind] += 1
            FAULTS[kind](self, keeper)
        self.mesh.dial_again()
        self._strike_later()

    def _restart_later(self, keeper: Seat) -> None:
        seconds = self.chance.choice((0.5, 3.0, 10.0, 60.0, 300.0))
        self.mesh.after(seconds * self.chance.uniform(0.5, 1.5), lambda: self._restart(keeper))

    def _restart(self, keeper: Seat) -> None:
        process = self.mesh.processes[keeper]
        if keeper in self.lost or self.mesh.runs(keeper):
            return
        if process.ended is not None and process.ended[0] not in (EndKind.KEPT, EndKind.ADJOURNED):
            return
        disk = process.disk
        if process.ended is None and not process.is_alive and not self.is_healed:
            disk = self._what_is_left(keeper, disk)
        self.mesh.note("restarts", keeper, "with", len(disk), "of", len(process.disk))
        self.mesh.resume(keeper, disk)

    def _what_is_left(self, keeper: Seat, disk: list[Signed]) -> list[Signed]:
        """The machine may have lost what was not synced, or is restored from a backup."""
        first = 1 + next(n for n, body in enumerate(disk) if body.kind is BodyKind.GENESIS)
        kept = len(disk)
        synced = max((n for n, body in enumerate(disk, 1) if self._is_by(keeper, body)), default=0)
        if self.chance.random() < self.weights.get("power", 0.0) / 2:
            kept = max(kept - self.chance.randint(1, 6), synced)
        elif self.chance.random() < self.weights.get("backup", 0.0) / 3:
            kept = self.chance.randint(first, kept)
        if kept < len(disk):
            self.faults["lost records"] += 1
        if kept < synced:
            self.promises.copied.add(keeper)
        return disk[: max(kept, first)]

    def _is_by(self, keeper: Seat, signed: Signed) -> bool:
        """Whether a keeper has signed a body of its log, which is synced before it leaves."""
        if signed.kind is BodyKind.LINE_UP:
            return keeper in unpack_seals(signed.signature)
        is_own = signed.kind in (BodyKind.PLAY, BodyKind.SHARE, BodyKind.LEAVE)
        return is_own and signed.is_by(self.mesh.table.signers[keeper].key)

    def kill(self, keeper: Seat) -> None:
        if self.mesh.runs(keeper):
            self.mesh.kill(keeper)
            self._restart_later(keeper)

    def power(self, keeper: Seat) -> None:
        if self.mesh.runs(keeper):
            self.mesh.kill(keeper, silently=True)
            self._restart_later(keeper)

    def lose(self, keeper: Seat) -> None:
        if not self.lost and self.mesh.runs(keeper):
            self.lost.add(keeper)
            self.mesh.kill(keeper, silently=True)

    def freeze(self, keeper: Seat) -> None:
        if self.mesh.runs(keeper) and not self.mesh.processes[keeper].is_asleep:
            self.mesh.sleep(keeper)
            process = self.mesh.processes[keeper]
            seconds = self.chance.choice((5.0, 20.0, 100.0, 400.0))

            def wake() -> None:
                if process.is_asleep and self.mesh.processes[keeper] is process:
                    self.mesh.wake(keeper)

            self.mesh.after(seconds * self.chance.uniform(0.5, 1.5), wake)

    def drop(self, keeper: Seat) -> None:
        links = [link for link in self.mesh.links.values() if keeper in link.ends]
        if links:
            self.mesh.drop(self.chance.choice(links))

    def half_open(self, keeper: Seat) -> None:
        links = [link for link in self.mesh.links.values() if keeper in link.ends]
        if links:
            self.chance.choice(links).is_dumb = True

    def cut(self, keeper: Seat) -> None:
        others = [other for other in self.mesh.processes if other != keeper] or [keeper]
        other = self.chance.choice(others)
        self._part({(min(keeper, other), max(keeper, other))})

    def partition(self, keeper: Seat) -> None:
        here = {k for k in self.mesh.processes if self.chance.random() < 0.5} | {keeper}
        self._part({
            (a, b)
            for a, b in itertools.combinations(sorted(self.mesh.processes), 2)
            if (a in here) != (b in here)
        })  # fmt: skip

    def _part(self, pairs: set[Pair]) -> None:
        mesh = self.mesh
        fresh = pairs - mesh.apart
        mesh.apart |= fresh
        for link in [li for li in mesh.links.values() if li.ends in fresh]:
            if self.chance.random() < 0.5:
                link.is_dumb = True
            else:
                mesh.drop(link)

        def mend() -> None:
            mesh.apart -= fresh - self.topology
            mesh.dial_again()

        mesh.after(self.chance.choice((2.0, 15.0, 90.0, 400.0)), mend)

    # -- people ------------------------------------------------------------------------------

    def leave(self, keeper: Seat) -> None:
        if self.mesh.runs(keeper) and not self.mesh.processes[keeper].is_asleep:
            self.promises.left.add(keeper)
            self._act(keeper, lambda peer: peer.give_up(self.mesh.now))

    def bot(self, keeper: Seat) -> None:
        self._act(keeper, lambda peer: peer.let_bot_play(self.mesh.now))
        self._restart_later(keeper)

    def close(self, keeper: Seat) -> None:
        self._act(keeper, lambda peer: peer.keep_seat(self.mesh.now))
        self._restart_later(keeper)

    def stop(self, keeper: Seat) -> None:
        """All that are there stop for today; some think better of it."""
        for other in sorted(self.mesh.processes):
            wants = other == keeper or self.chance.random() < 0.9
            self._act(other, lambda peer, wants=wants: peer.stop_today(wants, self.mesh.now))  # type: ignore[misc]
            self._restart_later(other)

    def takes_over(self, keeper: Seat) -> None:
        self._act(keeper, lambda peer: peer.come_back(self.mesh.now))

    def _act(self, keeper: Seat, act: Callable[[Peer], None]) -> None:
        if self.mesh.runs(keeper):
            self.mesh.do(self.mesh.processes[keeper], act)


FAULTS: dict[str, Callable[[Weather, Seat], None]] = {
    "kill": Weather.kill, "power": Weather.power, "backup": Weather.power, "lose": Weather.lose,
    "freeze": Weather.freeze, "drop": Weather.drop, "half-open": Weather.half_open,
    "cut": Weather.cut, "partition": Weather.partition, "leave": Weather.leave, "bot": Weather.bot,
    "close": Weather.close, "stop": Weather.stop, "takes over": Weather.takes_over,
}  # fmt: skip
