"""Help, flags and slips of the command line."""

import re
from functools import partial
from importlib import import_module
from inspect import signature

import pytest

from kotp2p.cli.command_table import COMMANDS as TABLE
from kotp2p.cli.system.command_line import CommandEntry
from tests.support.command_line import run as run_command

run = partial(run_command, env={"COLUMNS": "80", "TERM": "dumb"})

COMMANDS = ("host", "join", "resume", "solo", "watch", "verify", "replay", "export", "explain",
            "games", "cards", "rules", "identity", "config", "doctor", "help")  # fmt: skip
MOST_OPTIONS = 45
OF_LATER = {"--people", "--no-code"}
"""They count already."""


def test_without_a_command_it_shows_what_there_is() -> None:
    """UX check 1."""
    code, out, err = run()
    assert (code, err) == (0, "")
    assert len(out.splitlines()) <= 24
    assert out == run("-h")[1]
    assert re.findall(r"^  (?!kotp2p)([a-z]+)  +\S", out, re.MULTILINE) == list(COMMANDS)
    assert len(re.findall(r"^  kotp2p ", out, re.MULTILINE)) == 3


@pytest.mark.parametrize("args", [[c, f] for c in COMMANDS for f in ("-h", "--help-all")])
def test_help_is_plain_narrow_and_has_an_example(args: list[str]) -> None:
    """UX check 1."""
    code, out, err = run(*args)
    assert (code, err) == (0, "")
    assert all(len(line) <= 80 for line in out.splitlines())
    assert out.isascii()
    assert "\x1b" not in out
    assert "Example" in out


@pytest.mark.parametrize(("words", "rows"), [((), 24), (("host",), 40), (("join",), 40)])
def test_help_fits(words: tuple[str, ...], rows: int) -> None:
    out = run(*words, "-h")[1].splitlines()
    assert len(out) <= rows
    assert max(map(len, out)) <= 80


def options_of(entry: CommandEntry) -> set[str]:
    words = {word for flag in entry.flags if flag.is_option for word in re.split("[ /]", flag.name)}
    return {word for word in words if word.startswith("--")}


def test_there_are_sixteen_commands_and_at_most_forty_five_options() -> None:
    assert tuple(entry.name for entry in TABLE) == COMMANDS
    found = {"--help"}.union(*map(options_of, TABLE))
    assert len(found | OF_LATER) <= MOST_OPTIONS, sorted(found)


def test_a_command_runs_a_function_that_takes_its_flags() -> None:
    """A row names them, so mypy does not see whether they fit."""
    for entry in TABLE:
        module, _colon, name = entry.run.partition(":")
        given = {flag.to: None for flag in entry.flags if not flag.is_kept}
        if entry.needs_program:
            given["root"] = None
        signature(getattr(import_module(module), name)).bind(**given)


def test_help_all_shows_every_flag_and_help_the_usual_ones() -> None:
    usual, everything = run("host", "-h")[1], run("host", "--help-all")[1]
    (host,) = [entry for entry in TABLE if entry.name == "host"]
    assert all(f"  {flag}" in everything for flag in options_of(host))
    assert "--players" in usual
    assert "--turn-time" not in usual


def test_every_flag_of_a_command_shows_its_default() -> None:
    switches = {
        "--start-when-full", "--no-code", "--no-lan", "--invite-only", "--accept-new-keys",
        "--json", "--plain", "--no-color", "--version", "--report", "--no-coach", "--list",
        "--html", "--watchers-chat", "--fast", "--help-all",
    }  # fmt: skip
    for command in COMMANDS:
        _code, out, _err = run(command, "--help-all")
        for entry in re.split(r"\n  (?=-)", out)[1:]:
            flag = entry.split()[0].rstrip(",")
            if flag not in {*switches, "-h"}:
                assert "default:" in " ".join(entry.split()), f"{command} {flag}"


def test_the_flags_of_a_command_stand_under_headings() -> None:
    _code, out, _err = run("host", "--help-all")
    headings = re.findall(r"^(\S.*):$", out, re.MULTILINE)
    assert headings == [
        "The table", "The rules of the game", "You at the table", "Network and invitations",
        "What you see and hear", "Files and output", "General",
    ]  # fmt: skip
    assert out.index("  --players") < out.index("The rules of the game:") < out.index("  --rules")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_speaks_no_python(command: str) -> None:
    assert not re.search(r"list\[|<\w+>|\]\]|<=x|Path\b|\bNone\b", run(command, "-h").out)


@pytest.mark.parametrize("flag", ["--version"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_version_before_and_after_the_command(command: str, flag: str) -> None:
    for args in ([flag, command], [command, flag]):
        assert run(*filter(None, args)).printed().startswith("kotp2p ")


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["solo", "--bot", "3"], "easy, normal or hard"),
        (["solo", "--bots", "normal"], "0 to 5"),
        (["host", "--bot", "expert"], "easy, normal or hard"),
        (["host", "--bots", "6"], "0 to 5"),
        (["host", "--bots", "-1"], "0 to 5"),
        (["host", "--players", "7"], "--players: 7 is not a number from 2 to 6."),
        (["host", "--port", "65536"], "--port: 65536 is not a number from 0 to 65535."),
        (["host", "--prot", "1"], "--port"),
        (["jion"], "join"),
        (["join", "127.0.0.1"], "--bot normal"),
        (["join", "1.2.3.4:x"], "1 to 65535"),
        (["solo", "--rules", "third"], "third is not classic, second or dark."),
        (["host", "--turn-time", "99999"], "from 1 to 86400, nor none."),
        (
            ["host", "--option", "chess"],
            "chess is not two-player, no-two-player or bay-for-beginners.",
        ),
        (["solo", "--bots", "0", "--bot", "easy"], "--bots 1"),
        (["solo", "--bot", "easy", "--monster", "Godzilla"], "Space Penguin"),
        (["solo", "--bot", "easy", "--name", " "], "--name Ana"),
        (["host", "--bot", "easy", "--players", "3", "--bots", "3"], "--players"),
    ],
)
def test_slips_are_named_with_what_to_type(args: list[str], named: str) -> None:
    """UX check 2."""
    err = run(*args).refused()
    assert named in " ".join(err.split())
    assert "Traceback" not in err
