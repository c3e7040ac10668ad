"""`kotp2p help`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.help`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import complete_help
from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.text.i18n import N_


@with_option_groups
def show_help(
    *,
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND|TOPIC",
            autocompletion=complete_help,
            help=N_("What to explain. [default: list what there is]"),
        ),
    ] = None,
    common: CommonFlags,
) -> None:
    from cli.commands import help

    raise typer.Exit(help.show_help(words or [], context.find_root()))
