"""One table in two languages: what is signed, stored and counted is the same."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.processes import QUICK, finished, guest, host
from tests.support.program import Program
from tests.support.pseudo import CODE, OPEN, write_pseudo_language


def test_two_languages_at_one_table_have_one_log(tmp_path: Path) -> None:
    catalogues = tmp_path / "catalogues"
    write_pseudo_language(catalogues)
    ana = host(tmp_path / "ana", 2, "--bind", "127.0.0.1", bot=QUICK)
    rex = guest(
        tmp_path / "rex", "127.0.0.1", ana.port(), "--lang", CODE, bot=QUICK,
        catalogues=catalogues,
    )  # fmt: skip
    reports = finished([ana, rex])
    assert reports[0].head == reports[1].head
    assert not any(OPEN in line for line in ana.lines)
    assert sum(OPEN in line for line in rex.lines) > 20
    (log,) = ana.logs()
    said = []
    for words in ((), ("--lang", CODE)):
        for command in (["verify", "--json"], ["export", "--json"]):
            program = Program(
                tmp_path / "ana", *command, str(log), *words, catalogues=catalogues
            )  # fmt: skip
            assert program.wait() == 0, program.lines
            assert program.out
            said.append([json.loads(line) for line in program.out])
    assert said[:2] == said[2:]
