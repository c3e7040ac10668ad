"""The bounds of numbers in signed bodies, as PROTOCOL.md states them in chapters 2 and 9."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kotp2p.wire.closings import BREAK_MARK
from kotp2p.wire.encoding import BadBytes, Value
from kotp2p.wire.entries import Answering, BodyKind
from referee.model.answers import Stop
from tests.support.forged_bodies import read_body, seal_anything, sign_anything
from tests.support.scribe import fill
from tests.tools.vector_table import SEATS

GAME, HEAD = fill(0xA1), fill(0xA2)
MAX_VIEW, MAX_HEIGHT, MAX_ROUND, MAX_NAMED = 10_000, 1_000_000, 1_000, 64
"""The figures of the text, written down again."""
STOP = Answering(Stop())


def drop(view: int, round_: int, height: int, choice: int = 1, proofs: int = 0) -> Value:
    named = tuple(fill(1 + n) for n in range(proofs))
    return (GAME, view, round_, height, HEAD, 0, choice, (1,), named)


def play(view: int, height: int, version: int = 1) -> Value:
    return (version, GAME, view, height, HEAD, 0, int(STOP.TYPE), STOP.value())


def wish(view: int, height: int, kind: int = 0) -> Value:
    return (GAME, 0, 1, kind, view, height, ())


FIELDS: dict[str, tuple[BodyKind, Callable[[int], Value], int, int]] = {
    "view of an entry": (BodyKind.PLAY, lambda n: play(n, 0), 0, MAX_VIEW),
    "height of an entry": (BodyKind.PLAY, lambda n: play(0, n), 0, MAX_HEIGHT),
    "version of an entry": (BodyKind.PLAY, lambda n: play(0, 0, n), 1, 1),
    "view of a drop": (BodyKind.VOTE, lambda n: drop(n, 1, 0), 0, MAX_VIEW),
    "height of a drop": (BodyKind.VOTE, lambda n: drop(0, 1, n), 0, MAX_HEIGHT),
    "round of a drop": (BodyKind.VOTE, lambda n: drop(0, n, 0), 1, MAX_ROUND),
    "round of an objection": (BodyKind.VOTE, lambda n: drop(0, n, 0, 2), 0, 0),
    "choice of a vote": (BodyKind.VOTE, lambda n: drop(0, n % 2, 0, n), 1, 2),
    "view of a farewell": (BodyKind.STAND_IN, lambda n: (GAME, 0, n, 0, ()), 0, MAX_VIEW),
    "height of a farewell": (BodyKind.STAND_IN, lambda n: (GAME, 0, 0, n, ()), 0, MAX_HEIGHT),
    "round in a farewell": (BodyKind.STAND_IN, lambda n: (GAME, 0, 0, 0, (n,)), 1, MAX_ROUND),
    "rounds in a farewell": (
        BodyKind.STAND_IN,
        lambda n: (GAME, 0, 0, 0, tuple(range(1, n + 1))),
        0,
        MAX_NAMED,
    ),
    "view of a wish": (BodyKind.WORD, lambda n: wish(n, 0), 0, MAX_VIEW),
    "height of a wish": (BodyKind.WORD, lambda n: wish(0, n), 0, MAX_HEIGHT),
    "kind of a wish": (BodyKind.WORD, lambda n: wish(0, 0, n), 0, 4),
    "view of a head": (BodyKind.HEAD, lambda n: (GAME, n, 0, HEAD, 0, bytes(8), 0), 0, MAX_VIEW),
    "height of a head": (
        BodyKind.HEAD, lambda n: (GAME, 0, n, HEAD, 0, bytes(8), 0), 0, MAX_HEIGHT
    ),
    "view of a break": (
        BodyKind.CLOSE, lambda n: (GAME, BREAK_MARK, n, 0, HEAD, ()), 0, MAX_VIEW
    ),
    "height of a break": (
        BodyKind.CLOSE, lambda n: (GAME, BREAK_MARK, 0, n, HEAD, ()), 0, MAX_HEIGHT
    ),
    "height of an end": (BodyKind.CLOSE, lambda n: (GAME, n, HEAD, (), HEAD), 0, MAX_HEIGHT),
}  # fmt: skip


def is_read(kind: BodyKind, value: Value) -> bool:
    if kind is BodyKind.CLOSE:
        signed = seal_anything(SEATS[0], 0, value)
    else:
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


@pytest.mark.parametrize("rounds", [(1, 1), (2, 1)])
def test_the_rounds_of_a_farewell_ascend(rounds: tuple[int, ...]) -> None:
    assert not is_read(BodyKind.STAND_IN, (GAME, 0, 0, 0, rounds))


@pytest.mark.parametrize("seats", [(1, 1), (2, 1), (0, 2, 1)])
def test_the_seats_of_a_list_ascend(seats: tuple[int, ...]) -> None:
    assert not is_read(BodyKind.VOTE, (GAME, 0, 1, 0, HEAD, 5, 1, seats, ()))
    assert not is_read(BodyKind.WORD, (GAME, 0, 1, 1, 0, 0, seats))
    assert not is_read(BodyKind.CLOSE, (GAME, BREAK_MARK, 0, 0, HEAD, seats))
    assert not is_read(BodyKind.CLOSE, (GAME, 0, HEAD, seats, HEAD))
