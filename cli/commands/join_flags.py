"""`kotp2p join`: flags, and nothing of what it does.

Not here: what it does (`cli.commands.join_target`), which is imported when it runs; its help
(`cli.command_table`).
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.commands.completion import complete_address
from cli.commands.option_groups import (
    CommonFlags,
    ProfileFlags,
    SeatFlags,
    SettingFlags,
    with_option_groups,
)
from cli.system.listen_options import GuestBind, GuestPort
from cli.system.options import AcceptNewKeys, InvitationFile
from cli.text.i18n import N_


@with_option_groups
def join(
    *,
    address: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ADDRESS[:PORT]|LINK|WORDS",
            autocompletion=complete_address,
            help=N_("Where the table is, or the invitation. [default: the one on this network]"),
        ),
    ] = None,
    invitation_file: InvitationFile = None,
    seat: SeatFlags,
    who: ProfileFlags,
    accept_new_keys: AcceptNewKeys = False,
    bind: GuestBind = None,
    port: GuestPort = None,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.join_target import join_table
    from cli.commands.person import person_of_flags
    from kotp2p.net.listener import ListenAt

    person = person_of_flags(who, seat, accept_new_keys=accept_new_keys)
    raise typer.Exit(join_table(person, address or [], invitation_file, ListenAt(bind, port)))
