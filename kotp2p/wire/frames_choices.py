"""Frames by which a seated guest changes what the lobby says of it (PROTOCOL.md 6.1).

Scope: the wish for another name or monster, the mark that a player is ready, and the refusal of
either, each with its writer and its reader.
Not here: when a wish is granted (`kotp2p.lobby.host_choices`), and what a mark signs
(`kotp2p.lobby.ready_marks`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from kotp2p.wire.crypto import SIGNATURE_BYTES
from kotp2p.wire.encoding import BadBytes, Value, array, integer, octets
from kotp2p.wire.frame_types import Fields, FrameType
from kotp2p.wire.names import read_label

NO_MARK = b""
"""In the place of a signature: the player is not ready."""


class DenialCode(IntEnum):
    """Why a host does not do what a seated guest wants. A reader takes other numbers, too."""

    STARTING = 1
    """A start is under way."""
    TOO_OFTEN = 2
    """The guest has changed something too often (PROTOCOL.md 9.9)."""
    NAME_TAKEN = 3
    """The name looks like that of another player."""
    NAME_KNOWN = 4
    """The host knows the name by another key, and nobody is there to be asked."""
    NO_MONSTER = 5
    """The monster is not in the box."""
    MONSTER_TAKEN = 6
    OTHER_LOBBY = 7
    """The mark was signed for another lobby than the present one."""


def read_mark(value: object) -> bytes:
    """A signature, or NO_MARK. Raises BadBytes."""
    mark = octets(value, most=SIGNATURE_BYTES)
    if len(mark) not in (0, SIGNATURE_BYTES):
        raise BadBytes("no signature")
    return mark


@dataclass(frozen=True, slots=True)
class Choose:
    """A seated guest wants another name, or another monster."""

    TYPE: ClassVar[FrameType] = FrameType.CHOOSE
    serial: int
    """Ascends with every CHOOSE and MARK of one process."""
    name: str
    """Empty: as it is."""
    monster: str
    """Empty: as it is."""

    def value(self) -> Value:
        return (int(self.TYPE), self.serial, self.name, self.monster)

    @staticmethod
    def parse(fields: Fields) -> Choose:
        serial, name, monster = array(fields, 3)
        return Choose(integer(serial), read_label(name), read_label(monster))


@dataclass(frozen=True, slots=True)
class Mark:
    """A seated guest is ready for a game as the lobby has it, or not ready any more."""

    TYPE: ClassVar[FrameType] = FrameType.MARK
    serial: int
    """As in CHOOSE."""
    mark: bytes
    """What the guest has signed (`kotp2p.lobby.ready_marks`), or NO_MARK."""

    def value(self) -> Value:
        return (int(self.TYPE), self.serial, self.mark)

    @staticmethod
    def parse(fields: Fields) -> Mark:
        serial, mark = array(fields, 2)
        return Mark(integer(serial), read_mark(mark))


@dataclass(frozen=True, slots=True)
class Denied:
    """The host does not do what the guest wants."""

    TYPE: ClassVar[FrameType] = FrameType.DENIED
    serial: int
    """That of the CHOOSE or MARK."""
    code: int
    """A `DenialCode`, or a number that a later version has added."""

    def value(self) -> Value:
        return (int(self.TYPE), self.serial, self.code)

    @staticmethod
    def parse(fields: Fields) -> Denied:
        serial, code = array(fields, 2)
        return Denied(integer(serial), integer(code))
