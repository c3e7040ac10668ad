"""Where this program is, as its shell would have to be told.

Scope: the bare word where the shell finds it; otherwise, as after an installation into a folder
`.venv` that is not activated, the shorter of the two paths.
Not here: what is printed with it (`cli.text.own_command`).
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from kotp2p.cli.text.own_command import PROGRAM


def find_program() -> str:
    started = Path(sys.argv[0] if sys.argv else "")
    if started.stem != PROGRAM or len(started.parts) < 2 or shutil.which(PROGRAM) is not None:
        return PROGRAM
    try:
        path = min(os.path.abspath(started), os.path.relpath(started), key=len)
    except (OSError, ValueError):  # the folder is gone, or another drive of Windows
        return PROGRAM
    return shlex.quote(path)
