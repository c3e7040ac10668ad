"""`host`, `join`, `solo` and `resume`: which game is played, and whether there is another."""

import os
import sys
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import Any

from kotp2p.cli.commands import one_game
from kotp2p.cli.commands.person import (
    CommandRefused,
    Person,
    check_table,
    choose_options,
    count_bots,
    read_people,
    same_table,
    watch_offer,
)
from kotp2p.cli.system.folders import data_folder, last_game_reminder, log_folder
from kotp2p.cli.system.options import VERSION
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.how_to_join import BadAddress, parse_address, parse_code, parse_invitation
from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui import player_commands
from kotp2p.cli.ui.plain import is_terminal
from kotp2p.cli.wing import wing
from kotp2p.net import lan, machine
from kotp2p.net.connections import ANYWHERE, ListenAt
from kotp2p.net.invitation import SECRET_BYTES, is_link
from kotp2p.rendezvous.words import Code, is_like_code
from kotp2p.seams.commands import Front
from kotp2p.seams.endings import Ending
from kotp2p.seams.world import World
from kotp2p.shell import run
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.run import HostOptions, SeatWish
from kotp2p.wire.addresses import DEFAULT_PORT
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from kotp2p.wire.genesis import Clocks

USUAL_LEVEL, EASY_LEVEL = "normal", "easy"


def run_host(
    *,
    players: int,
    bots: int,
    level: str,
    rules: str,
    option: list[str] | None,
    tiles: str | None,
    start_when_full: bool,
    turn_time: int,
    reaction_time: int,
    no_lan: bool,
    invite_only: bool,
    bind: str | None,
    port: int,
    watchers: str | None,
    watchers_chat: bool,
    no_code: bool,
    **person: Any,
) -> int:
    terminal = is_terminal()
    player = Person(**person)
    options, for_two = choose_options(option or (), tiles, players)
    table = HostOptions(
        rules=rules,
        players=players,
        bots=bots,
        level=level,
        start_when_full=start_when_full or not terminal,
        bind=bind,
        port=port,
        options=options,
        energy_for_two=for_two,
        clocks=Clocks(turn_time, reaction_time),
        secret=os.urandom(SECRET_BYTES) if invite_only else OPEN_TABLE_SECRET,
        new_keys=player.new_keys(terminal),
        watch=watch_offer(watchers, invite_only=invite_only, chat=watchers_chat),
        with_code=not no_code,
    )
    try:
        check_table(table, option or (), tiles, waits=not table.start_when_full)
    except CommandRefused as fault:
        return Output.standard().refuse(fault)
    return host(player, table, is_announced=not no_lan)


def run_solo(
    *,
    bots: int | None,
    people: str | None,
    level: str | None,
    rules: str,
    option: list[str] | None,
    tiles: str | None,
    no_coach: bool,
    **person: Any,
) -> int:
    player = Person(**person)
    try:
        player, others = _read_people(player, people)
        bots = count_bots(bots, len(others) + 1)
        seats = 1 + len(others) + bots
        options, for_two = choose_options(option or (), tiles, seats)
        table = HostOptions(
            rules=rules,
            players=seats,
            bots=bots,
            people=others,
            level=level or USUAL_LEVEL,
            start_when_full=not is_terminal(),
            options=options,
            energy_for_two=for_two,
        )
        check_table(table, option or (), tiles, waits=False)
    except CommandRefused as fault:
        return Output.standard().refuse(fault)
    return solo(player, table, is_taught=not no_coach, is_level_chosen=level is not None)


def _read_people(player: Person, typed: str | None) -> tuple[Person, tuple[str, ...]]:
    """Return the player under the first name of --people, and the others; raise CommandRefused."""
    if typed is None:
        return player, ()
    if player.name is not None:
        raise CommandRefused(_("--people names everybody, so leave --name away."))
    if player.bot is not None:
        raise CommandRefused(_("--people is for people who play themselves, so leave --bot away."))
    first, *others = read_people(typed)
    return replace(player, name=first), tuple(others)


def run_resume(
    *,
    game: list[str] | None,
    only_list: bool,
    peer: str | None,
    bind: str | None,
    port: int | None,
    bot: str | None,
    profile: str,
    as_json: bool,
) -> int:
    if only_list:
        return one_game.list_games(profile, as_json)
    person = Person(bot=bot, profile=profile, as_json=as_json)
    return resume(person, " ".join(game or []), peer, ListenAt(bind, port))


def host(person: Person, table: HostOptions, *, is_announced: bool) -> int:
    line = last_game_reminder() if person.profile == "default" else ""
    if line:
        sys.stderr.write(f"{line}\n")
    person = wing().introduce(person)
    world = _world_of(person)

    def play(world: World, seating: SeatWish, front: Front) -> Awaitable[Ending]:
        if is_announced:
            world = replace(world, lan=lan.lan_of_this_machine(world.entropy))
        return run.host(world, seating, table, front)

    played = one_game.play_game(person, play, world, table=table)
    return _play_again(person, world, played, table.level)


def _play_again(
    person: Person, world: World, played: one_game.Played, level: str = "normal"
) -> int:
    """Play further games with the same people as long as this person wants them."""
    while is_rematch_wanted(played):
        assert played.ending is not None  # a game was played
        same_person = keep_person(person, played.ending)
        play = partial(_gather_again, same_person, played.ending, level)
        played = one_game.play_game(same_person, play, world)
    return played.code


def _gather_again(
    person: Person, last: Ending, level: str, world: World, seating: SeatWish, front: Front
) -> Awaitable[Ending]:
    play_again = wing().play_again
    assert play_again is not None  # another game is possible
    keys = person.new_keys(is_terminal())
    return play_again(world, seating, last, front, level, keys)


def solo(
    person: Person, table: HostOptions, *, is_taught: bool = True, is_level_chosen: bool = True
) -> int:
    """Play games against bots at this machine until no other is wanted."""
    # A first game is explained if `is_taught`, and easy unless `is_level_chosen`.

    def play(world: World, seating: SeatWish, front: Front) -> Awaitable[Ending]:
        return run.solo(world, seating, table, front)

    person = wing().introduce(person)
    world, has_won, is_easy = _world_of(person), False, False
    while True:
        first_game = one_game.FirstGame(world, is_taught)
        if not is_level_chosen:
            is_first = is_terminal() and not first_game.was_coached()
            is_easy = is_first or (is_easy and not has_won)
            table = replace(table, level=EASY_LEVEL if is_easy else USUAL_LEVEL)
        played = one_game.play_game(
            person, play, world, table=table, solo=True, is_easy=is_easy, first_game=first_game
        )
        has_won = played.ending is not None and player_commands.is_won(played.ending)
        if not is_rematch_wanted(played):
            return played.code


def join(person: Person, target: str, here: ListenAt = ANYWHERE) -> int:
    """Join the table at a code, an address or a link; `here` is where this process listens."""
    try:
        table = read_target(target)
    except BadAddress as fault:
        return Output.standard().refuse(fault)

    def play(world: World, seating: SeatWish, front: Front) -> Awaitable[Ending]:
        new_keys = person.new_keys(is_terminal())
        return run.join(world, seating, table, front, new_keys=new_keys, here=here)

    person = wing().introduce(person)
    world = look_around(_world_of(person), table)
    played = one_game.play_game(
        person, play, world, target=place_of(table), first_game=one_game.FirstGame(world)
    )
    return _play_again(person, world, played)


def read_target(target: str, *, to_watch: bool = False) -> TableAddress | Code:
    """Parse a link, code or address; raise BadAddress if it is none of these."""
    if is_link(target):
        return TableAddress.from_invitation(parse_invitation(target, to_watch=to_watch))
    if is_like_code(target):
        return parse_code(target)
    host_name, port = parse_address(target)
    return TableAddress((host_name,), port)


def look_around(world: World, table: TableAddress | Code) -> World:
    """Return the machine as it looks for this table: a code is also looked for on the network."""
    if isinstance(table, Code):
        return replace(world, lan=lan.lan_of_this_machine(world.entropy))
    return world


def place_of(table: TableAddress | Code) -> tuple[str, int]:
    """Return the host or code, and the port, that the closing lines name."""
    if isinstance(table, Code):
        return table.spelled, DEFAULT_PORT
    return table.places[0], table.port


def resume(person: Person, game: str, peer: str | None, here: ListenAt = ANYWHERE) -> int:
    try:
        address = parse_address(peer) if peer is not None else None
    except BadAddress as fault:
        return Output.standard().refuse(fault)

    def play(world: World, seating: SeatWish, front: Front) -> Awaitable[Ending]:
        return run.resume(world, game or None, address, front, here)

    world = _world_of(person)
    played = one_game.play_game(person, play, world)
    if played.ending is None or not player_commands.was_solo(played.ending):
        return _play_again(person, world, played)
    if not is_rematch_wanted(played):
        return played.code
    return solo(keep_person(person, played.ending), same_table(played.ending))


def _world_of(person: Person) -> World:
    data = data_folder()
    logs = person.log_dir or log_folder(data)
    world = machine.machine_world(data, logs, person.profile, VERSION)
    return replace(world, make_bot=wing().make_bot)


def is_rematch_wanted(played: one_game.Played) -> bool:
    return played.ending is not None and played.wants_another is True


def keep_person(person: Person, ending: Ending) -> Person:
    assert ending.view is not None
    me = ending.view.players[ending.view.seat]
    return replace(person, name=me.name, monster=me.monster)
