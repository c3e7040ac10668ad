"""The bounds of numbers in signed bodies, as PROTOCOL.md states them in chapters 2 and 9."""

from collections.abc import Callable

import pytest

from kotp2p.referee.model.answers import Stop
from kotp2p.wire.encoding import BadBytes, Value
from kotp2p.wire.entries import Answering, BodyKind
from tests.support.forged_bodies import read_body, sign_anything
from tests.support.scribe import fill
from tests.tools.vector_table import SEATS

GAME, HEAD, INSTANCE = fill(0xA1), fill(0xA2), bytes(8)
MAX_ATTEMPT, MAX_HEIGHT, MAX_SEAT = 1_000_000, 1_000_000, 5
"""The figures of the text, written down again."""
STOP = Answering(Stop())


def play(attempt: int, height: int, seat: int = 0) -> Value:
    return (attempt, height, HEAD, seat, int(STOP.TYPE), STOP.value())


def line_up(attempt: int, height: int = 0, plan: Value = ()) -> Value:
    return (GAME, attempt, HEAD, height, HEAD, HEAD, plan, None)


def head(attempt: int, height: int, seat: int = 0) -> Value:
    return (GAME, attempt, height, HEAD, seat, INSTANCE, 0)


def wish(seat: int, flags: int = 0, without: Value = (), refused: Value = ()) -> Value:
    return (GAME, seat, 1, without, refused, flags)


FIELDS: dict[str, tuple[BodyKind, Callable[[int], Value], int, int]] = {
    "attempt of an entry": (BodyKind.PLAY, lambda n: play(n, 0), 0, MAX_ATTEMPT),
    "height of an entry": (BodyKind.PLAY, lambda n: play(0, n), 0, MAX_HEIGHT),
    "seat of an entry": (BodyKind.PLAY, lambda n: play(0, 0, n), 0, MAX_SEAT),
    "attempt of a line-up": (BodyKind.LINE_UP, line_up, 1, MAX_ATTEMPT),
    "height of a line-up": (BodyKind.LINE_UP, lambda n: line_up(1, n), 0, MAX_HEIGHT),
    "keeper of a plan": (BodyKind.LINE_UP, lambda n: line_up(1, 0, ((n, 3, None),)), 0, MAX_SEAT),
    "reason of one that is out": (
        BodyKind.LINE_UP, lambda n: line_up(1, 0, ((0, n, None),)), 1, 3
    ),
    "reason of one that plays": (
        BodyKind.LINE_UP, lambda n: line_up(1, 0, ((0, n, INSTANCE),)), 4, 5
    ),
    "seat of a leave": (BodyKind.LEAVE, lambda n: (GAME, n, 0, 0), 0, MAX_SEAT),
    "line-up of a leave": (BodyKind.LEAVE, lambda n: (GAME, 0, n, MAX_ATTEMPT), 0, MAX_ATTEMPT),
    "attempt of a leave": (BodyKind.LEAVE, lambda n: (GAME, 0, 3, n), 3, MAX_ATTEMPT),
    "seat of a ready": (BodyKind.READY, lambda n: (GAME, n, 1, HEAD, INSTANCE), 0, MAX_SEAT),
    "attempt of a ready": (
        BodyKind.READY, lambda n: (GAME, 0, n, HEAD, INSTANCE), 1, MAX_ATTEMPT
    ),
    "attempt of a head": (BodyKind.HEAD, lambda n: head(n, 0), 0, MAX_ATTEMPT),
    "height of a head": (BodyKind.HEAD, lambda n: head(0, n), 0, MAX_HEIGHT),
    "seat of a head": (BodyKind.HEAD, lambda n: head(0, 0, n), 0, MAX_SEAT),
    "seat of a wish": (BodyKind.WISH, wish, 0, MAX_SEAT),
    "flags of a wish": (BodyKind.WISH, lambda n: wish(0, n), 0, 3),
    "keeper that is wished away": (BodyKind.WISH, lambda n: wish(0, 0, (n,)), 0, MAX_SEAT),
    "keeper that is not wanted back": (
        BodyKind.WISH, lambda n: wish(0, 0, (), ((n, INSTANCE),)), 0, MAX_SEAT
    ),
    "seat of a here": (BodyKind.HERE, lambda n: (GAME, n, INSTANCE), 0, MAX_SEAT),
}  # fmt: skip


def is_read(kind: BodyKind, value: Value) -> bool:
    signed = sign_anything(SEATS[0], kind, value)
    try:
        read_body(signed, GAME)
    except BadBytes:
        return False
    return True


@pytest.mark.parametrize("field", FIELDS)
def test_a_number_is_read_from_its_least_to_its_greatest(field: str) -> None:
    kind, value, least, greatest = FIELDS[field]
    assert is_read(kind, value(least))
    assert is_read(kind, value(greatest))
    assert not is_read(kind, value(greatest + 1))
    assert least == 0 or not is_read(kind, value(least - 1))


@pytest.mark.parametrize("seats", [(1, 1), (2, 1), (0, 2, 1)])
def test_the_seats_of_a_list_ascend(seats: tuple[int, ...]) -> None:
    plan = tuple((seat, 3, None) for seat in seats)
    refused = tuple((seat, INSTANCE) for seat in seats)
    assert not is_read(BodyKind.LINE_UP, line_up(1, 0, plan))
    assert not is_read(BodyKind.WISH, wish(0, 0, seats))
    assert not is_read(BodyKind.WISH, wish(0, 0, (), refused))
    assert not is_read(BodyKind.PLAY, (0, 0, HEAD, 0, 7, (seats, HEAD)))
