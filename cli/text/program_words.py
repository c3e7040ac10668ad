"""What sentences say of the program, its name and commands, and errors of the system."""

import errno

from kotp2p.cli.text.i18n import N_, _

# -- the word by which this program is called in its sentences -----------------------------
#
# `kotp2p` becomes the path of the program where the shell would not find the bare word, in commands
# that the reader types on this machine; a command for others has the bare word.


PROGRAM = "kotp2p"
IS_PUBLISHED = False
"""Whether the package index has this program under its name. Until then anybody could take the
name, so nothing that a person reads installs or runs it by name."""
_program = PROGRAM


def use_program(program: str) -> None:
    global _program
    _program = program


def typeable(command: str) -> str:
    """Return a command that begins with `kotp2p` as it can be typed here."""
    program, space, rest = command.partition(" ")
    return f"{_program}{space}{rest}" if program == PROGRAM else command


# -- why the system does not read or write a file, as a clause -----------------------------


TOO_MANY = frozenset({errno.EMFILE, errno.ENFILE})
_WORDS = {
    errno.ENOENT: N_("there is no such file"),
    errno.ENOTDIR: N_("a file stands where a folder should be"),
    errno.EISDIR: N_("it is a folder"),
    errno.EINVAL: N_("it is no file"),
    errno.EACCES: N_("the system does not allow it"),
    errno.EPERM: N_("the system does not allow it"),
    errno.EROFS: N_("the disk can only be read"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EFBIG: N_("it is too long"),
    errno.ENAMETOOLONG: N_("the name is too long"),
    errno.ELOOP: N_("its links lead in a circle"),
    **dict.fromkeys(TOO_MANY, N_("too many files are open")),
    errno.EEXIST: N_("it is there already"),
    errno.EIO: N_("the disk reports an error"),
}


def describe_system_error(number: int | None, *, writing: bool = False) -> str:
    if writing and number == errno.ENOENT:
        return _("there is no such folder")
    if number in _WORDS:
        return _(_WORDS[number])
    return _("the system reports {error}", error=errno.errorcode.get(number or 0, number or 0))


def is_for_want_of_files(error: BaseException) -> bool:
    """Return whether the only fault is that the system refuses more files or sockets."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_for_want_of_files, error.exceptions))
    return isinstance(error, OSError) and error.errno in TOO_MANY


def describe_few_files() -> str:
    return _("This program may open too few files here. To let it open more, type first: "
             "{command}", command="ulimit -n 1024")  # fmt: skip
