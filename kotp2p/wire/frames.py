"""The closed union of all frames, and the table of their readers (PROTOCOL.md 3).

Scope: `Frame`, and which class reads which type number. A new frame is a member of `FrameType`
and a class with `TYPE`, `value()` and `parse()`. It joins the union of its phase in its module:
`HandshakeFrame`, `GuestFrame`, `HostFrame`, `MutualFrame` or `GameFrame`. The type checker then
names each `match` of that phase, and tests/kotp2p/wire/test_frames.py lists the rest. A frame of
two phases joins one union, and the other phase matches it by its name, as the game does `Ping`.
Not here: the frames themselves, bytes and limits (`kotp2p.wire.frame_codec`).
"""

from __future__ import annotations

from typing import TypeAlias, get_args

from kotp2p.wire.entries import Signed
from kotp2p.wire.frames_game import GameFrame
from kotp2p.wire.frames_link import HandshakeFrame
from kotp2p.wire.frames_lobby import LobbyFrame

SessionFrame: TypeAlias = HandshakeFrame | LobbyFrame | GameFrame
"""Frames without a signature of their own."""
Frame: TypeAlias = Signed | SessionFrame
"""All that can travel on a link: a signed body, or a session frame."""

SESSION_FRAMES: dict[int, type[SessionFrame]] = {
    frame.TYPE: frame for frame in get_args(SessionFrame)
}
"""By type number. A number that is not in here belongs to a later version."""
