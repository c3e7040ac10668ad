"""One row measured in one checkout: `python -m bench.worker ROW TREE [--tiny]`.

Scope: a process of its own, so that two versions can take turns. It reads a line for each sample
that is wanted and answers with a line of JSON: `{"figure": …, "parts": {…}}`, or
`{"missing": "why"}`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

OWN_TREE = Path(__file__).resolve().parent.parent


def look_in(tree: Path) -> None:
    """Take `cli`, `kotp2p`, `referee` and `tests` from the checkout from here on.

    `bench` stays the one that was imported.
    """
    sys.path[:] = [str(tree), *(path for path in sys.path if Path(path).resolve() != OWN_TREE)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.worker")
    parser.add_argument("row")
    parser.add_argument("tree", type=Path)
    parser.add_argument("--tiny", action="store_true")
    given = parser.parse_args()
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the program prints is no answer
    look_in(given.tree.resolve())
    from bench.adapters import adapter_of
    from bench.row import Missing
    from bench.rows import find_row

    samples = find_row(given.row).measure(adapter_of(given.tree.resolve()), given.tiny)
    try:
        for _line in sys.stdin:
            sample = next(samples)
            print(json.dumps({"figure": sample.figure, "parts": sample.parts}), file=answers)
    except Missing as why:
        print(json.dumps({"missing": str(why)}), file=answers)
    finally:
        samples.close()  # removes its files


if __name__ == "__main__":
    main()
