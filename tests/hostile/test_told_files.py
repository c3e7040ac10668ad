"""What hostile names and texts do to the terminal, and a file of settings to its reader."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kotp2p.cli.commands import one_game
from kotp2p.cli.system import config
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.how_to_join import BadAddress, parse_address
from kotp2p.cli.text.i18n import clean_line
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.encoding import BadBytes

NASTY = "\x1b]0;gone\x07\x1b[2J"


@pytest.mark.skipif(os.name == "nt", reason="no such file names")
def test_no_name_of_a_file_steers_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / NASTY).touch()
    one_game.list_games("default", as_json=False)
    said = capsys.readouterr()
    assert "?[2J" in said.err
    assert "\x1b" not in said.err + said.out


def test_no_pasted_address_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadAddress) as fault:
        parse_address(f"table{NASTY}")
    Output.standard().refuse(fault.value)
    said = capsys.readouterr().err
    assert "table?" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge"])
def test_settings_are_read_whole_or_not_at_all(tmp_path: Path, kind: str) -> None:
    """A file that never ends, or takes hours to be read as TOML."""
    path = tmp_path / "config.toml"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "endless":
            path.symlink_to("/dev/zero")
        case _:
            path.write_text("a" + ".a" * 1_000_000 + " = 1")
    with pytest.raises(config.ConfigFault, match="cannot be read"):
        config.read_config_file(path)


def test_marks_do_not_pile_up_over_other_lines() -> None:
    assert clean_line("Ana says: a" + "\u0301\u0489" * 90) == "Ana says: a" + "\u0301\u0489" * 2
    assert clean_line("vi\u1ec7t na\u0323\u0302m") == "vi\u1ec7t na\u0323\u0302m"


@pytest.mark.parametrize("name", [".bashrc", "notes.txt", "..", "../a.kotlog", "a/b.kotlog"])
def test_a_saved_game_names_no_file_but_a_log(name: str) -> None:
    """When the game goes on, the file of that name in the folder of logs is written anew."""
    places = SavedPlaces("", 4242, "", (("", 4242), ("", 0)), name)
    with pytest.raises(BadBytes):
        SavedPlaces.decode(places.encode())
