"""The two servers of a code as this machine reaches them."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

import trio

from kotp2p.rendezvous import exchange, mailbox
from kotp2p.rendezvous.servers import Servers, relay_target
from kotp2p.seams import world
from kotp2p.wire.encoding import clean_text

if TYPE_CHECKING:
    from trio_websocket import ConnectionClosed, WebSocketConnection


@dataclass(frozen=True, slots=True)
class MachineRendezvous:
    servers: Servers
    net: world.Net
    entropy: Callable[[int], bytes]

    def mailbox(self, side: str, number: int) -> AbstractAsyncContextManager[world.Mailbox]:
        return mailbox_link(self.servers.mailbox, side, number)

    async def wait_at_relay(self, place: exchange.RelayPlace) -> world.Connection:
        return await meet_at_relay(self.net.dial, place, self.entropy(exchange.SIDE_BYTES))


# -- a connection to a mailbox server: a websocket, and what is read from it ---------------


CONNECT_SECONDS = 10.0
DISCONNECT_SECONDS = 2.0
QUIET_SECONDS = 15.0
"""How long a server may say nothing until it is asked whether it is there: a router that gets
another address ends what runs through it without a word."""
ANSWER_SECONDS = 10.0


@dataclass(slots=True)
class MailboxLink:
    socket: WebSocketConnection
    name: str
    seen_at: str = ""
    _reader: mailbox.MailboxReader = field(default_factory=mailbox.MailboxReader)

    async def hear(self) -> mailbox.Heard:
        while True:
            frame = await self._next_frame()
            try:
                heard = self._reader.read(frame, trio.current_time())
            except mailbox.Flood as fault:
                raise world.MailboxFlooded(str(fault)) from fault
            except mailbox.MailboxFault as fault:
                raise world.MailboxTrouble(str(fault)) from fault
            if isinstance(heard, mailbox.Welcome) and heard.error:
                raise world.MailboxTrouble(heard.error)
            if isinstance(heard, mailbox.Welcome):
                self.seen_at = heard.seen_at
            if heard is not None:
                return heard

    async def _next_frame(self) -> str | bytes:
        """Return what comes next; ask a server that is quiet whether it is there."""
        from trio_websocket import ConnectionClosed

        try:
            with trio.move_on_after(QUIET_SECONDS):
                return await self.socket.get_message()
            await self._say(mailbox.ping())
            with trio.move_on_after(ANSWER_SECONDS):
                return await self.socket.get_message()
        except ConnectionClosed as fault:
            raise world.MailboxTrouble(_why_closed(fault)) from fault
        raise world.MailboxTrouble("it is silent")

    async def add(self, phase: str, body: bytes) -> None:
        await self._say(mailbox.add(phase, body))

    async def clear(self) -> None:
        """Give the mailbox up for this side; the server forgets it after both sides have."""
        await self._say(mailbox.close_mailbox(self.name))

    async def _say(self, text: str) -> None:
        from trio_websocket import ConnectionClosed

        try:
            await self.socket.send_message(text)
        except ConnectionClosed as fault:
            raise world.MailboxTrouble("closed") from fault

    async def open(self, side: str) -> None:
        """Ask for the mailbox, and for a sign after all that it holds."""
        for text in (mailbox.bind(side), mailbox.open_mailbox(self.name), mailbox.ping()):
            await self._say(text)


@contextlib.asynccontextmanager
async def mailbox_link(url: str, side: str, number: int) -> AsyncIterator[MailboxLink]:
    from trio_websocket import ConnectionClosed, HandshakeError, open_websocket_url

    most, last, is_done = mailbox.MAX_FRAME_BYTES, DISCONNECT_SECONDS, False
    faults: list[str] = []
    try:
        with trio.move_on_after(CONNECT_SECONDS) as opening:  # the library may wait without end
            tls = _noting_tls(faults, opening) if url.startswith("wss:") else None
            async with open_websocket_url(
                url, ssl_context=tls, max_message_size=most, disconnect_timeout=last
            ) as socket:
                link = MailboxLink(socket, exchange.mailbox_name(number))
                await link.open(side)
                opening.deadline = inf
                yield link
                is_done = True
        if faults:
            raise world.MailboxUnproven(faults[0])
        if not is_done:
            raise world.MailboxTrouble("it is silent")
    except (OSError, HandshakeError, ConnectionClosed) as fault:
        if is_done:
            return  # it has not closed in good order
        said = clean_text(str(fault.__cause__ or fault)[: mailbox.MAX_SHOWN_TEXT])
        raise world.MailboxTrouble(said or type(fault).__name__) from fault


def _noting_tls(faults: list[str], opening: trio.CancelScope) -> ssl.SSLContext:
    """Return what checks a server by the certificates of this machine, and notes a refusal."""

    class Noting(ssl.SSLObject):
        def do_handshake(self) -> None:
            try:
                super().do_handshake()
            except ssl.SSLCertVerificationError as fault:  # the library keeps it for itself
                faults.append(fault.verify_message)
                opening.cancel()
                raise

    context = ssl.create_default_context()
    context.sslobject_class = Noting
    return context


def _why_closed(fault: ConnectionClosed) -> str:
    """Return what the server has said of it, cleaned; it may be anything."""
    if fault.reason is None:
        return "closed"
    return "closed: " + clean_text((fault.reason.reason or fault.reason.name)[:100])


# -- relay link ----------------------------------------------------------------------------


RELAY_GONE, RELAY_SILENT, RELAY_REFUSES = "relay-gone", "relay-silent", "relay-refuses"
"""Why a relay carries nothing: it is not there; the other side is not; it says no."""


async def meet_at_relay(
    dial: Callable[[str, int], Awaitable[world.Connection]],
    place: exchange.RelayPlace,
    side: bytes,
    seconds: float = inf,
) -> world.Connection:
    """Wait at the relay for the other side, `seconds` at most; raise CannotReach."""
    try:
        carrier = await dial(*relay_target(place.relay))
    except world.CannotReach as fault:
        raise world.CannotReach(RELAY_GONE, fault.detail) from fault
    stream = carrier.stream
    is_met = False
    try:
        with trio.move_on_after(seconds):
            await stream.send_all(exchange.request_line(place.token, side))
            answer = b""
            while not exchange.read_answer(answer):
                got = bytes(await stream.receive_some(1))  # nothing of what follows is taken
                if not got:
                    raise world.CannotReach(RELAY_REFUSES, "it closed without a word")
                answer += got
            is_met = True
            return world.Connection(stream, exchange.PLACE_OF_RELAYED)
        raise world.CannotReach(RELAY_SILENT, "the other side did not come")
    except exchange.RelayFault as fault:
        raise world.CannotReach(RELAY_REFUSES, clean_text(str(fault))) from fault
    except (trio.BrokenResourceError, trio.ClosedResourceError) as fault:
        raise world.CannotReach(RELAY_REFUSES, str(fault)) from fault
    finally:
        if not is_met:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(stream)
