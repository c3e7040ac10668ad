"""What the documents take from the code: `python -m tests.tools.design` writes it.

Scope: in docs/DESIGN.md a table of the modules of each room, with the first sentence of each
docstring, and a drawing of each state table, as a Mermaid diagram. All stand between marks.
Not here: the rest of the documents, which is written by hand.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import kotp2p
from kotp2p.state_table import StateTable
from tests.support.paths import ROOT
from tests.support.rooms import ROOMS

Table: TypeAlias = StateTable[Any, Any]

DESIGN = ROOT / "docs" / "DESIGN.md"


def state_tables() -> list[tuple[str, Table]]:
    """Module and table, in the order of the modules' names.

    A table counts where its constant is assigned, not where it is imported."""
    found = []
    for name in sorted(module_names()):
        module = importlib.import_module(name)
        tables = {key: it for key, it in vars(module).items() if isinstance(it, StateTable)}
        if tables:
            own = assigned_names(ast.parse(inspect.getsource(module)))
            found += [(name, table) for key, table in tables.items() if key in own]
    return found


def assigned_names(tree: ast.Module) -> set[str]:
    """The names that a module assigns at its top."""
    found = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def module_names() -> Iterator[str]:
    for package in (kotp2p,):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__"):
                yield found.name


def reached(table: Table) -> set[Any]:
    """The states that can be reached from the start."""
    known, ahead = {table.start}, [table.start]
    while ahead:
        for state in table.transitions[ahead.pop()].values():
            if state not in known:
                known.add(state)
                ahead.append(state)
    return known


def drawn(table: Table) -> list[str]:
    """Mermaid lines: one arrow for each pair of states, with all events that lead over it."""
    rows = ["stateDiagram-v2", f"    [*] --> {_word(table.start)}"]
    for state, ways in table.transitions.items():
        arrows: dict[Any, list[str]] = {}
        for event, target in ways.items():
            arrows.setdefault(target, []).append(str(event))
        for target, events in arrows.items():
            rows.append(f"    {_word(state)} --> {_word(target)}: {', '.join(events)}")
        if not ways:
            rows.append(f"    {_word(state)} --> [*]")
    return rows


def _word(state: Any) -> str:
    """A state as Mermaid takes it: letters, digits, underscores."""
    return str(state).replace("-", "_").replace(" ", "_")


def state_section() -> str:
    rows = []
    for module, table in state_tables():
        place = module.replace(".", "/") + ".py"
        rows += [f"### {table.name}", "", f"`{place}`", "", "```mermaid", *drawn(table), "```", ""]
    return "\n".join(rows)


def first_sentence(path: Path) -> str:
    """The first sentence of a module's docstring, on one line."""
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    words = " ".join(said.partition("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", words)[0].replace("|", "\\|")


def module_section(package: str) -> str:
    """One table for each room of a package, in the order in which rooms may import each other."""
    rows = []
    for room in ROOMS[package]:
        path = ROOT / package / room
        if not path.is_dir():
            file = path.with_suffix(".py")
            rows += [f"#### `{package}/{file.name}`", "", first_sentence(file), ""]
            continue
        rows += [f"#### `{package}/{room}/`", "", first_sentence(path / "__init__.py"), ""]
        rows += ["| module | what |", "|---|---|"]
        for file in sorted(path.rglob("*.py")):
            if file.stem not in ("__init__", "__main__"):
                name = file.relative_to(path).as_posix()
                rows.append(f"| `{name}` | {first_sentence(file)} |")
        rows.append("")
    return "\n".join(rows)


def sections() -> dict[str, str]:
    """What stands between the marks, by their name."""
    found = {f"modules of {package}": module_section(package) for package in ROOMS}
    return {**found, "state tables": state_section()}


def documents() -> dict[Path, str]:
    """The documents with what follows from the present code."""
    return {DESIGN: _filled(DESIGN, sections())}


def _filled(path: Path, found: dict[str, str]) -> str:
    text = path.read_text("utf-8")
    for name, body in found.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        head, rest = text.split(begin)
        text = f"{head}{begin}\n\n{body}\n{end}{rest.split(end)[1]}"
    return text


def main() -> int:
    for path, text in documents().items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
