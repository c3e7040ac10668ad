"""How a run of a peer ends, for the program that has started it.

Scope: the kinds of ends, and what is known of one.
Not here: words about it, and the exit codes, which `cli` makes of the kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from kotp2p.seat_view import SeatView
from kotp2p.wire.frames_link import RefusalCode
from referee.model.answers import Seat


class EndKind(StrEnum):
    FINISHED = "finished"
    """Over, sealed. Exit 0."""
    LEFT = "left"
    """This seat left through its own wish, or after being out. Exit 0; a farewell of a
    process without a terminal is 5."""
    ADJOURNED = "adjourned"
    """All have agreed to stop here; all may resume. Exit 5."""
    CLAIMED = "claimed"
    """Those present have agreed to stop while others were gone; all may resume. Exit 5."""
    KEPT = "kept"
    """This process was closed, its seat is kept; it may resume. Exit 128 + signal."""
    STOPPED = "stopped"
    """A seat has cheated, or copies differ. Exit 5."""
    CLOSED = "closed"
    """The host closed the table before the start. Exit 4."""
    REMOVED = "removed"
    """The host took this seat out of the lobby. Exit 4."""
    FULL = "full"
    """Exit 4."""
    STARTED = "started"
    """The game of that table has begun. Exit 4."""
    VERSION = "version"
    """Another protocol or rules version; `detail` names theirs. Exit 4."""
    NAME_UNKNOWN = "name-unknown"
    """Exit 3, like the next three."""
    REFUSED = "refused"
    """The machine is there, nothing listens on that port."""
    NO_ANSWER = "no-answer"
    NOT_A_TABLE = "not-a-table"
    """Something answers that does not speak kotp2p."""
    NOT_INVITED = "not-invited"
    """A table for invited players answers, and there was no invitation. Exit 4."""
    OTHER_TABLE = "other-table"
    """A table answers that is not the invitation's. Exit 4."""
    OTHER_HOST = "other-host"
    """Somebody answers who did not make the invitation. Exit 4."""
    NEW_KEY = "new-key"
    """A player known under another key is there, and nobody can be asked; `detail` is the name.
    Exit 4."""
    LOST_HOST = "lost-host"
    """The link to the host died in the lobby. Exit 4."""
    PORT_TAKEN = "port-taken"
    """The host could not listen. Exit 9."""
    NO_GAME = "no-game"
    """There is no game to resume. Exit 8."""
    IN_USE = "in-use"
    """Another process plays this game, or this profile. Exit 9."""
    FILES = "files"
    """A file cannot be read or written; `detail` says which and why. Exit 9."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a whole run of a peer came to."""

    kind: EndKind
    detail: str = ""
    log: PurePath | None = None
    view: SeatView | None = None
    winners: tuple[Seat, ...] = ()
    turns: int = 0
    port: int = 0
    """Host: where it listened."""


_KINDS_OF_REFUSALS: dict[int, EndKind] = {
    RefusalCode.VERSION: EndKind.VERSION,
    RefusalCode.FULL: EndKind.FULL,
    RefusalCode.STARTED: EndKind.STARTED,
    RefusalCode.NO_TABLE: EndKind.NOT_A_TABLE,
    RefusalCode.REMOVED: EndKind.REMOVED,
    RefusalCode.CLOSED: EndKind.CLOSED,
    RefusalCode.BUSY: EndKind.FULL,
}


def end_kind_of_refusal(code: int) -> EndKind:
    """The end that a REFUSAL or CLOSED with this code means; CLOSED for a code without one."""
    return _KINDS_OF_REFUSALS.get(code, EndKind.CLOSED)
