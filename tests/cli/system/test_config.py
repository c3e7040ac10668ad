"""What is set: which of flag, variable, file and default wins, and what is refused."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kotp2p.cli.ask.standing_orders import Orders
from kotp2p.cli.commands.person import CommandRefused, Person, choose_seating, refused_login_name
from kotp2p.cli.main import app
from kotp2p.cli.system import config
from kotp2p.cli.system.config import CONFIG_KEYS, ConfigFault
from kotp2p.cli.system.options import CommonFlags, Palette, Symbols
from kotp2p.wire.names import MONSTERS


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "folder" / "config.toml"
    monkeypatch.setenv("KOTP2P_CONFIG", str(path))
    for variable in ("KOTP2P_PLAIN", "KOTP2P_LANG", "ACCESSIBLE", "NO_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def shown(*words: str) -> list[str]:
    found = CliRunner().invoke(app, ["config", *words])
    assert found.exit_code == 0, found.output
    return found.output.splitlines()


def refused() -> str:
    with pytest.raises(ConfigFault) as fault:
        config.load_config()
    return str(fault.value)


def test_without_a_file_the_defaults_hold(file: Path) -> None:
    assert shown() == [
        f"File: {file} (not there; kotp2p config set KEY VALUE makes it)",
        "lang is not set: that of your system, else English",
        "name is not set: your login name",
        "monster is not set: the first free one",
        "plain = false (the default)",
        'symbols = "auto" (the default)',
        'palette = "default" (the default)',
        'background = "auto" (the default)',
        'bidi = "auto" (the default)',
        "animation = true (the default)",
        "mouse = true (the default)",
        "bell = true (the default)",
        "on_turn is not set: no command is run",
        'speed = "normal" (the default)',
        "code = true (the default)",
        'mailbox = "ws://relay.magic-wormhole.io:4000/v1" (the default)',
        'relay = "tcp:transit.magic-wormhole.io:4001" (the default)',
        "orders is not set: you are asked about everything",
    ]


def test_a_flag_wins_over_variable_and_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(file, 'name = "Ana"\nsymbols = "emoji"\npalette = "mono"\nbell = false\nplain = true\n')
    monkeypatch.setenv("KOTP2P_PLAIN", "0")
    assert shown()[1:7] == [
        "lang is not set: that of your system, else English",
        f'name = "Ana" (from {file})',
        "monster is not set: the first free one",
        "plain = false (from KOTP2P_PLAIN)",
        f'symbols = "emoji" (from {file})',
        f'palette = "mono" (from {file})',
    ]
    assert "plain = true (from --plain)" in shown("--plain")


def test_a_flag_may_stand_before_the_command(file: Path) -> None:
    found = CliRunner().invoke(app, ["--speed", "fast", "--no-color", "config"])
    assert 'speed = "fast" (from --speed)' in found.output
    assert 'palette = "mono" (from --no-color)' in found.output


def test_a_person_who_wants_all_programs_accessible_gets_plain_lines(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCESSIBLE", "1")
    assert config.load_config().settings["plain"] == config.Setting(True, "ACCESSIBLE")
    monkeypatch.setenv("KOTP2P_PLAIN", "0")
    assert not config.load_config().is_on("plain")


def test_no_color_takes_the_colours_unless_a_flag_says_otherwise(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(file, 'palette = "okabe-ito"')
    assert config.load_config().palette is Palette.OKABE_ITO
    monkeypatch.setenv("NO_COLOR", "1")
    assert config.load_config().settings["palette"] == config.Setting("mono", "NO_COLOR")
    monkeypatch.delenv("NO_COLOR")
    CommonFlags.no_color = True
    assert config.load_config().palette is Palette.MONO


def test_an_empty_variable_is_none(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTP2P_PLAIN", "")
    assert not config.load_config().is_on("plain")
    assert config.load_config().symbols is Symbols.AUTO


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('symbols = "runes"', 'symbols = "runes" is not allowed; it takes "auto", "ascii", '
         '"unicode" or "emoji".'),
        ("symbols = true", 'symbols = true is not allowed; it takes "auto", "ascii", '),
        ("symbols = [1]", 'symbols = [1] is not allowed; it takes "auto", "ascii", "unicode" or '),
        ('speed = "warp"', 'speed = "warp" is not allowed; it takes "slow", "normal", "fast" or '),
        ("bell = 1", "bell = 1 is not allowed; it takes true or false."),
        ('plain = "yes"', 'plain = "yes" is not allowed; it takes true or false.'),
        ('name = "  "', 'name = "  " is not allowed; it takes a name with letters of one script'),
        ('name = "Rex!"', 'name = "Rex!" is not allowed; it takes a name with letters of one'),
        (f'name = "{"x" * 25}"', f'name = "{"x" * 25}" is not allowed; it takes a name with'),
        ('monster = "Godzilla"', 'monster = "Godzilla" is not allowed; it takes "Gigazaur", '),
        ("on_turn = ''", "on_turn = \"\" is not allowed; it takes a program and its arguments, "),
        ("on_turn = '\"a'", "on_turn = \"\\\"a\" is not allowed; it takes a program"),
        ("on_turn = \"'' a\"", "on_turn = \"'' a\" is not allowed; it takes a program"),
        ('on_turn = "a\\u0000b"', "on_turn = "),
        ('orders = "yield x"', 'orders = "yield x" is not allowed; it takes yield N and stay N, '
         "with a comma between. Type a number from 1, or off, after orders yield."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_what_is_allowed(file: Path, text: str, sentence: str) -> None:
    put(file, text)
    assert refused().startswith(f"{file}: {sentence}")
    for words in (["config"], ["solo", "--bot", "easy"]):
        found = CliRunner().invoke(app, words)
        assert found.exit_code == 2
        assert sentence.split(";")[0] in found.output


@pytest.mark.parametrize("text", ['symbol = "emoji"', "[symbol]\nbell = true", "symbol.a = 1"])
def test_a_setting_that_is_no_more_is_passed_over_and_named_once(file: Path, text: str) -> None:
    put(file, f'name = "Ana"\n{text}\n')
    told = f"{file}: there is no setting symbol, so it is passed over. Delete the line that begins "
    first, again = (CliRunner().invoke(app, ["config"]) for _ in range(2))
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert first.stderr.startswith(told)
    assert again.stderr == ""
    assert f'name = "Ana" (from {file})' in first.stdout


def test_a_setting_can_be_set_beside_one_that_is_no_more(file: Path) -> None:
    put(file, "layout = 1\n")
    assert CliRunner().invoke(app, ["config", "set", "speed", "slow"]).exit_code == 0
    assert file.read_text() == 'layout = 1\nspeed = "slow"\n'


@pytest.mark.parametrize(("word", "key"), [("maybe", "plain"), ("xx", "lang")])
def test_a_wrong_variable_is_named(
    file: Path, monkeypatch: pytest.MonkeyPatch, word: str, key: str
) -> None:
    variable = f"KOTP2P_{key.upper()}"
    monkeypatch.setenv(variable, word)
    assert refused().startswith(f"{variable}={word} is not allowed; it takes ")


def test_what_is_no_toml_is_refused(file: Path) -> None:
    put(file, "symbols = emoji")
    assert refused().startswith(f"{file} is not TOML: ")
    file.write_bytes(b"name = '\xff'")
    assert refused() == (
        f"{file} is not a text in UTF-8. "
        "Mend it, or move it away: all settings are as at first then; no game is lost."
    )
    file.unlink()
    file.mkdir()
    assert refused().startswith(f"{file} cannot be read: ")


def test_the_written_file_sets_nothing_and_allows_all_it_says(file: Path) -> None:
    put(file, config.default_config_text())
    text = file.read_text(encoding="utf-8")
    assert tomllib.loads(text) == {}
    assert config.read_config_file(file) == {}
    put(file, text.replace("# name", "name").replace("# bell", "bell"))
    assert config.read_config_file(file) == {"name": "Ana", "bell": True}
    every = "\n".join(f"{key.name} = {key.example}" for key in CONFIG_KEYS)
    for key in CONFIG_KEYS:
        assert f"# {key.name} = {key.example}\n" in text
    put(file, every)
    assert list(config.read_config_file(file)) == [key.name for key in CONFIG_KEYS]


def test_the_name_and_the_monster_are_those_of_the_seat(file: Path) -> None:
    put(file, 'name = "Ana"\nmonster = "meka dragon"')
    settings = config.load_config()
    for person, name, monster in ((Person(), "Ana", "Meka Dragon"),
                                  (Person("Rex", "alienoid"), "Rex", "Alienoid")):  # fmt: skip
        seating = choose_seating(person, settings)
        assert (seating.name, seating.monster) == (name, monster)


@pytest.mark.parametrize(("typed", "monster"), [("king", "The King"), ("Space", "Space Penguin")])
def test_a_word_of_one_monster_alone_is_enough(file: Path, typed: str, monster: str) -> None:
    person = Person("Rex", typed)
    assert choose_seating(person, config.load_config()).monster == monster
    with pytest.raises(CommandRefused, match="Cyber"):
        choose_seating(replace(person, monster="Cyber"), config.load_config())


def test_every_monster_may_be_set(file: Path) -> None:
    for monster in MONSTERS:
        put(file, f'monster = "{monster.upper()}"')
        assert config.load_config().text_of("monster") == monster


def test_standing_orders_come_from_the_file(file: Path) -> None:
    put(file, 'orders = "yield 3, stay 6"\n')
    assert config.load_config().orders == Orders(3, 6)


@pytest.mark.parametrize("typed", ["Rex!", "42", "  ", "x" * 25, "R\u0435x", "Rex (you)"])
def test_a_typed_name_that_would_lose_something_is_refused(file: Path, typed: str) -> None:
    with pytest.raises(CommandRefused, match="--name"):
        choose_seating(Person(typed), config.load_config())


def test_a_typed_name_loses_nothing_else_than_spaces(file: Path) -> None:
    assert choose_seating(Person(" O\u2019Neil  2 "), config.load_config()).name == "O'Neil 2"


@pytest.mark.parametrize(
    ("typed", "would_do"), [("You", "Ana"), ("NOB0DY", "Ana"), ("You Know Who", "You-Know-Who")]
)
def test_a_typed_name_that_is_a_word_of_the_game_is_refused_with_another_one(
    file: Path, typed: str, would_do: str
) -> None:
    with pytest.raises(CommandRefused) as refusal:
        choose_seating(Person(typed), config.load_config())
    assert str(refusal.value) == (
        f"{typed} reads like a word of the game itself, so no player can be called that. "
        f"This would do: --name {would_do}"
    )


def test_a_login_name_that_is_a_word_of_the_game_is_not_the_name_of_the_seat(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "nobody")
    unnamed = Person()
    assert choose_seating(unnamed, config.load_config()).name == "Player"
    assert refused_login_name(unnamed, config.load_config()) == "nobody"
    assert refused_login_name(Person("Rex"), config.load_config()) is None
    put(file, 'name = "Ana"')
    assert refused_login_name(unnamed, config.load_config()) is None
    put(file, "")
    monkeypatch.setattr("getpass.getuser", lambda: "ana")
    assert refused_login_name(unnamed, config.load_config()) is None
