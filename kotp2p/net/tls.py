"""TLS 1.3 on a connection: nobody listens in, and a stranger to the table gets no further.

Scope: the stream inside TLS, over any other stream, and the certificates that both sides show under
the authority of the table. A stranger to a closed table is cut before any of its bytes reach the
code that reads frames.

The end of a stream is that of the TCP stream below, which ends one direction only: a link that
closes can still read what its other side has to say. The close_notify of TLS is not sent, as
OpenSSL would end both directions with it. So an attacker on the way can end a link, as with any TCP
connection, but cannot change what is said on it.
"""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from kotp2p.seams.world import Connection, HungUp, NotLetIn, NotTls
from kotp2p.wire.crypto import Tag, derive, digest

if TYPE_CHECKING:
    from cryptography import x509

ALPN_PROTOCOL = "kotp2p/1"
"""The ALPN name: the form of the handshake. The hello has the version of what follows, which a
person with an older program can be shown."""
MAX_HANDSHAKE_BYTES = 16_384
"""Bytes that are held of the other side at most before its certificate is checked."""
READ_BYTES = 65_536
NO_CHECK_TIME = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which the ssl module passes on but does not name. A machine
without a battery clock boots in 1970, and a certificate here proves an invitation, not a date."""
Lend: TypeAlias = Callable[[bytes], AbstractContextManager[str]]
"""A path at which OpenSSL alone may read these bytes for a moment."""


class TlsStream(trio.abc.HalfCloseableStream):
    """The bytes inside. One task may send while another receives."""

    def __init__(
        self, stream: trio.abc.Stream, context: ssl.SSLContext, listens: bool, name: str = ""
    ) -> None:
        """Begin TLS over a stream; `name` is the server name that a side which dials sends."""
        self._stream = stream
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, listens, name or None)
        self._flushing = trio.Lock()

    async def shake_hands(self) -> bytes:
        """Return the other side's certificate, DER; raise NotTls (HungUp) or NotLetIn."""
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
        try:
            data = bytes(await self._stream.receive_some(READ_BYTES))
        except trio.BrokenResourceError:
            data = b""
        if not data:
            raise NotTls("broke off") if taken else HungUp("closed without a word")
        return data

    def _sort_fault(self, fault: ssl.SSLError) -> NotTls | NotLetIn:
        """Sort out whether the other side is another table of ours."""
        # Such a table names our protocol before it shows a certificate that is not our table's.
        if isinstance(fault, ssl.SSLCertVerificationError):
            if self._tls.selected_alpn_protocol() == ALPN_PROTOCOL:
                return NotLetIn("a certificate of another table")
            return NotTls("a certificate of something else")
        return NotTls(fault.reason or "no TLS")

    async def _flush(self) -> None:
        try:
            self._flushing.acquire_nowait()  # mostly: `acquire` lets all other tasks go first
        except trio.WouldBlock:
            await self._flushing.acquire()
        try:
            data = self._out.read()
            if data:
                await self._stream.send_all(data)
        finally:
            self._flushing.release()

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
        """Wrap a connection in the table's TLS; raise NotTls, NotLetIn, or the stream's errors."""
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
    # unasked, after the handshake, to a dialler that may have closed already.
    listening.num_tickets = 0
    return listening, dialling


# -- the authority of a table, and the leaf of a process under it --------------------------
#
# The certificate authority that everybody at a table derives from one secret, and the leaf that a
# process gives itself under it. An authority made of a secret that everybody knows is an open
# table. Nothing here proves an identity; the proof of a link does, over both leaves. No I/O, no
# clock: entropy comes in as an argument, and the dates are fixed. Nobody checks them.


LEAF_ENTROPY_BYTES = 48
"""Bytes for a leaf: its key, and its serial number."""
_FROM = datetime.datetime(2000, 1, 1)
_UNTIL = datetime.datetime(2049, 12, 31, 23, 59, 59)
"""A certificate must have dates, which are not checked: an invitation ends with its table."""


def _name(text: str) -> x509.Name:
    from cryptography import x509  # slow to import, and a game on one machine does without it

    return x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, text)])


@dataclass(frozen=True, slots=True)
class Leaf:
    """A certificate with its private key, for one process at one table."""

    certificate: bytes
    chain: bytes = field(repr=False)
    """Private key and certificate, PEM, as OpenSSL reads them."""


def authority_key(secret: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(derive(secret, Tag.AUTHORITY))


def make_authority(secret: bytes) -> bytes:
    """Make the authority of a table, DER: the same bytes wherever the secret is known."""
    from cryptography import x509

    key, name = authority_key(secret), _name("kotp2p")
    usage = x509.KeyUsage(
        digital_signature=False, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, _FROM, _UNTIL)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, None)
    )
    return certificate.public_bytes(Encoding.DER)


def make_leaf(secret: bytes, entropy: bytes) -> Leaf:
    """Make a new leaf under the authority of `secret`; `entropy` has LEAF_ENTROPY_BYTES bytes."""
    from cryptography import x509

    issuer, names = authority_key(secret), (_name("kotp2p"), _name("peer"))
    key = Ed25519PrivateKey.from_private_bytes(entropy[:32])
    serial = int.from_bytes(entropy[32:LEAF_ENTROPY_BYTES], "big") + 2  # 1 is the authority's
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=False, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    for_both = [x509.oid.ExtendedKeyUsageOID.SERVER_AUTH, x509.oid.ExtendedKeyUsageOID.CLIENT_AUTH]
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.public_key())
    certificate = (
        x509.CertificateBuilder(*names, key.public_key(), serial, _FROM, _UNTIL)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage(for_both), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(above, critical=False)
        .sign(issuer, None)
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Leaf(
        certificate.public_bytes(Encoding.DER), pem + certificate.public_bytes(Encoding.PEM)
    )


def bind_certificates(listener: bytes, dialler: bytes) -> bytes:
    """Return a hash of both certificates (DER), which the proofs of a link cover.

    So a proof cannot be passed on from one link to another: no two links have the same two
    certificates.
    """
    return digest(Tag.BINDING, listener, dialler)
