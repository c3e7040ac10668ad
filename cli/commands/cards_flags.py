"""`kotp2p cards`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.cards`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import complete_card
from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.choices import Rules
from cli.system.flag_values import choice
from cli.system.help_layout import FILES, RULES
from cli.text.i18n import N_


@with_option_groups
def cards(
    *,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS",
            autocompletion=complete_card,
            help=N_("What to look for. [default: list all]"),
        ),
    ] = None,
    rules: Annotated[
        Rules | None,
        choice(
            Rules,
            "--rules",
            rich_help_panel=RULES,
            help=N_("Rule set: 2011, 2016, or the Dark Edition. [default: all]"),
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", rich_help_panel=FILES, help=N_("Print one JSON array, one object per card.")
        ),
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.cards import show_cards

    raise typer.Exit(show_cards(" ".join(words or []), rules, as_json))
