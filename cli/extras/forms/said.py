"""What a record says, field by field, for readers of the JSON lines (docs/EXPORT.md).

Scope: the names of the fields of each body, in the order of docs/PROTOCOL.md. Only the form is
read: a record that no game takes is named as well.
Not here: what a record does to a game.
"""

from __future__ import annotations

from typing import TypeAlias

from kotp2p.wire.crypto import SIGNATURE_BYTES
from kotp2p.wire.encoding import BadBytes, array, integer, octets, unpack
from kotp2p.wire.entries import BodyKind, Signed

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

GENESIS = ("protocol", "rules", "charter", "rows")
CHARTER = ("table", "fresh", "rule_set", "options", "seats", "host", "clocks")
OPTIONS = ("two_players", "bay_for_beginners", "tile_sides")
SEAT = ("key", "name", "monster", "bot", "one_game")
ROW = ("nonce", "dice", "cards")
CLOCKS = ("turn", "reaction")
ENTRY = ("version", "game", "view", "height", "prev", "seat", "type", "payload")
PAYLOADS = {
    1: ("answer", ()),
    2: ("opening", ("stream", "slot", "parts", "commitments", "top", "position")),
    3: ("commits", ("dice_slot", "dice", "card_slot", "cards")),
    4: ("share", ("slot", "key", "sealed")),
    5: ("blame", ("slot", "secret")),
}
ANSWERS = (
    "stop", "reroll", "use", "pass", "done", "order", "hearts", "yield", "stay", "swap", "buy",
    "buy_top", "look", "sweep", "deposit", "copy", "keep", "take", "sell", "again",
)  # fmt: skip
VOTE = ("game", "view", "round", "height", "head", "seat", "choice", "accused", "proofs")
FAREWELL = ("game", "seat", "view", "height", "rounds")
END = ("game", "height", "head", "winners", "position")
BREAK = ("game", "one", "view", "height", "head", "absent")
KINDS = {kind: kind.name.lower().replace("_", "-") for kind in BodyKind}


def name_fields(signed: Signed) -> dict[str, Json] | None:
    """The fields of a record by name, bytes in hexadecimal; None if it has another form."""
    try:
        return _name_body(signed)
    except (BadBytes, _OtherForm):
        return None


class _OtherForm(Exception):
    """Other fields than the kind of the record has."""


def _name_body(signed: Signed) -> dict[str, Json]:
    said = unpack(signed.body)
    value = as_json(said)
    match signed.kind:
        case BodyKind.GENESIS:
            return _name_genesis(value)
        case BodyKind.PLAY | BodyKind.SHARE:
            return _name_entry(value)
        case BodyKind.VOTE:
            return _named(VOTE, value)
        case BodyKind.STAND_IN:
            return _named(FAREWELL, value)
        case BodyKind.CLOSE:
            return _name_closing(value, signed.signature)
        case BodyKind.CHEAT_PROOF:
            return _name_proof(array(said, most=6))
        case BodyKind.HEAD | BodyKind.WORD | BodyKind.ADDRESS | BodyKind.CHAT:
            raise _OtherForm  # no log has one
    raise _OtherForm


def as_json(value: object) -> Json:
    """A value of section 2, with bytes as hexadecimal text."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [as_json(item) for item in value]
    assert value is None or isinstance(value, bool | int | str)  # there are no other types
    return value


def _named(names: tuple[str, ...], value: Json) -> dict[str, Json]:
    if not isinstance(value, list) or len(value) != len(names):
        raise _OtherForm
    return dict(zip(names, value, strict=True))


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise _OtherForm
    return value


def _name_genesis(value: Json) -> dict[str, Json]:
    genesis = _named(GENESIS, value)
    charter = _named(CHARTER, genesis["charter"])
    charter["options"] = _named(OPTIONS, charter["options"])
    charter["clocks"] = _named(CLOCKS, charter["clocks"])
    charter["seats"] = [_name_seat(_list(seat)) for seat in _list(charter["seats"])]
    genesis["charter"] = charter
    genesis["rows"] = [_named(ROW, row) for row in _list(genesis["rows"])]
    return genesis


def _name_seat(seat: list[Json]) -> dict[str, Json]:
    """`automatic` stands only behind a seat whose owner lets a bot answer."""
    return {**_named(SEAT, seat[: len(SEAT)]), "automatic": len(seat) > len(SEAT)}


def _name_entry(value: Json) -> dict[str, Json]:
    entry = _named(ENTRY, value)
    number = entry["type"]
    if not isinstance(number, int) or number not in PAYLOADS:
        raise _OtherForm
    entry["type"], names = PAYLOADS[number]
    payload = _list(entry["payload"])
    if names:
        entry["payload"] = _named(names, payload)
        return entry
    code = payload[0] if payload else None
    if not isinstance(code, int) or code not in range(len(ANSWERS)):
        raise _OtherForm
    entry["payload"] = {"code": code, "answer": ANSWERS[code], "fields": payload[1:]}
    return entry


def _name_closing(value: Json, seals: bytes) -> dict[str, Json]:
    size = 1 + SIGNATURE_BYTES
    listed: list[Json] = [
        {"seat": seals[i], "signature": seals[i + 1 : i + size].hex()}
        for i in range(0, len(seals), size)
    ]
    is_end = isinstance(value, list) and len(value) == len(END)
    found = _named(END if is_end else BREAK, value)
    return {"type": "end" if is_end else "break", **found, "seals": listed}


def _name_proof(parts: tuple[object, ...]) -> dict[str, Json]:
    """Of the values as they were written: in JSON, bytes look like text."""
    if len(parts) not in (3, 6):
        raise _OtherForm
    return {"bodies": [_name_part(*parts[i : i + 3]) for i in range(0, len(parts), 3)]}


def _name_part(number: object, body: object, signature: object) -> Json:
    kind = integer(number)
    if kind not in BodyKind.__members__.values():
        raise _OtherForm
    inner = Signed(BodyKind(kind), octets(body), octets(signature))
    return {
        "kind": KINDS[inner.kind],
        "body": inner.body.hex(),
        "signature": inner.signature.hex(),
        "says": name_fields(inner) if inner.kind is not BodyKind.CHEAT_PROOF else None,
    }
