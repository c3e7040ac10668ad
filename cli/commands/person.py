"""The person who plays from this process, as the flags and the settings say."""

from __future__ import annotations

import getpass
import shlex
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kotp2p.cli.commands.table_options import CommandRefused
from kotp2p.cli.system.config import Config
from kotp2p.cli.system.folders import data_folder
from kotp2p.cli.text.file_faults import describe_trouble
from kotp2p.cli.text.i18n import _, list_with_or
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.lobby.monsters import MONSTERS
from kotp2p.lobby.profile_files import profile_folder, read_profile_name
from kotp2p.shell.run import SeatWish
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.genesis import MAX_SEATS, MIN_SEATS
from kotp2p.wire.names import MAX_NAME_LENGTH, are_alike, clean_name, is_changed, is_reserved_wish
from kotp2p.world import FileTrouble


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
        """What is done when a known name comes with another key."""
        if self.accept_new_keys:
            return NewKeyPolicy.ACCEPT
        return NewKeyPolicy.ASK if terminal else NewKeyPolicy.REFUSE


class NameOrigin(StrEnum):
    """Where the name of a player comes from who has not typed one."""

    SETTINGS = "settings"
    IDENTITY = "identity"
    LOGIN = "login"


def name_without_flag(profile: str, config: Config) -> tuple[str, NameOrigin]:
    """As it was written down, and where. Raises CommandRefused."""
    chosen = config.text_of("name")
    if chosen is not None:
        return chosen, NameOrigin.SETTINGS
    folder = profile_folder(data_folder(), profile)
    try:
        given = read_profile_name(MachineDisk(), folder)
    except FileTrouble as trouble:
        raise CommandRefused(" ".join(describe_trouble(trouble))) from None
    return (_login_name(), NameOrigin.LOGIN) if given is None else (given, NameOrigin.IDENTITY)


def check_name(typed: str, name: str, flag: str = "--name") -> None:
    """Refuses a name that would lose more than spaces. Raises CommandRefused."""
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
    """The names of people who share this machine, parted by commas. Raises CommandRefused."""
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


def _login_name() -> str:
    """Empty if this system knows none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def refused_login_name(person: Person, config: Config) -> str | None:
    """The login name, if the person has chosen no name and cannot be called that."""
    if person.name is not None:
        return None
    wanted, origin = name_without_flag(person.profile, config)
    return wanted if origin is NameOrigin.LOGIN and is_reserved_wish(wanted) else None


def choose_seating(person: Person, config: Config) -> SeatWish:
    """The name and the monster that the person sits down with. Raises CommandRefused."""
    wanted = person.name
    if wanted is None:
        wanted = name_without_flag(person.profile, config)[0]
    name = clean_name(wanted, "")
    if person.name is not None:
        check_name(wanted, name)
    monster = config.text_of("monster") if person.monster is None else person.monster
    if monster is not None:
        fitting = [m for m in MONSTERS if are_alike(m, monster.strip())]
        if not fitting:
            raise CommandRefused(
                _("No monster is called {name}; choose {monsters}.", name=monster,
                  monsters=list_with_or(MONSTERS))
            )  # fmt: skip
        monster = fitting[0]
    return SeatWish(name or _("Player"), monster, person.bot is not None)
