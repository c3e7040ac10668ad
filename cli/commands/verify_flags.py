"""`kotp2p verify`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.verify`), which is imported when it runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.completion import complete_log
from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.flag_values import parse_expected_key, parse_number
from cli.system.help_layout import FILES
from cli.system.options import LogDir, Profile
from cli.text.i18n import N_

MAX_JOBS = 256


Logs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LOG",
        autocompletion=complete_log,
        help=N_(
            "Files, folders or patterns such as '*.kotlog', or words of table phrases; - reads a "
            "log from a pipe. [default: the newest game]"
        ),
    ),
]
ExpectedKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--expect",
        parser=parse_expected_key,
        metavar="NAME=KEY",
        help=N_(
            "A player who is to be in one of the logs, and in each log only with this key; may be "
            "repeated. If not, the exit code is 6. [default: none]"
        ),
    ),
]
KnownOnly = Annotated[
    bool,
    typer.Option(
        "--known-only",
        help=N_("Exit code 6 for each log with a player whose key you neither know nor expect."),
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        parser=parse_number(1, MAX_JOBS),
        metavar="N",
        help=N_("Check so many logs at a time. [default: one for each core, of many logs]"),
    ),
]
Fast = Annotated[
    bool,
    typer.Option(
        "--fast",
        help=N_(
            "Check only the last signature of each player, which binds what they signed before. "
            "Dice, cards and rules are all checked."
        ),
    ),
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json", rich_help_panel=FILES, help=N_("Print JSON lines; docs/VERIFY.md has the form.")
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help=N_("Print nothing: the exit code tells."))
]
Evidence = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=N_("Check the proof of a cheat instead. [default: none]"),
    ),
]


@with_option_groups
def verify(
    *,
    logs: Logs = None,
    expect: ExpectedKeys = None,
    known_only: KnownOnly = False,
    fast: Fast = False,
    profile: Profile = "default",
    jobs: Jobs = None,
    log_dir: LogDir = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    evidence: Evidence = None,
    common: CommonFlags,
) -> None:
    if evidence is not None:
        from cli.commands.verify_evidence import verify_evidence

        raise typer.Exit(verify_evidence(evidence))
    from cli.commands.verify import VerifyRequest, verify_logs

    request = VerifyRequest(
        tuple(logs or ()), log_dir, tuple(expect or ()), known_only, fast, profile, jobs,
        as_json, quiet,
    )  # fmt: skip
    raise typer.Exit(verify_logs(request))
