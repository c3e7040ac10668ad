"""No text names a command, flag, value, key or variable that does not exist."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kotp2p.cli.system.folders import CATALOGUES_VARIABLE, CONFIG_VARIABLE, DATA_VARIABLE
from kotp2p.cli.ui.screen.controls import DrawnTable, bind_keys
from kotp2p.net.lan import INTERFACES_VARIABLE
from tests.support import command_texts
from tests.support.command_line import run
from tests.support.paths import PACKAGES, ROOT, folder_of, modules_of, place_of

VARIABLES = {
    CATALOGUES_VARIABLE, CONFIG_VARIABLE, DATA_VARIABLE, INTERFACES_VARIABLE,
    "KOTP2P_PLAIN", "KOTP2P_LANG",
}  # fmt: skip


def code_of(document: str) -> Iterator[str]:
    for block in re.findall(r"^```[^\n]*\n(.*?)^```", document, re.DOTALL | re.MULTILINE):
        yield from block.splitlines()
    yield from re.findall(r"^    (\S.*)", document, re.MULTILINE)
    for span in re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", document, flags=re.S | re.M)):
        yield re.sub(r"\s+", " ", span)


def files() -> Iterator[Path]:
    yield from modules_of(*PACKAGES)
    for pattern in ("*.md", "docs/*.md", "docs/adr/*.md", "tests/*.md"):
        yield from sorted(ROOT.glob(pattern))
    yield from sorted(folder_of("cli").glob("*.md"))


FILES = {
    place_of(path): text
    for path in files()
    # a decision that holds no more is kept as it was, with the commands of its time
    if "## Status\n\nSuperseded" not in (text := path.read_text(encoding="utf-8"))
}
WORD = re.compile(r"kotp2p(?![.\w])")
"""The name of the program, as no import has it: only such files need to be read as code."""


@cache
def texts_of(name: str) -> tuple[str, ...]:
    """The messages of a module, or the code of a document."""
    read = command_texts.texts_of_module if name.endswith(".py") else code_of
    return tuple(read(FILES[name]))


def all_texts() -> dict[str, tuple[str, ...]]:
    return {name: texts_of(name) for name in FILES}


NAMING = sorted(
    name
    for name, source in FILES.items()
    if WORD.search(source) and any(command_texts.NAMED.search(text) for text in texts_of(name))
)


@pytest.mark.parametrize("name", NAMING)
def test_a_text_names_only_commands_that_exist(name: str) -> None:
    """Each explains itself with -h, which is answered only if all its flags are known."""
    for text in texts_of(name):
        for command in command_texts.commands_in(text):
            assert_is_taken(command)


def assert_is_taken(command: command_texts.NamedCommand) -> None:
    assert command_texts.is_read((*command.words, "-h")), command.words
    assert command_texts.is_read(command_texts.flags_with_values(command)), command.words


def test_many_texts_name_commands() -> None:
    found = command_texts.commands_in
    named = [c for texts in all_texts().values() for text in texts for c in found(text)]
    assert len(NAMING) > 20
    assert len(named) > 150
    for name, least in (("README.md", 10), ("docs/GUIDE.md", 20)):
        assert len({c.words for text in texts_of(name) for c in found(text)}) > least
    assert {"README.md", "docs/FORMATS.md", "cli/main.py", "cli/extras/help.py"} <= {*NAMING}


@pytest.mark.parametrize(
    "text", ["To see it: kotp2p verfy LOG", "kotp2p host --plyers 3", "kotp2p config set sped slow"]
)
def test_a_command_that_does_not_exist_is_noticed(text: str) -> None:
    with pytest.raises(command_texts.NotACommand):
        list(command_texts.commands_in(text))


@pytest.mark.parametrize(
    "text",
    ["kotp2p host --players 9", "kotp2p --speed quick host", "kotp2p watch --from then",
     "kotp2p cards --rules third"],
)  # fmt: skip
def test_a_value_that_is_refused_is_noticed(text: str) -> None:
    (command,) = command_texts.commands_in(text)
    with pytest.raises(AssertionError):
        assert_is_taken(command)


def test_the_words_of_rules_and_cards_that_texts_name_are_found() -> None:
    looked_up = {
        command.words
        for texts in all_texts().values()
        for text in texts
        for command in command_texts.commands_in(text)
        if command.words[0] in ("rules", "cards")
        and not any(map(command_texts.PLACEHOLDER.fullmatch, command.words))
    }
    assert len(looked_up) > 5
    for words in looked_up - {("cards",)}:
        assert run(*words)[0] == 0, words


def test_a_key_that_a_text_names_is_bound() -> None:
    from prompt_toolkit.buffer import Buffer

    class NoTable(DrawnTable):
        def __init__(self) -> None:
            """Nothing is pressed."""

    bound = {
        str(getattr(key, "value", key))
        for binding in bind_keys(NoTable(), Buffer()).bindings
        for key in binding.keys
    }
    texts = [text for name, texts in all_texts().items() if name[:4] == "cli/" for text in texts]
    texts.append((ROOT / "README.md").read_text(encoding="utf-8"))
    named = {f"f{number}" for text in texts for number in re.findall(r"\bF([1-9]\d?)\b", text)}
    assert len(named) > 5
    assert named <= bound


def test_a_variable_that_a_text_names_is_read() -> None:
    named = {
        variable
        for texts in all_texts().values()
        for text in texts
        for variable in re.findall(r"(?<!_)KOTP2P_[A-Z_]+", text)
    }
    assert len(named) > 5
    assert named - {"KOTP2P_"} <= VARIABLES
