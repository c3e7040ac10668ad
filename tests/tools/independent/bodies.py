"""What is signed in a game: entries, line-ups, LEAVEs. Sections 5.2, 9.2, 9.3 and 9.6."""

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from kotp2p.referee.model import answers as a
from kotp2p.referee.model.answers import Answer, Face
from tests.tools.independent import wire

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


def seat(value: wire.Value) -> int:
    return wire.number(value, 5)


def _maybe(value: wire.Value) -> bytes | None:
    return None if value is None else wire.octets(value, 32)


def _hashes(value: wire.Value, length: int | None = None) -> tuple[bytes, ...]:
    return tuple(wire.octets(v, 32) for v in wire.array(value, length))


# -- entries ---------------------------------------------------------------------------------


def entry(kind: int, body: bytes) -> Entry:
    attempt, height, prev, author, what, payload = wire.array(wire.decode(body), 6)
    made = _payload(kind, wire.number(what), payload)
    place = wire.number(attempt, MOST_ATTEMPT), wire.number(height, MOST_HEIGHT)
    named = wire.encode([0, height, prev, author, what, payload]) if what in OPENED else body
    return Entry(place, wire.octets(prev, 32), seat(author), made, wire.hashed("play", named))


def _payload(kind: int, what: int, value: wire.Value) -> Payload:
    wire.need(1 <= what <= 7, "type of an entry")
    wire.need((kind == SHARE) == (what in (SHARING, BLAME)), "class of an entry")
    if what == ANSWER:
        return answer(value)
    if what == OPENING:
        opened, commitments, top, position = wire.array(value, 4)
        most = max(len(wire.array(opened)), len(wire.array(commitments)))
        wire.need(most <= MOST_SLOTS, "too many slots")
        parts = tuple(_maybe(part) for part in wire.array(opened))
        return Opening(parts, _hashes(commitments), _maybe(top), _maybe(position))
    if what == ROWS:
        dice, cards = wire.array(value, 2)
        return Rows((_hashes(dice, 2), _hashes(cards, 8)))
    if what == SHARING:
        key, sealed = wire.array(value, 2)
        return Sealed(wire.octets(key, 32), wire.octets(sealed, 48))
    if what == WITNESS:
        wire.need(value is None, "a witness that says something")
        return Witness()
    if what == END:
        winners, position = wire.array(value, 2)
        return End(wire.ascending(winners, 5), wire.octets(position, 32))
    (secret,) = wire.array(value, 1)
    return Blame(wire.octets(secret, 32))


PLAIN: dict[int, type] = {
    0: a.Stop, 3: a.Pass, 4: a.Done, 7: a.Yield, 8: a.Stay, 13: a.Sweep, 16: a.Keep, 19: a.Again,
}  # fmt: skip
NUMBERED: dict[int, type] = {9: a.Swap, 10: a.Buy, 14: a.Deposit, 15: a.Copy, 17: a.Take}


def answer(value: wire.Value) -> Answering:
    code, *fields = wire.array(value) or [None]
    what = wire.number(code)
    if what in PLAIN:
        wire.need(not fields, "fields of an answer")
        return Answering(PLAIN[what]())
    if what in NUMBERED:
        (only,) = wire.array(list(fields), 1)
        return Answering(NUMBERED[what](wire.number(only, MOST_ITEM)))
    return _answer(what, list(fields))


def _answer(what: int, fields: list[wire.Value]) -> Answering:
    if what == 1:
        (dice,) = wire.array(fields, 1)
        return Answering(a.Reroll(_numbers(dice)))
    if what == 2:
        item, die, face = wire.array(fields, 3)
        place = None if die is None else wire.number(die, MOST_DICE)
        return Answering(
            a.Use(wire.number(item, MOST_ITEM), place, None if face is None else _face(face))
        )
    if what == 5:
        (groups,) = wire.array(fields, 1)
        wire.need(len(wire.array(groups)) <= 6, "too many groups")
        return Answering(a.Order(tuple(_face(group) for group in wire.array(groups))))
    if what == 6:
        heal, poison, shrink, give = wire.array(fields, 4)
        wire.need(len(wire.array(give)) <= 6, "too many gifts")
        pairs = [wire.array(pair, 2) for pair in wire.array(give)]
        given = tuple((seat(who), wire.number(many, MOST_DICE)) for who, many in pairs)
        spent = [wire.number(many, MOST_DICE) for many in (heal, poison, shrink)]
        return Answering(a.Hearts(spent[0], spent[1], spent[2], given))
    if what == 11:
        item, secret = wire.array(fields, 2)
        return Answering(a.BuyTop(wire.number(item, MOST_ITEM)), secret=wire.octets(secret, 32))
    if what == 12:
        (key,) = wire.array(fields, 1)
        return Answering(a.Peek(), key=_exchange_key(_maybe(key)))
    if what == 18:
        (items,) = wire.array(fields, 1)
        return Answering(a.Sell(_numbers(items)))
    raise wire.Malformed("no such answer")


def answer_value(answer: Answer) -> wire.Value:
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
            raise wire.Malformed("a key of small order") from error
    return key


def _numbers(value: wire.Value) -> tuple[int, ...]:
    wire.need(len(wire.array(value)) <= 200, "too many")
    return tuple(wire.number(one, MOST_ITEM) for one in wire.array(value))


def _face(value: wire.Value) -> Face:
    return Face(wire.number(value, 5))


# -- the others ------------------------------------------------------------------------------


def line_up(body: bytes) -> LineUp:
    game, attempt, predecessor, height, head, digest, plan, openings = wire.array(
        wire.decode(body), 8
    )
    wire.need(wire.number(attempt, MOST_ATTEMPT) > 0, "attempt of a line-up")
    made = tuple(_change(value) for value in wire.array(plan))
    wire.need(len(made) <= 6, "too long a plan")
    wire.need(all(one.keeper < other.keeper for one, other in pairwise(made)), "order of a plan")
    kept = None if openings is None else _hashes(openings)
    wire.need(kept is None or len(kept) <= 6, "too many openings")
    place = wire.number(height, MOST_HEIGHT), wire.octets(head, 32), wire.octets(digest, 32)
    front = wire.octets(game, 32), wire.number(attempt), wire.octets(predecessor, 32)
    return LineUp(*front, *place, made, kept, wire.hashed("lineup", body))


def _change(value: wire.Value) -> Change:
    keeper, reason, instance = wire.array(value, 3)
    wire.need(wire.number(reason, BACK) >= 1, "reason of a plan")
    wire.need((instance is None) == (wire.number(reason) <= ABSENT), "a process that plays")
    process = None if instance is None else wire.octets(instance, 8)
    return Change(seat(keeper), wire.number(reason), process)


def leave(body: bytes) -> Leave:
    game, who, line, attempt = wire.array(wire.decode(body), 4)
    wire.need(
        wire.number(line, MOST_ATTEMPT) <= wire.number(attempt, MOST_ATTEMPT), "attempts of a LEAVE"
    )
    return Leave(wire.octets(game, 32), seat(who), wire.number(line), wire.number(attempt), body)


def program(body: bytes) -> tuple[str, str]:
    name, version = wire.array(wire.decode(body), 2)
    wire.need(len(wire.text(name)) <= 64 and len(wire.text(version)) <= 64, "too long a text")
    return wire.text(name), wire.text(version)


def proof_parts(proof: bytes) -> list[tuple[int, bytes, bytes]]:
    """The one or two bodies of a proof: kind, body, signature."""
    wire.need(len(proof) <= 4096, "too long a proof")
    fields = wire.array(wire.decode(proof))
    wire.need(len(fields) in (3, 6), "form of a proof")
    triples = [fields[i : i + 3] for i in range(0, len(fields), 3)]
    numbered = [(wire.number(k, SHARE), body, mark) for k, body, mark in triples]
    found = [(k, wire.octets(body), wire.octets(mark, 64)) for k, body, mark in numbered]
    wire.need(all(kind >= PLAY for kind, _, _ in found), "no kind of a proof")
    return found


def seals(data: bytes) -> list[tuple[int, bytes]]:
    wire.need(data and len(data) % 65 == 0, "length of the seals")
    found = [(data[i], data[i + 1 : i + 65]) for i in range(0, len(data), 65)]
    wire.need(all(a < b for (a, _), (b, _) in pairwise(found)), "order of seals")
    wire.need(all(seat <= 5 for seat, _ in found), "no such seat")
    return found
