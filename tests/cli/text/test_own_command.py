"""Printed commands can be typed where the program was started."""

import re

import pytest

from kotp2p.cli.text.endings import describe_ending
from kotp2p.cli.text.i18n import typeable, use_program
from kotp2p.cli.text.notices import describe_missing
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import Missing
from tests.support.command_line import run
from tests.support.local_game import new_view

PATH = ".venv/bin/kotp2p"


@pytest.fixture(autouse=True)
def without_activation() -> None:
    """The shell does not find the bare word."""
    use_program(PATH)


def test_commands_of_this_program_begin_with_its_path_and_others_are_left_alone() -> None:
    assert typeable("kotp2p verify a.log") == f"{PATH} verify a.log"
    assert typeable("sudo ufw allow 4242") == "sudo ufw allow 4242"


@pytest.mark.parametrize(
    ("kind", "commands"),
    [
        (EndKind.NO_GAME, ["host", "solo"]), (EndKind.ELSEWHERE, ["resume"]),
        (EndKind.ADJOURNED, ["resume"]),
        (EndKind.CLOSED, ["host"]),
        (EndKind.STARTED, ["watch kitchen", "resume --peer kitchen"]),
        (EndKind.NOT_INVITED, ["join LINK"]),
    ],
)  # fmt: skip
def test_after_an_end_readers_can_type_what_they_read(kind: EndKind, commands: list[str]) -> None:
    text = " ".join(describe_ending(Ending(kind, view=new_view()), "kitchen", 4242))
    for command in commands:
        assert f"{PATH} {command}" in text
    assert not re.search(r"(:|or) kotp2p", text)


def test_what_others_type_is_told_bare_as_it_is_their_shell() -> None:
    view = new_view()
    told = describe_missing(Missing((1,)), view)
    assert "They come back by typing: kotp2p resume" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rules",), f"{PATH} rules rulings"),
        (("rules", "tokyo"), f"{PATH} rules 3."),
        (("cards", "zzz"), f"All cards: {PATH} cards"),
        (("help", "jion"), f"{PATH} help join"),
        (("hots",), f"{PATH} host"),
        (("host", "--zzz"), f"{PATH} help host"),
        (("help",), f"{PATH} help host"),
    ],
)
def test_after_a_command_readers_can_type_what_they_read(words: tuple[str, ...], told: str) -> None:
    _code, out, err = run(*words)
    assert told in " ".join((out + err).split())
