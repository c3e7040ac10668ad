"""What `--help` costs: typer and little more."""

import os
import subprocess
import sys
from pathlib import Path


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from typer.testing import CliRunner; from cli.main import app\n"
        "assert CliRunner().invoke(app, ['host', '-h']).exit_code == 0\n"
        "heavy = {'trio', 'prompt_toolkit', 'cryptography', 'msgpack', 'zeroconf', 'referee',\n"
        " 'kotp2p'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == ""


def test_a_game_alone_knows_nothing_of_the_network_around(tmp_path: Path) -> None:
    program = (
        "import sys; from typer.testing import CliRunner; from cli.main import app\n"
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
