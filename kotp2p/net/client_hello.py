"""The first record of a dialler's TLS, read before TLS: whether it is all there, and its name.

Scope: the server name (RFC 6066) of a ClientHello (RFC 8446, 4.1.2), in which a dialler shows a
pass (`kotp2p.net.passes`). Reading it costs some microseconds, a handshake some milliseconds.
Not here: whether the rest is TLS. That is for TLS to say.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_RECORD_BYTES = 4096
"""A first record that is longer is not waited for. Ours have some hundred bytes, or 2000 with keys
that withstand quantum computers."""
_RECORD_HEAD = 5
_HANDSHAKE_RECORD, _CLIENT_HELLO, _SERVER_NAME, _HOST_NAME = 22, 1, 0, 0
_VERSION_AND_RANDOM = 34


class _CutOff(Exception):
    """A length leads behind the end."""


@dataclass(slots=True)
class _Fields:
    """Fields behind each other, each with its length in front."""

    data: bytes

    def take(self, size: int) -> bytes:
        if size > len(self.data):
            raise _CutOff
        found, self.data = self.data[:size], self.data[size:]
        return found

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def field(self, length_size: int) -> bytes:
        return self.take(self.number(length_size))


def is_whole(data: bytes) -> bool:
    """Whether the first record is all there, or what is there can be none that is waited for."""
    if data[:1] != bytes((_HANDSHAKE_RECORD,)):
        return bool(data)
    size = _RECORD_HEAD + int.from_bytes(data[3:_RECORD_HEAD], "big")
    return len(data) >= _RECORD_HEAD and (len(data) >= size or size > MAX_RECORD_BYTES)


def server_name(data: bytes) -> str:
    """The name in the ClientHello with which `data` begins; empty if there is none."""
    try:
        return _server_name(_Fields(data))
    except _CutOff:
        return ""


def _server_name(record: _Fields) -> str:
    if record.number(1) != _HANDSHAKE_RECORD:
        return ""
    record.take(2)  # a version that means nothing any more
    message = _Fields(record.field(2))
    if message.number(1) != _CLIENT_HELLO:
        return ""
    hello = _Fields(message.field(3))
    hello.take(_VERSION_AND_RANDOM)
    for length_size in (1, 2, 1):  # session, ciphers, compressions
        hello.field(length_size)
    extensions = _Fields(hello.field(2))
    while extensions.data:
        kind, body = extensions.number(2), extensions.field(2)
        if kind == _SERVER_NAME:
            names = _Fields(_Fields(body).field(2))
            name = names.field(2) if names.number(1) == _HOST_NAME else b""
            return name.decode("ascii", "replace")
    return ""
