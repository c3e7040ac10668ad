"""`python -m tests.tools.mutants --count 400 kotp2p` puts that many small faults into the package,
one at a time, and prints those that no test notices.

The first run notes which tests call which function; it takes some minutes, and is kept in a file
until a source changes.
"""

import argparse
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser
from tests.tools.mutants.mutations import Mutation, find_mutations
from tests.tools.mutants.reaching import Reached, digest_of_sources, note_reached
from tests.tools.mutants.trials import DEAD, Fate, Trials

FOLDERS = ("referee", "kotp2p", "hostile", "second_verifier", "simulated", "whole_tables", "cli")
"""The tests that run in one process."""
LEFT_OUT = (
    # A mutant in which a planted bug shows itself otherwise would count as killed.
    "simulated/test_planted_line_ups.py",
)
ALONE = ["-n", "0", "-qq", "--no-header", "--no-summary", "--tb=native", "-p", "no:cacheprovider"]
EQUIVALENT = Path(__file__).parent / "equivalent.toml"


def main(given: Sequence[str] | None = None) -> int:
    """0 if every mutant that is not listed as equivalent was killed."""
    asked = _parse(given)
    tests = [f"tests/{path}" for path in asked.tests]
    digest = digest_of_sources(tests)
    reached = _reached(Path(asked.reached), tests, digest)
    equivalent = {entry["mutant"] for entry in tomllib.loads(EQUIVALENT.read_text()).get("of", ())}
    drawn = [m for m in draw(asked.what, asked.count, asked.seed) if m.name not in equivalent]
    trials = Trials(drawn, reached, asked.jobs, asked.seconds)
    pytest.main(_chosen([*ALONE, "-s", *tests]), plugins=[trials])
    print(summary(trials.fates, asked.seed))
    return int(any(fate in _ALIVE for fate in trials.fates.values()))


def draw(what: str, count: int, seed: int) -> list[Mutation]:
    """So many mutations of a package or module, drawn evenly from all. A change elsewhere in the
    program leaves the draw of a seed as it is."""
    found = []
    for path in sorted((ROOT / what.replace(".", "/")).rglob("*.py")) or [
        ROOT / f"{what.replace('.', '/')}.py"
    ]:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found += find_mutations(module, path.read_text())
    return sorted(found, key=lambda m: sha256(f"{seed} {m.name}".encode()).digest())[:count]


_ALIVE = (Fate.SURVIVED, Fate.UNREACHED)


def summary(fates: dict[Mutation, Fate], seed: int) -> str:
    """Counts of a run, and by module where something has survived."""
    counts = Counter(fates.values())
    tried = sum(counts[fate] for fate in (*DEAD, *_ALIVE))
    dead = sum(counts[fate] for fate in DEAD)
    lines = [
        f"seed {seed}: " + ", ".join(f"{fate} {counts[fate]}" for fate in Fate),
        f"{dead} of {tried} killed ({100 * dead / max(tried, 1):.1f} %)",
    ]
    alive = Counter(m.module for m, fate in fates.items() if fate in _ALIVE)
    lines += [f"  {module}: {number} alive" for module, number in alive.most_common()]
    return "\n".join(lines)


def _reached(path: Path, tests: Sequence[str], digest: str) -> Reached:
    known = Reached.load(path, digest)
    if known is not None:
        return known
    print("Noting which tests call which function ...", flush=True)
    # In a process of its own: a fork of one that has run tests waits for threads that it has not.
    chosen = _chosen([*ALONE, *tests])
    noting = get_context("spawn").Process(target=note_reached, args=(chosen, path, digest))
    noting.start()
    noting.join()
    found = Reached.load(path, digest)
    if found is None:
        sys.exit(f"The tests were not noted in {path}: what stands above says why.")
    return found


def _chosen(arguments: list[str]) -> list[str]:
    return [*arguments, *(f"--deselect=tests/{test}" for test in LEFT_OUT)]


def _parse(given: Sequence[str] | None) -> argparse.Namespace:
    parser = tool_parser("tests.tools.mutants", __doc__)
    parser.add_argument("what", nargs="?", default="kotp2p", help="a package or module (kotp2p)")
    parser.add_argument("--count", type=int, default=100, help="how many mutants (100)")
    parser.add_argument("--seed", type=int, default=0, help="which of all (0)")
    parser.add_argument("--tests", nargs="+", default=FOLDERS, help="paths below tests/ (most)")
    parser.add_argument("--jobs", type=int, default=2, help="processes side by side (2)")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="CPU for the tests of one mutant (60)"
    )
    default = Path(tempfile.gettempdir()) / "kotp2p-reached.json"
    parser.add_argument("--reached", default=str(default), help=f"the kept file ({default})")
    return parser.parse_args(given)


if __name__ == "__main__":
    sys.exit(main())
