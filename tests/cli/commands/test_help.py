"""`kotp2p help`: a command, a topic, or what there is; and that a topic tells the truth."""

import re
from functools import partial

import pytest

from kotp2p.cli.command_table import COMMANDS
from kotp2p.cli.extras.help import EXIT_CODES, TOPICS
from kotp2p.cli.system.languages import speak
from kotp2p.cli.system.output import Exit
from tests.support.command_line import run as run_command
from tests.support.paths import ROOT, modules_of

run = partial(run_command, env={"COLUMNS": "80", "TERM": "dumb"})

NAMES = ["accessibility", "environment", "exit-codes", "files", "network", "privacy"]


def test_help_lists_every_command_and_topic() -> None:
    code, out, err = run("help")
    assert (code, err) == (0, "")
    listed = re.findall(r"^  (\S+)  ", out, re.MULTILINE)
    assert listed == [*(entry.name for entry in COMMANDS), *NAMES]


def test_a_heading_has_the_colon_of_the_language() -> None:
    speak("fr")
    assert "\nLa table\N{NO-BREAK SPACE}:\n" in run("host", "-h").out


@pytest.mark.parametrize("command", ["host", "join", "config", "help"])
def test_help_of_a_command_is_what_the_command_says(command: str) -> None:
    assert run("help", command)[:2] == (0, run(command, "-h")[1])


@pytest.mark.parametrize("name", NAMES)
def test_a_topic_fits_into_eighty_columns(name: str) -> None:
    code, out, err = run("help", name)
    assert (code, err) == (0, "")
    assert out.startswith(f"{name}: ")
    assert all(len(line) <= 80 for line in out.splitlines())
    assert out.isascii()


def test_what_is_no_topic_is_said_with_what_comes_near() -> None:
    assert run("help", "exitcodes") == (
        8, "", "kotp2p: there is no help on exitcodes. Near to it: kotp2p help exit-codes\n"
    )  # fmt: skip
    err = run("help", "x", "y").refused(8)
    assert err.endswith("there is no help on x y. To list what there is: kotp2p help\n")


def test_every_exit_code_is_explained_as_in_the_document() -> None:
    assert list(EXIT_CODES) == list(Exit)
    formats = (ROOT / "docs" / "FORMATS.md").read_text(encoding="utf-8").replace("`", "")
    listed = formats.partition("## Exit codes")[2].partition("## ")[0]
    rows = dict(re.findall(r"^\| (\d) \| (.*) \|$", listed, re.MULTILINE))
    assert rows == {str(int(code)): meaning for code, meaning in EXIT_CODES.items()}


PLAYERS = {
    "NO_COLOR", "ACCESSIBLE", "KOTP2P_DATA", "KOTP2P_CONFIG", "KOTP2P_PLAIN", "KOTP2P_LANG",
}  # fmt: skip
TERMINALS = {"TERM", "COLORTERM"}
TESTS = {"KOTP2P_LAN_INTERFACES", "KOTP2P_CATALOGUES"}


def test_help_names_the_variables_for_players_and_none_for_the_tests() -> None:
    out = run("help", "environment")[1]
    named = set(re.findall(r"^  ([A-Z0-9_]+)  ", out, re.MULTILINE))
    assert named == PLAYERS | TERMINALS
    read = set()
    for path in modules_of("cli", "kotp2p"):
        text = path.read_text(encoding="utf-8")
        read |= set(re.findall(r'"(KOTP2P_[A-Z_]+|NO_COLOR|ACCESSIBLE)"', text))
    assert read == PLAYERS | TESTS


def test_the_folders_that_are_named_are_the_ones_of_the_document() -> None:
    out = run("help", "files")[1]
    formats = (ROOT / "docs" / "FORMATS.md").read_text(encoding="utf-8")
    listed = formats.partition("## Files")[2].partition("Only you")[0]
    assert "`logs/`" in listed
    for name in re.findall(r"`([a-z]+/[a-z/]*)`", listed):
        assert name in out, name
    assert [topic.name for topic in TOPICS] == NAMES
