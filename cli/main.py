"""The program: its own flags, what it says without a command, and how it is run."""

import os
import sys
from typing import Any

import typer

from kotp2p.cli.command_table import COMMANDS
from kotp2p.cli.system import command_line
from kotp2p.cli.system.flags import COMMON, SPEED
from kotp2p.cli.system.folders import last_game_reminder
from kotp2p.cli.text.i18n import N_, PROGRAM, _
from kotp2p.cli.wing import wing

NAME_COLUMNS = 10


class ProgramGroup(command_line.GroupedGroup):
    """The commands of the table, in place of those that typer itself knows, which are none."""

    entries = COMMANDS
    rare = frozenset(flag.to for flag in (*COMMON, SPEED))

    def __init__(self, **values: Any) -> None:
        super().__init__(**{**values, "commands": command_line.CommandsOnDemand(COMMANDS)})

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Fit into a window of 24 lines; with `--help-all` the flags of the program follow."""
        formatter.write(short_help() + "\n")
        if ctx.meta.get(command_line.SHOWS_ALL, False):
            command_line.write_options(self, ctx, formatter)


app = typer.Typer(
    name="kotp2p",
    cls=ProgramGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=N_("King of Tokyo in the terminal for 2 to 6 players, without a server of the game."),
)


def short_help() -> str:
    return "\n".join(
        [
            _("King of Tokyo in the terminal, 2 to 6 players."),
            "",
            "  kotp2p solo                  " + _("play now against three bots"),
            "  kotp2p host                  " + _("open a table for others"),
            "  kotp2p join CODE             " + _("sit down at a table"),
            "",
            *(f"  {entry.name:<{NAME_COLUMNS}}{_(entry.short)}" for entry in COMMANDS),
            "",
            _("kotp2p host -h explains host; kotp2p host --help-all shows all its flags."),
        ]
    )


def has_terminal() -> bool:
    """Return whether stdin and stdout are both a terminal."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False


def kotp2p(*, context: typer.Context, **_kept: Any) -> None:
    if context.invoked_subcommand is None:
        show_start_screen = wing().show_start_screen
        if show_start_screen is not None and has_terminal():
            raise typer.Exit(show_start_screen(context.command))
        typer.echo(short_help(), file=sys.stdout)
        line = last_game_reminder()
        if line:
            typer.echo(f"\n{line}", file=sys.stdout)


app.callback(invoke_without_command=True)(
    command_line.with_signature(kotp2p, "kotp2p", (*COMMON, SPEED))
)


def run() -> None:
    from kotp2p.cli.system.languages import prepare_language
    from kotp2p.cli.system.output import Exit, end_output
    from kotp2p.cli.system.process import prepare_process, report_crash
    from kotp2p.cli.text.i18n import describe_few_files, is_for_want_of_files

    sys.excepthook = report_crash
    prepare_process()
    trouble = prepare_language(sys.argv[1:], os.environ)
    if trouble:
        typer.echo(trouble, file=sys.stderr)
    try:
        # Not `app()`, which puts typer's own report of a crash before ours.
        typer.main.get_command(app)(prog_name=PROGRAM)
    except SystemExit as end:
        raise SystemExit(end_output(end.code)) from None
    except (OSError, BaseExceptionGroup) as error:
        if not is_for_want_of_files(error):
            raise
        typer.echo(describe_few_files(), file=sys.stderr)
        raise SystemExit(end_output(Exit.FILES)) from None
