"""`python -m tests.tools.independent FILE...`: the verdict on each log or file of evidence."""

import argparse
from dataclasses import fields
from pathlib import Path

from tests.tools.independent import file
from tests.tools.independent.verdict import evidence, verdict


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.tools.independent", description=__doc__)
    parser.add_argument("file", nargs="+", type=Path, help="a log, or a file of evidence")
    for name in parser.parse_args().file:
        data = name.read_bytes()
        print(name)
        found = evidence(data) if data[:8] == file.EVIDENCE else verdict(data)
        for field in fields(found):
            value = getattr(found, field.name)
            shown = f"{len(value)} bytes" if isinstance(value, bytes) else value
            print(f"  {field.name}: {shown}")


main()
