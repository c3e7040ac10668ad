"""Valid bytes to start from: every frame and body of the protocol's vectors, and whole logs."""

import functools
from collections.abc import Iterator

from kotp2p.game.verify import Result, verify_log
from kotp2p.lobby.known_keys import IDENTITY_FORM, MAGIC, KnownKeys
from kotp2p.net.entrance import NONCE_BYTES, Passes
from kotp2p.net.invitation import Invitation
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.encoding import pack
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.records import RecordReader, read_head
from tests.support.log_bytes import long_log, short_log
from tests.support.paths import LOGS
from tests.support.sample_start import START as START
from tests.tools import vector_frames, vectors

BODIES = {
    "line-up": BodyKind.LINE_UP,
    "line-up that begins with rows": BodyKind.LINE_UP,
    "leave": BodyKind.LEAVE,
    "ready": BodyKind.READY,
    "head": BodyKind.HEAD,
    "wish": BodyKind.WISH,
    "here": BodyKind.HERE,
    "address": BodyKind.ADDRESS,
    "chat": BodyKind.CHAT,
    "proof of two answers": BodyKind.CHEAT_PROOF,
    "program": BodyKind.PROGRAM,
    "share": BodyKind.SHARE,
    "blame": BodyKind.SHARE,
}
"""The kind of each body of the vectors; all others are PLAY."""


@functools.cache
def frames() -> tuple[bytes, ...]:
    """The body of a frame of each type, with every kind of entry in one of them."""
    plain = [bytes.fromhex(str(words))[4:] for words in vector_frames.all_frames().values()]
    travelling = (signed for signed in bodies() if signed.kind is not BodyKind.PROGRAM)
    return (*plain, *(_frame(signed) for signed in travelling))


def _frame(signed: Signed) -> bytes:
    return pack((int(signed.kind), signed.body, signed.signature))


@functools.cache
def bodies() -> tuple[Signed, ...]:
    """A signed body of each kind, and of PLAY and SHARE of each payload."""
    found = []
    for name, made in vectors.entries().items():
        if isinstance(made, dict):
            signature = bytes.fromhex(made.get("signature", ""))
            body = bytes.fromhex(made["body"])
            found.append(Signed(BODIES.get(name, BodyKind.PLAY), body, signature))
    genesis = vectors.start()
    body, seals = (bytes.fromhex(str(genesis[name])) for name in ("genesis body", "seals"))
    return (*found, Signed(BodyKind.GENESIS, body, seals))


def places() -> bytes:
    said = next(signed for signed in bodies() if signed.kind is BodyKind.ADDRESS)
    return SavedPlaces(
        "", 4242, "192.168.1.7", (("", 4242), ("fd00::7", 0)), "2026-11-21-able-acid.kotlog",
        ((said.body, said.signature),), ((1, "192.168.1.8"),),
    ).encode()  # fmt: skip


INVITATION = Invitation(
    ("192.168.1.7", "fd00::7", "ana.local"), 4243, bytes(10), b"h" * 10
).as_link()


PASS = Passes(bytes(10)).make(bytes(NONCE_BYTES))


def known_keys() -> bytes:
    known = KnownKeys()
    known.remember([("Ana", bytes(32)), ("Zoë", b"\x01" * 32)], "2026-10-02")
    return known.encode()


def identity_text() -> bytes:
    return pack((bytes(32), "Ana", (("Zoë", b"\x01" * 32, "2026-10-02"), ("Rex", b"r" * 32, ""))))


IDENTITY = MAGIC + IDENTITY_FORM.to_bytes(4, "big") + bytes(28 + 16 + 40)
"""An exported one, but for the seal."""


@functools.cache
def logs() -> tuple[bytes, ...]:
    """Whole games of this version: two that are played now and those that are kept."""
    kept = [path.read_bytes() for path in sorted(LOGS.glob("*.kotlog"))]
    whole = [data for data in kept if verify_log(data).result is not Result.UNREADABLE]
    return (short_log(), long_log(), *whole)


def records(log: bytes) -> Iterator[tuple[Signed, int]]:
    reader = RecordReader(log, read_head(log)[1])
    while (signed := reader.read_record()) is not None:
        yield signed, reader.offset
