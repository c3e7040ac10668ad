"""`python -m tests.tools.fuzz`: a long run.

    python -m tests.tools.fuzz --inputs 10000000 --jobs 2
    python -m tests.tools.fuzz --seed 7 --only ledger --chunk 12    one chunk of that run again

Of so many inputs for the decoders, a tenth goes to the reader of logs, a thousandth to the whole
verifier, a tenth to a ledger and a hundredth to a peer. Each chunk runs in a process that may
take `--memory` MiB more than it has at its start, and a chunk that is not done after `PATIENCE`
seconds of work hangs.
"""

import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tests.support.tool_line import tool_parser
from tests.tools.fuzz import peers, seeds
from tests.tools.fuzz.targets import TARGETS


@dataclass(frozen=True, slots=True)
class Chunk:
    seed: int
    target: str
    number: int
    inputs: int


@dataclass(frozen=True, slots=True)
class Outcome:
    chunk: Chunk
    good: int = 0
    seconds: float = 0.0
    peak: int = 0
    """Bytes that the process has ever held, of this chunk or one before."""
    trouble: str = ""


PATIENCE = 120
NO_GAMES = ("frames", "bodies", "pieces")
"""Targets that need no games."""


class Hangs(Exception):
    """The chunk has not come to its end; the traceback says where it goes round."""


def _give_up(*_: object) -> None:
    raise Hangs


def run(chunk: Chunk) -> Outcome:
    chance = random.Random(f"{chunk.seed}/{chunk.target}/{chunk.number}")
    start = time.perf_counter()
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)  # of work, however busy the machine is
    try:
        good = TARGETS[chunk.target].run(chance, chunk.inputs)
    except Exception:  # noqa: BLE001 - whatever comes out is what is looked for
        return Outcome(chunk, trouble=traceback.format_exc())
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Outcome(chunk, good, seconds, peak)


def limit_memory(mebibytes: int) -> None:
    """For this process, from what it has now on; Linux tells how much that is."""
    now = Path("/proc/self/statm")
    if now.exists():
        pages = int(now.read_text().split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + mebibytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def chunks(seed: int, inputs: int, only: str | None, number: int | None) -> Iterator[Chunk]:
    for name, target in TARGETS.items():
        left = max(1, int(inputs * target.share))
        size = max(1, int(target.chunk))
        for index in range(-(-left // size)):
            if only in (None, name) and number in (None, index):
                yield Chunk(seed, name, index, min(size, left - index * size))


def main() -> int:
    parser = tool_parser("tests.tools.fuzz", __doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", choices=sorted(TARGETS))
    parser.add_argument("--chunk", type=int)
    parser.add_argument("--memory", type=int, default=64)
    wish = parser.parse_args()
    print(f"seed {wish.seed}", flush=True)
    if wish.only not in NO_GAMES:
        seeds.logs()  # played once, before the processes part
        peers.games()
    todo = list(chunks(wish.seed, wish.inputs, wish.only, wish.chunk))
    outcomes = []
    with ProcessPoolExecutor(
        wish.jobs, get_context("fork"), initializer=limit_memory, initargs=(wish.memory,)
    ) as pool:
        for done in as_completed([pool.submit(run, chunk) for chunk in todo]):
            outcome = done.result()
            outcomes.append(outcome)
            if outcome.trouble:
                at = outcome.chunk
                print(f"--seed {at.seed} --only {at.target} --chunk {at.number} --inputs "
                      f"{wish.inputs}\n{outcome.trouble}", flush=True)  # fmt: skip
    return tell(outcomes)


def tell(outcomes: list[Outcome]) -> int:
    for name in TARGETS:
        mine = [o for o in outcomes if o.chunk.target == name and not o.trouble]
        if mine:
            inputs, good = sum(o.chunk.inputs for o in mine), sum(o.good for o in mine)
            rate = inputs / max(1e-9, sum(o.seconds for o in mine))
            peak = max(o.peak for o in mine) / 2**20
            print(f"{name:>9}: {inputs:>11,} inputs, {good:>10,} taken, {rate:>9,.0f}/s, "
                  f"peak {peak:.0f} MiB")  # fmt: skip
    troubles = sum(bool(o.trouble) for o in outcomes)
    print(f"{troubles} of {len(outcomes)} chunks with trouble")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
