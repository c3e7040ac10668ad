"""The statements of a module, for tests that look at the code of the project."""

import ast
from collections.abc import Iterator
from pathlib import Path

BRANCHES = (ast.stmt, ast.match_case, ast.ExceptHandler)
"""Only these hold statements. What they compute is nine tenths of a tree."""


def statements_of(path: Path) -> Iterator[ast.AST]:
    return statements(path.read_text(encoding="utf-8"))


def statements(source: str) -> Iterator[ast.AST]:
    """All of a module, at any depth, with the cases and handlers around them."""
    ahead: list[ast.AST] = [ast.parse(source)]
    while ahead:
        for node in ast.iter_child_nodes(ahead.pop()):
            if isinstance(node, BRANCHES):
                yield node
                ahead.append(node)
