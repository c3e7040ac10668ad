"""The log of `--debug FILE`: what links, line-ups and the loop of a table do.

Scope: the file, its bounds, and its first lines. It may be sent to a stranger, so nothing in it is
secret and players are P1 to P6: each line is made of values that the program has chosen.
Not here: the lines (`kotp2p.net.connections`, `kotp2p.shell.debug_lines`), and the report that
quotes the last of them (`cli.extras.doctor`).
"""

from __future__ import annotations

import os
from pathlib import Path

import typer

from kotp2p.cli.system.options import VERSION, CommonFlags
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.program_words import describe_system_error

LOGGER = "kotp2p"
MAX_FILE_BYTES = 1_000_000
"""With the file before it, whose name ends in .1, there are never more than two such files."""
FORM = "%(asctime)s.%(msecs)03d %(name)s %(message)s"
TIME_FORM = "%Y-%m-%d %H:%M:%S"


def start_debug_log(path: Path | None) -> None:
    """Append to this file from now on. The lines of earlier runs stay, as far as there is room."""
    if path is None:
        return
    import logging
    import platform
    from logging.handlers import RotatingFileHandler

    if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
        raise typer.BadParameter(_("{file} is no ordinary file.", file=path))
    try:
        handler = RotatingFileHandler(
            path, maxBytes=MAX_FILE_BYTES, backupCount=1, encoding="utf-8"
        )
        path.chmod(0o600)
    except OSError as fault:
        raise typer.BadParameter(
            _("{file} cannot be written: {detail}.", file=path,
              detail=describe_system_error(fault.errno, writing=True))
        ) from None  # fmt: skip
    logging.raiseExceptions = False  # a disk that fills up must not end a game
    handler.setFormatter(logging.Formatter(FORM, TIME_FORM))
    logger = logging.getLogger(LOGGER)
    for earlier in logger.handlers[:]:
        logger.removeHandler(earlier)
        earlier.close()
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    CommonFlags.debug = path
    logger.info(
        "this is version %s on Python %s, %s",
        VERSION,
        platform.python_version(),
        platform.platform(),
    )
