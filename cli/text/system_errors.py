"""Why the system does not read or write a file, as a clause in the reader's language.

Not here: where files are read and written. What the system itself says is in English.
"""

from __future__ import annotations

import errno

from kotp2p.cli.text.i18n import N_, _

_WORDS = {
    errno.ENOENT: N_("there is no such file"),
    errno.ENOTDIR: N_("there is no such folder"),
    errno.EISDIR: N_("it is a folder"),
    errno.EINVAL: N_("it is no file"),
    errno.EACCES: N_("the system does not allow it"),
    errno.EPERM: N_("the system does not allow it"),
    errno.EROFS: N_("the disk can only be read"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EFBIG: N_("it is longer than any log"),
    errno.ENAMETOOLONG: N_("the name is too long"),
    errno.ELOOP: N_("its links lead in a circle"),
    errno.EMFILE: N_("too many files are open"),
    errno.ENFILE: N_("too many files are open"),
    errno.EEXIST: N_("it is there already"),
    errno.EIO: N_("the disk reports an error"),
}


def describe_system_error(number: int | None, *, writing: bool = False) -> str:
    """`number`: the `errno` of an OSError. `writing`: a file that need not have been there."""
    if writing and number == errno.ENOENT:
        number = errno.ENOTDIR
    if number in _WORDS:
        return _(_WORDS[number])
    return _("the system reports {error}", error=errno.errorcode.get(number or 0, number or 0))
