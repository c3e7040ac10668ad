"""What a record says, field by field, for readers of the JSON lines (docs/FORMATS.md).

Scope: the names of the fields of each body, in the order of docs/PROTOCOL.md. Only the form is
read: a record that no game takes is named as well.
Not here: what a record does to a game.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from kotp2p.wire.encoding import BadBytes, array, integer, octets, unpack
from kotp2p.wire.entries import BodyKind, Signed, unpack_seals
from kotp2p.wire.lineups import Reason

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

GENESIS = ("protocol", "rules", "charter", "rows")
CHARTER = ("table", "fresh", "start", "rule_set", "options", "seats", "host", "clocks")
OPTIONS = ("two_players", "bay_for_beginners", "tile_sides")
SEAT = ("owner", "name", "monster", "automatic", "one_game")
"""The owner is a key, or the seat of the keeper that plays this one, too."""
ROW = ("nonce", "dice", "cards")
CLOCKS = ("turn", "reaction")
ENTRY = ("attempt", "height", "prev", "seat", "type", "payload")
PAYLOADS = {
    1: ("answer", ()),
    2: ("opening", ("parts", "commitments", "top", "position")),
    3: ("rows", ("dice", "cards")),
    4: ("share", ("key", "sealed")),
    5: ("blame", ("secret",)),
    6: ("witness", ()),
    7: ("end", ("winners", "position")),
}
ANSWERS = (
    "stop", "reroll", "use", "pass", "done", "order", "hearts", "yield", "stay", "swap", "buy",
    "buy_top", "look", "sweep", "deposit", "copy", "keep", "take", "sell", "again",
)  # fmt: skip
LINE_UP = (
    "game", "attempt", "predecessor", "height", "head", "position", "plan", "openings",
)  # fmt: skip
CHANGE = ("keeper", "reason", "instance")
LEAVE = ("game", "seat", "line_up", "attempt")
PROGRAM = ("name", "version")
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
        case BodyKind.PROGRAM:
            return _named(PROGRAM, value)
        case BodyKind.GENESIS:
            return {**_name_genesis(value), "seals": _name_seals(signed.signature)}
        case BodyKind.PLAY | BodyKind.SHARE:
            return _name_entry(value)
        case BodyKind.LINE_UP:
            return {**_name_line_up(value), "seals": _name_seals(signed.signature)}
        case BodyKind.LEAVE:
            return _named(LEAVE, value)
        case BodyKind.CHEAT_PROOF:
            return _name_proof(array(said, most=6))
        case (
            BodyKind.READY | BodyKind.HEAD | BodyKind.WISH | BodyKind.ADDRESS | BodyKind.CHAT
            | BodyKind.HERE
        ):  # fmt: skip
            raise _OtherForm  # no log has one
        case _:
            assert_never(signed.kind)


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
    charter["seats"] = [_named(SEAT, seat) for seat in _list(charter["seats"])]
    genesis["charter"] = charter
    genesis["rows"] = [_named(ROW, row) for row in _list(genesis["rows"])]
    return genesis


def _name_entry(value: Json) -> dict[str, Json]:
    entry = _named(ENTRY, value)
    number = entry["type"]
    if not isinstance(number, int) or number not in PAYLOADS:
        raise _OtherForm
    entry["type"], names = PAYLOADS[number]
    if entry["payload"] is None:  # that of a witness
        return entry
    payload = _list(entry["payload"])
    if names:
        entry["payload"] = _named(names, payload)
        return entry
    code = payload[0] if payload else None
    if not isinstance(code, int) or code not in range(len(ANSWERS)):
        raise _OtherForm
    entry["payload"] = {"code": code, "answer": ANSWERS[code], "fields": payload[1:]}
    return entry


def _name_line_up(value: Json) -> dict[str, Json]:
    line_up = _named(LINE_UP, value)
    line_up["plan"] = [_name_change(change) for change in _list(line_up["plan"])]
    return line_up


def _name_change(value: Json) -> Json:
    change = _named(CHANGE, value)
    number = change["reason"]
    if not isinstance(number, int) or number not in Reason.__members__.values():
        raise _OtherForm
    change["reason"] = Reason(number).name.lower()
    return change


def _name_seals(signature: bytes) -> list[Json]:
    """The signatures of several keepers, each with its seat."""
    seals = unpack_seals(signature)
    return [{"seat": seat, "signature": seal.hex()} for seat, seal in seals.items()]


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
        "says": _name_inner(inner),
    }


def _name_inner(inner: Signed) -> Json:
    """A line-up has only one signature in a proof, and stands there without a list of them."""
    if inner.kind is BodyKind.LINE_UP:
        return _name_line_up(as_json(unpack(inner.body)))
    return name_fields(inner) if inner.kind is not BodyKind.CHEAT_PROOF else None
