"""What one seat at a table goes through: a session opens it, then stage follows stage.

Scope: the protocols between `kotp2p.shell.table_loop` and what it feeds, and what all stages share.
A session is how a process comes to the table (as host, as guest, from saved files). A stage is what
takes the items of the inbox meanwhile: a lobby, then a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import trio

from kotp2p.net.connections import Connections, Listener
from kotp2p.net.handshake import make_refusal
from kotp2p.net.links import Link
from kotp2p.seams.endings import Ending, OwnFaultGuard
from kotp2p.seams.front import Front
from kotp2p.seams.world import World
from kotp2p.shell.bot_fronts import BotFronts
from kotp2p.shell.inbox import Item
from kotp2p.shell.watcher_links import WatcherLinks
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import Hello, Refusal, RefusalCode


@dataclass(frozen=True, slots=True)
class TableContext:
    """The surroundings of one seat at one table, the same in all of its stages."""

    world: World
    signer: Signer
    front: Front
    connections: Connections
    put: Callable[[Item], None]
    """Into the inbox of this table; never blocks."""
    nursery: trio.Nursery
    """Its tasks end with the table."""
    own_faults: OwnFaultGuard
    watchers: WatcherLinks
    """Those that watch through this process."""
    bots: BotFronts
    listener: Listener | None = None
    """As in `TableLoop`."""


class Stage(Protocol):
    """A core without I/O, with what performs its effects."""

    @property
    def deadline(self) -> float:
        """When `finish_batch` is due although nothing has come in."""

    @property
    def ending(self) -> Ending | None:
        """What the table came to for this seat, once it is over."""

    def is_player_link(self, link: Link) -> bool:
        """Whether the other side is a player, or the host, whose word about watchers counts."""

    def accept_item(self, item: Item, now: float) -> None: ...

    async def perform_item_effects(self) -> Stage:
        """After each item of a batch; returns the stage for the next item."""

    async def finish_batch(self, now: float) -> Stage:
        """After the last item of a batch, and at the deadline: fires due timers and performs all
        effects; returns the stage for the next batch."""


class Session(Protocol):
    """How this process comes to the table."""

    def judge_newcomer(self, theirs: Hello) -> Refusal | None:
        """May turn a newcomer away before anything is proved, until a game has begun."""

    async def open(self, context: TableContext) -> Stage: ...


def refuse_stranger(theirs: Hello, keys: Iterable[bytes]) -> Refusal | None:
    """Turns away a peer whose key is not one of these. A link is for players: strangers must not
    take its place."""
    if theirs.key in keys:
        return None
    return make_refusal(RefusalCode.NO_TABLE, "you have no seat at the table that is played here")


def refuse_without_lobby(theirs: Hello) -> Refusal | None:
    """Turns away a guest that looks for a lobby here; peers of the coming game may link."""
    return None if theirs.table else make_refusal(RefusalCode.NO_TABLE, "no table is open here")
