"""A passphrase for a file: from the terminal without an echo, or from a file, never from the
command line, where other users could read it.

Not here: what is encrypted (`kotp2p.lobby.identity_file`).
"""

from __future__ import annotations

import getpass
import sys
import warnings
from pathlib import Path

from cli.text.i18n import _
from cli.ui.stdin import read_one_line

LEAST_LETTERS = 8
MAX_TRIES = 3
MAX_PASSPHRASE_BYTES = 1024
FROM_STDIN = Path("-")


class NoPassphrase(Exception):
    """The message says why there is none, and what would do."""


def choose_passphrase(file: Path | None) -> str:
    """A new one; at a terminal it is typed twice. Raises NoPassphrase."""
    if file is not None:
        return _long_enough(_read_passphrase(file))
    for _attempt in range(MAX_TRIES):
        typed = _long_enough(_ask(_("A passphrase for the file:")))
        if _ask(_("The same once more:")) == typed:
            return typed
        sys.stderr.write(_("The two differ.") + "\n")
    raise NoPassphrase(_("Nothing was written, as the two differed each time."))


def ask_passphrase(file: Path | None) -> str:
    """That of a file that is there. Raises NoPassphrase."""
    return _ask(_("The passphrase of the file:")) if file is None else _read_passphrase(file)


def _long_enough(passphrase: str) -> str:
    if len(passphrase) < LEAST_LETTERS:
        raise NoPassphrase(
            _("A passphrase has at least {n} letters; several words are easy to keep in mind.",
              n=LEAST_LETTERS)
        )  # fmt: skip
    return passphrase


def _read_passphrase(file: Path) -> str:
    """The first line, also of a pipe."""
    try:
        if file == FROM_STDIN:
            return read_one_line(0)
        with file.open("rb") as opened:
            line = opened.read(MAX_PASSPHRASE_BYTES).split(b"\n")[0]
        return line.decode().removesuffix("\r")
    except (OSError, UnicodeDecodeError) as fault:
        detail = getattr(fault, "strerror", None) or fault
        raise NoPassphrase(
            _("{file} cannot be read: {detail}.", file=file, detail=detail)
        ) from None


def _ask(sentence: str) -> str:
    needed = NoPassphrase(
        _("A passphrase is typed at a terminal, or comes from a file: --passphrase-file FILE")
    )
    if not sys.stdin.isatty():
        raise needed
    with warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(f"{sentence} ")
        except (getpass.GetPassWarning, EOFError):  # what is typed would be seen, or nothing comes
            raise needed from None
