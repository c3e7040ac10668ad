"""Where a guest, or a process that comes back, listens for the other players.

A guest listens where it reached the host: at its own address of that link, which is loopback for a
host on the same machine. A machine can lose that address during a game, in another network or after
a sleep. As long as it is gone, the guest listens at all addresses of its machine.

Scope: the sockets of one process, at one address or at all, and their move.
Not here: what the others are told (`kotp2p.net.dialer`), and hosts, which listen at all addresses
or at the one that they were given.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import trio

from kotp2p.seams.world import Acceptor, Connection, Net, PortTaken
from kotp2p.wire.addresses import is_one_machine

MAX_PORT_TRIES = 20
"""How many ports in a row are tried, from the wanted one on."""


@dataclass(frozen=True, slots=True)
class ListenAt:
    """Where a player wants this process to listen."""

    bind: str | None = None
    """The only address; None: where it reached the others."""
    port: int | None = None
    """None: as before, or any that is free."""


ANYWHERE = ListenAt()


@dataclass(slots=True)
class Listener:
    net: Net
    bind: str
    """The only address at which it ever listens; empty: a better one is chosen."""
    near: str
    """Without `bind`: the address at which it listens as long as this machine has it; empty: it
    listens at all addresses."""
    port: int = 0
    """Where it listens now; 0: nowhere."""
    _at: str = ""
    _acceptor: Acceptor | None = None
    _serving: trio.CancelScope | None = None
    _moved: trio.Event = field(default_factory=trio.Event)

    @staticmethod
    async def open(net: Net, bind: str, near: str, port: int, tries: int) -> Listener:
        """Raises PortTaken."""
        # An address with a zone of this machine, or a name, could be told to nobody.
        listener = Listener(net, bind, near if is_one_machine(near) else "")
        await listener._listen(listener._best_place(), port, tries)
        return listener

    def addresses(self) -> tuple[str, ...]:
        """The addresses that another machine may dial, best first."""
        return self.net.addresses(self._at or None)[0]

    @property
    def own_address(self) -> str:
        """Where programs on this machine reach it."""
        return self._at or "127.0.0.1"

    def _best_place(self) -> str:
        """Empty: all addresses."""
        if self.bind:
            return self.bind
        return self.near if self.near and self.net.has_address(self.near) else ""

    async def _listen(self, at: str, port: int, tries: int) -> None:
        self._acceptor = await self.net.listen(at or None, port, tries)
        self._at, self.port = at, self._acceptor.port

    async def serve(self, admit: Callable[[Connection], None]) -> None:
        """Hands every new connection to `admit`, until cancelled."""
        while True:
            with trio.CancelScope() as self._serving:
                if self._acceptor is None:
                    await trio.sleep_forever()
                else:
                    await self._acceptor.serve(admit)
            await self._move()

    async def follow(self) -> None:
        """Moves if this machine has lost the address at which it listens, or has it again. Another
        task must `serve`."""
        if self._best_place() != self._at and self._serving is not None:
            self._moved = trio.Event()
            self._serving.cancel()
            await self._moved.wait()

    async def _move(self) -> None:
        """At the same port, if it is free there, else at any."""
        await self.aclose()
        before, self._at, self._acceptor, self.port = self.port, self._best_place(), None, 0
        for port in dict.fromkeys((before, 0)):
            with suppress(PortTaken):
                await self._listen(self._at, port, 1)
                break
        self._moved.set()

    async def aclose(self) -> None:
        if self._acceptor is not None:
            # Shielded: a guest that is cancelled gives its port back all the same.
            with trio.CancelScope(shield=True):
                await self._acceptor.aclose()
