"""What the wing adds to sentences of the core: its commands, where they help."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.own_command import typeable
from kotp2p.cli.text.registered import Hint


def cannot_join(address: str) -> str:
    return _("If somebody cannot join, this command tells them what is in the way: kotp2p doctor "
             "--peer {address}", address=address)  # fmt: skip


def no_table() -> str:
    return _("To see what is in the way: {command}", command=typeable("kotp2p doctor"))


def no_log() -> str:
    return _("These are here: {command}", command=typeable("kotp2p games"))


def not_permitted() -> str:
    return _("What to permit, and how, is told by: {command}", command=typeable("kotp2p doctor"))


def key_lost() -> str:
    return _("It is your key. If you have exported your identity, move the file away and type: "
             "{command}. Otherwise move it away to get a new key; those who know you are asked "
             "whether it is yours.", command=typeable("kotp2p identity import FILE"))  # fmt: skip


def name_lost() -> str:
    return _("Only your name is lost with it. To give another one, type: {command}",
             command=typeable("kotp2p identity rename NAME"))  # fmt: skip


def draw(log: str, record: str) -> str:
    return typeable(shlex.join(["kotp2p", "explain", log, record]))


def files() -> str:
    return _("What games has read; made again if it is removed.")


HINTS: dict[Hint, Callable[..., str]] = {
    Hint.CANNOT_JOIN: cannot_join,
    Hint.NO_TABLE: no_table,
    Hint.NO_LOG: no_log,
    Hint.NOT_PERMITTED: not_permitted,
    Hint.KEY_LOST: key_lost,
    Hint.NAME_LOST: name_lost,
    Hint.DRAW: draw,
    Hint.FILES: files,
}
