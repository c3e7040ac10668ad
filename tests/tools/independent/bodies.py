"""What is signed in a game: entries, line-ups, LEAVEs. Sections 5.2, 9.2, 9.3 and 9.6."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from kotp2p.referee.model import answers as a
from kotp2p.referee.model.answers import Answer, Face
from tests.tools.independent.wire import (
    Malformed,
    Value,
    array,
    ascending,
    decode,
    encode,
    hashed,
    need,
    number,
    octets,
    text,
)

GENESIS, PLAY, LINE_UP, LEAVE, SHARE, PROOF, PROGRAM = 1, 2, 3, 4, 5, 11, 13
TAGS = {PLAY: "play", LINE_UP: "lineup", LEAVE: "leave", SHARE: "share"}
ANSWER, OPENING, ROWS, SHARING, BLAME, WITNESS, END = 1, 2, 3, 4, 5, 6, 7
OPENED = OPENING, WITNESS
CHEATED, LEFT, ABSENT, AGAIN, BACK = 1, 2, 3, 4, 5
MOST_ATTEMPT, MOST_HEIGHT, MOST_ITEM, MOST_DICE, MOST_SLOTS = 1_000_000, 1_000_000, 999, 64, 8
Place: TypeAlias = "tuple[int, int]"
"""Attempt and height."""


@dataclass(frozen=True)
class Answering:
    answer: Answer
    secret: bytes | None = None
    """Buying the top card: the contribution that was withheld."""
    key: bytes | None = None
    """Looking at the top card: the key for a share."""


@dataclass(frozen=True)
class Opening:
    opened: tuple[bytes | None, ...]
    commitments: tuple[bytes, ...]
    top: bytes | None
    position: bytes | None


@dataclass(frozen=True)
class Rows:
    windows: tuple[tuple[bytes, ...], tuple[bytes, ...]]


@dataclass(frozen=True)
class Sealed:
    key: bytes
    sealed: bytes


@dataclass(frozen=True)
class Blame:
    secret: bytes


@dataclass(frozen=True)
class Witness:
    pass


@dataclass(frozen=True)
class End:
    winners: tuple[int, ...]
    position: bytes


Payload: TypeAlias = Answering | Opening | Rows | Sealed | Blame | Witness | End


@dataclass(frozen=True)
class Entry:
    place: Place
    prev: bytes
    seat: int
    payload: Payload
    id: bytes


@dataclass(frozen=True)
class Change:
    """What a plan says of a keeper."""

    keeper: int
    reason: int
    instance: bytes | None


@dataclass(frozen=True)
class LineUp:
    game: bytes
    attempt: int
    predecessor: bytes
    height: int
    head: bytes
    digest: bytes
    plan: tuple[Change, ...]
    openings: tuple[bytes, ...] | None
    id: bytes

    @property
    def rank(self) -> tuple[int, bytes]:
        return self.attempt, self.id

    def named(self, *reasons: int) -> list[int]:
        return [change.keeper for change in self.plan if change.reason in reasons]


@dataclass(frozen=True)
class Leave:
    game: bytes
    seat: int
    line_up: int
    attempt: int
    body: bytes


def seat(value: Value) -> int:
    return number(value, 5)


def _maybe(value: Value) -> bytes | None:
    return None if value is None else octets(value, 32)


def _hashes(value: Value, length: int | None = None) -> tuple[bytes, ...]:
    return tuple(octets(v, 32) for v in array(value, length))


# -- entries ---------------------------------------------------------------------------------


def entry(kind: int, body: bytes) -> Entry:
    attempt, height, prev, author, what, payload = array(decode(body), 6)
    made = _payload(kind, number(what), payload)
    place = number(attempt, MOST_ATTEMPT), number(height, MOST_HEIGHT)
    named = encode([0, height, prev, author, what, payload]) if what in OPENED else body
    return Entry(place, octets(prev, 32), seat(author), made, hashed("play", named))


def _payload(kind: int, what: int, value: Value) -> Payload:
    need(1 <= what <= 7, "type of an entry")
    need((kind == SHARE) == (what in (SHARING, BLAME)), "class of an entry")
    if what == ANSWER:
        return answer(value)
    if what == OPENING:
        opened, commitments, top, position = array(value, 4)
        need(max(len(array(opened)), len(array(commitments))) <= MOST_SLOTS, "too many slots")
        parts = tuple(_maybe(part) for part in array(opened))
        return Opening(parts, _hashes(commitments), _maybe(top), _maybe(position))
    if what == ROWS:
        dice, cards = array(value, 2)
        return Rows((_hashes(dice, 2), _hashes(cards, 8)))
    if what == SHARING:
        key, sealed = array(value, 2)
        return Sealed(octets(key, 32), octets(sealed, 48))
    if what == WITNESS:
        need(value is None, "a witness that says something")
        return Witness()
    if what == END:
        winners, position = array(value, 2)
        return End(ascending(winners, 5), octets(position, 32))
    (secret,) = array(value, 1)
    return Blame(octets(secret, 32))


PLAIN: dict[int, type] = {
    0: a.Stop, 3: a.Pass, 4: a.Done, 7: a.Yield, 8: a.Stay, 13: a.Sweep, 16: a.Keep, 19: a.Again,
}  # fmt: skip
NUMBERED: dict[int, type] = {9: a.Swap, 10: a.Buy, 14: a.Deposit, 15: a.Copy, 17: a.Take}


def answer(value: Value) -> Answering:
    code, *fields = array(value) or [None]
    what = number(code)
    if what in PLAIN:
        need(not fields, "fields of an answer")
        return Answering(PLAIN[what]())
    if what in NUMBERED:
        (only,) = array(list(fields), 1)
        return Answering(NUMBERED[what](number(only, MOST_ITEM)))
    return _answer(what, list(fields))


def _answer(what: int, fields: list[Value]) -> Answering:
    if what == 1:
        (dice,) = array(fields, 1)
        return Answering(a.Reroll(_numbers(dice)))
    if what == 2:
        item, die, face = array(fields, 3)
        place = None if die is None else number(die, MOST_DICE)
        return Answering(
            a.Use(number(item, MOST_ITEM), place, None if face is None else _face(face))
        )
    if what == 5:
        (groups,) = array(fields, 1)
        need(len(array(groups)) <= 6, "too many groups")
        return Answering(a.Order(tuple(_face(group) for group in array(groups))))
    if what == 6:
        heal, poison, shrink, give = array(fields, 4)
        need(len(array(give)) <= 6, "too many gifts")
        pairs = [array(pair, 2) for pair in array(give)]
        given = tuple((seat(who), number(many, MOST_DICE)) for who, many in pairs)
        spent = [number(many, MOST_DICE) for many in (heal, poison, shrink)]
        return Answering(a.Hearts(spent[0], spent[1], spent[2], given))
    if what == 11:
        item, secret = array(fields, 2)
        return Answering(a.BuyTop(number(item, MOST_ITEM)), secret=octets(secret, 32))
    if what == 12:
        (key,) = array(fields, 1)
        return Answering(a.Peek(), key=_exchange_key(_maybe(key)))
    if what == 18:
        (items,) = array(fields, 1)
        return Answering(a.Sell(_numbers(items)))
    raise Malformed("no such answer")


def answer_value(answer: Answer) -> Value:
    """The array of an answer without a secret."""
    for codes in (PLAIN, NUMBERED):
        for code, kind in codes.items():
            if type(answer) is kind:
                return [code, *(getattr(answer, name) for name in answer.__match_args__)]
    match answer:
        case a.Reroll(dice=numbers):
            return [1, list(numbers)]
        case a.Use(item=item, die=die, face=face):
            return [2, item, die, None if face is None else int(face)]
        case a.Order(groups=groups):
            return [5, [int(group) for group in groups]]
        case a.Hearts(heal=heal, poison=poison, shrink=shrink, give=give):
            return [6, heal, poison, shrink, [list(pair) for pair in give]]
        case a.Sell(cards=numbers):
            return [18, list(numbers)]
        case _:
            raise ValueError(answer)


def _exchange_key(key: bytes | None) -> bytes | None:
    if key is not None:
        try:
            X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(key))
        except ValueError as error:
            raise Malformed("a key of small order") from error
    return key


def _numbers(value: Value) -> tuple[int, ...]:
    need(len(array(value)) <= 200, "too many")
    return tuple(number(one, MOST_ITEM) for one in array(value))


def _face(value: Value) -> Face:
    return Face(number(value, 5))


# -- the others ------------------------------------------------------------------------------


def line_up(body: bytes) -> LineUp:
    game, attempt, predecessor, height, head, digest, plan, openings = array(decode(body), 8)
    need(number(attempt, MOST_ATTEMPT) > 0, "attempt of a line-up")
    made = tuple(_change(value) for value in array(plan))
    need(len(made) <= 6, "too long a plan")
    need(all(one.keeper < other.keeper for one, other in pairwise(made)), "order of a plan")
    kept = None if openings is None else _hashes(openings)
    need(kept is None or len(kept) <= 6, "too many openings")
    place = number(height, MOST_HEIGHT), octets(head, 32), octets(digest, 32)
    front = octets(game, 32), number(attempt), octets(predecessor, 32)
    return LineUp(*front, *place, made, kept, hashed("lineup", body))


def _change(value: Value) -> Change:
    keeper, reason, instance = array(value, 3)
    need(number(reason, BACK) >= 1, "reason of a plan")
    need((instance is None) == (number(reason) <= ABSENT), "a process that plays")
    process = None if instance is None else octets(instance, 8)
    return Change(seat(keeper), number(reason), process)


def leave(body: bytes) -> Leave:
    game, who, line, attempt = array(decode(body), 4)
    need(number(line, MOST_ATTEMPT) <= number(attempt, MOST_ATTEMPT), "attempts of a LEAVE")
    return Leave(octets(game, 32), seat(who), number(line), number(attempt), body)


def program(body: bytes) -> tuple[str, str]:
    name, version = array(decode(body), 2)
    need(len(text(name)) <= 64 and len(text(version)) <= 64, "too long a text")
    return text(name), text(version)


def proof_parts(proof: bytes) -> list[tuple[int, bytes, bytes]]:
    """The one or two bodies of a proof: kind, body, signature."""
    need(len(proof) <= 4096, "too long a proof")
    fields = array(decode(proof))
    need(len(fields) in (3, 6), "form of a proof")
    triples = [fields[i : i + 3] for i in range(0, len(fields), 3)]
    found = [(number(k, SHARE), octets(body), octets(mark, 64)) for k, body, mark in triples]
    need(all(kind >= PLAY for kind, _, _ in found), "no kind of a proof")
    return found


def seals(data: bytes) -> list[tuple[int, bytes]]:
    need(data and len(data) % 65 == 0, "length of the seals")
    found = [(data[i], data[i + 1 : i + 65]) for i in range(0, len(data), 65)]
    need(all(a < b for (a, _), (b, _) in pairwise(found)), "order of seals")
    need(all(seat <= 5 for seat, _ in found), "no such seat")
    return found
