"""Adapters: where a version of the program has what the rows measure (`bench.program.Program`).

Scope: one module for each layout of the code that the benchmark can be run against. Not here: the
rows.
"""

from __future__ import annotations

from pathlib import Path

from bench.program import Program

ONLY_IN_FIRST_LAYOUT = Path("kotp2p", "crypto.py")
ONLY_IN_SECOND_LAYOUT = Path("kotp2p", "game", "past.py")


def adapter_of(tree: Path) -> Program:
    """Return the adapter of the checkout in which this process looks for its packages."""
    if (tree / ONLY_IN_FIRST_LAYOUT).exists():
        from bench.adapters.first import First

        return First(tree)
    if (tree / ONLY_IN_SECOND_LAYOUT).exists():
        from bench.adapters.second import Second

        return Second(tree)
    from bench.adapters.current import Current

    return Current(tree)
