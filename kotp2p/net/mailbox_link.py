"""A connection to a mailbox server: a websocket, and what is read from it.

Scope: everything that knows trio-websocket, which is imported when a code is used and not before.
Not here: what the messages mean (`kotp2p.rendezvous.mailbox`).
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import trio

from kotp2p.rendezvous import mailbox
from kotp2p.rendezvous.exchange import mailbox_name
from kotp2p.rendezvous.mailbox import Heard, MailboxFault, MailboxReader, Welcome
from kotp2p.seams.world import MailboxTrouble

if TYPE_CHECKING:
    from trio_websocket import WebSocketConnection

CONNECT_SECONDS = 10.0
DISCONNECT_SECONDS = 2.0


@dataclass(slots=True)
class MailboxLink:
    """Implements `world.Mailbox`."""

    socket: WebSocketConnection
    name: str
    seen_at: str = ""
    _reader: MailboxReader = field(default_factory=MailboxReader)

    async def hear(self) -> Heard:
        from trio_websocket import ConnectionClosed

        while True:
            try:
                frame = await self.socket.get_message()
            except ConnectionClosed as fault:
                raise MailboxTrouble(f"closed: {fault.reason}"[:100]) from fault
            try:
                heard = self._reader.read(frame, trio.current_time())
            except MailboxFault as fault:
                raise MailboxTrouble(str(fault)) from fault
            if isinstance(heard, Welcome) and heard.error:
                raise MailboxTrouble(heard.error)
            if isinstance(heard, Welcome):
                self.seen_at = heard.seen_at
            if heard is not None:
                return heard

    async def add(self, phase: str, body: bytes) -> None:
        await self._say(mailbox.add(phase, body))

    async def clear(self) -> None:
        """Gives the mailbox up for this side. When both sides have, the server forgets it."""
        await self._say(mailbox.close_mailbox(self.name))

    async def _say(self, text: str) -> None:
        from trio_websocket import ConnectionClosed

        try:
            await self.socket.send_message(text)
        except ConnectionClosed as fault:
            raise MailboxTrouble("closed") from fault

    async def open(self, side: str) -> None:
        """Asks for the mailbox, and for a sign after all that it holds."""
        for text in (mailbox.bind(side), mailbox.open_mailbox(self.name), mailbox.ping()):
            await self._say(text)


@contextlib.asynccontextmanager
async def mailbox_link(url: str, side: str, number: int) -> AsyncIterator[MailboxLink]:
    """Raises MailboxTrouble."""
    from trio_websocket import ConnectionClosed, HandshakeError, open_websocket_url

    try:
        async with open_websocket_url(
            url,
            max_message_size=mailbox.MAX_FRAME_BYTES,
            connect_timeout=CONNECT_SECONDS,
            disconnect_timeout=DISCONNECT_SECONDS,
        ) as socket:
            link = MailboxLink(socket, mailbox_name(number))
            await link.open(side)
            yield link
    except (OSError, HandshakeError, ConnectionClosed) as fault:
        raise MailboxTrouble(str(fault) or type(fault).__name__) from fault
