"""The table that a player asks for, and the person who plays from this process."""

import getpass
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kotp2p.cli.system.config import Config
from kotp2p.cli.system.folders import data_folder
from kotp2p.cli.system.options import TableOption
from kotp2p.cli.text.files import describe_trouble
from kotp2p.cli.text.i18n import _, list_with_or
from kotp2p.lobby.known_keys import NewKeyPolicy, profile_folder, read_profile_name
from kotp2p.lobby.seating import read_monster
from kotp2p.net.invitation import SECRET_BYTES
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.seams.commands import NO_WATCHERS, WatchOffer
from kotp2p.seams.endings import Ending
from kotp2p.seams.notices import LobbyFault
from kotp2p.seams.world import FileTrouble
from kotp2p.shell.run import HostOptions, SeatWish
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS
from kotp2p.wire.names import (
    MAX_NAME_LENGTH,
    MONSTERS,
    are_alike,
    clean_name,
    is_changed,
    is_reserved_wish,
)

# -- the table: what its flags mean, and whether it can be opened --------------------------


NOBODY, INVITED = "none", "invited"
USUAL_WATCHERS = 8
USUAL_BOTS = 3


class CommandRefused(Exception):
    """The command cannot be run as typed; the message says why, and what to type."""


def same_table(ending: Ending) -> HostOptions:
    view = ending.view
    assert view is not None  # it was played to its end
    setup = view.game.setup
    others = [player for seat, player in enumerate(view.players) if seat != view.seat]
    people = tuple(player.name for player in others if not player.automatic)
    return HostOptions(
        rules=setup.rules.name,
        players=len(view.players),
        bots=len(others) - len(people),
        people=people,
        options=setup.options,
        energy_for_two=setup.options.two_player,
    )


def choose_options(typed: Sequence[str], tiles: str | None, players: int) -> tuple[Options, bool]:
    """Return the options of the rules if all seats of the table are taken.

    The other value says whether two players have the two-player option unasked (A-114). `tiles` are
    the sides of the wickedness tiles; None for the rule set's own.
    """
    for_two = TableOption.NO_TWO_PLAYER not in typed
    options = Options(
        two_player=TableOption.TWO_PLAYER in typed or (for_two and players == 2),
        bay_for_beginners=TableOption.BAY_FOR_BEGINNERS in typed,
        tile_sides=tiles or Options().tile_sides,
    )
    return options, for_two


def watch_offer(watchers: str | None, *, invite_only: bool, chat: bool) -> WatchOffer:
    """Return who may watch; `watchers` is a number, `NOBODY` or `INVITED`."""
    wanted = watchers or (NOBODY if invite_only else str(USUAL_WATCHERS))
    if wanted == NOBODY:
        return NO_WATCHERS
    is_invited = invite_only or wanted == INVITED
    most = USUAL_WATCHERS if wanted == INVITED else int(wanted)
    return WatchOffer(most, os.urandom(SECRET_BYTES) if is_invited else b"", chat)


def count_bots(wanted: int | None, people: int) -> int:
    """Return the number of bots beside `people` at one machine; raise CommandRefused."""
    if wanted is None:
        return min(USUAL_BOTS, MAX_SEATS - people)
    if people + wanted > MAX_SEATS:
        raise CommandRefused(
            _("{bots} bots and {people} people do not fit on {seats} seats: fewer --bots",
              bots=wanted, people=people, seats=MAX_SEATS)
        )  # fmt: skip
    return wanted


def check_table(
    table: HostOptions, typed: Sequence[str], tiles: str | None, *, waits: bool
) -> None:
    """Check seats, options and tiles; `waits`: seats may stay free; raise CommandRefused."""
    if table.players < 2:
        raise CommandRefused(_("At least one bot is needed: --bots 1"))
    if table.bots >= table.players:
        raise CommandRefused(
            _("{bots} bots and you do not fit on {players} seats: fewer --bots or more --players",
              bots=table.bots, players=table.players)
        )  # fmt: skip
    rules = RULE_SETS[table.rules]
    beginners = TableOption.BAY_FOR_BEGINNERS
    if beginners in typed and not rules.for_beginners:
        there = [r.name for r in RULE_SETS.values() if r.for_beginners]
        raise CommandRefused(
            _("The option {option} is not for the {rules} rules, but for {there}.",
              option=beginners, rules=rules.name, there=list_with_or(there))
        )  # fmt: skip
    if tiles is not None and not rules.tiles:
        raise CommandRefused(
            _("There are no wickedness tiles in {rules} rules: --tiles goes with --rules dark",
              rules=rules.name)
        )  # fmt: skip
    two = TableOption.TWO_PLAYER in typed
    if two and TableOption.NO_TWO_PLAYER in typed:
        raise CommandRefused(_("Choose one of the options two-player and no-two-player."))
    if two and (table.bots > 1 or (table.players > 2 and not waits)):
        raise CommandRefused(
            _("The option two-player is for two players: a table of {n} cannot start with it",
              n=table.players)
        )  # fmt: skip


# -- the person ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    name: str | None = None
    monster: str | None = None
    bot: str | None = None
    """The level of the bot that plays this person's seat."""
    log_dir: Path | None = None
    profile: str = "default"
    as_json: bool = False
    accept_new_keys: bool = False

    def new_keys(self, terminal: bool) -> NewKeyPolicy:
        if self.accept_new_keys:
            return NewKeyPolicy.ACCEPT
        return NewKeyPolicy.ASK if terminal else NewKeyPolicy.REFUSE


class NameOrigin(StrEnum):
    """The source of the name of a player who has not typed one."""

    SETTINGS = "settings"
    IDENTITY = "identity"
    LOGIN = "login"


def name_without_flag(profile: str, config: Config) -> tuple[str, NameOrigin]:
    chosen = config.text_of("name")
    if chosen is not None:
        return chosen, NameOrigin.SETTINGS
    folder = profile_folder(data_folder(), profile)
    try:
        given = read_profile_name(MachineDisk(), folder)
    except FileTrouble as trouble:
        raise CommandRefused(" ".join(describe_trouble(trouble))) from None
    return (login_name(), NameOrigin.LOGIN) if given is None else (given, NameOrigin.IDENTITY)


def check_name(typed: str, name: str, flag: str = "--name") -> None:
    """Check that the name is not reserved and only lost spaces; raise CommandRefused."""
    if is_reserved_wish(typed):
        raise CommandRefused(
            _("{typed} reads like a word of the game itself, so no player can be called that. "
              "This would do: {flag} {name}", typed=typed, flag=flag,
              name=shlex.quote(name or "Ana"))
        )  # fmt: skip
    if not name:
        raise CommandRefused(_("A name needs at least one letter: {flag} Ana", flag=flag))
    if is_changed(typed, name):
        raise CommandRefused(
            _("A name is at most {n} columns wide and has letters of one script, digits, and "
              "single spaces, hyphens, apostrophes, full stops or underscores between them. "
              "This would do: {flag} {name}",
              n=MAX_NAME_LENGTH, flag=flag, name=shlex.quote(name))
        )  # fmt: skip


def read_people(typed: str) -> tuple[str, ...]:
    """Parse names with commas between, no two of them alike; raise CommandRefused."""
    parts = typed.split(",")
    if not MIN_SEATS <= len(parts) <= MAX_SEATS:
        raise CommandRefused(
            _("--people takes two to six names, with commas between: --people Ana,Rex")
        )
    names: list[str] = []
    for part in parts:
        name = clean_name(part, "")
        check_name(part, name, "--people")
        for other in names:
            if are_alike(name, other):
                raise CommandRefused(
                    _("{first} and {second} look alike: each needs a name of their own.",
                      first=other, second=name)
                )  # fmt: skip
        names.append(name)
    return tuple(names)


def login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def refused_login_name(person: Person, config: Config) -> str | None:
    if person.name is not None:
        return None
    wanted, origin = name_without_flag(person.profile, config)
    return wanted if origin is NameOrigin.LOGIN and is_reserved_wish(wanted) else None


def choose_seating(person: Person, config: Config) -> SeatWish:
    wanted = person.name
    if wanted is None:
        wanted = name_without_flag(person.profile, config)[0]
    name = clean_name(wanted, "")
    if person.name is not None:
        check_name(wanted, name)
    monster = config.text_of("monster") if person.monster is None else person.monster
    if monster is not None:
        found = read_monster(monster)
        if isinstance(found, LobbyFault):
            raise CommandRefused(
                _("No monster is called {name}; choose {monsters}.", name=monster,
                  monsters=list_with_or(MONSTERS))
            )  # fmt: skip
        monster = found
    return SeatWish(name or _("Player"), monster, person.bot is not None)
