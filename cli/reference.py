"""The commands that play nothing: flags, help, and nothing of what they do.

Scope: as `cli.main`, which takes these commands into the program. They stand apart because one
module would be too long.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import (
    complete_card,
    complete_help,
    complete_rule,
    complete_setting,
    complete_value,
)
from cli.commands.export_flags import (
    EXPORT_EXAMPLES,
    EXPORT_HELP,
    IMPORT_EXAMPLES,
    IMPORT_HELP,
    export,
    import_,
)
from cli.commands.games_flags import (
    GAMES_EXAMPLES,
    GAMES_HELP,
    STATS_EXAMPLES,
    STATS_HELP,
    games,
    stats,
)
from cli.commands.option_groups import CommonFlags, SettingFlags, with_option_groups
from cli.commands.replay_flags import (
    EXPLAIN_EXAMPLES,
    EXPLAIN_HELP,
    REPLAY_EXAMPLES,
    REPLAY_HELP,
    explain,
    replay,
)
from cli.commands.verify_flags import VERIFY_EXAMPLES, VERIFY_HELP, verify
from cli.system.choices import Rules
from cli.system.flag_values import choice
from cli.system.help_layout import FILES, GroupedCommand, GroupedGroup
from cli.system.options import RuleChoice
from cli.text.i18n import N_

app = typer.Typer()


app.command(cls=GroupedCommand, help=VERIFY_HELP, epilog=VERIFY_EXAMPLES)(verify)
app.command(cls=GroupedCommand, help=GAMES_HELP, epilog=GAMES_EXAMPLES)(games)
app.command(cls=GroupedCommand, help=STATS_HELP, epilog=STATS_EXAMPLES)(stats)
app.command(cls=GroupedCommand, help=REPLAY_HELP, epilog=REPLAY_EXAMPLES)(replay)
app.command(cls=GroupedCommand, help=EXPLAIN_HELP, epilog=EXPLAIN_EXAMPLES)(explain)
app.command(cls=GroupedCommand, help=EXPORT_HELP, epilog=EXPORT_EXAMPLES)(export)
app.command("import", cls=GroupedCommand, help=IMPORT_HELP, epilog=IMPORT_EXAMPLES)(import_)


@app.command(
    cls=GroupedCommand,
    help=N_(
        "Look up power cards and wickedness tiles. Search by any of their names or by words of "
        "their text; without words, all are listed."
    ),
    epilog=N_("Examples: kotp2p cards wings     kotp2p cards --rules classic lose hearts"),
)
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
    rules: RuleChoice = Rules.SECOND,
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


@app.command(
    cls=GroupedCommand,
    help=N_(
        "Read how the game is played. Without a topic it fits on one page; a word such as claws "
        "explains more. A number or a label such as A-35, or any other word, is looked up in the "
        "rulebook with its rulings."
    ),
    epilog=N_("Examples: kotp2p rules tokyo     kotp2p rules --rules classic 3.7"),
)
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
            help=N_("Leave out what holds in other rule sets only. [default: all]"),
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


settings_app = typer.Typer(
    cls=GroupedGroup,
    invoke_without_command=True,
    help=N_(
        "Show what is set and where it comes from. A flag wins over a variable (KOTP2P_NAME, "
        "KOTP2P_SYMBOLS and so on), and a variable over the file. The commands below read and "
        "write one setting, or open the file."
    ),
    epilog=N_("Examples: kotp2p config     kotp2p config set speed slow"),
)
app.add_typer(settings_app, name="config")

SettingName = Annotated[
    str,
    typer.Argument(
        metavar="KEY", autocompletion=complete_setting, help=N_("A setting, such as speed.")
    ),
]


@settings_app.callback()
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


@settings_app.command(
    "get",
    cls=GroupedCommand,
    help=N_("Print the value that holds, and nothing else."),
    epilog=N_("Example: kotp2p config get speed"),
)
@with_option_groups
def get_setting(*, key: SettingName, common: CommonFlags) -> None:
    from cli.commands.config_edit import get_setting

    raise typer.Exit(get_setting(key))


@settings_app.command(
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


@settings_app.command(
    "unset",
    cls=GroupedCommand,
    help=N_("Take one setting out of the file."),
    epilog=N_("Example: kotp2p config unset speed"),
)
@with_option_groups
def unset_setting(*, key: SettingName, common: CommonFlags) -> None:
    from cli.commands.config_edit import unset_setting

    raise typer.Exit(unset_setting(key))


@settings_app.command(
    "path",
    cls=GroupedCommand,
    help=N_("Print where the file is, or would be."),
    epilog=N_("Example: kotp2p config path"),
)
@with_option_groups
def show_path(*, common: CommonFlags) -> None:
    from cli.commands.config_edit import show_path

    raise typer.Exit(show_path())


@settings_app.command(
    "edit",
    cls=GroupedCommand,
    help=N_("Open the file in your editor (VISUAL, EDITOR), and check it afterwards."),
    epilog=N_("Example: kotp2p config edit"),
)
@with_option_groups
def edit_settings(*, common: CommonFlags) -> None:
    from cli.commands.config_edit import edit_file

    raise typer.Exit(edit_file())


@app.command(
    "help",
    cls=GroupedCommand,
    help=N_(
        "Explain a command or a topic. The topics are accessibility, environment, exit-codes, "
        "files, network and privacy."
    ),
    epilog=N_("Examples: kotp2p help join     kotp2p help exit-codes"),
)
@with_option_groups
def show_help(
    *,
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND|TOPIC",
            autocompletion=complete_help,
            help=N_("What to explain. [default: list what there is]"),
        ),
    ] = None,
    common: CommonFlags,
) -> None:
    from cli.commands import help

    raise typer.Exit(help.show_help(words or [], context.find_root()))
