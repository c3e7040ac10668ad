"""What a run has measured: as a table for people, and as JSON (docs/BENCHMARKS.md has its form)."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bench.row import Row
from bench.running import Measured
from bench.trees import Tree

PACKAGES = ("cryptography", "trio", "typer", "prompt_toolkit", "msgpack", "chess")
FORM = 1
"""Rises with every change of the JSON that a reader must know of."""
Result = tuple[Row, Sequence[Measured]]
"""Of the version that is measured, and of the earlier one if there is one."""


def describe_machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def document(trees: Sequence[Tree], machine: dict[str, Any], results: Iterable[Result]) -> Any:
    return {
        "form": FORM,
        "commit": trees[0].commit,
        "against": trees[1].commit if len(trees) > 1 else None,
        "machine": machine,
        "rows": [_row_object(row, found) for row, found in results],
    }


def _row_object(row: Row, found: Sequence[Measured]) -> dict[str, Any]:
    return {
        "name": row.name,
        "what": row.what,
        "unit": row.unit,
        "target": row.target,
        "bound": "least" if row.is_floor else "most",
        "aim": row.aim,
        "now": _measured_object(found[0]),
        "against": _measured_object(found[1]) if len(found) > 1 else None,
    }


def _measured_object(measured: Measured) -> dict[str, Any]:
    spread = measured.spread
    if spread is None:
        return {"missing": measured.missing}
    samples = [{"figure": s.figure, "parts": dict(s.parts)} for s in measured.samples]
    return {**asdict(spread), "samples": samples}


def header(trees: Sequence[Tree]) -> str:
    columns = ["row", f"{trees[0].commit or 'now'}: median, quartiles", "target", "met"]
    if len(trees) > 1:
        columns.append(f"{trees[1].commit}: median, quartiles")
    columns += ["unit", "what"]
    return _line(columns) + "\n" + _line(["---"] * len(columns))


def table_line(row: Row, found: Sequence[Measured]) -> str:
    """Return one line of the table, which is Markdown."""
    now = found[0].spread
    met = "" if row.target is None or now is None else "yes" if row.is_met_by(now.median) else "no"
    columns = [f"`{row.name}`", _figures(found[0]), _target(row), met, *map(_figures, found[1:])]
    return _line([*columns, row.unit, row.what])


def _line(columns: Iterable[str]) -> str:
    return f"| {' | '.join(columns)} |"


def _figures(measured: Measured) -> str:
    spread = measured.spread
    if spread is None:
        return f"– ({measured.missing})"
    return f"{_short(spread.median)} ({_short(spread.lower)} to {_short(spread.upper)})"


def _target(row: Row) -> str:
    if row.target is None:
        return ""
    bound = f"at {'least' if row.is_floor else 'most'} {row.target:g}"
    return bound if row.aim is None else f"{bound}, aim {row.aim:g}"


def _short(figure: float) -> str:
    """Format a figure with three significant digits."""
    return f"{figure:.0f}" if figure >= 100 else f"{figure:#.3g}"


def describe_parts(row: Row, found: Sequence[Measured]) -> Iterator[str]:
    """Describe the parts of the last sample of each version."""
    for measured in found:
        if measured.samples:
            parts = measured.samples[-1].parts
            listed = ", ".join(f"{name} {_short(value)}" for name, value in parts.items())
            yield f"{row.name} of {measured.tree.commit or 'now'}: {listed}"
