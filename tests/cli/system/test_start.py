"""How the program is started, and how it calls itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kotp2p.cli.system import process
from kotp2p.cli.system.process import find_program
from tests.support.command_line import printed_by_python
from tests.support.paths import ROOT
from tests.support.program import PATIENCE

HEAVY = ("trio", "prompt_toolkit", "cryptography", "msgpack", "zeroconf", "pydantic", "wcwidth",
         "kotp2p.wire", "kotp2p.referee")  # fmt: skip
LOG = max((ROOT / "tests" / "logs").glob("*-second.kotlog"))
"""Of the present versions, by its name."""
ALLOWED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("-h",): (),
    ("--version",): (),
    ("host", "-h"): (),
    (): (),
    ("cards", "wings"): ("kotp2p.referee",),
    ("rules", "tokyo"): ("kotp2p.referee",),
    ("config",): ("msgpack", "kotp2p.wire"),
    ("verify", str(LOG)): ("cryptography", "msgpack", "kotp2p.wire", "kotp2p.referee"),
}
"""What of it a command that plays nothing may import."""


def imported_by(words: tuple[str, ...], home: Path) -> set[str]:
    program = (
        "import atexit, sys; from kotp2p.cli import start\n"
        f"atexit.register(lambda: print('', *set({HEAVY}) & set(sys.modules), file=sys.stderr))\n"
        "start()"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "KOTP2P_DATA": str(home), "KOTP2P_CONFIG": str(home / "config.toml")},
    )
    assert run.returncode in (0, 7), run.stderr
    return set(run.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("words", ALLOWED, ids=lambda words: " ".join(words[:1]))
def test_a_command_without_a_game_imports_little(words: tuple[str, ...], tmp_path: Path) -> None:
    assert imported_by(words, tmp_path) <= set(ALLOWED[words])


def test_what_the_program_is_about_to_do_does_import_it(tmp_path: Path) -> None:
    assert {"trio", "kotp2p.wire", "kotp2p.referee"} <= imported_by(
        ("solo", "--bots", "1", "--bot", "easy"), tmp_path
    )


def test_a_command_runs_with_the_search_for_garbage_on_and_its_imports_left_out() -> None:
    program = (
        "import gc; from kotp2p.cli import start; from kotp2p.cli.commands import play\n"
        "play.run_solo = lambda **_: print(gc.isenabled(), gc.get_freeze_count() > 1000)\n"
        "start()"
    )
    assert printed_by_python(program, "solo").split() == ["True", "True"]


def test_a_game_alone_knows_nothing_of_the_network_around(tmp_path: Path) -> None:
    program = (
        "import sys; from typer.testing import CliRunner; from kotp2p.cli.main import app\n"
        "run = CliRunner().invoke(app, ['solo', '--bots', '1', '--bot', 'easy'])\n"
        "assert run.exit_code == 0, run.output\n"
        "print(*{'zeroconf'} & set(sys.modules))"
    )
    assert printed_by_python(program, KOTP2P_DATA=str(tmp_path)).strip() == ""


# -- how this program is called -----------------------------------------------------------


def start_as(monkeypatch: pytest.MonkeyPatch, started: str, path: str) -> None:
    monkeypatch.setattr(sys, "argv", [started])
    monkeypatch.setenv("PATH", path)


def test_a_program_not_found_has_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    start_as(monkeypatch, str(tmp_path / ".venv/bin/kotp2p"), str(tmp_path))
    assert find_program() == ".venv/bin/kotp2p"
    start_as(monkeypatch, str(tmp_path / "my games/kotp2p"), str(tmp_path))
    assert find_program() == "'my games/kotp2p'"
    start_as(monkeypatch, "./kotp2p", "/nowhere")
    assert find_program() == "./kotp2p"


def test_a_word_in_the_shell_stays_bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_one_file_is_called_by_the_interpreter_that_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start_as(monkeypatch, "kotp2p.pyz", "/nowhere")
    monkeypatch.setattr(sys, "orig_argv", ["python3.12", "kotp2p.pyz", "solo"])
    assert find_program() == "python3.12 kotp2p.pyz"


@pytest.mark.parametrize(
    ("folder", "tool", "variable", "command"),
    [
        ("archive-v0/SebsJEe8sD3JHaAh", "uvx", "UV", "uvx kotp2p"),
        ("archive-v0/SebsJEe8sD3JHaAh", "pipx", "UV", "pipx run kotp2p"),
        (".cache/pipx/1475853ee9239e0", "uvx", "NO", "pipx run kotp2p"),
        ("pipx/venvs/kotp2p", "pipx", "NO", "kotp2p"),
        ("archive-v0/SebsJEe8sD3JHaAh", "uvx", "NO", "kotp2p"),
    ],
)
def test_what_runs_from_the_index_is_called_so_once_it_is_published(
    folder: str, tool: str, variable: str, command: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    made = tmp_path / folder / "bin"
    made.mkdir(parents=True)
    for name in ("kotp2p", tool):
        (made / name).write_text("#!/bin/sh\n")
        (made / name).chmod(0o755)
    if "pipx" in folder:
        (made.parent / "pipx_metadata.json").touch()
    start_as(monkeypatch, str(made / "kotp2p"), str(made))
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setenv(variable, "/usr/bin/uv")
    assert find_program() == "kotp2p"
    monkeypatch.setattr(process, "IS_PUBLISHED", True)
    assert find_program() == command
