"""Plays whole games of real peers in virtual time, under faults and cheats.

    python -m tests.tools.sim --games 1000 --first 0 --jobs 2 [--cheats]
    python -m tests.tools.sim --seed 17 [--cheats] --trace [--effects]
    python -m tests.tools.sim --record

It ends with 1 if a law is broken; each line that says so names the seed. What the peers of some
walks do is kept in `tests/simulated/walks.json`: after a change that is meant, `--record` writes
it anew.
"""

import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser
from tests.tools.sim.walk import Outcome, walk_seed

RECORDED = ROOT / "tests" / "simulated" / "walks.json"
"""By "plain" or "cheats", and seed: the changes of line-ups, and the digest of all effects."""
MOST_SHOWN = 20
"""A batch with this many games that break a law is ended."""


@dataclass
class Batch:
    games: int = 0
    virtual: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        self.virtual += outcome.virtual
        self.faults += outcome.faults
        self.reached += outcome.reached
        self.broken += [f"seed {outcome.seed}: {found}" for found in outcome.violations]


def outcomes(seeds: Iterable[int], jobs: int, *, cheats: bool) -> Iterator[Outcome]:
    """Yield what each seed came to, in any order."""
    work = partial(walk_seed, cheats)  # another process finds nothing of this module
    if jobs == 1:
        yield from map(work, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=50) as pool:
        yield from pool.imap_unordered(work, seeds)


def play(first: int, games: int, jobs: int, *, cheats: bool) -> int:
    batch, began = Batch(), time.monotonic()
    for outcome in outcomes(range(first, first + games), jobs, cheats=cheats):
        batch.add(outcome)
        for found in outcome.violations:
            print(f"seed {outcome.seed}: {found}", flush=True)
        if len(batch.broken) >= MOST_SHOWN:
            break
    took = time.monotonic() - began
    print(f"{batch.games} games in {took:.0f} s with {jobs} jobs, from seed {first} on")
    print(f"{batch.virtual / 3600:.1f} virtual hours")
    print(f"faults: {_counts(batch.faults)}")
    print(f"reached: {_counts(batch.reached)}")
    print(f"laws broken: {len(batch.broken)}")
    return 1 if batch.broken else 0


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in sorted(counts.items())) or "none"


def record() -> int:
    """Write anew what the peers of the recorded walks do, one line for each walk."""
    known = json.loads(RECORDED.read_text())
    for kind, seeds in known.items():
        for seed, (change, _) in seeds.items():
            seeds[seed] = [change, walk_seed(kind == "cheats", int(seed)).digest[:16]]
    lines = json.dumps(known, indent=1).replace("[\n   ", "[").replace(",\n   ", ", ")
    RECORDED.write_text(lines.replace("\n  ]", "]") + "\n")
    return 0


def replay(seed: int, *, in_words: bool, cheats: bool, effects: bool) -> int:
    outcome = walk_seed(cheats, seed, in_words=in_words, with_effects=effects)
    for line in outcome.notes:
        print(line)
    print(f"{outcome.virtual:.0f} virtual seconds, {outcome.digest[:16]}")
    print(f"faults: {_counts(outcome.faults)}")
    print(f"reached: {_counts(outcome.reached)}")
    for found in outcome.violations:
        print(found)
    return 1 if outcome.violations else 0


def main() -> int:
    parser = tool_parser("tests.tools.sim", __doc__)
    parser.add_argument("--seed", type=int, help="replay this one")
    parser.add_argument("--trace", action="store_true", help="with --seed: print what happens")
    parser.add_argument("--effects", action="store_true", help="with --trace: all that peers do")
    parser.add_argument("--record", action="store_true", help="write the recorded walks anew")
    parser.add_argument("--games", type=int, default=100, help="how many (100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side (1)")
    parser.add_argument("--cheats", action="store_true", help="some keepers cheat")
    given = parser.parse_args()
    if given.record:
        return record()
    if given.seed is not None:
        in_words = given.trace or given.effects
        return replay(given.seed, in_words=in_words, cheats=given.cheats, effects=given.effects)
    return play(given.first, given.games, given.jobs, cheats=given.cheats)


if __name__ == "__main__":
    sys.exit(main())
