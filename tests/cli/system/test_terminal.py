"""What the terminal can show, and what it says when it is asked."""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from kotp2p.cli.commands import one_game
from kotp2p.cli.system.config import Config, Setting
from kotp2p.cli.system.options import Shade, Symbols
from kotp2p.cli.system.terminal import (
    QUESTIONS,
    ask_background,
    can_be_asked,
    choose_symbols,
    has_true_colour,
    notice_sequence,
    shade_in,
)


@pytest.mark.parametrize(
    ("encoding", "term", "found"),
    [
        ("utf-8", "xterm-256color", Symbols.UNICODE),
        ("UTF8", "tmux", Symbols.UNICODE),
        ("utf-8", "linux", Symbols.ASCII),  # its font has 512 signs at most
        ("ascii", "xterm-256color", Symbols.ASCII),
        ("latin-1", "xterm-256color", Symbols.ASCII),
    ],
)
def test_unicode_is_drawn_where_a_terminal_has_it(encoding: str, term: str, found: Symbols) -> None:
    assert choose_symbols(Symbols.AUTO, encoding, {"TERM": term}) is found
    assert choose_symbols(Symbols.AUTO, encoding, {"TERM": term, "LC_ALL": "C"}) is Symbols.ASCII
    assert choose_symbols(Symbols.ASCII, encoding, {"TERM": term}) is Symbols.ASCII
    assert choose_symbols(Symbols.EMOJI, encoding, {"TERM": term}) is Symbols.EMOJI


def test_a_terminal_says_whether_it_has_all_colours() -> None:
    assert has_true_colour({"COLORTERM": "truecolor"})
    assert not has_true_colour({"COLORTERM": "yes"})
    assert not has_true_colour({})


# -- notices ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "sequence"),
    [
        ({"TERM": "xterm-kitty"}, "\x1b]99;;Your turn\x1b\\"),
        ({"TERM_PROGRAM": "iTerm.app", "TERM": "xterm-256color"}, "\x1b]9;Your turn\x07"),
        ({"TERM_PROGRAM": "WezTerm"}, "\x1b]9;Your turn\x07"),
        ({"TERM": "foot"}, "\x1b]777;notify;kotp2p;Your turn\x1b\\"),
        ({"VTE_VERSION": "7600"}, "\x1b]777;notify;kotp2p;Your turn\x1b\\"),
        ({"TERM": "xterm-256color"}, ""),
        ({"TERM": "xterm-256color", "VTE_VERSION": ""}, ""),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x", "VTE_VERSION": "7600"}, ""),
        ({}, ""),
    ],
)
def test_a_notice_is_asked_for_by_terminal(environment: dict[str, str], sequence: str) -> None:
    assert notice_sequence("Your turn", environment) == sequence


# -- the background, which the terminal is asked for --------------------------------------


termios = pytest.importorskip("termios")
XTERM = {"TERM": "xterm-256color"}
WHAT_IT_IS = b"\x1b[?62;22c"
PATIENCE = 60.0
"""Seconds until a test that waits for an answer has failed."""


@dataclass
class Pty:
    terminal: int
    """The end of the terminal itself."""
    program: int

    def answer(self, *answers: bytes) -> threading.Thread:
        """Answers as soon as both questions have come."""

        def run() -> None:
            asked = b""
            while not asked.endswith(QUESTIONS):
                asked += os.read(self.terminal, 1024)
            for one in answers:
                os.write(self.terminal, one)

        thread = threading.Thread(target=run)
        thread.start()
        return thread


@pytest.fixture
def pty() -> Iterator[Pty]:
    terminal, program = os.openpty()
    yield Pty(terminal, program)
    os.close(terminal)
    os.close(program)


@pytest.mark.parametrize(
    ("answers", "shade"),
    [
        ((b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", WHAT_IT_IS), Shade.DARK),
        ((b"\x1b]11;rgb:fdfd/f6f6/e3e3\x07", WHAT_IT_IS), Shade.LIGHT),
        ((b"3\x1b]11;rgb:ff", b"ff/ffff/ffff\x1b\\x", b"\x1b[?1;2", b"c"), Shade.LIGHT),
        ((WHAT_IT_IS,), None),
    ],
)
def test_the_terminal_answers(pty: Pty, answers: tuple[bytes, ...], shade: Shade | None) -> None:
    before = termios.tcgetattr(pty.program)
    answering = pty.answer(*answers)
    assert ask_background(pty.program, pty.program, XTERM, PATIENCE) is shade
    answering.join()
    assert termios.tcgetattr(pty.program) == before


def test_a_silent_terminal_is_left_as_it_was(pty: Pty) -> None:
    before = termios.tcgetattr(pty.program)
    assert ask_background(pty.program, pty.program, XTERM, 0) is None
    assert termios.tcgetattr(pty.program) == before


def test_what_is_no_terminal_is_not_asked() -> None:
    reading, writing = os.pipe()
    try:
        assert ask_background(reading, writing, XTERM, 0) is None
        os.set_blocking(reading, False)
        with pytest.raises(BlockingIOError):
            os.read(reading, 1)
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("environment", "is_asked"),
    [
        (XTERM, True),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"}, True),
        ({"TERM": "screen", "TMUX": "/tmp/t,1,0"}, True),
        ({"TERM": "screen.xterm-256color"}, False),
        ({"TERM": "xterm", "STY": "1234.pts-0"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "linux"}, False),
        ({}, False),
        ({"TERM": "xterm", "INSIDE_EMACS": "29.1"}, False),
    ],
)
def test_a_terminal_that_would_print_the_question_is_not_asked(
    environment: dict[str, str], *, is_asked: bool
) -> None:
    assert can_be_asked(environment) is is_asked


@pytest.mark.parametrize(
    ("answer", "shade"),
    [
        (b"\x1b]11;rgb:0/0/0\x07", Shade.DARK),
        (b"\x1b]11;rgb:f/f/f\x07", Shade.LIGHT),
        (b"\x1b]11;rgb:00/2b/36\x07", Shade.DARK),
        (b"\x1b]11;rgba:ffff/ffff/ffff/8000\x07", Shade.LIGHT),
        (b"\x1b]11;#300a24\x07", Shade.DARK),
        (b"\x1b]11;rgb:12/34\x07", None),
        (b"\x1b]11;rgb://\x07", None),
        (b"\x1b]10;rgb:ff/ff/ff\x07", None),
        (b"", None),
    ],
)
def test_a_colour_is_light_or_dark(answer: bytes, shade: Shade | None) -> None:
    assert shade_in(answer) is shade


@pytest.mark.parametrize(
    ("wanted", "answer", "shade"),
    [
        ("auto", Shade.LIGHT, Shade.LIGHT), ("auto", None, Shade.ANY),
        ("dark", Shade.LIGHT, Shade.DARK),
    ],
)  # fmt: skip
def test_what_is_set_comes_before_the_answer(
    wanted: str, answer: Shade | None, shade: Shade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_game, "ask_background", lambda *_given: answer)
    values = {"palette": "default", "background": wanted}
    settings = {name: Setting(value, "") for name, value in values.items()}
    assert one_game.find_shade(Config(settings)) is shade
