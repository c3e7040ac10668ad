"""Two verifiers, one written from the text alone, come to the same about every log."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.two_verifiers import agree

HERE = ROOT / "tests" / "tools" / "independent"
LOGS = sorted((ROOT / "tests" / "logs").glob("*.kotlog"))


def mutated(data: bytes, chance: random.Random) -> Iterator[bytes]:
    """A bit flipped, a byte lost, a tail of another kind."""
    at = chance.randrange(len(data))
    yield data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]
    yield data[:at] + data[at + 1 :]
    yield data[:at]
    yield data[:at] + bytes(chance.randrange(1, 400))


def test_the_other_verifier_imports_nothing_of_this_program() -> None:
    for path in HERE.glob("[!t]*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                is_ours = name.split(".")[0] == "kotp2p"
                assert not is_ours or name.startswith("kotp2p.referee"), path
                assert not name.startswith("tests.") or name.startswith(
                    "tests.tools.independent"
                ), path


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_both_say_the_same_of_a_log_and_of_its_mutations(path: Path) -> None:
    data = path.read_bytes()
    whole = agree(data)
    chance = random.Random(path.stem)
    for other in mutated(data, chance):
        agree(other)
    if whole.canonical:
        again = agree(whole.canonical)
        assert again.canonical == whole.canonical
