"""The two servers of a code as this machine reaches them.

Scope: the `Rendezvous` of a world.
Not here: the connections themselves (`kotp2p.net.mailbox_link`, `kotp2p.net.relay_link`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from kotp2p.net.mailbox_link import mailbox_link
from kotp2p.net.relay_link import meet_at_relay
from kotp2p.rendezvous.relay import SIDE_BYTES, RelayPlace
from kotp2p.rendezvous.servers import Servers
from kotp2p.seams.world import Connection, Mailbox, Net


@dataclass(frozen=True, slots=True)
class MachineRendezvous:
    servers: Servers
    net: Net
    entropy: Callable[[int], bytes]

    def mailbox(self, side: str, number: int) -> AbstractAsyncContextManager[Mailbox]:
        return mailbox_link(self.servers.mailbox, side, number)

    async def wait_at_relay(self, place: RelayPlace) -> Connection:
        return await meet_at_relay(self.net.dial, place, self.entropy(SIDE_BYTES))
