"""What a shell is told when a word is half typed, and the scripts by which it asks."""

import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.commands.completion import next_words
from cli.main import app

SHELLS = ("bash", "zsh", "fish")


def ask_as_bash(*words: str) -> list[str]:
    """What bash is offered in place of the last word."""
    env = {
        "_KOTP2P_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["kotp2p", *words]),
        "COMP_CWORD": str(len(words)),
    }
    found = CliRunner().invoke(app, [], env=env, prog_name="kotp2p")
    assert found.exit_code == 0, found.output
    return found.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["re"], ["resume"]),
        (["host", "--sp"], ["--speed"]),
        (["host", "--rules", ""], ["classic", "second", "dark"]),
        (["cards", "win"], ["wings"]),
        (["cards", "energy", "h"], ["hoarder"]),
        (["rules", "tok"], ["tokyo", "tokens"]),
        (["help", "f"], ["find", "files"]),
        (["help", "ver"], ["verify"]),
        (["help", "verify", ""], []),
    ],
)
def test_a_word_is_completed(words: list[str], offered: list[str]) -> None:
    assert ask_as_bash(*words) == offered


def test_the_phrase_of_a_saved_game_is_completed_word_by_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    for number, phrase in enumerate(("chisel-haze-poodle-beanbag", "chisel-oak-rust-tin")):
        folder = tmp_path / "games" / "x" / str(number)
        folder.mkdir(parents=True)
        (folder / "places").write_bytes(f"2026-01-02-{phrase}.kotlog".encode())
    assert ask_as_bash("resume", "") == ["chisel"]
    assert ask_as_bash("resume", "chisel", "") == ["haze", "oak"]
    assert ask_as_bash("resume", "oak", "") == []


def test_a_word_that_would_need_quotes_is_not_offered() -> None:
    assert next_words(["it's", "a b", "$x", "a c"], [], "") == ["a"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_completion_is_shown(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    found = CliRunner().invoke(app, ["--show-completion", shell], prog_name="kotp2p")
    assert found.exit_code == 0
    assert f"_KOTP2P_COMPLETE=complete_{shell}" in found.stdout
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=found.stdout, text=True, check=True)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_completion_is_installed(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    monkeypatch.setenv("HOME", str(tmp_path))
    found = CliRunner().invoke(app, ["--install-completion", shell], prog_name="kotp2p")
    assert found.exit_code == 0, found.output
    texts = [path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert any(f"_KOTP2P_COMPLETE=complete_{shell}" in text for text in texts)
