"""A log as JSON lines: its bytes record by record, and the game in it (docs/FORMATS.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import TypeAlias, assert_never

from kotp2p.cli.extras.forms.text import tell_moments
from kotp2p.cli.text.players import names_in_sentences
from kotp2p.extras.recording import LogRecording, Moment, Recording, replay_moment
from kotp2p.game.verify import Report
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answered, BuyTop, Drawn
from kotp2p.referee.model.decisions import Chance, ChanceKind
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.position import position_numbers
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.encoding import BadBytes, array, integer, octets, unpack
from kotp2p.wire.entries import BodyKind, Signed, unpack_seals
from kotp2p.wire.genesis import Genesis, is_bot
from kotp2p.wire.lineups import Reason
from kotp2p.wire.records import Damaged, RecordReader, read_head, read_salt

VERSION = 2
"""The version of the lines. docs/FORMATS.md says when it rises."""


def export_lines(log: LogRecording) -> Iterator[Line]:
    """Return all lines of a whole log; raise Unreadable at once if it has no such head."""
    salt = read_salt(log.data)
    return _lines(log, salt)


def sentence_lines(log: LogRecording) -> Iterator[Line]:
    if log.recording is None:
        return
    players = tuple(player.name for player in log.recording.genesis.players)
    yield {"line": "called", "names": [*names_in_sentences(players)]}
    for told in tell_moments(log.recording):
        yield {
            "line": "told",
            "moment": told.moment.number,
            "cause": told.cause,
            "told": [
                {"kind": line.kind.value, "seat": line.seat, "text": line} for line in told.story
            ],
        }


def pack_line(line: Line) -> str:
    """Return the line as ASCII without its end, and without `<`, which begins a tag of HTML."""
    return json.dumps(line, separators=(",", ":")).replace("<", "\\u003c")


def _lines(log: LogRecording, salt: bytes) -> Iterator[Line]:
    data = log.data
    versions, _ = read_head(data)
    yield {
        "line": "log",
        "version": VERSION,
        **asdict(versions),
        "salt": salt.hex(),
        "bytes": len(data),
        "sha256": sha256(data).hexdigest(),
    }
    yield from _record_lines(data, salt)
    yield verdict_line(log.report())
    if log.recording is not None:
        yield describe_table(log.recording.genesis)
        yield from moment_lines(log.recording)


def _record_lines(data: bytes, salt: bytes) -> Iterator[Line]:
    reader = RecordReader(data, salt)
    why = "torn"
    try:
        while True:
            index, offset = reader.index, reader.offset
            signed = reader.read_record()
            if signed is None:
                break
            yield {
                "line": "record",
                "record": index,
                "at": offset,
                "kind": KINDS[signed.kind],
                "body": signed.body.hex(),
                "signature": signed.signature.hex(),
                "says": name_fields(signed),
            }
    except Damaged:
        why = "damaged"
    if reader.offset < len(data):
        rest = data[reader.offset :].hex()
        yield {"line": "rest", "at": reader.offset, "why": why, "bytes": rest}


def verdict_line(report: Report) -> Line:
    at = report.wrong_at
    return {
        "line": "verdict",
        "result": report.result.value,
        "reason": report.reason,
        "wrong_at": None
        if at is None
        else {"record": at.record, "offset": at.offset, "height": at.height, "seat": at.seat},
        "torn": report.torn,
        "entries": report.entries,
        "turns": report.turns,
        "phrase": report.phrase,
        "game": report.game.hex(),
        "head": report.head.hex(),
        "winners": None if report.winners is None else list(report.winners),
        "confirmed_by": list(report.confirmed_by),
        "not_confirmed_by": list(report.not_confirmed_by),
        "changes": [
            {
                "height": one.height,
                "turn": one.turn,
                "attempt": one.attempt,
                "keeper": one.keeper,
                "reason": one.reason.name.lower(),
                "seats": [[seat, keeper] for seat, keeper in one.seats],
                "refused": one.refused,
            }
            for one in report.changes
        ],
        "keepers": list(report.keepers),
    }


# -- what a record says, field by field ----------------------------------------------------
#
# The names of the fields of each body, in the order of docs/PROTOCOL.md. Only the form is read: a
# record that no game takes is named as well.


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
    """Return the fields of a record by name, bytes in hexadecimal; None for another form."""
    try:
        return _name_body(signed)
    except (BadBytes, _OtherForm):
        return None


class _OtherForm(Exception):
    """The record has other fields than its kind."""


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
    """Return the signatures of several keepers, each with its seat."""
    seals = unpack_seals(signature)
    return [{"seat": seat, "signature": seal.hex()} for seat, seal in seals.items()]


def _name_proof(parts: tuple[object, ...]) -> dict[str, Json]:
    """Return the fields of a proof, from raw values: in JSON, bytes look like text."""
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
    """Return a body within a proof; a line-up there has one signature, not a list."""
    if inner.kind is BodyKind.LINE_UP:
        return _name_line_up(as_json(unpack(inner.body)))
    return name_fields(inner) if inner.kind is not BodyKind.CHEAT_PROOF else None


# -- what happens in a recorded game, moment by moment, as numbers -------------------------
#
# For each moment what was drawn from which pile, the events and the position after it; the players,
# cards and tiles that the numbers mean. No sentences: these lines are the same in any language.


Line = dict[str, Json]


def moment_lines(recording: Recording) -> Iterator[Line]:
    game = recording.game_behind(0)
    line_up = head = recording.genesis.id
    for moment in recording.moments:
        if moment.begun is not None:
            line_up, head = moment.begun.lineup.id, moment.begun.lineup.head
        elif moment.closed is not None:
            head = moment.closed.head
        draw = describe_draw(moment, game)
        replay_moment(game, moment)
        yield {
            "line": "moment",
            "moment": moment.number,
            "turn": moment.turn,
            "record": moment.record,
            "line_up": line_up.hex(),
            "head": head.hex(),
            "draw": draw,
            "events": [event_as_object(event) for event in moment.events],
            "position": [int(n) for n in position_numbers(game.state, game.pending)],
        }


def describe_draw(moment: Moment, before: Game) -> dict[str, Json] | None:
    """Return what was drawn in a moment and from what (PROTOCOL.md 7.2 and 7.3), or None."""
    given = None if moment.closed is None else moment.closed.given
    pending = before.pending
    if isinstance(given, Answered) and isinstance(given.answer, BuyTop):
        pile = list(before.state.undrawn)
        return {
            "stream": "cards",
            "kind": "top",
            "draws": [{"size": len(pile), "pool": 0}],
            "piles": [[*pile]],
            "values": [pile.index(given.answer.card)],
        }
    if not isinstance(given, Drawn) or not isinstance(pending, Chance):
        return None
    return {
        "stream": "cards" if pending.kind is ChanceKind.CARDS else "dice",
        "kind": pending.kind.value,
        "draws": [{"size": draw.size, "pool": draw.pool} for draw in pending.draws],
        "piles": [[*pile] for pile in pending.piles],
        "values": [*given.values],
    }


def event_as_object(event: Event) -> dict[str, Json]:
    named = {field.name: _as_json(getattr(event, field.name)) for field in fields(event)}
    return {"event": type(event).__name__, **named}


def _as_json(value: object) -> Json:
    if isinstance(value, Enum):
        return str(value.value) if isinstance(value.value, str) else int(value.value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    if is_dataclass(value):
        return {field.name: _as_json(getattr(value, field.name)) for field in fields(value)}
    assert value is None or isinstance(value, bool | int | str)  # events hold nothing else
    return value


def describe_table(genesis: Genesis) -> Line:
    setup = genesis.charter.setup()
    faces: dict[str, Json] = {
        card.key: {"name": card.name, "cost": card.cost, "keep": card.keep, "text": card.text}
        for card in setup.deck
    }
    faces |= {
        tile.key: {"name": tile.name, "step": tile.step, "side": tile.side, "text": tile.text}
        for tile in setup.rules.tiles
    }
    return {
        "line": "table",
        "rule_set": genesis.charter.rules,
        "points_to_win": setup.rules.points_on_dial,
        "players": [
            {
                "seat": seat,
                "name": player.name,
                "monster": player.monster,
                "key": player.key.hex(),
                "fingerprint": fingerprint(player.key),
                "bot": is_bot(genesis.players, seat),
                "automatic": player.automatic and player.keeper == seat,
                "one_game": player.one_game,
                "keeper": player.keeper,
            }
            for seat, player in enumerate(genesis.players)
        ],
        "items": [face.key for face in (*setup.deck, *setup.rules.tiles)],
        "faces": faces,
    }
