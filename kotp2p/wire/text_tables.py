"""The tables of text that belong to the program: lists of words and of characters.

Scope: reading them from the folder of the package.
Not here: what stands in them, which the modules that use them know.
"""

from __future__ import annotations

from pathlib import Path

import kotp2p


def read_table(name: str) -> str:
    """All of `kotp2p/NAME.txt`.

    `importlib.resources` could do it too. It would also read packages that are archives, and so
    imports much more than a command needs that checks one log.
    """
    assert kotp2p.__file__ is not None, "a package of files"
    return Path(kotp2p.__file__).with_name(f"{name}.txt").read_text("ascii")
