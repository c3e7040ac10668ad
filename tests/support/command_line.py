"""The command line in this process: its exit code, and what it has said."""

from collections.abc import Sequence

from typer.testing import CliRunner

from kotp2p.cli.main import app


def run(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(args))
    return result.exit_code, result.stdout, result.stderr


def without_coach(words: Sequence[str]) -> list[str]:
    """A first game against bots is taught, but only where a test is about that."""
    is_taught = "solo" in words and "--no-coach" not in words
    return [*words, "--no-coach"] if is_taught else list(words)
