"""`kotp2p find`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.find`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.help_layout import FILES
from cli.system.options import Wait
from cli.text.i18n import N_


@with_option_groups
def find(
    *,
    wait: Wait = 3,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", rich_help_panel=FILES, help=N_("Print one JSON array, one object per table.")
        ),
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.find import find_tables

    raise typer.Exit(find_tables(wait, as_json))
