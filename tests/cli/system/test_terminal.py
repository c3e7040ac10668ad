"""What a terminal can show, as far as its variables tell."""

import pytest

from kotp2p.cli.system.options import Symbols
from kotp2p.cli.system.terminal import choose_symbols, has_true_colour


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


def test_a_terminal_says_whether_it_has_all_colours() -> None:
    assert has_true_colour({"COLORTERM": "truecolor"})
    assert not has_true_colour({"COLORTERM": "yes"})
    assert not has_true_colour({})
