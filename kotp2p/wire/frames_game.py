"""Frames between two seats of a running game that carry no signature.

Scope: how seats find out what the other lacks (PROTOCOL.md 8 and 9.1).
Not here: entries and all else that is signed (`kotp2p.wire.entries`), which travels as a
`Signed`; and the frames about watchers (`kotp2p.wire.frames_watch`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from kotp2p.wire.encoding import Value, array, integer
from kotp2p.wire.entries import MAX_ATTEMPT, MAX_HEIGHT
from kotp2p.wire.frame_types import Fields, FrameType
from kotp2p.wire.frames_watch import WatchFrame
from kotp2p.wire.genesis import MAX_SEATS
from kotp2p.wire.seat_lists import ascending_seats


@dataclass(frozen=True, slots=True)
class Links:
    """The sender tells which seats it has a direct link to."""

    TYPE: ClassVar[FrameType] = FrameType.LINKS
    seats: tuple[int, ...]
    """In ascending order, none twice."""

    def value(self) -> Value:
        return (int(self.TYPE), self.seats)

    @staticmethod
    def parse(fields: Fields) -> Links:
        (seats,) = array(fields, 1)
        return Links(ascending_seats(seats, most=MAX_SEATS))


@dataclass(frozen=True, slots=True)
class Want:
    """The sender asks for everything that the receiver has beyond this place.

    These are the line-ups of later attempts, and the entries from this height on.
    """

    TYPE: ClassVar[FrameType] = FrameType.WANT
    attempt: int
    """That of the line-up which counts for the sender."""
    height: int

    def value(self) -> Value:
        return (int(self.TYPE), self.attempt, self.height)

    @staticmethod
    def parse(fields: Fields) -> Want:
        attempt, height = array(fields, 2)
        return Want(integer(attempt, 0, MAX_ATTEMPT), integer(height, 0, MAX_HEIGHT))


@dataclass(frozen=True, slots=True)
class PositionShown:
    """The numbers of the sender's position, after a seat has signed another digest of it."""

    TYPE: ClassVar[FrameType] = FrameType.POSITION
    height: int
    numbers: tuple[int, ...]

    def value(self) -> Value:
        return (int(self.TYPE), self.height, self.numbers)

    @staticmethod
    def parse(fields: Fields) -> PositionShown:
        height, numbers = array(fields, 2)
        return PositionShown(
            integer(height, 0, MAX_HEIGHT), tuple(integer(n) for n in array(numbers))
        )


GameFrame: TypeAlias = Links | Want | PositionShown | WatchFrame
