"""A log as JSON lines: its bytes record by record, and the game that they tell (docs/FORMATS.md).

Scope: the lines of version `VERSION`, in their order. The bytes of the log come back from them
(`cli.extras.forms.back`).
Not here: what a record says (`said`), what happens in a moment (`moments`, `told`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256

from kotp2p.cli.extras.forms.moments import Line, describe_table, moment_lines
from kotp2p.cli.extras.forms.said import KINDS, name_fields
from kotp2p.cli.extras.forms.told import tell_moments
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.game.report import Report
from kotp2p.recording.log_recording import LogRecording
from kotp2p.wire.records import Damaged, RecordReader, read_head, read_salt

VERSION = 2
"""Of the form of the lines. docs/FORMATS.md says when it rises."""


def export_lines(log: LogRecording) -> Iterator[Line]:
    """All lines of a whole log. Raises Unreadable, before the first one, if it has no head of this
    version."""
    salt = read_salt(log.data)
    return _lines(log, salt)


def sentence_lines(log: LogRecording) -> Iterator[Line]:
    """Lines for people beside those of `export_lines`, in the language of this program. Only a page
    has them."""
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
    """One line without its end. It is ASCII, and has no sign that begins a tag of HTML."""
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
