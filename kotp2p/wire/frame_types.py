"""What all frames have in common: their type numbers and the fields behind the number.

Scope: the numbers of session frames (PROTOCOL.md 3) and the type of their undecoded fields.
Not here: the frames themselves, which stand in `kotp2p.wire.frames_link`, `frames_lobby`,
`frames_game` and `frames_watch`.
"""

from __future__ import annotations

from enum import IntEnum, unique
from typing import TypeAlias

Fields: TypeAlias = tuple[object, ...]
"""The fields of a frame behind its type number, decoded from msgpack and not yet checked."""

MAX_TEXT = 200
"""Characters of a line of chat, and of the text of a refusal."""


@unique
class FrameType(IntEnum):
    """The type numbers of session frames, 64 to 127 (PROTOCOL.md 3.1).

    Numbers from 1 to 63 are kept for signed bodies (`kotp2p.wire.entries.Kind`). Each member has
    one frame class, whose `TYPE` it is.
    """

    HELLO = 64
    PROOF = 65
    REFUSAL = 66
    SIT = 67
    LOBBY = 68
    STAND = 69
    CLOSED = 70
    START = 71
    SEALED = 72
    ALL_SEALED = 73
    ROW = 74
    GENESIS_SHOWN = 75
    LINKS = 78
    WANT = 79
    POSITION = 81
    PING = 82
    SAID = 83
    UNSURE = 84
    DECLINED = 85
    CHOOSE = 86
    MARK = 87
    DENIED = 88
    WATCH = 89
    ADMITTED = 90
    LOG_PART = 91
    WATCHED = 92
