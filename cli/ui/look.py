"""How the game is shown: the page of appearance, with the speed on its first line.

Scope: the word `look`, and the lines of its page. The speed can be changed while one plays; the
other settings are the shell's (`kotp2p config`), and hold from the next start.
Not here: the word `speed` (`pace_commands`), and the settings themselves (`cli.system.config`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.program_words import typeable
from kotp2p.cli.ui.pace_commands import SPEED_WORD, answer_speed
from kotp2p.cli.ui.presentation_queue import PresentationQueue

LOOK_WORD = "look"


def page_title() -> str:
    return _("What you see")


def look_lines(
    pace: PresentationQueue[Any], appearance: Sequence[str], *, can_type: bool
) -> list[str]:
    """`appearance`: the settings of this start, one a line."""
    lines = answer_speed(SPEED_WORD, pace, can_type=can_type) or []
    if not appearance:
        return lines
    command = typeable("kotp2p config set palette okabe-ito")
    return [
        *lines,
        "",
        _("Your other settings. In your shell, {command} changes one.", command=command),
        *appearance,
    ]
