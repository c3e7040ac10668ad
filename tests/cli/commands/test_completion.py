"""What a shell is told when a word is half typed, and the scripts by which it asks."""

import importlib
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.commands.completion import next_words
from cli.commands.option_groups import ProfileFlags, SeatFlags
from cli.commands.person import choose_seating, person_of_flags
from cli.main import app
from cli.system.config import load_config
from cli.system.flag_values import complete_monster
from kotp2p.lobby.monsters import MONSTERS
from kotp2p.store.saved_game import SavedPlaces

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
        (["re"], ["resume", "replay"]),
        (["host", "--sp"], ["--speed"]),
        (["host", "--rules", ""], ["classic", "second", "dark"]),
        (["cards", "win"], ["wings"]),
        (["cards", "energy", "h"], ["hoarder"]),
        (["rules", "tok"], ["tokyo", "tokens"]),
        (["help", "f"], ["find", "files"]),
        (["help", "ver"], ["verify"]),
        (["help", "verify", ""], []),
        (["solo", "--monster", "c"], ["cyber-bunny", "cyber-kitty"]),
        (["host", "--monster", "Meka"], ["Meka-Dragon"]),
        (["join", "--monster", "x"], []),
        (["config", "set", "spe"], ["speed"]),
        (["config", "set", "speed", ""], ["slow", "normal", "fast", "instant"]),
        (["config", "set", "bell", "f"], ["false"]),
        (["config", "set", "monster", "k"], ["kraken"]),
        (["config", "set", "name", ""], []),
        (["config", "set", "speed", "slow", ""], []),
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


def test_logs_are_offered_as_files_and_by_the_words_of_their_phrases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "2026-01-02-chisel-haze-poodle-beanbag.kotlog").touch()
    (tmp_path / "here" / "children").mkdir(parents=True)
    (tmp_path / "here" / "chest.kotlog").touch()
    monkeypatch.chdir(tmp_path / "here")
    assert ask_as_bash("verify", "ch") == ["chisel", "chest.kotlog", "children/"]
    assert ask_as_bash("verify", "../logs/") == [
        "../logs/2026-01-02-chisel-haze-poodle-beanbag.kotlog"
    ]
    assert ask_as_bash("verify", "nowhere/") == []


def test_the_profiles_of_this_machine_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    for name in ("default", "Work", "a b"):
        folder = tmp_path / "profiles" / name
        folder.mkdir(parents=True)
        (folder / "key").write_bytes(b"")
    (tmp_path / "profiles" / "empty").mkdir()
    assert ask_as_bash("solo", "--profile", "") == ["Work", "default"]
    assert ask_as_bash("solo", "--profile", "W") == ["Work"]


def test_the_hosts_of_unfinished_games_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    away = (("", 4242), ("192.168.1.7", 40_001))
    for number, places in enumerate((
        SavedPlaces("", 1, "192.168.1.20", away, "").encode(),
        SavedPlaces("", 1, "192.168.1.21", (("", 4243),), "").encode(),
        SavedPlaces("", 1, "", away[1:], "").encode(),  # of a host
        b"no places",
    )):  # fmt: skip
        folder = tmp_path / "games" / "x" / str(number)
        folder.mkdir(parents=True)
        (folder / "places").write_bytes(places)
    assert ask_as_bash("join", "") == ["192.168.1.20", "192.168.1.21:4243"]
    assert ask_as_bash("join", "192.168.1.21") == ["192.168.1.21:4243"]
    assert ask_as_bash("join", "192.168.1.20", "") == []


@pytest.mark.parametrize("monster", MONSTERS)
def test_a_monster_is_taken_as_it_is_offered(monster: str) -> None:
    for offered in complete_monster(""), complete_monster(monster[0].lower()):
        (word,) = [one for one in offered if one.lower() == monster.lower().replace(" ", "-")]
        seat = SeatFlags(name="Ana", monster=word)
        person = person_of_flags(ProfileFlags(), seat)
        assert choose_seating(person, load_config()).monster == monster


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


@pytest.mark.parametrize("flag", ["--install-completion", "--show-completion"])
@pytest.mark.parametrize("shell", ["tcsh", None])
def test_another_shell_is_told_which_there_are(
    flag: str, shell: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def detect() -> tuple[str, str]:
        if shell is None:
            raise importlib.import_module("shellingham").ShellDetectionFailure
        return shell, f"/bin/{shell}"

    monkeypatch.setattr("shellingham.detect_shell", detect)
    found = CliRunner().invoke(app, [flag], prog_name="kotp2p")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("kotp2p: There is completion for bash, zsh and fish only")
    assert len(found.stderr.splitlines()) == 1


def test_a_home_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    file = tmp_path / "file"
    file.write_bytes(b"")
    monkeypatch.setenv("HOME", str(file))
    found = CliRunner().invoke(app, ["--install-completion", "bash"], prog_name="kotp2p")
    assert (found.exit_code, found.stdout) == (9, "")
    assert str(file) in found.stderr
    assert "kotp2p --show-completion" in found.stderr
