"""docs/vectors/logs is what the code writes, and both verifiers say what its index says."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from tests.support.paths import VECTORS
from tests.support.two_verifiers import agree
from tests.tools import vector_logs
from tests.tools.independent.verdict import evidence

FOLDER = VECTORS / "logs"
FILES = vector_logs.files()
INDEX: dict[str, dict[str, object]] = json.loads((FOLDER / "index.json").read_text("utf-8"))


def test_the_index_names_all_files_and_no_other() -> None:
    assert set(INDEX) == set(FILES) == {path.name for path in FOLDER.glob("*.kot*")}


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_log_is_what_the_code_writes_and_says_what_the_index_says(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert data == FILES[name]()
    assert INDEX[name] == vector_logs.saying(name, data)
    if name.endswith(".kotproof"):
        assert evidence(data).convicts == INDEX[name]["convicts"]
        return
    found = agree(data)
    assert INDEX[name] == {
        "verdict": found.result,
        "record": found.record,
        "offset": found.offset,
        "entries": found.entries,
        "winners": found.winners if found.winners is None else list(found.winners),
        "confirmed by": list(found.confirmed_by),
        "changes": [list(change) for change in found.changes],
        "phrase": found.phrase,
        "canonical": sha256(found.canonical).hexdigest() if found.canonical else "",
    }


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_name_of_a_file_says_what_it_comes_to(name: str) -> None:
    said = INDEX[name]
    if name.endswith(".kotproof"):
        assert (said["convicts"] is None) == name.startswith("nothing-")
    else:
        wrong = name.startswith("wrong-")
        assert (said["verdict"] in ("wrong", "unreadable")) == wrong
