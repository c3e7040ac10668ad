"""The name of the user, taken out of a text that may be sent to somebody else.

Scope: the home folder becomes `~`, and the login name, where it is a part of another path, dots.
"""

from __future__ import annotations

import getpass
import re
from pathlib import Path

HIDDEN = "..."


def hide_user(text: str) -> str:
    login = _login()
    for home in _homes():
        text = re.sub(rf"{re.escape(home)}(?![\w-]|\.\w)", "~", text)
    if login:
        text = re.sub(rf"(?<=[/\\]){re.escape(login)}(?![\w-]|\.\w)", HIDDEN, text)
    return text


def _homes() -> list[str]:
    """The home folder under all its names, the longest first."""
    try:
        home = Path.home()
        found = {str(home), str(home.resolve())}
    except (RuntimeError, OSError):  # neither HOME nor an entry for this user
        return []
    return sorted((one for one in found if len(one) > 1), key=len, reverse=True)


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
