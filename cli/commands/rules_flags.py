"""`kotp2p rules`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.rules`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import complete_rule
from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.choices import Rules
from cli.system.flag_values import choice
from cli.text.i18n import N_


@with_option_groups
def rules(
    *,
    topic: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TOPIC",
            autocompletion=complete_rule,
            help=N_("What to read about. [default: the page]"),
        ),
    ] = None,
    rule_set: Annotated[
        Rules | None,
        choice(
            Rules,
            "--rules",
            help=N_(
                "Rule set: 2011, 2016, or the Dark Edition. [default: second; for the rulebook all]"
            ),
        ),
    ] = None,
    rulings: Annotated[
        bool,
        typer.Option(
            "--rulings", help=N_("Read the rulebook; without a topic, list its chapters.")
        ),
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.rules import show_rules

    raise typer.Exit(show_rules(" ".join(topic or []), rule_set, rulings=rulings))
