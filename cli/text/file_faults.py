"""A file that cannot be used: which one, what is lost with it, and what to do.

Scope: sentences for the files of the data folder, by their place in it (docs/DESIGN.md), and for
any other file.
Not here: files that a person names on the command line (`system_errors`), and logs that are looked
at (`log_faults`).
"""

from __future__ import annotations

import errno
from typing import assert_never

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.own_command import typeable
from kotp2p.cli.text.registered import Hint, wing
from kotp2p.cli.text.system_errors import describe_system_error
from kotp2p.seams.world import FaultOfFile, FileFault, FileTrouble
from kotp2p.store.saved_game import GAMES_FOLDER

FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
TOO_MANY = frozenset({errno.EMFILE, errno.ENFILE})
MADE_ANEW = frozenset({"places", "epoch", "lock"})
"""Files of a game without which it goes on."""


def describe_trouble(trouble: FileTrouble) -> list[str]:
    if trouble.fault is None:
        return [_("A file cannot be read or written: {detail}.", detail=trouble)]
    return describe_file_fault(trouble.fault)


def describe_file_fault(fault: FileFault) -> list[str]:
    """What is wrong, then what to do."""
    match fault.kind:
        case FaultOfFile.SYSTEM:
            reason = describe_system_error(fault.error)
            first = _("{file} cannot be read or written: {reason}.", file=fault.path, reason=reason)
            return [first, _advise_on_system(fault)]
        case FaultOfFile.CONTENT:
            first = _("{file} does not hold what it should: it is damaged.", file=fault.path)
            return [first, _advise_on_place(fault)]
        case FaultOfFile.UNBEGUN:
            first = _("{folder}: it was broken off before its log said anything.",
                      folder=fault.path.parent)  # fmt: skip
            return [first, _advise_on_place(fault)]
        case FaultOfFile.EARLIER:
            return [
                _("{file} was written by a version of kotp2p from before 1.0. No published version "
                  "reads it.", file=fault.path),
                _("That game cannot go on. To begin another one, type: {command}",
                  command=typeable("kotp2p host")),
            ]  # fmt: skip
        case FaultOfFile.NEWER:
            return [
                _("{file} was written by a newer version of kotp2p.", file=fault.path),
                _("Update kotp2p on this machine, then go on."),
            ]
        case _:
            assert_never(fault.kind)


def _advise_on_system(fault: FileFault) -> str:
    if fault.error in FULL:
        return _("Make room on that disk. A game that was broken off goes on with: {command}",
                 command=typeable("kotp2p resume"))  # fmt: skip
    told = wing().say(Hint.NOT_PERMITTED) if fault.error in FORBIDDEN else ""
    if told:
        return told
    if fault.error in TOO_MANY:
        return describe_few_files()
    return _advise_on_place(fault)


def take_from_others() -> str:
    """Say what to do about a game whose files are damaged or lost."""
    return _(
        "The others have this game. To take it from them, type: {command}",
        command=typeable("kotp2p resume --peer ADDRESS"),
    )


def is_for_want_of_files(error: BaseException) -> bool:
    """Whether the system has refused one more file or socket, and nothing else is wrong."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_for_want_of_files, error.exceptions))
    return isinstance(error, OSError) and error.errno in TOO_MANY


def describe_few_files() -> str:
    return _("This program may open too few files here. To let it open more, type first: "
             "{command}", command="ulimit -n 1024")  # fmt: skip


def _advise_on_place(fault: FileFault) -> str:
    """What is lost with the file, by its name and the folder that it lies in."""
    path = fault.path
    is_of_game = GAMES_FOLDER in (folder.name for folder in path.parents)
    if is_of_game and path.name in MADE_ANEW:
        return _("Nothing is lost with it: move it away, then type: {command}",
                 command=typeable("kotp2p resume"))  # fmt: skip
    if is_of_game and path.name != "key":
        return take_from_others()
    if is_of_game:
        return _("Without it your seat cannot go on with that game; the others can. If you have a "
                 "copy of the file, put it back.")  # fmt: skip
    try_again = _("Move it away, then try again.")
    match path.name:
        case "key":
            return wing().say(Hint.KEY_LOST) or try_again
        case "known":
            return _("Only the keys of the players that you know are lost with it: move it away, "
                     "and the list begins anew.")  # fmt: skip
        case "name":
            return wing().say(Hint.NAME_LOST) or try_again
        case _:  # nothing depends on another file
            return try_again
