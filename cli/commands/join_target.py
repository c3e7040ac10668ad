"""`kotp2p join`: where it takes its table from, which may be the command line, an answer to a
question, or what is announced on the network.

Not here: what an address looks like (`cli.text.join_target`), how tables are found (`find`), and
the game at the table (`play`).
"""

from __future__ import annotations

import sys
from typing import Any

from kotp2p.cli.commands.find import join_found
from kotp2p.cli.commands.person import Person
from kotp2p.cli.commands.play import join, refuse_address
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.join_target import BadAddress, read_pasted, read_table_words
from kotp2p.cli.ui.stdin import read_one_line
from kotp2p.net.listener import ListenAt

ASK_FOR_TARGET = "-"


def run_join(
    *,
    address: list[str] | None,
    bind: str | None,
    port: int | None,
    **person: Any,
) -> int:
    """The flags of `kotp2p join`; `person` are those of the player."""
    return join_table(Person(**person), address or [], ListenAt(bind, port))


def join_table(person: Person, words: list[str], here: ListenAt) -> int:
    """`words`: a code, an address, a link, or the two words of a table's name; `-` asks for one of
    these, so that it is in no list of processes. Without words the tables of this network are
    looked for."""
    try:
        target = ask_for_target() if words == [ASK_FOR_TARGET] else " ".join(words)
    except BadAddress as fault:
        return refuse_address(fault)
    name = read_table_words(target)
    if not target or name:
        return join_found(person, name, here)
    return join(person, target, here)


def ask_for_target() -> str:
    """One line of the input, with or without the command in front. Raises BadAddress."""
    sys.stderr.write(_("The code, the address or the two words of the table, or a link:"))
    sys.stderr.write("\n")
    sys.stderr.flush()
    target = read_pasted(read_one_line(0))
    if not target:
        raise BadAddress(_("No address was given."))
    return target
