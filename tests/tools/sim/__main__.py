"""`python -m tests.sim --seed S [--trace]` replays one game; `--games N [--first S] [--jobs J]`
plays many and says what was done to them and what came of it. With `--cheats` there are seats
that cheat, with `--watchers` somebody watches most games."""

from __future__ import annotations

import argparse
import platform
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

import trio

from tests.tools.sim.cheat_mix import TRICKS, cheat_mix
from tests.tools.sim.clock import Standstill
from tests.tools.sim.invariants import i11_fair_dice, i12_reached
from tests.tools.sim.mix import FAULTS, Mix, mix
from tests.tools.sim.run import Outcome, simulate
from tests.tools.sim.watchers import with_watchers

MARKERS = (
    "torn tail", "torn tail cut off", "lost block", "resumes", "died in a sync", "died in a send"
)  # fmt: skip
CAUGHT = ("convicted", "evidence", "shown Dropped", "honest: finished")
UNFAIR = 1e-4
"""The chance of dice as odd as seen, from fair ones, below which they are called unfair."""
MOST_CPU_SECONDS = 300
"""Of one game; most need less than one second, and a loop that lets no other task run needs all."""
MOST_FRAMES = 4
"""Of those that are shown of it."""


@contextmanager
def limited_cpu(seed: int) -> Iterator[None]:
    """Within, a process of a game that takes far too long dies where it is, and says where. Rounds
    of the scheduler that never end are I24; this is for a loop between two of them."""

    def give_up(_signal: int, frame: FrameType | None) -> None:
        where = "".join(traceback.format_stack(frame)[-MOST_FRAMES:])
        raise Standstill(f"seed {seed}: {MOST_CPU_SECONDS} seconds of CPU, now in\n{where}")

    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@dataclass(slots=True)
class Batch:
    """What many games came to."""

    games: int = 0
    virtual: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    rolled: Counter[int] = field(default_factory=Counter)
    deepest: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        self.virtual += outcome.virtual
        self.faults += outcome.faults
        self.reached += outcome.reached
        self.rolled += outcome.rolled
        for what, depth in outcome.deepest.items():
            self.deepest[what] = max(self.deepest[what], depth)
        self.violations += [f"seed {outcome.seed}: {v}" for v in outcome.violations]

    def judge(self) -> list[str]:
        """Violations of single games, and of what holds for a batch only."""
        _, chance = i11_fair_dice(self.rolled)
        unfair = [f"I11: the dice are unfair: {self.rolled}"] if chance < UNFAIR else []
        return [*self.violations, *unfair]

    def unreached(self, cheats: bool = False) -> list[str]:
        """Faults, tricks and ends that no game came to. In a small batch that is a matter of luck
        and no violation."""
        faults = [f"cheat: {name}" for name in TRICKS] if cheats else FAULTS
        markers = CAUGHT if cheats else MARKERS
        return i12_reached(self.faults, faults) + i12_reached(self.reached, markers)


@dataclass(frozen=True, slots=True)
class Table:
    """What a seed means: another game with cheats than without, but the same one if watched."""

    cheats: bool = False
    watchers: bool = False

    def mix(self, seed: int) -> Mix:
        found = cheat_mix(seed) if self.cheats else mix(seed)
        return with_watchers(found) if self.watchers else found

    def play(self, seed: int) -> Outcome:
        with limited_cpu(seed):
            return simulate(self.mix(seed))


def outcomes(
    seeds: range, jobs: int, cheats: bool = False, watchers: bool = False
) -> Iterator[Outcome]:
    play = Table(cheats, watchers).play
    if jobs == 1:
        yield from map(play, seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play, seeds, chunksize=4)


def versions() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    commit = found.stdout.strip() or "unknown"
    return f"trio {trio.__version__}, Python {platform.python_version()}, commit {commit}"


def replay(seed: int, in_words: bool, table: Table) -> int:
    what = table.mix(seed)
    outcome = simulate(what, in_words)
    for line in outcome.lines:
        print(line)
    print(f"seed {seed}, {versions()}")
    print(what)
    print(f"trace {outcome.digest}, {outcome.notes} events, {outcome.virtual:.0f} virtual seconds")
    print(f"faults: {_counts(outcome.faults)}")
    print(f"reached: {_counts(outcome.reached)}")
    for violation in outcome.violations:
        print(f"VIOLATION {violation}")
    return 1 if outcome.violations else 0


def play(first: int, games: int, jobs: int, table: Table) -> int:
    """Ctrl-C ends a long run behind the present game, with what it has found."""
    batch, began, enough = Batch(), time.monotonic(), threading.Event()
    signal.signal(signal.SIGINT, lambda *_: enough.set())
    for outcome in outcomes(range(first, first + games), jobs, table.cheats, table.watchers):
        batch.add(outcome)
        for violation in outcome.violations:
            print(f"VIOLATION seed {outcome.seed}: {violation}", flush=True)
        if enough.is_set():
            break
    took = time.monotonic() - began
    square, chance = i11_fair_dice(batch.rolled)
    found = batch.judge()
    print(f"seeds {first} to {first + batch.games - 1}, {versions()}")
    print(f"{batch.games} games in {took:.0f} s with {jobs} jobs ({batch.games / took:.1f} per s)")
    print(f"{batch.virtual / 3600:.1f} virtual hours")
    print(f"faults: {_counts(batch.faults)}, {sum(batch.faults.values())} in all")
    print(f"reached: {_counts(batch.reached)}")
    print(f"most at a time: {_counts(batch.deepest)}")
    print(f"dice: {sum(batch.rolled.values())}, chi-square {square:.2f}, p {chance:.4f}")
    print(f"not reached: {', '.join(batch.unreached(table.cheats)) or 'nothing, all was (I12)'}")
    print(f"violations: {len(found)}")
    for words in found:
        print(f"  {words}")
    return 1 if found else 0


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in sorted(counts.items())) or "none"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seed", type=int, help="replay this one")
    parser.add_argument("--trace", action="store_true", help="with --seed: print every event")
    parser.add_argument("--games", type=int, default=100, help="how many (100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side (1)")
    parser.add_argument("--cheats", action="store_true", help="some seats cheat")
    parser.add_argument("--watchers", action="store_true", help="somebody watches most games")
    given = parser.parse_args()
    table = Table(given.cheats, given.watchers)
    if given.seed is not None:
        return replay(given.seed, given.trace, table)
    return play(given.first, given.games, given.jobs, table)


if __name__ == "__main__":
    sys.exit(main())
