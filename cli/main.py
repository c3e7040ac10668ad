"""The commands: flags, help, and nothing of what they do.

Scope: what typer needs to know. Each command imports its own module when it runs, so that `--help`
costs little more than typer itself. Flags of several commands come as groups
(`cli.commands.option_groups`).
Not here: what a command does (`cli.commands`). How a run ends is an exit code
(`cli.system.exit_codes`). A program error goes to a file whose path is printed, or to stderr with
--debug (`cli.system.crash`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.commands.option_groups import (
    CommonFlags,
    GameFlags,
    LookFlags,
    ProfileFlags,
    SeatFlags,
    SettingFlags,
    with_option_groups,
)
from cli.system.options import (
    AcceptNewKeys,
    Bind,
    Bots,
    Coach,
    InviteOnly,
    LogDir,
    NoLan,
    ReactionTime,
    RuleChoice,
    Rules,
    TurnTime,
    Wait,
)
from cli.text.i18n import _

app = typer.Typer(
    name="kotp2p",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=_("King of Tokyo in the terminal for 2 to 6 players, with no server."),
    epilog=_("Example: kotp2p solo     Each command explains itself: kotp2p host -h"),
)

SHORT_HELP = _("""\
King of Tokyo in the terminal, 2 to 6 players, no server.

  kotp2p solo                  play now against three bots
  kotp2p host                  open a table for others
  kotp2p join 192.168.1.20     sit down at a table

Commands
  host     open a table and play at it
  find     list the tables on this network
  join     sit down at a table by its address, or at the one found
  resume   go on with a game that was broken off
  solo     play against bots
  verify   check the log of a game
  cards    look up power cards and tiles
  rules    how the game is played, by topic
  config   what is set: name, monster, symbols, colours, bell, speed, orders

kotp2p host -h explains host with all its flags; so do the others.""")


@app.callback(invoke_without_command=True)
@with_option_groups
def kotp2p(ctx: typer.Context, look: LookFlags, common: CommonFlags) -> None:
    if ctx.invoked_subcommand is None:
        from cli.commands.start_screen import has_terminal, last_game_reminder, show_start_screen

        if has_terminal():
            raise typer.Exit(show_start_screen(ctx.command))
        typer.echo(SHORT_HELP)
        line = last_game_reminder()
        if line:
            typer.echo(f"\n{line}")


@app.command(
    help=_(
        "Open a table and play at it. The commands that others type to join are printed. When "
        "everybody is there, type: start"
    ),
    epilog=_("Example: kotp2p host --players 4 --bots 1"),
)
@with_option_groups
def host(
    *,
    players: Annotated[
        int, typer.Option("--players", min=2, max=6, metavar="N", help=_("Seats at the table."))
    ] = 6,
    bots: Bots = 0,
    game: GameFlags,
    start_when_full: Annotated[
        bool,
        typer.Option(
            "--start-when-full",
            help=_("Start as soon as every seat is taken; always so without a terminal."),
        ),
    ] = False,
    turn_time: TurnTime = 120,
    reaction_time: ReactionTime = 45,
    seat: SeatFlags,
    who: ProfileFlags,
    invite_only: InviteOnly = False,
    accept_new_keys: AcceptNewKeys = False,
    no_lan: NoLan = False,
    bind: Bind = None,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            metavar="PORT",
            help=_("Listen here; if taken, on the next free one. 0 picks any."),
        ),
    ] = 4242,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.person import person_of_flags
    from cli.commands.play import host
    from cli.commands.table_options import TableRequest

    table = TableRequest(
        game.rules, players, bots, game.level, start_when_full, bind, port,
        tuple(game.option or ()), game.tiles, turn_time, reaction_time, not no_lan, invite_only,
    )  # fmt: skip
    raise typer.Exit(host(person_of_flags(who, seat, accept_new_keys=accept_new_keys), table))


@app.command(
    help=_(
        "List the tables on this network. Each stands with the command that joins it. To join a "
        "table on another network, ask its host for the address."
    ),
    epilog=_("Examples: kotp2p find     kotp2p find --wait 10 --json"),
)
@with_option_groups
def find(
    *,
    wait: Wait = 3,
    as_json: Annotated[
        bool, typer.Option("--json", help=_("Print one JSON array, one object per table."))
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.find import find_tables

    raise typer.Exit(find_tables(wait, as_json))


@app.command(
    help=_(
        "Sit down at a table. ADDRESS stands on the host's screen: a name, an IPv4 or an IPv6 "
        "address, with :PORT unless that is 4242. It may also be the link of an invitation, "
        "which starts with kotp2p://. With - you are asked for it, so that other users of this "
        "machine do not see it in the list of processes. Without an address, the only table on "
        "this network is joined; of several you choose one by number."
    ),
    epilog=_("Examples: kotp2p join 192.168.1.20     kotp2p join [fe80::1%eth0]:4243"),
)
@with_option_groups
def join(
    *,
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADDRESS[:PORT]|LINK]",
            help=_("Where the table is, or the invitation. [default: the one on this network]"),
        ),
    ] = None,
    seat: SeatFlags,
    who: ProfileFlags,
    accept_new_keys: AcceptNewKeys = False,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.find import join_found
    from cli.commands.person import person_of_flags
    from cli.commands.play import join

    person = person_of_flags(who, seat, accept_new_keys=accept_new_keys)
    raise typer.Exit(join_found(person) if address is None else join(person, address))


@app.command(
    help=_(
        "Go on with an unfinished game. It is your newest, or the one that the words of its "
        "phrase name. Everybody at the table types this; your bots come back with you."
    ),
    epilog=_("Examples: kotp2p resume     kotp2p resume --peer 192.168.1.20"),
)
@with_option_groups
def resume(
    *,
    game: Annotated[list[str] | None, typer.Argument(metavar="[PHRASE]...")] = None,
    peer: Annotated[
        str | None,
        typer.Option(
            "--peer",
            metavar="ADDRESS[:PORT]",
            help=_("The address of a player who is back. [default: where all were before]"),
        ),
    ] = None,
    only_list: Annotated[
        bool, typer.Option("--list", help=_("List the games that can be resumed, newest first."))
    ] = False,
    who: ProfileFlags,
    bind: Bind = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            metavar="PORT",
            help=_("Listen here. [default: the port of before, or the next free one]"),
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
    help=_("Play against bots on this machine. The protocol is that of a game over the network."),
    epilog=_("Examples: kotp2p solo --bots 1     kotp2p solo --bot normal --rules second"),
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


@app.command(
    help=_(
        "Check the log of a game, offline. Signatures, dice, cards and rules are checked. Exit "
        "code: 0 sound, 7 sound but unfinished, 9 unreadable, 6 wrong; of several logs the worst "
        "counts, in that order. Of the proof of a cheat: 0 proven, 6 it proves nothing, 9 "
        "unreadable."
    ),
    epilog=_("Examples: kotp2p verify     kotp2p verify --json a.log b.log"),
)
@with_option_groups
def verify(
    *,
    logs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="LOG", help=_("Files to check. [default: the newest game]")),
    ] = None,
    log_dir: LogDir = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=_("Print one JSON array, one object per log."))
    ] = False,
    evidence: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=_("Check the proof of a cheat instead. [default: none]"),
        ),
    ] = None,
    common: CommonFlags,
) -> None:
    if evidence is not None:
        from cli.commands.verify_evidence import verify_evidence

        raise typer.Exit(verify_evidence(evidence))
    from cli.commands.verify import verify_logs

    raise typer.Exit(verify_logs(logs or [], log_dir, as_json))


@app.command(
    help=_(
        "Look up power cards and wickedness tiles. Search by any of their names or by words of "
        "their text; without words, all are listed."
    ),
    epilog=_("Examples: kotp2p cards wings     kotp2p cards --rules classic lose hearts"),
)
@with_option_groups
def cards(
    *,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help=_("What to look for. [default: list all]")),
    ] = None,
    rules: RuleChoice = Rules.SECOND,
    as_json: Annotated[
        bool, typer.Option("--json", help=_("Print one JSON array, one object per card."))
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.cards import show_cards

    raise typer.Exit(show_cards(" ".join(words or []), rules, as_json))


@app.command(
    help=_(
        "Read how the game is played. Without a topic it fits on one page; a word such as claws "
        "explains more. A number or a label such as A-35, or any other word, is looked up in the "
        "rulebook with its rulings."
    ),
    epilog=_("Examples: kotp2p rules tokyo     kotp2p rules --rules classic 3.7"),
)
@with_option_groups
def rules(
    *,
    topic: Annotated[
        list[str] | None,
        typer.Argument(metavar="TOPIC", help=_("What to read about. [default: the page]")),
    ] = None,
    rule_set: Annotated[
        Rules | None,
        typer.Option(
            "--rules", help=_("Leave out what holds in other rule sets only. [default: all]")
        ),
    ] = None,
    rulings: Annotated[
        bool,
        typer.Option("--rulings", help=_("Read the rulebook; without a topic, list its chapters.")),
    ] = False,
    common: CommonFlags,
) -> None:
    from cli.commands.rules import show_rules

    raise typer.Exit(show_rules(" ".join(topic or []), rule_set, rulings=rulings))


@app.command(
    help=_(
        "Show what is set and where it comes from. A flag wins over a variable (KOTP2P_NAME, "
        "KOTP2P_SYMBOLS and so on), and a variable over the file."
    ),
    epilog=_("Examples: kotp2p config     kotp2p config --write"),
)
@with_option_groups
def config(
    *,
    write: Annotated[
        bool, typer.Option("--write", help=_("Write the file with every key explained, if none."))
    ] = False,
    settings: SettingFlags,
    common: CommonFlags,
) -> None:
    from cli.commands.config import show_config

    raise typer.Exit(show_config(write))


def run() -> None:
    """The `kotp2p` program."""
    from cli.system.crash import report_crash
    from cli.system.process import prepare_process

    sys.excepthook = report_crash
    prepare_process()
    # Not `app()`, which puts typer's own report of a crash before ours.
    typer.main.get_command(app)()
