"""What a terminal can show, as far as its variables tell."""

from __future__ import annotations

import pytest

from kotp2p.cli.system.options import Background, Shade, Symbols
from kotp2p.cli.system.terminal import choose_symbols, has_true_colour, tell_shade


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
def test_unicode_is_drawn_where_the_terminal_has_it(
    encoding: str, term: str, found: Symbols
) -> None:
    assert choose_symbols(Symbols.AUTO, encoding, {"TERM": term}) is found
    assert choose_symbols(Symbols.ASCII, encoding, {"TERM": term}) is Symbols.ASCII
    assert choose_symbols(Symbols.EMOJI, encoding, {"TERM": term}) is Symbols.EMOJI


@pytest.mark.parametrize(
    ("said", "shade"),
    [
        ("15;0", Shade.DARK),
        ("0;15", Shade.LIGHT),
        ("0;7", Shade.LIGHT),
        ("12;8", Shade.DARK),
        ("0;default;15", Shade.LIGHT),
        ("15;default", Shade.ANY),
        ("15;99", Shade.ANY),
        ("\u06f7", Shade.ANY),
        ("", Shade.ANY),
    ],
)
def test_light_or_dark_is_taken_from_the_terminal(said: str, shade: Shade) -> None:
    assert tell_shade(Background.AUTO, {"COLORFGBG": said}) is shade
    assert tell_shade(Background.LIGHT, {"COLORFGBG": said}) is Shade.LIGHT
    assert tell_shade(Background.DARK, {"COLORFGBG": said}) is Shade.DARK


def test_a_terminal_says_whether_it_has_all_colours() -> None:
    assert has_true_colour({"COLORTERM": "truecolor"})
    assert not has_true_colour({"COLORTERM": "yes"})
    assert not has_true_colour({})
