"""`kotp2p config`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.config`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import complete_setting, complete_value
from cli.commands.option_groups import CommonFlags, SettingFlags, with_option_groups
from cli.system.help_layout import GroupedCommand, GroupedGroup
from cli.text.i18n import N_

app = typer.Typer(cls=GroupedGroup, invoke_without_command=True)

SettingName = Annotated[
    str,
    typer.Argument(
        metavar="KEY", autocompletion=complete_setting, help=N_("A setting, such as speed.")
    ),
]


@app.callback()
@with_option_groups
def config(
    *,
    context: typer.Context,
    write: Annotated[
        bool, typer.Option("--write", help=N_("Write the file with every key explained, if none."))
    ] = False,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    if context.invoked_subcommand is None:
        from cli.commands.config import show_config

        raise typer.Exit(show_config(write))


@app.command(
    "get",
    cls=GroupedCommand,
    help=N_("Print the value that holds, and nothing else."),
    epilog=N_("Example: kotp2p config get speed"),
)
@with_option_groups
def get_setting(*, key: SettingName, common: CommonFlags) -> None:
    from cli.commands.config_edit import get_setting

    raise typer.Exit(get_setting(key))


@app.command(
    "set",
    cls=GroupedCommand,
    help=N_("Write one setting into the file. Its comments stay."),
    epilog=N_("Examples: kotp2p config set plain true     kotp2p config set speed slow"),
)
@with_option_groups
def set_setting(
    *,
    key: SettingName,
    value: Annotated[
        list[str],
        typer.Argument(
            metavar="VALUE",
            autocompletion=complete_value,
            help=N_("As kotp2p config shows it."),
        ),
    ],
    common: CommonFlags,
) -> None:
    from cli.commands.config_edit import set_setting

    raise typer.Exit(set_setting(key, " ".join(value)))


@app.command(
    "unset",
    cls=GroupedCommand,
    help=N_("Take one setting out of the file."),
    epilog=N_("Example: kotp2p config unset speed"),
)
@with_option_groups
def unset_setting(*, key: SettingName, common: CommonFlags) -> None:
    from cli.commands.config_edit import unset_setting

    raise typer.Exit(unset_setting(key))


@app.command(
    "path",
    cls=GroupedCommand,
    help=N_("Print where the file is, or would be."),
    epilog=N_("Example: kotp2p config path"),
)
@with_option_groups
def show_path(*, common: CommonFlags) -> None:
    from cli.commands.config_edit import show_path

    raise typer.Exit(show_path())


@app.command(
    "edit",
    cls=GroupedCommand,
    help=N_("Open the file in your editor (VISUAL, EDITOR), and check it afterwards."),
    epilog=N_("Example: kotp2p config edit"),
)
@with_option_groups
def edit_settings(*, common: CommonFlags) -> None:
    from cli.commands.config_edit import edit_file

    raise typer.Exit(edit_file())
