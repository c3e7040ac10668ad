"""`--install-completion` and `--show-completion`: typer's own, whose troubles are told in words of
this program.

Scope: what typer says is held back until it is known whether it has worked.
Not here: what is completed (`cli.commands.completion`).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import typer

from cli.system.exit_codes import Exit
from cli.system.output import Output
from cli.text.i18n import _
from cli.text.own_command import typeable

COMPLETION_FLAGS = frozenset({"--install-completion", "--show-completion"})


@contextmanager
def explained_trouble(words: list[str]) -> Iterator[None]:
    """Around the reading of a command line: typer obeys these flags while it reads."""
    if COMPLETION_FLAGS.isdisjoint(words):
        yield
        return
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            yield
    except typer.Exit as ended:
        if ended.exit_code:
            _end_without_shell()
        _pass_on(said)
        raise
    except SystemExit:
        _pass_on(said)
        raise
    except OSError as fault:
        _end_without_file(fault)


def _pass_on(said: io.StringIO) -> None:
    sys.stdout.write(said.getvalue())
    sys.stdout.flush()


def _end_without_shell() -> None:
    Output.standard().note_line(
        _("kotp2p: There is completion for bash, zsh and fish only: type this in one of them.")
    )
    raise typer.Exit(Exit.USAGE) from None


def _end_without_file(fault: OSError) -> None:
    Output.standard().note_line(
        _("kotp2p: {file} cannot be written: {detail}. {command} prints the lines, to put them "
          "where your shell reads them.",
          command=typeable("kotp2p --show-completion"),
          file=fault.filename, detail=fault.strerror or fault)
    )  # fmt: skip
    raise typer.Exit(Exit.FILES) from None
