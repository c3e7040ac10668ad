"""`kotp2p identity`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.identity`, `cli.commands.identity_travel`), which is imported
when it runs; its help (`cli.command_table`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.completion import complete_known
from cli.commands.option_groups import CommonFlags, with_option_groups
from cli.system.flag_values import complete_profile
from cli.system.help_layout import FILES, YOU, GroupedCommand, GroupedGroup
from cli.text.i18n import N_

app = typer.Typer(cls=GroupedGroup, invoke_without_command=True)

OfProfile = Annotated[
    str,
    typer.Option(
        "--profile",
        rich_help_panel=YOU,
        metavar="NAME",
        autocompletion=complete_profile,
        help=N_("Which of your identities is meant."),
    ),
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json", rich_help_panel=FILES, help=N_("Print one JSON object, with its version.")
    ),
]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        rich_help_panel=FILES,
        metavar="FILE",
        help=N_("Its first line is the passphrase; - reads it from a pipe. [default: ask]"),
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help=N_("Do it without asking."))]


@app.callback()
@with_option_groups
def identity(
    *, context: typer.Context, profile: OfProfile = "default", common: CommonFlags
) -> None:
    if context.invoked_subcommand is None:
        from cli.commands.identity import show_identity

        raise typer.Exit(show_identity(profile, as_json=False))


@app.command(
    "show",
    cls=GroupedCommand,
    help=N_("Show your name, your key as others compare it, and how many players you know."),
    epilog=N_("Example: kotp2p identity show"),
)
@with_option_groups
def show(*, as_json: AsJson = False, profile: OfProfile = "default", common: CommonFlags) -> None:
    from cli.commands.identity import show_identity

    raise typer.Exit(show_identity(profile, as_json))


@app.command(
    "rename",
    cls=GroupedCommand,
    help=N_("Give this identity a name. It holds wherever no flag, variable or setting names you."),
    epilog=N_("Example: kotp2p identity rename Ana"),
)
@with_option_groups
def rename(
    *,
    name: Annotated[list[str], typer.Argument(metavar="NAME", help=N_("Your name at the table."))],
    profile: OfProfile = "default",
    common: CommonFlags,
) -> None:
    from cli.commands.identity import rename_identity

    raise typer.Exit(rename_identity(profile, name))


@app.command(
    "export",
    cls=GroupedCommand,
    help=N_("Write your key, your name and the keys that you know into a file, encrypted."),
    epilog=N_("Example: kotp2p identity export ana.kotid"),
)
@with_option_groups
def export(
    *,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=N_("A new file; none is written over."))
    ],
    passphrase_file: PassphraseFile = None,
    profile: OfProfile = "default",
    common: CommonFlags,
) -> None:
    from cli.commands.identity_travel import export_identity

    raise typer.Exit(export_identity(profile, file, passphrase_file))


@app.command(
    "import",
    cls=GroupedCommand,
    help=N_("Take over an identity that another machine has exported, with its name."),
    epilog=N_("Example: kotp2p identity import ana.kotid"),
)
@with_option_groups
def import_(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=N_("What export has written."))],
    passphrase_file: PassphraseFile = None,
    yes: Yes = False,
    profile: OfProfile = "default",
    common: CommonFlags,
) -> None:
    from cli.commands.identity_travel import import_identity

    raise typer.Exit(import_identity(profile, file, passphrase_file, yes))


@app.command(
    "new",
    cls=GroupedCommand,
    help=N_("Make a new key, and lose the old one. What that means is said before."),
    epilog=N_("Example: kotp2p identity new"),
)
@with_option_groups
def new(*, yes: Yes = False, profile: OfProfile = "default", common: CommonFlags) -> None:
    from cli.commands.identity import make_identity

    raise typer.Exit(make_identity(profile, yes))


@app.command(
    "known",
    cls=GroupedCommand,
    help=N_("List the players that you know: name, key, and the day when you first met."),
    epilog=N_("Example: kotp2p identity known"),
)
@with_option_groups
def known(*, as_json: AsJson = False, profile: OfProfile = "default", common: CommonFlags) -> None:
    from cli.commands.identity import list_known

    raise typer.Exit(list_known(profile, as_json))


@app.command(
    "forget",
    cls=GroupedCommand,
    help=N_("Forget the key of a player that you know. What that means is said before."),
    epilog=N_("Example: kotp2p identity forget Rex"),
)
@with_option_groups
def forget(
    *,
    name: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME", autocompletion=complete_known, help=N_("As known lists it.")
        ),
    ],
    yes: Yes = False,
    profile: OfProfile = "default",
    common: CommonFlags,
) -> None:
    from cli.commands.identity import forget_known

    raise typer.Exit(forget_known(profile, name, yes))
