"""`kotp2p host`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.play`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.option_groups import (
    CommonFlags,
    GameFlags,
    ProfileFlags,
    SeatFlags,
    SettingFlags,
    WatchFlags,
    with_option_groups,
)
from cli.system.help_layout import TABLE
from cli.system.listen_options import Bind, HostPort
from cli.system.options import (
    AcceptNewKeys,
    Bots,
    InviteOnly,
    NoLan,
    Players,
    ReactionTime,
    TurnTime,
)
from cli.text.i18n import N_


@with_option_groups
def host(
    *,
    players: Players = 6,
    bots: Bots = 0,
    game: GameFlags,
    start_when_full: Annotated[
        bool,
        typer.Option(
            "--start-when-full",
            rich_help_panel=TABLE,
            help=N_("Start as soon as every seat is taken; always so without a terminal."),
        ),
    ] = False,
    turn_time: TurnTime = 120,
    reaction_time: ReactionTime = 45,
    seat: SeatFlags,
    who: ProfileFlags,
    invite_only: InviteOnly = False,
    watch: WatchFlags,
    accept_new_keys: AcceptNewKeys = False,
    no_lan: NoLan = False,
    bind: Bind = None,
    port: HostPort = 4242,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.person import person_of_flags
    from cli.commands.play import host
    from cli.commands.table_options import NOBODY, USUAL_WATCHERS, TableRequest

    table = TableRequest(
        game.rules, players, bots, game.level, start_when_full, bind, port,
        tuple(game.option or ()), game.tiles, turn_time, reaction_time, not no_lan, invite_only,
        watchers=watch.watchers or (NOBODY if invite_only else str(USUAL_WATCHERS)),
        watchers_chat=watch.watchers_chat,
    )  # fmt: skip
    raise typer.Exit(host(person_of_flags(who, seat, accept_new_keys=accept_new_keys), table))
