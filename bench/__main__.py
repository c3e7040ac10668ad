"""`python -m bench [NAME]... [--against COMMIT]`: ratios of one run, as a table or as JSON.

Scope: the command line. A NAME is a row or a group of rows, such as `start` or `verify.4`; without
names all usual rows are measured. The table and the JSON go to stdout, progress goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack

from bench.report import Result, describe_machine, describe_parts, document, header, table_line
from bench.row import Row
from bench.rows import ROWS, choose_rows
from bench.running import Broken, measure_row
from bench.trees import NoSuchCommit, earlier_tree, own_tree


def main() -> int:
    parser, given = _parse()
    if given.list:
        for row in ROWS:
            print(f"{row.name:20} {row.what}{'' if row.is_usual else ' (only if it is named)'}")
        return 0
    try:
        rows = choose_rows(given.names)
    except LookupError as name:
        parser.error(f"there is no row and no group {name}; --list shows all")
    with ExitStack() as stack:
        trees = [own_tree()]
        if given.against:
            try:
                trees.append(stack.enter_context(earlier_tree(given.against)))
            except NoSuchCommit as fault:
                parser.error(str(fault))
        machine, results = describe_machine(), list[Result]()
        if not given.json:
            print(header(trees), flush=True)
        for row in rows:
            repetitions = 1 if given.tiny else given.repetitions or row.repetitions
            try:
                found = measure_row(row, trees, repetitions, _show_progress, tiny=given.tiny)
            except Broken:
                print(f"{row.name} could not be measured; see above", file=sys.stderr)
                return 1
            results.append((row, found))
            if not given.json:
                print(table_line(row, found), flush=True)
            if given.parts:
                print(*describe_parts(row, found), sep="\n", file=sys.stderr)
    if given.json:
        print(json.dumps(document(trees, machine, results), indent=1))
    return 0


def _parse() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a row or a group; all usual ones")
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("--against", metavar="COMMIT", help="measure this version in turn")
    parser.add_argument("--repetitions", type=int, metavar="N", help="in place of each row's own")
    parser.add_argument("--json", action="store_true", help="one document with all samples")
    parser.add_argument("--parts", action="store_true", help="show what the figures come from")
    parser.add_argument("--tiny", action="store_true", help="see only whether the rows work")
    return parser, parser.parse_args()


def _show_progress(row: Row, done: int, total: int) -> None:
    if not sys.stderr.isatty():
        return
    text = f"{row.name}: {done} of {total}" if done < total else ""
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
