"""Work whose instructions are counted: `python -m bench.counted WORK TREE TIMES [--tiny]`.

Scope: a process of its own, in which `bench.instructions` counts. It prepares the work, repeats it
TIMES times, and prints how many moves one repetition has.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.worker import look_in


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.counted")
    parser.add_argument("work")
    parser.add_argument("tree", type=Path)
    parser.add_argument("times", type=int)
    parser.add_argument("--tiny", action="store_true")
    given = parser.parse_args()
    look_in(given.tree.resolve())
    from bench.adapters import adapter_of
    from bench.rows.referee import COUNTED_WORK

    play = COUNTED_WORK[given.work](adapter_of(given.tree.resolve()), given.tiny)
    moves = 0
    for _ in range(given.times):
        moves = play()
    print(moves)


if __name__ == "__main__":
    main()
