"""TLS 1.3 on a connection: nobody listens in, and a stranger to the table gets no further.

Scope: the stream inside TLS, over any other stream. Both sides show a certificate under the
authority of the table (`kotp2p.net.certificates`), so a stranger to a closed table is cut before
any of its bytes reach the code that reads frames.

The end of a stream is that of the TCP stream below, which ends one direction only: a link that
closes can still read what its other side has to say. The close_notify of TLS is not sent, as
OpenSSL would end both directions with it. So an attacker on the way can end a link, as with any TCP
connection, but cannot change what is said on it.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import trio

from kotp2p.net.certificates import (
    LEAF_ENTROPY_BYTES,
    Leaf,
    bind_certificates,
    make_authority,
    make_leaf,
)
from kotp2p.seams.world import Connection, HungUp, NotLetIn, NotTls

ALPN_PROTOCOL = "kotp2p/1"
"""The ALPN name: the form of the handshake. The version of what follows is told by the hello, which
a person with an older program can be shown."""
MAX_HANDSHAKE_BYTES = 16_384
"""Bytes that the other side may send before its certificate is checked: a stranger cannot make us
hold more."""
READ_BYTES = 65_536
NO_CHECK_TIME = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which the ssl module passes on but does not name. A machine
without a battery clock boots in 1970, and a certificate here proves an invitation, not a date."""
Lend: TypeAlias = Callable[[bytes], AbstractContextManager[str]]
"""A path at which OpenSSL, and nobody else, may read these bytes for a moment."""


class TlsStream(trio.abc.HalfCloseableStream):
    """The bytes inside. One task may send while another receives."""

    def __init__(
        self, stream: trio.abc.Stream, context: ssl.SSLContext, listens: bool, name: str = ""
    ) -> None:
        """`name`: the server name that a side which dials says."""
        self._stream = stream
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, listens, name or None)
        self._flushing = trio.Lock()

    async def shake_hands(self) -> bytes:
        """The other side's certificate, DER. Raises NotTls (HungUp) or NotLetIn."""
        taken = 0
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                await self._flush()
            except ssl.SSLError as fault:
                await self._flush()  # sends the alert, from which the other side learns why
                raise self._sort_fault(fault) from fault
            data = await self._receive(taken)
            taken += len(data)
            if taken > MAX_HANDSHAKE_BYTES:
                raise NotTls("too many bytes before a certificate")
            self._in.write(data)
        await self._flush()
        certificate = self._tls.getpeercert(binary_form=True)
        if certificate is None or self._tls.selected_alpn_protocol() != ALPN_PROTOCOL:
            raise NotTls("another protocol inside TLS")
        return certificate

    async def _receive(self, taken: int) -> bytes:
        """The next bytes of the handshake, after `taken` others. Raises NotTls."""
        try:
            data = bytes(await self._stream.receive_some(READ_BYTES))
        except trio.BrokenResourceError:
            data = b""
        if not data:
            raise NotTls("broke off") if taken else HungUp("closed without a word")
        return data

    def _sort_fault(self, fault: ssl.SSLError) -> NotTls | NotLetIn:
        """Tells another table of ours from anything else: it names our protocol before it shows a
        certificate that is not our table's."""
        if isinstance(fault, ssl.SSLCertVerificationError):
            if self._tls.selected_alpn_protocol() == ALPN_PROTOCOL:
                return NotLetIn("a certificate of another table")
            return NotTls("a certificate of something else")
        return NotTls(fault.reason or "no TLS")

    async def _flush(self) -> None:
        async with self._flushing:
            data = self._out.read()
            if data:
                await self._stream.send_all(data)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if data:
            try:
                self._tls.write(data)
            except ssl.SSLError as fault:  # since the handshake it has sent what is no TLS
                raise trio.BrokenResourceError(fault.reason or "TLS") from fault
        await self._flush()

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        has_waited, data = False, None
        while True:
            unsent = self._out.pending
            try:
                data = self._tls.read(max_bytes or READ_BYTES)
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLError as fault:
                raise trio.BrokenResourceError(fault.reason or "TLS") from fault
            # A flush waits for the task that sends, and that task until the other side reads. If
            # both sides flushed where TLS has nothing to answer, neither might ever read. Where it
            # has, this side reads no further: otherwise the answers could pile up without end.
            if self._out.pending > unsent:
                await self._flush()
            if data is not None:
                if not has_waited:
                    await trio.lowlevel.checkpoint()
                return data
            received = await self._stream.receive_some(READ_BYTES)
            if not received:
                return b""
            has_waited = True
            self._in.write(received)

    async def send_eof(self) -> None:
        if isinstance(self._stream, trio.abc.HalfCloseableStream):
            await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


@dataclass(frozen=True, slots=True)
class _TableContexts:
    """What this process needs for the links of one table."""

    certificate: bytes
    listening: ssl.SSLContext
    dialling: ssl.SSLContext


@dataclass(slots=True)
class Tls:
    """The links of this process: one leaf for each secret, as long as it lives."""

    entropy: Callable[[int], bytes]
    lend: Lend
    _tables: dict[bytes, _TableContexts] = field(default_factory=dict)

    async def wrap(
        self, connection: Connection, secret: bytes, dialled: bool, name: str = ""
    ) -> Connection:
        """Raises NotTls, NotLetIn, or what the stream raises."""
        table = self._tables.get(secret)
        if table is None:
            table = self._tables[secret] = self._table(secret)
        context = table.dialling if dialled else table.listening
        stream = TlsStream(connection.stream, context, not dialled, name)
        theirs = await stream.shake_hands()
        listener, dialler = table.certificate, theirs
        if dialled:
            listener, dialler = theirs, table.certificate
        binding = bind_certificates(listener, dialler)
        return replace(connection, stream=stream, binding=binding)

    def _table(self, secret: bytes) -> _TableContexts:
        own = make_leaf(secret, self.entropy(LEAF_ENTROPY_BYTES))
        return _TableContexts(own.certificate, *make_contexts(secret, own, self.lend))


def make_contexts(secret: bytes, own: Leaf, lend: Lend) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For the side that listens, and for the one that dials."""
    found = []
    with lend(own.chain) as path:
        for side in (ssl.PROTOCOL_TLS_SERVER, ssl.PROTOCOL_TLS_CLIENT):
            context = ssl.SSLContext(side)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.check_hostname = False  # a name proves nothing here, the key does
            context.verify_mode = ssl.CERT_REQUIRED
            context.verify_flags |= ssl.VERIFY_X509_STRICT | NO_CHECK_TIME
            context.load_verify_locations(cadata=make_authority(secret))
            context.load_cert_chain(path)
            context.set_alpn_protocols([ALPN_PROTOCOL])
            found.append(context)
    listening, dialling = found
    # Tickets are for sessions that are resumed, which ours never are. A listener would send them
    # unasked, behind the handshake, to a dialler that may have closed already.
    listening.num_tickets = 0
    return listening, dialling
