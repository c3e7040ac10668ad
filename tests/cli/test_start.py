"""What `--help` costs: typer and little more."""

import subprocess
import sys


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
