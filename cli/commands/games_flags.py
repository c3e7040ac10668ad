"""`kotp2p games` and `kotp2p stats`: flags, and nothing of what it does.

Not here: what they do (`cli.commands.games`, `cli.commands.stats`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.completion import complete_log
from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.commands.verify_flags import Jobs
from cli.system.flag_values import parse_number
from cli.system.help_layout import FILES
from cli.system.options import LogDir
from cli.text.i18n import N_

MAX_LIMIT = 1_000_000

Logs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LOG",
        autocompletion=complete_log,
        help=N_("Files, folders, patterns or words of table phrases. [default: all your logs]"),
    ),
]
PlayerName = Annotated[
    str,
    typer.Option(
        "--player", metavar="NAME", help=N_("Only games with this player. [default: all games]")
    ),
]


@with_option_groups
def games(
    *,
    logs: Logs = None,
    player: PlayerName = "",
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help=N_("Only games without an end."))
    ] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            parser=parse_number(1, MAX_LIMIT),
            metavar="N",
            help=N_("So many games at most."),
        ),
    ] = 20,
    jobs: Jobs = None,
    log_dir: LogDir = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", rich_help_panel=FILES, help=N_("Print JSON lines; docs/VERIFY.md has them.")
        ),
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.games import GamesRequest, list_games

    raise typer.Exit(
        list_games(
            GamesRequest(tuple(logs or ()), log_dir, player, unfinished, limit, jobs, as_json)
        )
    )


@with_option_groups
def stats(
    *,
    logs: Logs = None,
    player: PlayerName = "",
    jobs: Jobs = None,
    log_dir: LogDir = None,
    as_json: Annotated[
        bool, typer.Option("--json", rich_help_panel=FILES, help=N_("Print one JSON object."))
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            rich_help_panel=FILES,
            help=N_("Write a page with charts for a browser there."),
        ),
    ] = None,
    common: CommonFlags,
) -> None:
    from cli.commands.stats import StatsRequest, show_stats

    raise typer.Exit(
        show_stats(StatsRequest(tuple(logs or ()), log_dir, player, jobs, as_json, page))
    )
