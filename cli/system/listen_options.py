"""The flags that say where a process listens, and from where it can be reached."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.system.flag_values import parse_number
from cli.system.help_layout import NETWORK
from cli.text.i18n import N_

Bind = Annotated[
    str | None,
    typer.Option(
        "--bind",
        rich_help_panel=NETWORK,
        metavar="ADDR",
        help=N_("Listen on this address only. [default: all, IPv4 and IPv6]"),
    ),
]
GuestBind = Annotated[
    str | None,
    typer.Option(
        "--bind",
        rich_help_panel=NETWORK,
        metavar="ADDR",
        help=N_("Listen on this address only. [default: the one that reaches the host]"),
    ),
]
GuestPort = Annotated[
    int | None,
    typer.Option(
        "--port",
        parser=parse_number(0, 65_535),
        metavar="PORT",
        rich_help_panel=NETWORK,
        help=N_("Listen here for the other guests. [default: any that is free]"),
    ),
]
HostPort = Annotated[
    int,
    typer.Option(
        "--port",
        parser=parse_number(0, 65_535),
        metavar="PORT",
        rich_help_panel=NETWORK,
        help=N_("Listen here; if taken, on the next free one. 0 picks any."),
    ),
]
