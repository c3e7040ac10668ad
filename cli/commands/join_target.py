"""`kotp2p join`: where it takes its table from, which may be the command line, a file, an answer to
a question, or what is announced on the network.

Not here: what an address looks like (`cli.text.join_target`), how tables are found (`find`), and
the game at the table (`play`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from cli.commands.find import join_found
from cli.commands.person import Person
from cli.commands.play import join, refuse_address
from cli.system.exit_codes import Exit
from cli.text.i18n import _, clean_line
from cli.text.join_target import BadAddress, read_pasted, read_table_words
from cli.ui.stdin import read_one_line
from kotp2p.net.invitation import is_link
from kotp2p.net.listener import ListenAt
from kotp2p.store.files import read_whole_file

ASK_FOR_TARGET = "-"
MAX_INVITATION_FILE_BYTES = 4096
"""Many times a link with its command."""


def join_table(
    person: Person, words: list[str], invitation_file: Path | None, here: ListenAt
) -> int:
    """`words`: an address, a link, or the two words of a table's name; `-` asks for one of these,
    so that it is in no list of processes. Without words the tables of this network are looked
    for."""
    try:
        if invitation_file is not None:
            if words:
                raise BadAddress(_("Give an address or --invitation-file, not both."))
            return join(person, _read_link(invitation_file), here)
        target = ask_for_target() if words == [ASK_FOR_TARGET] else " ".join(words)
    except BadAddress as fault:
        return refuse_address(fault)
    except (UnicodeDecodeError, OSError) as fault:
        sys.stderr.write(clean_line(_explain_file(invitation_file, fault)) + "\n")
        return Exit.FILES
    name = read_table_words(target)
    if not target or name:
        return join_found(person, name, here)
    return join(person, target, here)


def _read_link(path: Path) -> str:
    """The link in a file with nothing else, or with the command in front of it. Raises BadAddress,
    OSError and UnicodeDecodeError."""
    words = read_whole_file(path, MAX_INVITATION_FILE_BYTES).decode().split()
    if not words or not is_link(words[-1]):
        raise BadAddress(
            _("There is no invitation in {file}: it should hold the link that the host has "
              "sent you, which starts with kotp2p://.", file=path)
        )  # fmt: skip
    return words[-1]


def _explain_file(path: Path | None, fault: UnicodeDecodeError | OSError) -> str:
    detail = getattr(fault, "strerror", None) or fault
    return _("kotp2p: {file} cannot be read: {detail}.", file=path, detail=detail)


def ask_for_target() -> str:
    """One line of the input, with or without the command in front. Raises BadAddress."""
    sys.stderr.write(_("The address of the table, its two words, or the link of the invitation:"))
    sys.stderr.write("\n")
    sys.stderr.flush()
    target = read_pasted(read_one_line(0))
    if not target:
        raise BadAddress(_("No address was given."))
    return target
