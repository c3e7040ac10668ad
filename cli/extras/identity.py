"""`kotp2p identity`: the name and the key under which a profile plays, and the keys that it knows.

Scope: showing and changing them on this machine. What cannot be undone is explained first, and done
only after a plain yes.
Not here: an identity that goes to another machine (`cli.extras.identity_travel`), and the files
(`kotp2p.shell.own_identity`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import trio

from kotp2p.cli.commands.person import NameOrigin, check_name, name_without_flag
from kotp2p.cli.commands.table_options import CommandRefused
from kotp2p.cli.extras.passphrase import NoPassphrase
from kotp2p.cli.system.config import Config, ConfigFault, load_config
from kotp2p.cli.system.exit_codes import Exit
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.file_faults import describe_trouble
from kotp2p.cli.text.i18n import _, as_cell, line_width, plural
from kotp2p.cli.text.own_command import typeable
from kotp2p.cli.text.translated_words import YES
from kotp2p.cli.ui.stdin import ask_line, is_terminal
from kotp2p.lobby.known_keys import KnownKeys, KnownPerson, NewKeyPolicy
from kotp2p.lobby.profile_files import profile_folder, read_identity, read_known_keys
from kotp2p.net import machine
from kotp2p.net.fingerprint import fingerprint
from kotp2p.shell import own_identity
from kotp2p.shell.own_identity import ProfileInUse
from kotp2p.wire.names import are_alike, clean_name
from kotp2p.world import FileTrouble, World

DOCUMENT_VERSION = 2
"""Of the JSON document. docs/FORMATS.md says when it rises."""


class NotDone(Exception):
    """The sentence says why, and what would do."""

    def __init__(self, sentence: str, code: Exit = Exit.USAGE) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class OwnIdentity:
    """A profile as its files and the settings have it."""

    world: World
    config: Config
    profile: str
    key: bytes | None
    name: str
    origin: NameOrigin
    known: KnownKeys

    @property
    def folder(self) -> Path:
        return profile_folder_of(self.world)

    def command(self, words: str) -> str:
        """As it can be typed here for this profile."""
        of_profile = "" if self.profile == "default" else f" --profile {self.profile}"
        return f"{typeable('kotp2p identity')} {words}{of_profile}"


def profile_folder_of(world: World) -> Path:
    return Path(profile_folder(world.data, world.profile))


def load_identity(profile: str) -> OwnIdentity:
    """Raises FileTrouble, CommandRefused or ConfigFault."""
    data = data_folder()
    world = machine.machine_world(data, log_folder(data), profile)
    config = load_config()
    folder = profile_folder_of(world)
    signer = read_identity(world.disk, folder)
    name, origin = name_without_flag(profile, config)
    known = read_known_keys(world.disk, folder, NewKeyPolicy.ASK)
    key = None if signer is None else signer.key
    return OwnIdentity(
        world, config, profile, key, clean_name(name, _("Player")), origin, known
    )  # fmt: skip


def conclude(act: Callable[[Output], Exit]) -> int:
    """Does what a command is for, and says in one sentence why it could not."""
    output = Output.standard()
    try:
        return act(output)
    except NotDone as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return fault.code
    except (CommandRefused, ConfigFault, NoPassphrase) as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    except FileTrouble as trouble:
        for line in describe_trouble(trouble):
            output.note_line(line)
        return Exit.FILES
    except ProfileInUse:
        output.note_line(
            _("kotp2p: Another program plays under this profile now. End it first, then type this "
              "command again.")
        )  # fmt: skip
        return Exit.FILES


def confirm_by_yes() -> None:
    """Asks a person. Raises NotDone unless the answer is yes."""
    if not is_terminal():
        raise NotDone(_("Without a terminal nobody can be asked, so nothing was changed."))
    try:
        answer = ask_line(_("y goes on, anything else changes nothing."))
    except EOFError:
        answer = ""
    if not YES.is_typed(answer):
        raise NotDone(_("Nothing was changed."))


def run_identity(words: list[str] | None, as_json: bool, profile: str) -> int:
    """The words of `kotp2p identity`."""
    from kotp2p.cli.extras.identity_travel import export_identity, import_identity

    match words or ["show"]:
        case ["show"]:
            return show_identity(profile, as_json)
        case ["export", file]:
            return export_identity(profile, Path(file))
        case ["import", file]:
            return import_identity(profile, Path(file))
        case ["rename", *name] if name:
            return rename_identity(profile, name)
        case _:  # no other words are understood
            Output.standard().note_line(
                _("kotp2p: identity takes show, export FILE, import FILE or rename NAME.")
            )
            return Exit.USAGE


# -- one's own ---------------------------------------------------------------------------------


def show_identity(profile: str, as_json: bool) -> int:
    def show(output: Output) -> Exit:
        own = load_identity(profile)
        if as_json:
            output.write_document(json.dumps(_as_object(own)))
        else:
            for line in _describe(own):
                output.say_line(line)
            for row in _list_known(own.known):
                output.say_unbroken(row)
        return Exit.DONE

    return conclude(show)


def _as_object(own: OwnIdentity) -> dict[str, object]:
    return {
        "version": DOCUMENT_VERSION,
        "profile": own.profile,
        "name": own.name,
        "name_from": own.origin.value,
        "key": None if own.key is None else own.key.hex(),
        "fingerprint": None if own.key is None else fingerprint(own.key),
        "since": _day_of_key(own) or None,
        "known": [_person_as_object(person) for person in own.known.people()],
    }


def _person_as_object(person: KnownPerson) -> dict[str, object]:
    return {
        "name": person.name,
        "key": person.key.hex(),
        "fingerprint": fingerprint(person.key),
        "since": person.since or None,
    }


def _describe(own: OwnIdentity) -> list[str]:
    match own.origin:
        case NameOrigin.SETTINGS:
            name = _("Name: {name} (from the settings)", name=own.name)
        case NameOrigin.IDENTITY:
            name = _("Name: {name}", name=own.name)
        case NameOrigin.LOGIN:
            name = _("Name: {name} (as you are logged in)", name=own.name)
    if own.key is None:
        missing = _("There is no key yet. It is made when you first play, or comes from another "
                    "machine: {command}", command=own.command("import FILE"))  # fmt: skip
        return [name, missing]
    return [
        name,
        _("Key: {key}", key=fingerprint(own.key)),
        _("On this machine since {day}.", day=_day_of_key(own)),
        describe_known(own.known),
    ]


def _day_of_key(own: OwnIdentity) -> str:
    """When its file was written; empty without one."""
    try:
        changed = (own.folder / "key").stat().st_mtime
    except OSError:
        return ""
    return time.strftime("%Y-%m-%d", time.localtime(changed))


def describe_known(known: KnownKeys) -> str:
    return plural("You know {n} other player.", "You know {n} other players.", len(known.people()))


def _list_known(known: KnownKeys) -> Iterator[str]:
    """A row for each player that is known: name, key, and the day of the first game."""
    people = known.people()
    width = max((line_width(one.name) for one in people), default=0)
    for one in sorted(people, key=lambda one: one.name.casefold()):
        name = one.name + " " * (width - line_width(one.name))
        row = (as_cell(name), as_cell(fingerprint(one.key)), as_cell(one.since))
        yield f"  {'  '.join(row)}".rstrip()


def rename_identity(profile: str, words: list[str]) -> int:
    def rename(output: Output) -> Exit:
        own = _load_to_rename(profile)
        typed = " ".join(words)
        name = clean_name(typed, "")
        check_name(typed, name)
        other = own.known.find(name)
        if other is not None and other.key != own.key:
            raise NotDone(
                _("You know another player as {other}, and {name} could be taken for that. Choose "
                  "another name.", other=other.name, name=name)
            )  # fmt: skip
        trio.run(own_identity.write_name, own.world, name)
        output.say_line(_("Your name in this profile is {name} now.", name=name))
        if own.origin is NameOrigin.SETTINGS and not are_alike(own.name, name):
            output.say_line(
                _("The settings name you {other}, and that goes first. To take it out: {command}",
                  other=own.name, command=typeable("kotp2p config set name"))
            )  # fmt: skip
        return Exit.DONE

    return conclude(rename)


def _load_to_rename(profile: str) -> OwnIdentity:
    """A file that holds no name is what a new name mends."""
    try:
        return load_identity(profile)
    except CommandRefused:
        data = data_folder()
        world = machine.machine_world(data, log_folder(data), profile)
        folder = profile_folder_of(world)
        signer = read_identity(world.disk, folder)
        known = read_known_keys(world.disk, folder, NewKeyPolicy.ASK)
        key = None if signer is None else signer.key
        return OwnIdentity(world, load_config(), profile, key, "", NameOrigin.IDENTITY, known)


def explain_loss(own: OwnIdentity, output: Output) -> None:
    """What goes with the key that the profile has."""
    assert own.key is not None  # there would be nothing to lose
    output.say_line(
        _("The key {key} of {name} is then gone from this machine for good. To keep it in a file: "
          "{command}", key=fingerprint(own.key), name=own.name, command=own.command("export FILE"))
    )  # fmt: skip
    count = own_identity.count_unfinished(own.world, own.key)
    if count:
        output.say_line(
            plural("{n} unfinished game needs that key, and cannot be resumed without it.",
                   "{n} unfinished games need that key, and cannot be resumed without it.", count)
        )  # fmt: skip
