"""The commands: flags, help, and nothing of what they do.

Scope: what typer needs to know. Each command imports its own module when it runs, so that `--help`
costs little more than typer itself. Flags of several commands come as groups
(`cli.commands.option_groups`).
Not here: what a command does (`cli.commands`). How a run ends is an exit code
(`cli.system.exit_codes`). A program error goes to a file whose path is printed, or to stderr with
--debug (`cli.system.crash`).
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from cli import reference
from cli.commands import bots_flags
from cli.commands.completion import complete_address, complete_phrase
from cli.commands.doctor_flags import DOCTOR_EXAMPLES, DOCTOR_HELP, doctor
from cli.commands.option_groups import (
    CommonFlags,
    GameFlags,
    LookFlags,
    ProfileFlags,
    SeatFlags,
    SettingFlags,
    WatchFlags,
    with_option_groups,
)
from cli.commands.watch_flags import WATCH_EXAMPLES, WATCH_HELP, watch
from cli.system.flag_values import parse_number
from cli.system.help_layout import FILES, NETWORK, TABLE, GroupedCommand, GroupedGroup
from cli.system.listen_options import Bind, GuestBind, GuestPort, HostPort
from cli.system.options import (
    AcceptNewKeys,
    Bots,
    Coach,
    InvitationFile,
    InviteOnly,
    NoLan,
    Players,
    ReactionTime,
    ShowCode,
    TurnTime,
    Wait,
)
from cli.text.i18n import N_, _

app = typer.Typer(
    name="kotp2p",
    cls=GroupedGroup,
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
  bots     let bots play against each other
  verify   check the log of a game, or those of a whole club
  games    what was played; stats counts wins, cards and dice
  export   a game as a story, a page for a browser, or data for import
  cards    look up power cards and tiles
  rules    how the game is played, by topic
  doctor   what keeps players apart: network, firewall, versions
  config   what is set: name, monster, symbols, colours, bell, speed, orders
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


@app.command(
    cls=GroupedCommand,
    help=N_(
        "Open a table and play at it. The commands that others type to join are printed. When "
        "everybody is there, type: start"
    ),
    epilog=N_("Example: kotp2p host --players 4 --bots 1"),
)
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
    code: ShowCode = False,
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
        code, watchers=watch.watchers or (NOBODY if invite_only else str(USUAL_WATCHERS)),
        watchers_chat=watch.watchers_chat,
    )  # fmt: skip
    raise typer.Exit(host(person_of_flags(who, seat, accept_new_keys=accept_new_keys), table))


@app.command(
    cls=GroupedCommand,
    help=N_(
        "List the tables on this network. Each stands with the command that joins it. To join a "
        "table on another network, ask its host for the address."
    ),
    epilog=N_("Examples: kotp2p find     kotp2p find --wait 10 --json"),
)
@with_option_groups
def find(
    *,
    wait: Wait = 3,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", rich_help_panel=FILES, help=N_("Print one JSON array, one object per table.")
        ),
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.find import find_tables

    raise typer.Exit(find_tables(wait, as_json))


app.command(cls=GroupedCommand, help=DOCTOR_HELP, epilog=DOCTOR_EXAMPLES)(doctor)


@app.command(
    cls=GroupedCommand,
    help=N_(
        "Sit down at a table. ADDRESS stands on the host's screen: a name, an IPv4 or an IPv6 "
        "address, with :PORT unless that is 4242. It may also be the link of an invitation, "
        "which starts with kotp2p://. Other users of this machine can see it there: with - you are "
        "asked for it, or it is read from a pipe. The two WORDS that the host's screen shows find "
        "a table on this network, such as kangaroo umbrella. They are not the table phrase and "
        "prove nothing: anybody there can announce any words. Without an address, the only table "
        "on this network is joined; of several you choose one by number."
    ),
    epilog=N_("Examples: kotp2p join 192.168.1.20     kotp2p join kangaroo umbrella"),
)
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


@app.command(
    cls=GroupedCommand,
    help=N_(
        "Go on with an unfinished game. It is your newest, or the one that the words of its "
        "phrase name. Everybody at the table types this; your bots come back with you."
    ),
    epilog=N_("Examples: kotp2p resume     kotp2p resume --peer 192.168.1.20"),
)
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

    raise typer.Exit(resume(person_of_flags(who), " ".join(game or []), peer, bind, port))


@app.command(
    cls=GroupedCommand,
    help=N_("Play against bots on this machine. The protocol is that of a game over the network."),
    epilog=N_("Examples: kotp2p solo --bots 1     kotp2p solo --bot normal --rules second"),
)
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


app.command(cls=GroupedCommand, help=WATCH_HELP, epilog=WATCH_EXAMPLES)(watch)
app.add_typer(bots_flags.app, name="bots")
app.add_typer(reference.app)


def run() -> None:
    """The `kotp2p` program."""
    from cli.system.crash import report_crash
    from cli.system.languages import prepare_language
    from cli.system.process import prepare_process

    sys.excepthook = report_crash
    prepare_process()
    trouble = prepare_language(sys.argv[1:], os.environ)
    if trouble:
        typer.echo(trouble, err=True)
    # Not `app()`, which puts typer's own report of a crash before ours.
    typer.main.get_command(app)()
