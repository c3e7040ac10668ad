"""Whether somebody wants plain lines, as far as the start screen needs to know.

Scope: the flag, the variables, and one key of the settings file, read with the standard library, as
the module of all settings knows the game (`cli.system.config`). What is not understood there is no
wish here; the command that is chosen then refuses it.
"""

from __future__ import annotations

import os
import tomllib

from kotp2p.cli.system.folders import config_file
from kotp2p.cli.system.options import CommonFlags

PLAIN_VARIABLE = "KOTP2P_PLAIN"
ACCESSIBLE_VARIABLE = "ACCESSIBLE"
"""Other programs heed it as well."""
ON = {"1": True, "true": True, "0": False, "false": False}


def is_plain_wanted() -> bool:
    if CommonFlags.plain or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return True
    word = os.environ.get(PLAIN_VARIABLE, "").lower()
    if word:
        return ON.get(word, False)
    if os.environ.get(ACCESSIBLE_VARIABLE):
        return True
    try:
        return tomllib.loads(config_file().read_text("utf-8")).get("plain") is True
    except (OSError, ValueError, RecursionError):
        return False
