"""`kotp2p identity export` and `import`: an identity goes to another machine, in a file behind a
passphrase.

Not here: the form of the file (`kotp2p.lobby.identity_file`).
"""

from __future__ import annotations

import os
from pathlib import Path

import trio

from kotp2p.cli.extras.identity import (
    NotDone,
    OwnIdentity,
    conclude,
    confirm_by_yes,
    describe_known,
    explain_loss,
    load_identity,
)
from kotp2p.cli.extras.passphrase import ask_passphrase, choose_passphrase
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.i18n import _
from kotp2p.lobby.identity_file import (
    MAX_IDENTITY_BYTES,
    NONCE_BYTES,
    SALT_BYTES,
    CarriedIdentity,
    NewerIdentity,
    NoIdentity,
    WrongPassphrase,
    check_head,
    open_identity,
    seal_identity,
)
from kotp2p.net.fingerprint import fingerprint
from kotp2p.shell import own_identity
from kotp2p.shell.own_identity import locked_profile
from kotp2p.store.files import read_whole_file
from kotp2p.store.machine_disk import MachineDisk


def export_identity(profile: str, to: Path) -> int:
    def export(output: Output) -> Exit:
        own = load_identity(profile)
        secret = own.world.disk.read(own.folder / "key")
        if own.key is None or secret is None:
            raise NotDone(_("There is no key to export: it is made when you first play."),
                          Exit.NOTHING_FOUND)  # fmt: skip
        if to.exists() or to.is_symlink():
            raise NotDone(_("{file} is there already, and is left as it is. Name another file.",
                            file=to), Exit.FILES)  # fmt: skip
        passphrase = choose_passphrase()
        identity = CarriedIdentity(secret, own.name, own.known.people())
        data = seal_identity(identity, passphrase, os.urandom(SALT_BYTES + NONCE_BYTES))
        trio.run(MachineDisk().write_secret, to.absolute(), data)
        output.note_line(_("Written: {file}", file=to))
        output.say_line(
            _("With the passphrase anybody can play as {name} by this file: keep both, and apart "
              "from each other. On another machine: {command}",
              name=own.name, command="kotp2p identity import FILE")
        )  # fmt: skip
        return Exit.DONE

    return conclude(export)


def import_identity(profile: str, file: Path) -> int:
    def take(output: Output) -> Exit:
        own = load_identity(profile)
        with locked_profile(own.world):
            identity = _open_file(file)
            if own.key is not None and own.key != identity.key:
                _explain_change(own, identity, output)
                confirm_by_yes()
            trio.run(own_identity.take_over, own.world, identity)
        now = load_identity(profile)
        key = fingerprint(identity.key)
        output.say_line(_("This machine plays as {name} now, with the key {key}.",
                          name=now.name, key=key))  # fmt: skip
        output.say_line(describe_known(now.known))
        output.say_line(
            _("Play from one machine at a time: two with one key at a table look like a cheat.")
        )
        return Exit.DONE

    return conclude(take)


def _explain_change(own: OwnIdentity, identity: CarriedIdentity, output: Output) -> None:
    output.say_line(
        _("This profile has another identity: {name}. That of the file, {other}, would take its "
          "place.", name=own.name, other=identity.name)
    )  # fmt: skip
    explain_loss(own, output)


def _open_file(file: Path) -> CarriedIdentity:
    """Raises NotDone or NoPassphrase."""
    try:
        data = read_whole_file(file, MAX_IDENTITY_BYTES)
        check_head(data)
        return open_identity(data, ask_passphrase())
    except OSError as fault:
        detail = fault.strerror or fault
        sentence = _("{file} cannot be read: {detail}.", file=file, detail=detail)
    except NoIdentity:
        sentence = _("{file} is no exported identity. One is made by: kotp2p identity export FILE",
                     file=file)  # fmt: skip
    except NewerIdentity:
        sentence = _("{file} was written by a newer kotp2p. Update this one, then import it.",
                     file=file)  # fmt: skip
    except WrongPassphrase:
        sentence = _("That is not the passphrase of {file}, or the file was changed. Nothing was "
                     "changed here.", file=file)  # fmt: skip
    raise NotDone(sentence, Exit.FILES)
