"""Frames of the handshake: each side of a new link proves its key (PROTOCOL.md 4).

Scope: HELLO, PROOF and REFUSAL, with the codes that a refusal carries.
Not here: the handshake itself (`kotp2p.net.links`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, TypeAlias

from kotp2p.wire.crypto import HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES, check_key
from kotp2p.wire.encoding import Value, array, integer, octets, text
from kotp2p.wire.frame_types import MAX_TEXT, Fields, FrameType
from kotp2p.wire.genesis import NONCE_BYTES


class RefusalCode(IntEnum):
    """Why a side does not go on: the code in REFUSAL and in CLOSED (PROTOCOL.md 4.2)."""

    BAD = 0
    VERSION = 1
    FULL = 2
    STARTED = 3
    NO_TABLE = 4
    REMOVED = 5
    CLOSED = 6
    BUSY = 7
    NO_WATCHERS = 8
    KEPT = 9
    """The free seats are kept for others."""


class HelloRole(IntEnum):
    """What the sender of a HELLO wants to be."""

    PLAYER = 0
    WATCHER = 1
    """The sender reads the log of a game: it watches, or has a seat and has lost its files. Only a
    side that dials is one."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame of each side. The listener answers with its own.

    The type, `protocol` and `rules` keep their places for ever (`frame_codec.read_hello_versions`).
    """

    TYPE: ClassVar[FrameType] = FrameType.HELLO
    protocol: int
    rules: int
    role: int
    """A `HelloRole`."""
    instance: bytes
    """8 bytes, fresh for each process: two links to one instance lead to one peer."""
    table: bytes
    """The id of the table whose mesh this link belongs to; empty for a lobby."""
    key: bytes
    nonce: bytes

    def value(self) -> Value:
        return (
            int(self.TYPE), self.protocol, self.rules, self.role, self.instance,
            self.table, self.key, self.nonce,
        )  # fmt: skip

    @staticmethod
    def parse(fields: Fields) -> Hello:
        protocol, rules, role, instance, table, key, nonce = array(fields, 7)
        return Hello(
            integer(protocol),
            integer(rules),
            integer(role, 0, max(HelloRole)),
            octets(instance, 8),
            octets(table, HASH_BYTES) if table != b"" else b"",
            check_key(octets(key, KEY_BYTES)),
            octets(nonce, NONCE_BYTES),
        )


@dataclass(frozen=True, slots=True)
class LinkProof:
    """Proves the key of a HELLO: a signature over both HELLOs and the binding of the connection."""

    TYPE: ClassVar[FrameType] = FrameType.PROOF
    signature: bytes

    def value(self) -> Value:
        return (int(self.TYPE), self.signature)

    @staticmethod
    def parse(fields: Fields) -> LinkProof:
        (signature,) = array(fields, 1)
        return LinkProof(octets(signature, SIGNATURE_BYTES))


@dataclass(frozen=True, slots=True)
class Refusal:
    """The last frame of a side that does not go on.

    Its form never changes, so that programs of different versions can tell each other apart.
    """

    TYPE: ClassVar[FrameType] = FrameType.REFUSAL
    code: int
    """A `RefusalCode`, or a number that a later version has added."""
    protocol: int
    rules: int
    text: str

    def value(self) -> Value:
        return (int(self.TYPE), self.code, self.protocol, self.rules, self.text)

    @staticmethod
    def parse(fields: Fields) -> Refusal:
        code, protocol, rules, words = array(fields, 4)
        return Refusal(integer(code), integer(protocol), integer(rules), text(words, MAX_TEXT))


HandshakeFrame: TypeAlias = Hello | LinkProof | Refusal
"""Frames that are due only before both keys are proved, and a refusal at any time."""
