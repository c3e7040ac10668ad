"""`kotp2p config set`: one setting more or less in the file."""

import tomllib
from functools import partial
from pathlib import Path

import pytest

from kotp2p.cli.system.config import CONFIG_KEYS
from tests.support.command_line import run as run_command

run = partial(run_command, "config")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "folder" / "config.toml"
    monkeypatch.setenv("KOTP2P_CONFIG", str(path))
    return path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_first_setting_makes_the_file_with_every_key_explained(file: Path) -> None:
    assert run("set", "speed", "slow") == (0, 'speed = "slow"\n', "")
    text = file.read_text("utf-8")
    assert tomllib.loads(text) == {"speed": "slow"}
    assert "# How fast you are shown what happens in a game." in text
    assert all(key.name in text for key in CONFIG_KEYS)
    assert file.stat().st_mode & 0o077 == 0


def test_comments_and_order_stay_and_a_mark_of_notepad_goes(file: Path) -> None:
    put(file, '\ufeff# mine\nbell = true  # loud\n\nname = "Ana"\n')
    assert run("set", "bell", "FALSE")[0] == 0
    assert file.read_text("utf-8") == '# mine\nbell = false  # loud\n\nname = "Ana"\n'
    assert run("set", "name")[:2] == (0, "name is no longer set.\n")
    assert file.read_text("utf-8").startswith("# mine\nbell = false  # loud\n")
    assert tomllib.loads(file.read_text("utf-8")) == {"bell": False}


def test_words_of_a_value_need_no_quotation_marks(file: Path) -> None:
    assert run("set", "monster", "meka", "dragon")[1] == 'monster = "Meka Dragon"\n'


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["set", "bell", "maybe"], "kotp2p: bell=maybe is not allowed; it takes true or false."),
        (["set", "speed", "warp"], 'speed=warp is not allowed; it takes "slow", "normal", "fast"'),
        (["set", "orders", "yield x"], "Type a number from 1, or off, after orders yield."),
        (["set", "sped", "slow"], "kotp2p: There is no setting sped. Did you mean speed?"),
        (["set", "xyzzy"], "There is no setting xyzzy; there are lang, name, monster, "),
        (["get", "speed"], "config takes show, or set with a setting and its value"),
    ],
)
def test_what_is_not_allowed_changes_nothing(file: Path, words: list[str], sentence: str) -> None:
    put(file, "plain = true\n")
    assert sentence in " ".join(run(*words).refused().split())
    assert file.read_text("utf-8") == "plain = true\n"


def test_a_wrong_line_can_be_mended_and_no_other_value_is_written_beside_it(file: Path) -> None:
    put(file, 'symbols = "runes"\n')
    assert "symbols" in run("set", "bell", "false").told(2)
    assert file.read_text("utf-8") == 'symbols = "runes"\n'
    assert run("set", "symbols", "ascii")[0] == 0
    assert file.read_text("utf-8") == 'symbols = "ascii"\n'


def test_a_file_that_is_no_toml_is_left_alone(file: Path) -> None:
    put(file, "symbols = emoji")
    code, _out, err = run("set", "bell", "false")
    assert (code, file.read_text("utf-8")) == (2, "symbols = emoji")
    assert "is not TOML" in err


def test_what_is_not_set_cannot_be_taken_out(file: Path) -> None:
    assert run("set", "speed") == (8, "", f"speed is not set in {file}.\n")
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_words: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kotp2p.cli.commands.settings.write_whole", refuse)
    assert f"{file} cannot be written" in run("set", "speed", "slow").refused(9).replace("\n", " ")


def test_a_link_to_the_file_stays_a_link(file: Path, tmp_path: Path) -> None:
    put(file, "")
    real = tmp_path / "real.toml"
    file.rename(real)
    file.symlink_to(real)
    assert run("set", "plain", "true")[0] == 0
    assert file.is_symlink()
    assert real.read_text("utf-8").strip() == "plain = true"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".new")] == []
