"""`kotp2p identity`: the name and key under which a profile plays, and the keys that it knows."""

import getpass
import os
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import trio

from kotp2p.cli.commands.person import CommandRefused, NameOrigin, check_name, name_without_flag
from kotp2p.cli.system.config import ConfigFault, load_config
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.files import describe_trouble
from kotp2p.cli.text.i18n import _, as_cell, describe_system_error, line_width, plural, typeable
from kotp2p.cli.text.typed_words import YES
from kotp2p.cli.ui.plain import ask_line, is_terminal, read_one_line
from kotp2p.lobby import known_keys
from kotp2p.net import machine
from kotp2p.seams.world import FileTrouble, World
from kotp2p.shell.profile import (
    ProfileInUse,
    count_unfinished,
    locked_profile,
    take_over,
    write_name,
)
from kotp2p.store.files import read_whole_file
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.names import are_alike, clean_name


class NotDone(Exception):
    """The action was not done; the sentence says why, and what would work."""

    def __init__(self, sentence: str, code: Exit = Exit.USAGE) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class OwnIdentity:
    world: World
    key: bytes | None
    name: str
    origin: NameOrigin
    known: known_keys.KnownKeys

    @property
    def folder(self) -> Path:
        return Path(known_keys.profile_folder(self.world.data, self.world.profile))

    def command(self, words: str) -> str:
        profile = self.world.profile
        of_profile = "" if profile == "default" else f" --profile {profile}"
        return f"{typeable('kotp2p identity')} {words}{of_profile}"


def load_identity(profile: str, *, is_renamed: bool = False) -> OwnIdentity:
    """Load an identity, whose name may be broken if that `is_renamed`; raise as its readers do."""
    data = data_folder()
    world = machine.machine_world(data, log_folder(data), profile)
    config = load_config()
    folder = known_keys.profile_folder(data, profile)
    signer = known_keys.read_identity(world.disk, folder)
    known = known_keys.read_known_keys(world.disk, folder, known_keys.NewKeyPolicy.ASK)
    try:
        name, origin = name_without_flag(profile, config)
    except CommandRefused:
        if not is_renamed:
            raise
        name, origin = "", NameOrigin.IDENTITY
    key = None if signer is None else signer.key
    return OwnIdentity(world, key, clean_name(name, _("Player")), origin, known)


def run_identity(words: list[str] | None, profile: str) -> int:
    output = Output.standard()
    try:
        match words or ["show"]:
            case ["show"]:
                show_identity(profile, output)
            case ["export", file]:
                export_identity(profile, Path(file), output)
            case ["import", file]:
                import_identity(profile, Path(file), output)
            case ["rename", *name] if name:
                rename_identity(profile, " ".join(name), output)
            case _:  # no other words are understood
                output.note_line(
                    _("kotp2p: identity takes show, export FILE, import FILE or rename NAME.")
                )
                return Exit.USAGE
    except NotDone as fault:
        output.refuse(fault)
        return fault.code
    except (CommandRefused, ConfigFault) as fault:
        return output.refuse(fault)
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
    return Exit.DONE


# -- the player's own identity -----------------------------------------------------------------


def show_identity(profile: str, output: Output) -> None:
    own = load_identity(profile)
    for line in _describe(own):
        output.say_line(line)
    for row in _list_known(own.known):
        output.say_unbroken(row)


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
    try:
        changed = (own.folder / "key").stat().st_mtime
    except OSError:
        return ""
    return time.strftime("%Y-%m-%d", time.localtime(changed))


def describe_known(known: known_keys.KnownKeys) -> str:
    return plural("You know {n} other player.", "You know {n} other players.", len(known.people()))


def _list_known(known: known_keys.KnownKeys) -> Iterator[str]:
    people = known.people()
    width = max((line_width(one.name) for one in people), default=0)
    for one in sorted(people, key=lambda one: one.name.casefold()):
        name = one.name + " " * (width - line_width(one.name))
        row = (as_cell(name), as_cell(fingerprint(one.key)), as_cell(one.since))
        yield f"  {'  '.join(row)}".rstrip()


def rename_identity(profile: str, typed: str, output: Output) -> None:
    own = load_identity(profile, is_renamed=True)
    name = clean_name(typed, "")
    check_name(typed, name)
    other = own.known.find(name)
    if other is not None and other.key != own.key:
        raise NotDone(
            _("You know another player as {other}, and {name} could be taken for that. Choose "
              "another name.", other=other.name, name=name)
        )  # fmt: skip
    trio.run(write_name, own.world, name)
    output.say_line(_("Your name in this profile is {name} now.", name=name))
    if own.origin is NameOrigin.SETTINGS and not are_alike(own.name, name):
        output.say_line(
            _("The settings name you {other}, and that goes first. To take it out: {command}",
              other=own.name, command=typeable("kotp2p config set name"))
        )  # fmt: skip


# -- an identity goes to another machine ---------------------------------------------------


def export_identity(profile: str, to: Path, output: Output) -> None:
    own = load_identity(profile)
    secret = own.world.disk.read(own.folder / "key")
    if own.key is None or secret is None:
        raise NotDone(_("There is no key to export: it is made when you first play."),
                      Exit.NOTHING_FOUND)  # fmt: skip
    if os.path.lexists(to):
        raise NotDone(_("{file} is there already, and is left as it is. Name another file.",
                        file=to), Exit.FILES)  # fmt: skip
    passphrase = choose_passphrase()
    identity = known_keys.CarriedIdentity(secret, own.name, own.known.people())
    data = known_keys.seal_identity(
        identity, passphrase, os.urandom(known_keys.SALT_BYTES + known_keys.NONCE_BYTES)
    )
    trio.run(MachineDisk().write_secret, to.absolute(), data)
    output.note_line(_("Written: {file}", file=to))
    output.say_line(
        _("With the passphrase anybody can play as {name} by this file: keep both, and apart from "
          "each other. On another machine: {command}",
          name=own.name, command="kotp2p identity import FILE")
    )  # fmt: skip


def import_identity(profile: str, file: Path, output: Output) -> None:
    own = load_identity(profile)
    with locked_profile(own.world):
        identity = _open_file(file)
        if own.key is not None and own.key != identity.key:
            _explain_change(own, own.key, identity, output)
            confirm_by_yes()
        trio.run(take_over, own.world, identity)
    now = load_identity(profile)
    key = fingerprint(identity.key)
    output.say_line(_("This machine plays as {name} now, with the key {key}.",
                      name=now.name, key=key))  # fmt: skip
    output.say_line(describe_known(now.known))
    output.say_line(
        _("Play from one machine at a time: two with one key at a table look like a cheat.")
    )


def _explain_change(
    own: OwnIdentity, own_key: bytes, identity: known_keys.CarriedIdentity, output: Output
) -> None:
    output.say_line(
        _("This profile has another identity: {name}. That of the file, {other}, would take its "
          "place.", name=own.name, other=identity.name)
    )  # fmt: skip
    output.say_line(
        _("The key {key} of {name} is then gone from this machine for good. To keep it in a file: "
          "{command}", key=fingerprint(own_key), name=own.name, command=own.command("export FILE"))
    )  # fmt: skip
    count = count_unfinished(own.world, own_key)
    if count:
        output.say_line(
            plural("{n} unfinished game needs that key, and cannot be resumed without it.",
                   "{n} unfinished games need that key, and cannot be resumed without it.", count)
        )  # fmt: skip


def confirm_by_yes() -> None:
    if not is_terminal():
        raise NotDone(_("Without a terminal nobody can be asked, so nothing was changed."))
    try:
        answer = ask_line(_("y goes on, anything else changes nothing."))
    except EOFError:
        answer = ""
    if not YES.is_typed(answer):
        raise NotDone(_("Nothing was changed."))


def _open_file(file: Path) -> known_keys.CarriedIdentity:
    """Open an exported identity; raise NotDone."""
    try:
        data = read_whole_file(file, known_keys.MAX_IDENTITY_BYTES)
        known_keys.check_head(data)
        return known_keys.open_identity(data, ask_passphrase())
    except OSError as fault:
        detail = describe_system_error(fault.errno)
        sentence = _("{file} cannot be read: {detail}.", file=file, detail=detail)
    except known_keys.NoIdentity:
        sentence = _("{file} is no exported identity. One is made by: kotp2p identity export FILE",
                     file=file)  # fmt: skip
    except known_keys.NewerIdentity:
        sentence = _("{file} was written by a newer kotp2p. Update this one, then import it.",
                     file=file)  # fmt: skip
    except known_keys.WrongPassphrase:
        sentence = _("That is not the passphrase of {file}, or the file was changed. Nothing was "
                     "changed here.", file=file)  # fmt: skip
    raise NotDone(sentence, Exit.FILES)


# -- a passphrase for a file: from the terminal without an echo, or from a pipe ------------
#
# It never comes from the command line, where other users could read it.


LEAST_LETTERS = 8
MAX_TRIES = 3


def choose_passphrase() -> str:
    """Ask for a new one; at a terminal it is typed twice. Raise NotDone."""
    if not sys.stdin.isatty():
        return _long_enough(_read_from_pipe())
    for _attempt in range(MAX_TRIES):
        typed = _long_enough(_ask(_("A passphrase for the file:")))
        if _ask(_("The same once more:")) == typed:
            return typed
        sys.stderr.write(_("The two differ.") + "\n")
    raise NotDone(_("Nothing was written, as the two differed each time."))


def ask_passphrase() -> str:
    return _ask(_("The passphrase of the file:")) if sys.stdin.isatty() else _read_from_pipe()


def _long_enough(passphrase: str) -> str:
    if len(passphrase) < LEAST_LETTERS:
        raise NotDone(
            _("A passphrase has at least {n} letters; several words are easy to keep in mind.",
              n=LEAST_LETTERS)
        )  # fmt: skip
    return passphrase


def _read_from_pipe() -> str:
    """Return the first line. Raise NotDone."""
    try:
        line = read_one_line(0)
    except (OSError, UnicodeDecodeError):
        line = ""
    if not line:
        raise _needed()
    return line


def _needed() -> NotDone:
    return NotDone(_("A passphrase is typed at a terminal, or is the first line of a pipe."))


def _ask(sentence: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(f"{sentence} ")
        except (getpass.GetPassWarning, EOFError):  # what is typed would be seen, or nothing comes
            raise _needed() from None
