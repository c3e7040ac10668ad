"""The flags of `kotp2p doctor`, apart from those of the games.

Not here: what it does (`cli.commands.doctor`), which is imported when it runs.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.flag_values import parse_number
from cli.text.i18n import N_


@with_option_groups
def doctor(
    *,
    terminal: Annotated[
        bool,
        typer.Option(
            "--terminal", help=N_("Look at the terminal: size, colours, symbols, direction, keys.")
        ),
    ] = False,
    data: Annotated[
        bool,
        typer.Option(
            "--data", help=N_("Look at your files: permissions, space, locks, unfinished games.")
        ),
    ] = False,
    network: Annotated[
        bool,
        typer.Option("--network", help=N_("Look at addresses, port, firewall and multicast.")),
    ] = False,
    peer: Annotated[
        str | None,
        typer.Option(
            "--peer",
            metavar="ADDRESS",
            help=N_("Look at the way to this table; also by its link. [default: none]"),
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            parser=parse_number(1, 65_535),
            metavar="PORT",
            help=N_("Where a table here would listen."),
        ),
    ] = 4242,
    common: CommonFlags,
) -> None:
    from cli.commands.doctor import examine
    from cli.text.finding import Part

    wanted = {Part.TERMINAL: terminal, Part.DATA: data, Part.NETWORK: network}
    parts = [part for part, is_wanted in wanted.items() if is_wanted]
    raise typer.Exit(examine(parts=parts, peer=peer, port=port))
