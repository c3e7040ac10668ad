"""The flags of `kotp2p bots run`.

Not here: what it does (`cli.commands.bots`), which is imported when it runs.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.choices import Level, Rules
from cli.system.flag_values import choice, parse_cluster, parse_number, word_argument
from cli.system.help_layout import FILES, RULES, GroupedCommand, GroupedGroup
from cli.text.i18n import N_

MAX_GAMES = 1_000_000
MAX_JOBS = 256
MAX_SEED = 999_999_999

Levels = Annotated[
    list[Level] | None,
    word_argument(
        Level,
        "LEVEL",
        help=N_("The bots, one for each seat. [default: normal easy easy easy]"),
    ),
]
Games = Annotated[
    int,
    typer.Option(
        "--games",
        parser=parse_number(1, MAX_GAMES),
        metavar="N",
        help=N_("So many games with each rule set."),
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        parser=parse_number(0, MAX_SEED),
        metavar="N",
        help=N_("Other dice, cards and whims for each seed."),
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        parser=parse_number(1, MAX_JOBS),
        metavar="N",
        help=N_("Play so many games at a time. [default: one for each core]"),
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--dask",
        parser=parse_cluster,
        metavar="ADDRESS",
        help=N_(
            "Play on the Dask cluster whose scheduler is there, such as tcp://10.0.0.5:8786. "
            "It needs pip install 'kotp2p[dask]'. [default: this machine]"
        ),
    ),
]
RuleSets = Annotated[
    list[Rules] | None,
    choice(
        Rules,
        "--rules",
        rich_help_panel=RULES,
        help=N_("Rule set; may be repeated. [default: second]"),
    ),
]
ShowCards = Annotated[
    bool, typer.Option("--cards", help=N_("Also the wins of those who bought each card."))
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json",
        rich_help_panel=FILES,
        help=N_("Print one JSON object, with its version; it has the cards, too."),
    ),
]

app = typer.Typer(cls=GroupedGroup, invoke_without_command=True)


@app.callback()
@with_option_groups
def bots(context: typer.Context, common: CommonFlags) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(
    "run",
    cls=GroupedCommand,
    help=N_(
        "Play many games, and print the wins of each level. With them come their intervals, and "
        "the wins by place in the turn order. The same seed gives the same games, whatever --jobs "
        "or --dask says. Ctrl-C prints what is done so far. Exit code: 0, or 5 after Ctrl-C, or 3 "
        "without workers."
    ),
    epilog=N_(
        "Examples: kotp2p bots run normal easy easy     kotp2p bots run --games 2000 --rules dark"
    ),
)
@with_option_groups
def run(
    *,
    levels: Levels = None,
    games: Games = 400,
    seed: Seed = 1,
    jobs: Jobs = None,
    dask: Cluster = None,
    rules: RuleSets = None,
    cards: ShowCards = False,
    as_json: AsJson = False,
    common: CommonFlags,
) -> None:
    from cli.commands.bots import TournamentRequest, run_tournament

    seats = levels or [Level.NORMAL, Level.EASY, Level.EASY, Level.EASY]
    wanted = list(dict.fromkeys(rules or [Rules.SECOND]))
    raise typer.Exit(
        run_tournament(
            TournamentRequest(
                tuple(level.value for level in seats), games,
                tuple(rule_set.value for rule_set in wanted),
                seed, jobs, dask, cards, as_json,
            )
        )
    )  # fmt: skip
