"""Drawings of the state tables: `python -m tests.tools.diagrams` writes them to docs/DESIGN.md.

Every module-level `StateTable` of the three packages is found by import, and drawn as a Mermaid
diagram between the two marks of the document.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from typing import Any, TypeAlias

import cli
import kotp2p
import referee
from kotp2p.state_table import StateTable
from tests.support.paths import ROOT

Table: TypeAlias = StateTable[Any, Any]

DOCUMENT = ROOT / "docs" / "DESIGN.md"
BEGIN, END = "<!-- state tables: begin -->", "<!-- state tables: end -->"


def state_tables() -> list[tuple[str, Table]]:
    """Module and table, in the order of the modules' names.

    A table counts where its constant is annotated, which is where it is defined."""
    found = []
    for name in sorted(module_names()):
        module = importlib.import_module(name)
        annotated = inspect.get_annotations(module)
        tables = {key: value for key, value in vars(module).items() if key in annotated}
        found += [(name, value) for value in tables.values() if isinstance(value, StateTable)]
    return found


def module_names() -> Iterator[str]:
    for package in (cli, kotp2p, referee):
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


def section() -> str:
    rows = []
    for module, table in state_tables():
        place = module.replace(".", "/") + ".py"
        rows += [f"### {table.name}", "", f"`{place}`", "", "```mermaid", *drawn(table), "```", ""]
    return "\n".join(rows)


def document() -> str:
    """docs/DESIGN.md with the drawings of the present tables."""
    text = DOCUMENT.read_text("utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n\n{section()}\n{END}{tail}"


def main() -> int:
    DOCUMENT.write_text(document(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
