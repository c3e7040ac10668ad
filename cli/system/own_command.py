"""How a command of this program is typed in the shell from which it was started.

Scope: the printed `kotp2p` becomes the path of the program where the shell would not find the bare
word, as after an installation into a folder `.venv` that is not activated.
Not here: what is printed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

PROGRAM = "kotp2p"


def typeable(command: str) -> str:
    """The command, which begins with `kotp2p`, as it can be typed here."""
    program, space, rest = command.partition(" ")
    return f"{_program()}{space}{rest}" if program == PROGRAM else command


def _program() -> str:
    started = Path(sys.argv[0] if sys.argv else "")
    if started.stem != PROGRAM or len(started.parts) < 2 or shutil.which(PROGRAM) is not None:
        return PROGRAM
    try:
        path = min(os.path.abspath(started), os.path.relpath(started), key=len)
    except (OSError, ValueError):  # the folder is gone, or another drive of Windows
        return PROGRAM
    return shlex.quote(path)
