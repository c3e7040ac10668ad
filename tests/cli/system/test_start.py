"""What commands import that play nothing: typer and little more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

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
        "import atexit, sys; from kotp2p.cli.start import start\n"
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
def test_a_command_that_plays_nothing_imports_little(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    assert imported_by(words, tmp_path) <= set(ALLOWED[words])


def test_what_the_program_is_about_to_do_does_import_it(tmp_path: Path) -> None:
    """So the test above can fail."""
    assert {"trio", "kotp2p.wire", "kotp2p.referee"} <= imported_by(
        ("solo", "--bots", "1", "--bot", "easy"), tmp_path
    )


def test_a_command_runs_with_the_search_for_garbage_on_and_its_imports_left_out() -> None:
    program = (
        "import gc; from kotp2p.cli import main; from kotp2p.cli.start import start\n"
        "main.run = lambda: print(gc.isenabled(), gc.get_freeze_count() > 1000)\n"
        "start()"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["True", "True"]


def test_a_game_alone_knows_nothing_of_the_network_around(tmp_path: Path) -> None:
    program = (
        "import sys; from typer.testing import CliRunner; from kotp2p.cli.main import app\n"
        "run = CliRunner().invoke(app, ['solo', '--bots', '1', '--bot', 'easy'])\n"
        "assert run.exit_code == 0, run.output\n"
        "print(*{'zeroconf'} & set(sys.modules))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "KOTP2P_DATA": str(tmp_path)},
    )
    assert found.stdout.strip() == ""
