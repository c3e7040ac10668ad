"""The command line in this process: its exit code, and what it has said."""

from __future__ import annotations

from typer.testing import CliRunner

from cli.main import app


def run(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(args))
    return result.exit_code, result.stdout, result.stderr
