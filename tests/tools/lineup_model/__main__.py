"""Walk the model of line-ups at random: `python -m tests.tools.lineup_model --help`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.tools.lineup_model.walks import Tally, walk_all


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.lineup_model", description=__doc__)
    parser.add_argument("walks", type=int, help="how many walks")
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed")
    parser.add_argument("--stop-after", type=int, default=10, help="end after that many violations")
    options = parser.parse_args()
    begun = time.process_time()
    tally = walk_all(
        range(options.first, options.first + options.walks), Tally(), options.stop_after
    )
    seconds = time.process_time() - begun
    print(
        f"{tally.walks} walks in {seconds:.0f} s of CPU, {tally.walks / max(seconds, 0.01):.1f}/s"
    )
    for name, table in (("ends", tally.ends), ("counts", tally.counts)):
        print(name)
        for what, count in sorted(table.items(), key=lambda x: -x[1]):
            print(f"  {count:8} {what}")
    for seed, drawn, said in tally.violations:
        print(f"VIOLATION seed {seed} {drawn}: {said}")
    return 1 if tally.violations else 0


if __name__ == "__main__":
    sys.exit(main())
