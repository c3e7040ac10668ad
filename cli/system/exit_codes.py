"""The exit codes of all commands.

Not here: which one the ending of a game stands for (`cli.system.ending_codes`). Commands that play
nothing need the codes alone.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    DONE = 0
    BUG = 1
    USAGE = 2
    UNREACHABLE = 3
    """Nobody answers, or it is no table; doctor: something stands in the way."""
    TURNED_AWAY = 4
    """The table said no."""
    STOPPED = 5
    """The game stopped before its end."""
    WRONG = 6
    """verify: the log is wrong."""
    UNFINISHED = 7
    """verify: sound, and ends early."""
    NOTHING_FOUND = 8
    FILES = 9
