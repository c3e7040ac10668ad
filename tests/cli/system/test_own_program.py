"""Where the program is, as the shell would have to be told."""

import subprocess
import sys
from pathlib import Path

import pytest

from kotp2p.cli.system import process
from kotp2p.cli.system.process import find_program
from tests.support.paths import ROOT
from tests.support.program import PATIENCE


def start_as(monkeypatch: pytest.MonkeyPatch, started: str, path: str) -> None:
    monkeypatch.setattr(sys, "argv", [started])
    monkeypatch.setenv("PATH", path)


def test_a_program_that_the_shell_does_not_find_has_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start_as(monkeypatch, str(tmp_path / ".venv/bin/kotp2p"), str(tmp_path))
    assert find_program() == ".venv/bin/kotp2p"
    start_as(monkeypatch, str(tmp_path / "my games/kotp2p"), str(tmp_path))
    assert find_program() == "'my games/kotp2p'"


def test_the_bare_word_stays_where_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "kotp2p"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    start_as(monkeypatch, str(program), str(tmp_path))
    assert find_program() == "kotp2p"


@pytest.mark.parametrize("started", ["kotp2p", "/usr/lib/python3/cli/main.py", ""])
def test_the_bare_word_stays_if_the_program_has_no_path_of_its_own(
    started: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_as(monkeypatch, started, "/nowhere")
    assert find_program() == "kotp2p"


def test_a_program_that_was_started_as_a_module_has_the_same_name() -> None:
    words = [sys.executable, "-m", "kotp2p", "--xyz"]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert found.stderr == "kotp2p: kotp2p has no flag --xyz; to list all: kotp2p help\n"


def test_a_program_in_this_folder_is_called_with_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start_as(monkeypatch, "./kotp2p", "/nowhere")
    assert find_program() == "./kotp2p"


def test_one_file_is_called_by_the_interpreter_that_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start_as(monkeypatch, "kotp2p.pyz", "/nowhere")
    monkeypatch.setattr(sys, "orig_argv", ["python3.12", "kotp2p.pyz", "solo"])
    assert find_program() == "python3.12 kotp2p.pyz"


@pytest.mark.parametrize("command", ["uvx", "pipx run"])
def test_what_runs_from_the_index_is_called_so_once_it_is_published(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "archive-v0" / "SebsJEe8sD3JHaAh" / "bin"
    folder.mkdir(parents=True)
    for name in ("kotp2p", *command.split()[:1]):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    start_as(monkeypatch, str(folder / "kotp2p"), str(folder))
    monkeypatch.setenv("UV", "/usr/bin/uv")
    assert find_program() == "kotp2p"
    monkeypatch.setattr(process, "IS_PUBLISHED", True)
    assert find_program() == f"{command} kotp2p"
    monkeypatch.delenv("UV")
    assert find_program() == "kotp2p"
