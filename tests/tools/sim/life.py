"""One process of a simulated player, from its start to its end.

Law: a life that has ended touches nothing any more. Python cannot stop a task in the middle, and
`finally` still runs in a cancelled one; so every door to the world asks `Life.check` first, also
those that do not wait.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from kotp2p.game.ledger import Ledger
    from kotp2p.peer.peer import Peer
    from tests.tools.sim.net import SimStream


class Gone(Exception):
    """A call from a process that has ended."""


@dataclass(eq=False, slots=True)
class Life:
    machine: int
    number: int
    """Counts the processes of this machine from 0."""
    address: str
    alive: bool = True
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    streams: list[SimStream] = field(default_factory=list)
    """Connections that are open at this end, but for those in `watch_streams`."""
    frozen: trio.Event | None = None
    """Set when this process runs on; None: it runs."""
    slow: bool = False
    """It reads a few bytes at a time."""
    watch_streams: list[SimStream] = field(default_factory=list)
    """Those that lead to somebody who only watches, or come from there: they are apart, so that
    faults aim at the same ones in a game that is watched."""
    peers: list[Peer] = field(default_factory=list)
    """The cores that play in this process, that of the person first."""

    @property
    def name(self) -> str:
        return f"{self.machine}.{self.number}"

    def check(self) -> None:
        if not self.alive:
            raise Gone(self.name)

    async def runs(self) -> None:
        """Waits while this process is frozen."""
        while self.frozen is not None and self.alive:
            await self.frozen.wait()
        self.check()


CURRENT: ContextVar[Life | None] = ContextVar("CURRENT", default=None)
"""The life that a task belongs to; all its child tasks inherit it."""
FOR_WATCHER: ContextVar[bool] = ContextVar("FOR_WATCHER", default=False)
"""Whether a task serves the connection of somebody who only watches, or is one of theirs. Such
tasks draw from chances of their own: a seed means the same game with and without watchers."""


def _votes_of(ledger: Ledger) -> str:
    """The votes that a copy counts: voter, view, height, round, accused, number of proofs."""
    former = ledger.open_former()
    votes = [*(former.tally.all_votes() if former is not None else ()), *ledger.tally.all_votes()]
    return "; ".join(
        f"{v.seat}: {v.view}/{v.height} r{v.round} {v.seats} p{len(v.proofs)}" for v in votes
    )


def state_of(life: Life | None) -> str:
    """Where the peers of a process stand, for who looks for the reason."""
    if life is None or not life.alive:
        return "no process"
    return "; ".join(
        f"seat {peer.seat} at {peer.ledger.view}/{peer.ledger.height}, {peer.ledger.step}, "
        f"owed by {peer.ledger.owing_seats()}, "
        f"linked to {sorted(peer.follower.reachability.linked)}, missing {peer.rejoin.missing}, "
        f"head {peer.ledger.head.hex()[:8]}, votes {_votes_of(peer.ledger)}"
        for peer in life.peers
    ).replace("\n", " ")
