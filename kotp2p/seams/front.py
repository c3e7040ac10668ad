"""The seam between a peer and the player of its seat: a person at a terminal, or a bot."""

from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.commands import Control, Leave
from kotp2p.seams.notices import Notice, SeatView
from kotp2p.wire.encoding import WireArray, boolean, integer, octets
from kotp2p.wire.frames import MAX_WATCHERS


class Front(Protocol):
    """The player of one seat, as its peer meets it."""

    def attach(self, control: Control) -> None:
        """Take the control of the peer; this is called once, before the first notice."""

    def show(self, notice: Notice) -> None:
        """Take in what has happened, in order; this MUST NOT block or raise."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        """Answer `decision`, legally; cancelled when the question is withdrawn."""


class StandIn:
    """Plays a seat by what silence means: the default of each decision."""

    def attach(self, control: Control) -> None:
        """Do nothing: it never leaves the game and starts nothing."""

    def show(self, notice: Notice) -> None:
        """Do nothing: a decision has everything."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        return decision.default


# -- what a table offers to those who watch ------------------------------------------------


@dataclass(frozen=True, slots=True)
class WatchOffer(WireArray):
    READERS = (partial(integer, most=MAX_WATCHERS), octets, boolean)
    most: int = 0
    """The greatest number of watchers at a time; 0: none."""
    secret: bytes = field(default=b"", repr=False)
    """What a watcher must know, if watchers need an invitation of their own; empty: they come in by
    the secret of the table."""
    has_chat: bool = False

    @property
    def is_open(self) -> bool:
        return self.most > 0


NO_WATCHERS = WatchOffer()
