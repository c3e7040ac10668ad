"""An identity as a file that its owner can carry to another machine, behind a passphrase.

Scope: the form of the file (docs/FORMATS.md), its writer and its reader. The key, the name and the
known keys of a profile are in it. Games are not: a game is resumed where its folder is.
Not here: the passphrase and the file themselves (`cli.extras.identity`), entropy, and what
becomes of the profile that takes the identity over (`kotp2p.shell.own_identity`).

Scrypt makes each guess of a passphrase cost 128 MiB and a good part of a second. Argon2id would
need OpenSSL 3.2, which not every build of `cryptography` has.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from kotp2p.lobby.known_keys import KnownKeys, KnownPerson, read_people
from kotp2p.wire.crypto import KEY_BYTES, Signer
from kotp2p.wire.encoding import MAX_FRAME_BYTES, BadBytes, array, octets, pack_readable, unpack
from kotp2p.wire.names import read_name

MAGIC = b"kotp2pid"
FORM = 1
"""Of the file. A reader takes its own form alone."""
SALT_BYTES = 16
NONCE_BYTES = 12
_HEAD_BYTES = len(MAGIC) + 4 + SALT_BYTES + NONCE_BYTES
_TAG_BYTES = 16
MAX_IDENTITY_BYTES = _HEAD_BYTES + MAX_FRAME_BYTES + _TAG_BYTES
SCRYPT_COST = 2**17
"""With blocks of 1 KiB (r = 8) and one lane (p = 1)."""


class NoIdentity(Exception):
    """The bytes are no exported identity."""


class NewerIdentity(Exception):
    """A newer version of the program has written it."""


class WrongPassphrase(Exception):
    """It is another passphrase, or somebody has changed the bytes: the two cannot be told apart."""


@dataclass(frozen=True, slots=True)
class CarriedIdentity:
    """What such a file holds."""

    secret: bytes = field(repr=False)
    name: str
    """The name under which its player sits down."""
    known: tuple[KnownPerson, ...]

    @property
    def key(self) -> bytes:
        return Signer(self.secret).key


def seal_identity(identity: CarriedIdentity, passphrase: str, fresh: bytes) -> bytes:
    """The bytes of the file. `fresh`: random bytes, SALT_BYTES and NONCE_BYTES of them."""
    known = KnownKeys()
    known.add(identity.known)
    fields = (identity.secret, identity.name, known.value())
    plain = pack_readable(fields, read_sealed_text)
    head = MAGIC + FORM.to_bytes(4, "big") + fresh[: SALT_BYTES + NONCE_BYTES]
    assert len(head) == _HEAD_BYTES  # so many fresh bytes were asked for
    return head + _cipher(passphrase, head).encrypt(head[-NONCE_BYTES:], plain, head)


def check_head(data: bytes) -> None:
    """Whether a passphrase is worth asking for. Raises NoIdentity or NewerIdentity."""
    if data[: len(MAGIC)] != MAGIC or len(data) < len(MAGIC) + 4:
        raise NoIdentity
    form = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "big")
    if form > FORM:
        raise NewerIdentity
    if form != FORM or not _HEAD_BYTES + _TAG_BYTES < len(data) <= MAX_IDENTITY_BYTES:
        raise NoIdentity


def open_identity(data: bytes, passphrase: str) -> CarriedIdentity:
    """Raises NoIdentity, NewerIdentity or WrongPassphrase."""
    check_head(data)
    head, sealed = data[:_HEAD_BYTES], data[_HEAD_BYTES:]
    try:
        plain = _cipher(passphrase, head).decrypt(head[-NONCE_BYTES:], sealed, head)
    except InvalidTag:
        raise WrongPassphrase from None
    try:
        return read_sealed_text(plain)
    except BadBytes as fault:
        raise NoIdentity from fault


def read_sealed_text(plain: bytes) -> CarriedIdentity:
    """What stands behind the seal. Raises BadBytes."""
    secret, name, known = array(unpack(plain), 3)
    return CarriedIdentity(octets(secret, KEY_BYTES), read_name(name), tuple(read_people(known)))


def _cipher(passphrase: str, head: bytes) -> ChaCha20Poly1305:
    """Keyboards write one letter in several ways, and NFKC makes them one."""
    salt = head[-SALT_BYTES - NONCE_BYTES : -NONCE_BYTES]
    stretched = Scrypt(salt=salt, length=32, n=SCRYPT_COST, r=8, p=1)
    typed = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return ChaCha20Poly1305(stretched.derive(typed))
