"""What is signed in a game: entries, farewells, votes, ends. Sections 5.2, 9.2 to 9.6."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from referee.model import answers as a
from referee.model.answers import Answer, Face
from tests.tools.independent.wire import (
    Malformed,
    Value,
    array,
    ascending,
    decode,
    hashed,
    need,
    number,
    octets,
)

PLAY, VOTE, STAND_IN, SHARE, CLOSE = 2, 3, 4, 5, 6
TAGS = {PLAY: "play", VOTE: "vote", STAND_IN: "stand-in", SHARE: "share", CLOSE: "close"}
ANSWER, OPENING, COMMITS, SHARING, BLAME = 1, 2, 3, 4, 5
DROP, HELD = 1, 2
MOST_VIEW, MOST_HEIGHT, MOST_ITEM, MOST_DICE, MOST_SLOTS = 10_000, 1_000_000, 999, 64, 8
Place: TypeAlias = "tuple[int, int]"
"""View and height."""


@dataclass(frozen=True)
class Answering:
    answer: Answer
    secret: bytes | None = None
    """Buying the top card: the contribution that was withheld."""
    key: bytes | None = None
    """Looking at the top card: the key for a share."""


@dataclass(frozen=True)
class Opening:
    stream: int
    slot: int
    opened: tuple[bytes | None, ...]
    commitments: tuple[bytes, ...]
    top: bytes | None
    position: bytes | None


@dataclass(frozen=True)
class Commits:
    slots: tuple[int, int]
    commitments: tuple[tuple[bytes, ...], tuple[bytes, ...]]


@dataclass(frozen=True)
class Sealed:
    slot: int
    key: bytes
    sealed: bytes


@dataclass(frozen=True)
class Blame:
    slot: int
    secret: bytes


Payload: TypeAlias = Answering | Opening | Commits | Sealed | Blame


@dataclass(frozen=True)
class Entry:
    game: bytes
    place: Place
    prev: bytes
    seat: int
    payload: Payload
    id: bytes


@dataclass(frozen=True)
class Farewell:
    game: bytes
    seat: int
    place: Place
    rounds: tuple[int, ...]
    id: bytes


@dataclass(frozen=True)
class Vote:
    game: bytes
    view: int
    height: int
    round: int
    head: bytes
    seat: int
    choice: int
    accused: tuple[int, ...]
    proofs: tuple[bytes, ...]

    @property
    def place(self) -> Place:
        return self.view, self.height

    @property
    def matter(self) -> tuple[int, int, int, bytes, tuple[int, ...]]:
        return self.view, self.round, self.height, self.head, self.accused


@dataclass(frozen=True)
class End:
    game: bytes
    height: int
    head: bytes
    winners: tuple[int, ...]
    position: bytes


@dataclass(frozen=True)
class Break:
    game: bytes
    place: Place
    head: bytes
    absent: tuple[int, ...]


def seat(value: Value) -> int:
    return number(value, 5)


def _maybe(value: Value) -> bytes | None:
    return None if value is None else octets(value, 32)


def _place(view: Value, height: Value) -> Place:
    return number(view, MOST_VIEW), number(height, MOST_HEIGHT)


def _hashes(value: Value, length: int | None = None) -> tuple[bytes, ...]:
    return tuple(octets(v, 32) for v in array(value, length))


# -- entries ---------------------------------------------------------------------------------


def entry(kind: int, body: bytes) -> Entry:
    version, game, view, height, prev, author, what, payload = array(decode(body), 8)
    need(number(version) == 1, "version of an entry")
    made = _payload(kind, number(what), payload)
    place = _place(view, height)
    found = octets(game, 32), place, octets(prev, 32), seat(author), made
    return Entry(*found, hashed("play", body))


def _payload(kind: int, what: int, value: Value) -> Payload:
    need(
        (kind, what) in {(PLAY, 1), (PLAY, 2), (PLAY, 3), (SHARE, 4), (SHARE, 5)},
        "type of an entry",
    )
    if what == ANSWER:
        return answer(value)
    if what == OPENING:
        stream, slot, opened, commitments, top, position = array(value, 6)
        need(max(len(array(opened)), len(array(commitments))) <= MOST_SLOTS, "too many slots")
        parts = tuple(_maybe(part) for part in array(opened))
        made = number(stream, 1), number(slot), parts, _hashes(commitments)
        return Opening(*made, _maybe(top), _maybe(position))
    if what == COMMITS:
        dice, ahead, cards, further = array(value, 4)
        return Commits((number(dice), number(cards)), (_hashes(ahead, 2), _hashes(further, 8)))
    if what == SHARING:
        slot, key, sealed = array(value, 3)
        return Sealed(number(slot), octets(key, 32), octets(sealed, 48))
    slot, secret = array(value, 2)
    return Blame(number(slot), octets(secret, 32))


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


def farewell(body: bytes) -> Farewell:
    game, who, view, height, voted = array(decode(body), 5)
    place, rounds = _place(view, height), ascending(voted, 1000)
    need(len(rounds) <= 64 and 0 not in rounds, "rounds of a farewell")
    return Farewell(octets(game, 32), seat(who), place, rounds, hashed("stand-in", body))


def vote(body: bytes) -> Vote:
    game, view, round_, height, head, who, choice, accused, proofs = array(decode(body), 9)
    need(number(choice) in (DROP, HELD), "choice of a vote")
    drop = choice == DROP
    need(number(round_, 1000) > 0 if drop else number(round_) == 0, "round of a vote")
    names = ascending(accused, 5)
    need(names and seat(who) not in names, "accused of a vote")
    shown = tuple(octets(proof, 32) for proof in array(proofs))
    need(len(shown) <= 5, "proofs of a vote")
    need(all(a < b for a, b in pairwise(shown)), "order of proofs")
    where = octets(game, 32), *_place(view, height), number(round_), octets(head, 32)
    return Vote(*where, seat(who), number(choice), names, shown)


def proof_parts(proof: bytes) -> list[tuple[int, bytes, bytes]]:
    """The one or two bodies of a proof: kind, body, signature."""
    need(len(proof) <= 4096, "too long a proof")
    fields = array(decode(proof))
    need(len(fields) in (3, 6), "form of a proof")
    triples = [fields[i : i + 3] for i in range(0, len(fields), 3)]
    found = [(number(k, SHARE), octets(body), octets(mark, 64)) for k, body, mark in triples]
    need(all(kind >= PLAY for kind, _, _ in found), "no kind of a proof")
    return found


def closing(body: bytes) -> End | Break:
    fields = array(decode(body))
    if len(fields) == 5:
        game, height, head, winners, position = fields
        found = (
            octets(game, 32),
            number(height, MOST_HEIGHT),
            octets(head, 32),
            ascending(winners, 5),
        )
        return End(*found, octets(position, 32))
    game, one, view, height, head, absent = array(fields, 6)
    need(number(one) == 1, "form of a break")
    where = _place(view, height)
    return Break(octets(game, 32), where, octets(head, 32), ascending(absent, 5))


def seals(data: bytes) -> list[tuple[int, bytes]]:
    need(data and len(data) % 65 == 0, "length of the seals")
    found = [(data[i], data[i + 1 : i + 65]) for i in range(0, len(data), 65)]
    need(all(a < b for (a, _), (b, _) in pairwise(found)), "order of seals")
    return found
