"""Certificates of a link: they show that a peer was let in, not who it is (PROTOCOL.md 4.1).

Scope: the certificate authority that everybody at a table derives from one secret, and
the leaf that a process gives itself under it. An authority made of a secret that everybody knows
is an open table. Nothing here proves an identity; the proof of a link does, over both leaves.
No I/O, no clock: entropy comes in as an argument, and the dates are fixed. Nobody checks them.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from kotp2p.wire.crypto import Tag, derive, digest

LEAF_ENTROPY_BYTES = 48
"""Bytes for a leaf: its key, and its serial number."""
_FROM = datetime.datetime(2000, 1, 1)
_UNTIL = datetime.datetime(2049, 12, 31, 23, 59, 59)
"""A certificate must have dates. Nobody checks them (`kotp2p.net.tls`): an invitation ends with its
table, not by date."""


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


_AUTHORITY = _name("kotp2p")
_PEER = _name("peer")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A certificate with its private key, for one process at one table."""

    certificate: bytes
    """The certificate as DER."""
    chain: bytes = field(repr=False)
    """Private key and certificate, PEM, as OpenSSL reads them."""


def authority_key(secret: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(derive(secret, Tag.AUTHORITY))


def make_authority(secret: bytes) -> bytes:
    """The authority of a table, DER: the same bytes wherever the secret is known."""
    key = authority_key(secret)
    usage = x509.KeyUsage(
        digital_signature=False, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    certificate = (
        x509.CertificateBuilder(_AUTHORITY, _AUTHORITY, key.public_key(), 1, _FROM, _UNTIL)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, None)
    )
    return certificate.public_bytes(Encoding.DER)


def make_leaf(secret: bytes, entropy: bytes) -> Leaf:
    """A new leaf under the authority of `secret`; `entropy` has LEAF_ENTROPY bytes."""
    issuer = authority_key(secret)
    key = Ed25519PrivateKey.from_private_bytes(entropy[:32])
    serial = int.from_bytes(entropy[32:LEAF_ENTROPY_BYTES], "big") + 2  # 1 is the authority's
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=False, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.public_key())
    certificate = (
        x509.CertificateBuilder(_AUTHORITY, _PEER, key.public_key(), serial, _FROM, _UNTIL)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(both, critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(above, critical=False)
        .sign(issuer, None)
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Leaf(
        certificate.public_bytes(Encoding.DER), pem + certificate.public_bytes(Encoding.PEM)
    )


def bind_certificates(listener: bytes, dialler: bytes) -> bytes:
    """A hash of both certificates (DER), which the proofs of a link cover. So a proof cannot be
    passed on from one link to another: no two links have the same two certificates."""
    return digest(Tag.BINDING, listener, dialler)
