"""Walk the model of line-ups at random.

`python -m tests.tools.lineup_model 50000` draws 50,000 tables of 2 to 6 seats, 0 to all but one
of them hostile, a quarter of the tables with copies of folders. One seed is one walk, in every run.
"""

import sys
import time

from tests.support.tool_line import tool_parser
from tests.tools.lineup_model.walks import Tally, walk_all


def main() -> int:
    parser = tool_parser("tests.tools.lineup_model", __doc__)
    parser.add_argument("walks", type=int, help="how many walks")
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed")
    parser.add_argument("--report", type=int, default=1000, help="say after how many how it stands")
    options = parser.parse_args()
    tally, last = Tally(), options.first + options.walks
    for first in range(options.first, last, options.report):
        walk_all(range(first, min(first + options.report, last)), tally)
        report(tally)
    return 1 if tally.violations else 0


def report(tally: Tally) -> None:
    seconds = time.process_time()
    print(f"{tally.walks} walks in {seconds:.0f} s of CPU, {tally.walks / seconds:.1f}/s")
    for counter in (tally.ends, tally.counts):
        print("  " + ", ".join(f"{what}: {count}" for what, count in counter.most_common()))
    for seed, table, said in tally.violations:
        print(f"  VIOLATION seed {seed} {table}: {said}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
