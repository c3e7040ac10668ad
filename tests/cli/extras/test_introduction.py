"""The first start asks for name and monster, once."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from kotp2p.cli.commands import settings
from kotp2p.cli.commands.person import Person
from kotp2p.cli.extras import introduction
from kotp2p.cli.extras.introduction import introduce
from kotp2p.cli.system.config import load_config
from kotp2p.cli.system.options import CommonFlags
from kotp2p.wire.names import MONSTERS
from tests.support.settings import write_settings


@pytest.fixture(autouse=True)
def _at_a_terminal(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", write_settings(data))
    monkeypatch.setenv("LOGNAME", "lena")
    monkeypatch.setattr(CommonFlags, "plain", True)
    monkeypatch.setattr(introduction, "is_terminal", lambda: True)


def type_lines(monkeypatch: pytest.MonkeyPatch, lines: Sequence[str]) -> list[str]:
    """Type the lines, then close the input; return the list of the questions that were asked."""
    left, asked = list(lines), []

    def ask(sentence: str) -> str:
        asked.append(sentence)
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr(introduction, "ask_line", ask)
    return asked


@pytest.mark.parametrize(
    ("lines", "name", "monster"),
    [
        (["Ana", "The King"], "Ana", "The King"),
        (["Ana", "5"], "Ana", "Kraken"),
        (["Ana", "peng"], "Ana", "Space Penguin"),
        (["", "8"], "lena", "Space Penguin"),
        (["you", "Ana", "9", "0", "cyber", "1"], "Ana", "Gigazaur"),
    ],
)
def test_name_and_monster_are_asked_once_and_kept(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], name: str, monster: str
) -> None:
    asked = type_lines(monkeypatch, lines)
    person = introduce(Person())
    assert (person.name, person.monster) == (name, monster)
    config = load_config()
    assert (config.text_of("name"), config.text_of("monster")) == (name, monster)
    assert len(asked) == len(lines)
    assert introduce(Person()) == Person()
    assert len(asked) == len(lines)


def test_enter_draws_a_monster(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = set()
    for _ in range(60):
        write_settings(data)
        type_lines(monkeypatch, ["Ana", ""])
        drawn.add(introduce(Person()).monster)
    assert len(drawn) > 3
    assert drawn <= set(MONSTERS)


def test_the_names_of_the_monsters_stand_there_in_plain_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines(monkeypatch, ["Ana", "1"])
    introduce(Person())
    said = capsys.readouterr().out.replace("\n", " ")
    assert all(f"{n} {monster}" in said for n, monster in enumerate(MONSTERS, 1))


@pytest.mark.parametrize(
    "person", [Person(name="Ana"), Person(bot="easy"), Person(as_json=True)], ids=str
)
def test_who_has_given_a_name_is_not_asked(monkeypatch: pytest.MonkeyPatch, person: Person) -> None:
    asked = type_lines(monkeypatch, [])
    assert introduce(person) == person
    assert asked == []


def test_who_closes_the_input_plays_under_the_login_name(monkeypatch: pytest.MonkeyPatch) -> None:
    type_lines(monkeypatch, ["Ana"])
    assert introduce(Person()) == Person()
    assert load_config().text_of("name") is None


def test_without_settings_nobody_is_asked_as_nothing_could_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", os.devnull)
    asked = type_lines(monkeypatch, [])
    assert introduce(Person()) == Person()
    assert asked == []


def test_the_device_that_stands_for_no_settings_is_never_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def replace_file(path: Path, parts: list[bytes]) -> None:
        raise AssertionError(path, parts)

    monkeypatch.setattr(settings, "write_whole", replace_file)
    monkeypatch.setenv("KOTP2P_CONFIG", os.devnull)
    assert not settings.keep_settings({"name": "Ana"})
