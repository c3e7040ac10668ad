"""`kotp2p solo`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.play`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

import typer

from cli.commands.option_groups import (
    CommonFlags,
    GameFlags,
    ProfileFlags,
    SeatFlags,
    SettingFlags,
    with_option_groups,
)
from cli.system.options import Bots, Coach


@with_option_groups
def solo(
    *,
    bots: Bots = 3,
    game: GameFlags,
    seat: SeatFlags,
    who: ProfileFlags,
    coach: Coach = None,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.person import person_of_flags
    from cli.commands.play import solo
    from cli.commands.table_options import TableRequest

    options = tuple(game.option or ())
    table = TableRequest(
        game.rules, bots + 1, bots, game.level, options=options, tiles=game.tiles
    )  # fmt: skip
    raise typer.Exit(solo(person_of_flags(who, seat), table, coach))
