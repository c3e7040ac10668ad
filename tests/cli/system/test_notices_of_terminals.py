"""Which terminal is asked for a notice, and how."""

import pytest

from kotp2p.cli.system.terminal import notice_sequence


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
