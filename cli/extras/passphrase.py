"""A passphrase for a file: from the terminal without an echo, or from a pipe.

It never comes from the command line, where other users could read it.

Not here: what is encrypted (`kotp2p.lobby.identity_file`).
"""

from __future__ import annotations

import getpass
import sys
import warnings

from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui.stdin import read_one_line

LEAST_LETTERS = 8
MAX_TRIES = 3


class NoPassphrase(Exception):
    """The message says why there is none, and what would do."""


def choose_passphrase() -> str:
    """Ask for a new one; at a terminal it is typed twice. Raises NoPassphrase."""
    if not sys.stdin.isatty():
        return _long_enough(_read_from_pipe())
    for _attempt in range(MAX_TRIES):
        typed = _long_enough(_ask(_("A passphrase for the file:")))
        if _ask(_("The same once more:")) == typed:
            return typed
        sys.stderr.write(_("The two differ.") + "\n")
    raise NoPassphrase(_("Nothing was written, as the two differed each time."))


def ask_passphrase() -> str:
    """Ask for that of a file that is there. Raises NoPassphrase."""
    return _ask(_("The passphrase of the file:")) if sys.stdin.isatty() else _read_from_pipe()


def _long_enough(passphrase: str) -> str:
    if len(passphrase) < LEAST_LETTERS:
        raise NoPassphrase(
            _("A passphrase has at least {n} letters; several words are easy to keep in mind.",
              n=LEAST_LETTERS)
        )  # fmt: skip
    return passphrase


def _read_from_pipe() -> str:
    """Return the first line. Raises NoPassphrase."""
    try:
        line = read_one_line(0)
    except (OSError, UnicodeDecodeError):
        line = ""
    if not line:
        raise _needed()
    return line


def _needed() -> NoPassphrase:
    return NoPassphrase(_("A passphrase is typed at a terminal, or is the first line of a pipe."))


def _ask(sentence: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(f"{sentence} ")
        except (getpass.GetPassWarning, EOFError):  # what is typed would be seen, or nothing comes
            raise _needed() from None
