"""How a command explains itself: its flags under headings, in plain lines of at most 80 columns.

Scope: the headings, and the order in which they stand. Each flag names its own
(`rich_help_panel`, typer's word for it; the boxes that typer would draw need a terminal that can
draw them). A flag that only one command has stands first.
Not here: what the flags mean (`cli.system.options`).
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

from cli.text.i18n import N_, _

TABLE = N_("The table")
RULES = N_("The rules of the game")
YOU = N_("You at the table")
NETWORK = N_("Network and invitations")
DISPLAY = N_("What you see and hear")
FILES = N_("Files and output")
GENERAL = N_("General")
OWN = N_("Options")
ARGUMENTS = N_("Arguments")
HEADINGS = (OWN, TABLE, RULES, YOU, NETWORK, DISPLAY, FILES, GENERAL)
TYPERS_OWN = frozenset({"--help", "--install-completion", "--show-completion"})
MOST_FLAG_COLUMNS = 26
"""A flag that is wider has its text below it."""


class GroupedCommand(TyperCommand):
    def format_options(self, ctx: Any, formatter: Any) -> None:
        write_options(self, ctx, formatter)


class GroupedGroup(TyperGroup):
    def format_options(self, ctx: Any, formatter: Any) -> None:
        self.format_commands(ctx, formatter)
        write_options(self, ctx, formatter)


def sort_options(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    """Under each heading its flags, each as it is typed and as it is explained."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in (ARGUMENTS, *HEADINGS)}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is None:
            continue
        if parameter.param_type_name == "argument":
            found[ARGUMENTS].append((parameter.metavar or parameter.name.upper(), record[1]))
        else:
            is_typers_own = not TYPERS_OWN.isdisjoint(parameter.opts)
            named = GENERAL if is_typers_own else getattr(parameter, "rich_help_panel", None)
            heading = named or OWN
            found[heading].append(record)
    return {heading: rows for heading, rows in found.items() if rows}


def write_options(command: Any, ctx: Any, formatter: Any) -> None:
    for heading, rows in sort_options(command, ctx).items():
        with formatter.section(_(heading)):
            formatter.write_dl(rows, col_max=MOST_FLAG_COLUMNS)
