"""Answers on the wire: `[code, …]` for each kind of answer (PROTOCOL.md 5.3).

Scope: answers to values and back, within the bounds of their form.
Not here: whether an answer is legal; that is the referee's judgement.

The secret of an answer is a field that the protocol adds and that the referee never sees. In a
`BuyTop` it is the withheld contribution, in a `Peek` the X25519 key of the peeker.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from kotp2p.referee.model.answers import (
    Again,
    Answer,
    Buy,
    BuyTop,
    Copy,
    Deposit,
    Done,
    Face,
    Hearts,
    Keep,
    Order,
    Pass,
    Peek,
    Reroll,
    Sell,
    Stay,
    Stop,
    Swap,
    Sweep,
    Take,
    Use,
    Yield,
)
from kotp2p.wire.crypto import check_exchange_key
from kotp2p.wire.encoding import BadBytes, Value, array, integer, octets

Secret: TypeAlias = bytes | None

_MAX_ITEM = 999
_MAX_DICE = 64
_FACES = tuple(Face)
"""Each face at the place that is its number."""
_CODES: dict[type, int] = {
    Stop: 0, Reroll: 1, Use: 2, Pass: 3, Done: 4, Order: 5, Hearts: 6, Yield: 7, Stay: 8,
    Swap: 9, Buy: 10, BuyTop: 11, Peek: 12, Sweep: 13, Deposit: 14, Copy: 15, Keep: 16,
    Take: 17, Sell: 18, Again: 19,
}  # fmt: skip
_BARE = {_CODES[bare]: bare for bare in (Stop, Pass, Done, Yield, Stay, Sweep, Keep, Again)}
"""The answers without fields, by their codes."""


def answer_to_value(answer: Answer, secret: Secret) -> Value:
    """The array of an answer; `secret` is written only for `BuyTop` and `Peek`."""
    code = _CODES[type(answer)]
    match answer:
        case Stop() | Pass() | Done() | Yield() | Stay() | Sweep() | Keep() | Again():
            return (code,)
        case Reroll(dice=numbers) | Sell(cards=numbers):
            return (code, numbers)
        case Use(item=item, die=die, face=face):
            return (code, item, die, None if face is None else int(face))
        case Order(groups=groups):
            return (code, tuple(int(g) for g in groups))
        case Hearts(heal=heal, poison=poison, shrink=shrink, give=give):
            return (code, heal, poison, shrink, give)
        case Swap(card=n) | Buy(card=n) | Copy(card=n) | Take(tile=n) | Deposit(energy=n):
            return (code, n)
        case BuyTop(card=card):
            return (code, card, secret)
        case Peek():
            return (code, secret)
        case _:
            assert_never(answer)


def parse_answer(value: object) -> tuple[Answer, Secret]:
    """The answer that an array encodes, and its secret; BadBytes if it encodes none."""
    fields = array(value)
    if not fields:
        raise BadBytes("an answer without a kind")
    code, rest = integer(fields[0]), fields[1:]
    bare = _BARE.get(code)
    if bare is not None:
        array(rest, 0)
        return bare(), None
    if code == _CODES[BuyTop]:
        card, opening = array(rest, 2)
        return BuyTop(_parse_item(card)), octets(opening, 32)
    if code == _CODES[Peek]:
        (key,) = array(rest, 1)
        return Peek(), None if key is None else check_exchange_key(octets(key, 32))
    return _answer_with_fields(code, rest), None


def _answer_with_fields(code: int, rest: tuple[object, ...]) -> Answer:
    if code == _CODES[Use]:
        item, die, face = array(rest, 3)
        return Use(
            _parse_item(item),
            None if die is None else integer(die, 0, _MAX_DICE),
            None if face is None else _FACES[integer(face, 0, 5)],
        )
    if code == _CODES[Hearts]:
        heal, poison, shrink, give = array(rest, 4)
        gifts = tuple(array(gift, 2) for gift in array(give, most=6))
        return Hearts(
            integer(heal, 0, _MAX_DICE),
            integer(poison, 0, _MAX_DICE),
            integer(shrink, 0, _MAX_DICE),
            tuple((integer(seat, 0, 5), integer(n, 0, _MAX_DICE)) for seat, n in gifts),
        )
    (field,) = array(rest, 1)
    if code == _CODES[Reroll]:
        return Reroll(_parse_numbers(field))
    if code == _CODES[Sell]:
        return Sell(_parse_numbers(field))
    if code == _CODES[Order]:
        return Order(tuple([_FACES[integer(g, 0, 5)] for g in array(field, most=6)]))
    for kind in (Swap, Buy, Copy, Take, Deposit):
        if code == _CODES[kind]:
            return kind(_parse_item(field))
    raise BadBytes("no such answer")


def _parse_numbers(value: object) -> tuple[int, ...]:
    return tuple([integer(n, 0, _MAX_ITEM) for n in array(value, most=200)])


def _parse_item(value: object) -> int:
    return integer(value, 0, _MAX_ITEM)
