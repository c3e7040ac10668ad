"""`kotp2p watch`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.watch`).
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.commands.completion import complete_address
from cli.commands.option_groups import CommonFlags, LookFlags, with_option_groups
from cli.system.flag_values import choice
from cli.system.help_layout import FILES, TABLE
from cli.text.i18n import N_


class Beginning(StrEnum):
    NOW = "now"
    START = "start"


Address = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ADDRESS[:PORT]|LINK|WORDS",
        autocompletion=complete_address,
        help=N_("Where the table is, or the invitation. [default: the one on this network]"),
    ),
]
From = Annotated[
    Beginning,
    choice(
        Beginning,
        "--from",
        rich_help_panel=TABLE,
        help=N_("See what happens from now on, or all of it."),
    ),
]
LogFile = Annotated[
    Path | None,
    typer.Option(
        "--log",
        metavar="FILE",
        rich_help_panel=FILES,
        help=N_("Write the log of the game there; verify checks it. [default: keep none]"),
    ),
]


@with_option_groups
def watch(
    *,
    address: Address = None,
    beginning: From = Beginning.NOW,
    log: LogFile = None,
    look: LookFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.watch import WatchRequest, watch_table

    request = WatchRequest(" ".join(address or []), beginning is Beginning.START, log)
    raise typer.Exit(watch_table(request))
