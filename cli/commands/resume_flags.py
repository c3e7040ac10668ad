"""`kotp2p resume`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.play`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import complete_phrase
from cli.commands.option_groups import CommonFlags, ProfileFlags, SettingFlags, with_option_groups
from cli.system.flag_values import parse_number
from cli.system.help_layout import NETWORK
from cli.system.listen_options import Bind
from cli.text.i18n import N_


@with_option_groups
def resume(
    *,
    game: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS",
            autocompletion=complete_phrase,
            help=N_("Words that the phrase begins with. [default: the newest game]"),
        ),
    ] = None,
    peer: Annotated[
        str | None,
        typer.Option(
            "--peer",
            metavar="ADDRESS[:PORT]",
            rich_help_panel=NETWORK,
            help=N_("The address of a player who is back. [default: where all were before]"),
        ),
    ] = None,
    only_list: Annotated[
        bool, typer.Option("--list", help=N_("List the games that can be resumed, newest first."))
    ] = False,
    who: ProfileFlags,
    bind: Bind = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            parser=parse_number(0, 65_535),
            metavar="PORT",
            rich_help_panel=NETWORK,
            help=N_("Listen here. [default: the port of before, or the next free one]"),
        ),
    ] = None,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    if only_list:
        from cli.commands.resume_list import list_games

        raise typer.Exit(list_games(who.profile, who.as_json))
    from cli.commands.person import person_of_flags
    from cli.commands.play import resume
    from kotp2p.net.listener import ListenAt

    words, here = " ".join(game or []), ListenAt(bind, port)
    raise typer.Exit(resume(person_of_flags(who), words, peer, here))
