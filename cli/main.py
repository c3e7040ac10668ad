"""The program: its own flags, what it says without a command, and how it is run.

Scope: little more than typer needs for `--help`. A command's flags are imported when it is typed,
and what it does when it runs.
Not here: the table of commands (`cli.command_table`), with their flags and what they do
(`cli.commands`). Flags of several commands come as groups (`cli.commands.option_groups`). How a run
ends is an exit code (`cli.system.exit_codes`). A program error goes to a file whose path is
printed, or to stderr with --debug (`cli.system.crash`).
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from cli.command_table import COMMANDS
from cli.commands.option_groups import CommonFlags, LookFlags, with_option_groups
from cli.system.command_group import CommandsOnDemand, listed
from cli.system.help_layout import GroupedGroup
from cli.text.i18n import N_, _


class ProgramGroup(GroupedGroup):
    """All commands of the table. Typer passes on those that it knows itself, which are none."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**{**values, "commands": CommandsOnDemand(COMMANDS)})

    def list_with_help(self) -> list[tuple[str, Any]]:
        return [(entry.name, listed(entry)) for entry in COMMANDS]


app = typer.Typer(
    name="kotp2p",
    cls=ProgramGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=N_("King of Tokyo in the terminal for 2 to 6 players, with no server."),
    epilog=N_("Example: kotp2p solo     For screen readers: kotp2p help accessibility"),
)

SHORT_HELP = N_("""\
King of Tokyo in the terminal, 2 to 6 players, no server.

  kotp2p solo                  play now against three bots
  kotp2p host                  open a table for others
  kotp2p join 192.168.1.20     sit down at a table

  host     open a table and play at it
  find     list the tables on this network
  join     sit down at a table by its address, or at the one found
  resume   go on with a game that was broken off
  solo     play against bots
  watch    watch a game that others play
  replay   look at a game again; explain shows how its dice were drawn
  verify   check the log of a game, or those of a whole club
  games    what was played; stats counts wins, cards and dice
  export   a game as a story, a page for a browser, or data for import
  cards    look up power cards and tiles
  rules    how the game is played, by topic
  doctor   what keeps you from a game: terminal, files, network
  config   what is set: name, monster, colours, speed ...; identity is your key
  help     a command or a topic: accessibility, exit-codes, files, network ...

kotp2p help host explains host with all its flags; so for the others.""")


@app.callback(invoke_without_command=True)
@with_option_groups
def kotp2p(ctx: typer.Context, look: LookFlags, common: CommonFlags) -> None:
    if ctx.invoked_subcommand is None:
        from cli.commands.start_screen import has_terminal, last_game_reminder, show_start_screen

        if has_terminal():
            raise typer.Exit(show_start_screen(ctx.command))
        typer.echo(_(SHORT_HELP))
        line = last_game_reminder()
        if line:
            typer.echo(f"\n{line}")


def run() -> None:
    """The `kotp2p` program."""
    from cli.system.crash import report_crash
    from cli.system.languages import prepare_language
    from cli.system.outlets import end_output
    from cli.system.process import prepare_process

    sys.excepthook = report_crash
    prepare_process()
    trouble = prepare_language(sys.argv[1:], os.environ)
    if trouble:
        typer.echo(trouble, err=True)
    try:
        # Not `app()`, which puts typer's own report of a crash before ours.
        typer.main.get_command(app)()
    except SystemExit as end:
        raise SystemExit(end_output(end.code)) from None
