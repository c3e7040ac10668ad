"""Prints what the rooms of a package are for, or the modules of one room.

`python -m tests.tools.rooms` lists the rooms of each package, in the order in which they may import
each other. With the name of a package or a folder it lists the modules there, with that of a module
what it offers: its classes, functions and methods, each with its first sentence.
"""

import ast
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tests.support.paths import PACKAGES, ROOT
from tests.support.tool_line import tool_parser

COLUMNS = 100


Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def first_sentence(node: Documented) -> str:
    """Return the first sentence of a docstring, on one line."""
    said = ast.get_docstring(node) or ""
    words = " ".join(said.partition("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", words)[0]


def head_of(path: Path) -> str:
    module = path / "__init__.py" if path.is_dir() else path
    return first_sentence(ast.parse(module.read_text("utf-8")))


def offers_of(node: ast.Module | ast.ClassDef, indent: str = "    ") -> Iterator[str]:
    for found in node.body:
        if not isinstance(found, Documented) or found.name.startswith("_"):
            continue
        takes = "" if isinstance(found, ast.ClassDef) else f"({ast.unparse(found.args)})"
        yield f"{indent}{found.name}{takes}"
        if said := first_sentence(found):
            inner = indent + "    "
            yield textwrap.fill(said, COLUMNS, initial_indent=inner, subsequent_indent=inner)
        if isinstance(found, ast.ClassDef):
            yield from offers_of(found, indent + "    ")


def rooms_of(package: str) -> Iterator[Path]:
    """Yield folders and modules in the order of imports, the lowest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["name"] == f"rooms of {package}":
            for room in reversed(contract["layers"]):
                folder = ROOT / package / room
                if room not in PACKAGES:
                    yield folder if folder.is_dir() else folder.with_suffix(".py")


def modules_in(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.py")):
        if path.stem not in ("__init__", "__main__"):
            yield path


def listed(paths: Iterator[Path]) -> Iterator[str]:
    for path in paths:
        place = path.relative_to(ROOT).as_posix()
        yield place + "/" if path.is_dir() else place
        yield textwrap.fill(head_of(path), COLUMNS, initial_indent="    ", subsequent_indent="    ")


def lines_about(place: str) -> Iterator[str]:
    """Yield the lines for a package, a folder or a module. Raises ValueError."""
    if place in PACKAGES:
        return listed(rooms_of(place))
    path = ROOT / place
    if path.is_dir() and place.partition("/")[0] in PACKAGES:
        return listed(modules_in(path))
    if path.suffix == ".py" and path.is_file():
        return chain(listed(iter([path])), offers_of(ast.parse(path.read_text("utf-8"))))
    raise ValueError(f"there is no package, room or module {place}")


def main() -> int:
    parser = tool_parser("tests.tools.rooms", __doc__)
    parser.add_argument("place", nargs="*", help="referee, kotp2p/lobby, cli/text/i18n.py ...")
    for place in parser.parse_args().place or PACKAGES:
        try:
            print("\n".join(lines_about(place.rstrip("/"))))
        except ValueError as fault:
            parser.error(str(fault))
    return 0


if __name__ == "__main__":
    sys.exit(main())
