"""Hashes, signatures, the sealed share and the commitments to chance, with every tag.

Scope: pure functions over bytes (PROTOCOL.md 3, 7 and 8). A tag separates the hashes and signatures
of one purpose from all others, so that nothing made for one purpose can be shown for another. No
key or seed is created here; they come in as arguments (`kotp2p.seams.world`).
"""

import hmac
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import IntEnum, StrEnum
from functools import lru_cache
from hashlib import sha256
from struct import Struct

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kotp2p.wire.encoding import BadBytes

HASH_BYTES = 32
KEY_BYTES = 32
SIGNATURE_BYTES = 64
OPEN_TABLE_SECRET = b"kotp2p open table"


class Tag(StrEnum):
    """Domain tags (PROTOCOL.md 3.2 and 3.3). The number is the version of the tagged form."""

    # of signatures: one for each kind of signed body, and one for the link proof
    HELLO = "kotp2p/hello/1"
    GENESIS = "kotp2p/genesis/1"
    PLAY = "kotp2p/play/1"
    LINE_UP = "kotp2p/lineup/1"
    LEAVE = "kotp2p/leave/1"
    FLUSH = "kotp2p/flush/1"
    WISH = "kotp2p/wish/1"
    HERE = "kotp2p/here/1"
    SHARE = "kotp2p/share/1"
    HEAD = "kotp2p/head/1"
    ADDRESS = "kotp2p/address/1"
    CHAT = "kotp2p/chat/1"
    SAID = "kotp2p/said/1"
    READY = "kotp2p/ready/1"
    # of hashes and derived keys
    TABLE = "kotp2p/table/1"
    LOBBY = "kotp2p/lobby/1"
    NONCE = "kotp2p/nonce/1"
    GATHER = "kotp2p/gather/1"
    CONTRIBUTION = "kotp2p/contribution/1"
    COMMITMENT = "kotp2p/commitment/1"
    RESULT = "kotp2p/result/1"
    PROOF = "kotp2p/proof/1"
    STREAM = "kotp2p/stream/1"
    PHRASE = "kotp2p/phrase/1"
    LOOK_KEY = "kotp2p/look-key/1"
    SHARE_KEY = "kotp2p/share-key/1"
    SEAL = "kotp2p/seal/1"
    AUTHORITY = "kotp2p/authority/1"
    BINDING = "kotp2p/binding/1"
    FINGERPRINT = "kotp2p/fingerprint/1"
    INVITATION = "kotp2p/invitation/1"
    PASS = "kotp2p/pass/1"
    CODE = "kotp2p/code/1"
    RELAY = "kotp2p/relay/1"
    RELAY_KEY = "kotp2p/relay-key/1"


_TAGS_WITH_LENGTHS = {tag: len(tag).to_bytes(4, "big") + tag.encode() for tag in Tag}
_pack_length: Callable[[int], bytes] = Struct(">I").pack
_LENGTH_OF_HASH = _pack_length(HASH_BYTES)
_pack_integer: Callable[[int, int], bytes] = Struct(">IQ").pack
"""Of the length of an integer, which is 8, and the integer."""


def join_fields(tag: Tag, *fields: bytes | int) -> bytes:
    """Join tag and fields, each after its length as u32, so that no two joins are the same."""
    return _join(_TAGS_WITH_LENGTHS[tag], fields)


def _join(joined: bytes, fields: tuple[bytes | int, ...]) -> bytes:
    for field in fields:
        if isinstance(field, bytes):  # most are
            joined += _pack_length(len(field)) + field
        else:
            joined += _pack_integer(8, field)
    return joined


def digest(tag: Tag, *fields: bytes | int) -> bytes:
    """Return H of PROTOCOL.md 3.2: SHA-256 over the tag and the fields, each with its length."""
    return sha256(_join(_TAGS_WITH_LENGTHS[tag], fields)).digest()


def digest_hashes(joined: bytes, hashes: Iterable[bytes]) -> bytes:
    """Return `digest` of what `join_fields` has joined, and of further fields of 32 bytes each."""
    return sha256(_LENGTH_OF_HASH.join((joined, *hashes))).digest()


def derive(secret: bytes, tag: Tag, *fields: bytes | int) -> bytes:
    """Return HMAC-SHA256 of the tag and the fields, each with its length, under `secret`."""
    return hmac.digest(secret, join_fields(tag, *fields), "sha256")


# -- fingerprints --------------------------------------------------------------------------


FINGERPRINT_BYTES = 10
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 in Crockford's letters."""


def key_fingerprint(key: bytes) -> bytes:
    return digest(Tag.FINGERPRINT, key)[:FINGERPRINT_BYTES]


def fingerprint(key: bytes) -> str:
    """Return the fingerprint as people compare it: four groups of four letters."""
    text = in_letters(key_fingerprint(key))
    return "-".join(text[i : i + 4] for i in range(0, len(text), 4))


def in_letters(data: bytes) -> str:
    number = int.from_bytes(data, "big")
    count = len(data) * 8 // 5
    return "".join(ALPHABET[number >> 5 * (count - 1 - i) & 31] for i in range(count))


# -- signatures --------------------------------------------------------------------------

_P = 2**255 - 19
_ORDER_8_Y = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_ORDER_Y = frozenset((0, 1, _P - 1, _ORDER_8_Y, _P - _ORDER_8_Y))
"""The y coordinates of the eight points of small order. A signature of such a key can fit
any message, so it would prove nothing (PROTOCOL.md 3.3)."""


def check_key(key: bytes) -> bytes:
    """Return `key`; raise BadBytes if it is of small order, or not in canonical form."""
    if len(key) != KEY_BYTES:
        raise BadBytes("a key has 32 bytes")
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= _P or y in _SMALL_ORDER_Y:
        raise BadBytes("a key whose signatures would prove nothing")
    return key


KEYS_KEPT = 64
"""Those that signatures were checked with last are kept as OpenSSL has them: a table has six."""


class Signer:
    """An Ed25519 identity. Its repr shows nothing secret."""

    __slots__ = ("_private", "key")

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.key: bytes = self._private.public_key().public_bytes_raw()

    def secret(self) -> bytes:
        """Return the private key itself, for a file that only its owner can read."""
        return self._private.private_bytes_raw()

    def sign(self, tag: Tag, body: bytes) -> bytes:
        return self._private.sign(tag.encode() + b"\0" + body)


@lru_cache(KEYS_KEPT)
def _read_key(key: bytes) -> Ed25519PublicKey:
    """Return the key that these bytes encode, for all that its owner signs; raise ValueError."""
    return Ed25519PublicKey.from_public_bytes(key)


def is_valid_signature(key: bytes, tag: Tag, body: bytes, signature: bytes) -> bool:
    try:
        _read_key(key).verify(signature, tag.encode() + b"\0" + body)
    except (InvalidSignature, ValueError):
        return False
    return True


# -- the sealed share (PROTOCOL.md 8) ----------------------------------------------------


def exchange_public_key(secret: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def exchange_secret(secret: bytes, public: bytes) -> bytes:
    """Return what the owners of two keys share. Raise BadBytes for a key of small order."""
    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(
            X25519PublicKey.from_public_bytes(public)
        )
    except ValueError as fault:
        raise BadBytes("a key of small order") from fault


def check_exchange_key(key: bytes) -> bytes:
    """Return `key`; raise BadBytes for small order, with which the shared secret is known."""
    # The exchange itself refuses a point of small order, whatever the other secret is.
    _share_cipher(bytes(32), key, key, key)
    return key


def _share_cipher(secret: bytes, public: bytes, sender: bytes, receiver: bytes) -> ChaCha20Poly1305:
    """Return the cipher of one share; raise BadBytes for a key of small order."""
    shared = exchange_secret(secret, public)
    return ChaCha20Poly1305(derive(shared, Tag.SEAL, sender, receiver))


_ZERO_NONCE = bytes(12)
"""A fixed nonce is safe, as each key seals one share: both public keys are fresh every time."""


def seal(secret: bytes, receiver: bytes, plain: bytes, context: bytes) -> bytes:
    """Seal `plain` for the owner of a key; `unseal` needs the same context. It adds 16 bytes."""
    sender = exchange_public_key(secret)
    return _share_cipher(secret, receiver, sender, receiver).encrypt(_ZERO_NONCE, plain, context)


def unseal(secret: bytes, sender: bytes, sealed: bytes, context: bytes) -> bytes:
    """Return what `sender` has sealed for this key and context; raise BadBytes."""
    receiver = exchange_public_key(secret)
    try:
        return _share_cipher(secret, sender, sender, receiver).decrypt(_ZERO_NONCE, sealed, context)
    except InvalidTag as fault:
        raise BadBytes("a share that does not open") from fault


# -- dice and cards that nobody can choose (PROTOCOL.md 7) ---------------------------------
#
# Every seat derives a contribution for each slot of each stream from its seed of this table. It
# commits to it, in the log, before any seat opens that slot. The result of a slot is a hash of
# all contributions in seat order and of the head that the openings sign. The head names the
# decision that was made before. So a seat can choose neither the result for a decision nor the
# decision for a result, as long as one contributor is honest.


DICE_WINDOW = 2
CARD_WINDOW = 8
"""How many slots are committed ahead. A draw takes at most a whole market of cards, of which one
slot may be half open."""


class Stream(IntEnum):
    """The two sequences of slots, each numbered from 0."""

    DICE = 0
    CARDS = 1


STREAMS = tuple(Stream)
DICE_STREAM, CARD_STREAM = STREAMS
"""With names of their own: Python 3.11 takes longer for `Stream.DICE` than for a call."""
_COMMITMENT_TAG, _RESULT_TAG, _STREAM_TAG = Tag.COMMITMENT, Tag.RESULT, Tag.STREAM
"""The tags of what each draw hashes, for the same reason."""
_NUMBERS = Struct(">4Q")
_BEGINNINGS_KEPT = 64
"""Of what is hashed for commitments. A table of six has twelve."""
WINDOW = {DICE_STREAM: DICE_WINDOW, CARD_STREAM: CARD_WINDOW}


def contribution(seed: bytes, origin: bytes, stream: Stream, slot: int) -> bytes:
    """Return c of PROTOCOL.md 7.1: 32 bytes that only the owner of `seed` can know.

    `origin` is the table id, or the id of the certificate that began the view (7.5). A new origin
    gives new contributions, so that none is used for two results.
    """
    return derive(seed, Tag.CONTRIBUTION, origin, int(stream), slot)


def commitment(table: bytes, stream: Stream, seat: int, slot: int, c: bytes) -> bytes:
    return sha256(_join(_begin_commitment(table, stream, seat), (slot, c))).digest()


@lru_cache(_BEGINNINGS_KEPT)
def _begin_commitment(table: bytes, stream: Stream, seat: int) -> bytes:
    """Return what all commitments of a seat to one stream hash first."""
    return join_fields(_COMMITMENT_TAG, table, stream, seat)


def own_commitment(
    seed: bytes, table: bytes, origin: bytes, stream: Stream, seat: int, slot: int
) -> bytes:
    return commitment(table, stream, seat, slot, contribution(seed, origin, stream, slot))


def slot_result(
    game: bytes, head: bytes, stream: Stream, slot: int, contributions: Sequence[bytes]
) -> bytes:
    """Return the 32 bytes that all contributions, in seat order, make together at `head`."""
    return digest_hashes(join_fields(_RESULT_TAG, game, head, stream, slot), contributions)


def _number_stream(seed: bytes) -> Iterator[int]:
    """Yield an endless stream of 64-bit numbers from a result."""
    block = 0
    while True:
        yield from _NUMBERS.unpack(digest(_STREAM_TAG, seed, block))
        block += 1


def _next_below(numbers: Iterator[int], size: int) -> int:
    """Return the next value below `size`; the incomplete last round would favour small ones."""
    limit = 2**64 - 2**64 % size
    for number in numbers:
        if number < limit:
            return number % size
    raise AssertionError("the stream never ends")


def draw_values(seed: bytes, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return one value below each of `sizes`, in order (dice, tile sides)."""
    numbers = _number_stream(seed)
    return tuple([_next_below(numbers, size) for size in sizes])


def draw_untaken(seed: bytes, size: int, taken: Collection[int]) -> int:
    """Return a value below `size` that is not in `taken`, in whatever order slots open."""
    numbers = _number_stream(seed)
    while True:
        value = _next_below(numbers, size)
        if value not in taken:
            return value
