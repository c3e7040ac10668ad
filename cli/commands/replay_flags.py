"""`kotp2p replay` and `explain`: flags, and nothing of what it does.

Not here: what they do (`cli.commands.replay`, `cli.commands.explain`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import complete_log
from cli.commands.option_groups import CommonFlags, ReplayLookFlags, with_option_groups
from cli.system.flag_values import parse_replay_speed
from cli.system.options import LogDir, Profile
from cli.text.i18n import N_

Log = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LOG",
        autocompletion=complete_log,
        help=N_("A file, or words of a table phrase. [default: the newest game]"),
    ),
]
FirstTurn = Annotated[
    str,
    typer.Option(
        "--at",
        metavar="TURN",
        help=N_("Begin there: a turn, or r96 for record 96. [default: the start]"),
    ),
]
LastTurn = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="TURN",
        help=N_("Tell no more behind that, in plain lines. [default: the end]"),
    ),
]
SeatOfReader = Annotated[
    str,
    typer.Option(
        "--seat",
        metavar="PLAYER",
        help=N_("See it from there; none: from no seat. [default: your own seat]"),
    ),
]
OnlyPlayer = Annotated[
    str,
    typer.Option(
        "--only",
        metavar="PLAYER",
        help=N_("Stop at the decisions of this player alone. [default: of all]"),
    ),
]
Factor = Annotated[
    float | None,
    typer.Option(
        "--speed",
        parser=parse_replay_speed,
        metavar="FACTOR",
        help=N_("Play by itself, so fast: 0.5 to 16. [default: wait for a key]"),
    ),
]
Step = Annotated[
    bool,
    typer.Option("--step", help=N_("Wait for a line before each event, also from a pipe.")),
]


@with_option_groups
def replay(
    *,
    log: Log = None,
    at: FirstTurn = "",
    to: LastTurn = "",
    seat: SeatOfReader = "",
    only: OnlyPlayer = "",
    speed: Factor = None,
    step: Step = False,
    profile: Profile = "default",
    log_dir: LogDir = None,
    look: ReplayLookFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.replay import ReplayRequest, replay_log

    request = ReplayRequest(" ".join(log or []), log_dir, at, to, seat, only, speed, step, profile)
    raise typer.Exit(replay_log(request))


@with_option_groups
def explain(
    *,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LOG TURN",
            autocompletion=complete_log,
            help=N_(
                "A file or words of a table phrase, then a turn, or r96 for what record 96 has "
                "drawn. [default: the newest game, its last turn with a draw]"
            ),
        ),
    ] = None,
    log_dir: LogDir = None,
    common: CommonFlags,
) -> None:
    from cli.commands.explain import explain_log

    raise typer.Exit(explain_log(words or [], log_dir))
