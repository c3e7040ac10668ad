"""From JSON lines back to the bytes of the log (docs/EXPORT.md).

Scope: the bytes come from what stands in `body` and `signature` alone. Everything else in the lines
but mere wording is made anew from them and compared, so that nothing that they tell can be false.
Not here: files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count, zip_longest

from cli.export.lines import VERSION, export_lines
from cli.export.moments import Line
from cli.export.said import KINDS, Json
from kotp2p.recording.log_recording import record_log
from kotp2p.wire.encoding import MAX_FRAME_BYTES, Unwritable
from kotp2p.wire.entries import Signed
from kotp2p.wire.records import (
    MAX_LOG_BYTES,
    OUR_VERSIONS,
    SALT_BYTES,
    Unreadable,
    Versions,
    pack_head,
    pack_record,
)

KINDS_BY_NAME = {name: kind for kind, name in KINDS.items()}


class NotALog(Exception):
    """The lines are no export of a log, or of another version."""

    def __init__(self, reason: str, line: int | None = None, *, is_other: bool = False) -> None:
        super().__init__(reason)
        self.line = line
        """The line that is no JSON object, counting from 1."""
        self.is_other = is_other
        """It is of another version."""


class OtherLines(Exception):
    """The lines tell something else than the bytes in them."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line
        """Counting from 1."""


def import_lines(texts: Iterable[str]) -> bytes:
    """The bytes of the log. Raises NotALog or OtherLines."""
    # Parsed twice, as the objects of a long game take many times the room of its text.
    kept = [(text, number) for number, text in enumerate(texts, 1) if text.strip()]
    data = _bytes_of(_parse(*one) for one in kept)
    try:
        made = export_lines(record_log(data))
    except Unreadable as fault:
        raise NotALog(str(fault)) from fault
    lines = (_parse(*one) for one in kept)
    for number, (given, right) in enumerate(zip_longest(lines, made), 1):
        if given is None or right is None or _without_wording(given) != _without_wording(right):
            raise OtherLines(number)
    return data


def _without_wording(line: Line) -> Line:
    """What is the same in every release of this version: reasons, and the texts of cards, may be
    put into other words."""
    match line:
        case {"line": "verdict", **others}:
            return {**others, "reason": None}
        case {"line": "table", "faces": dict(faces), **others}:
            return {**others, "faces": {key: _numbers_of(face) for key, face in faces.items()}}
        case _:  # lines of numbers
            return line


def _numbers_of(face: Json) -> Json:
    if not isinstance(face, dict):
        return face
    return {name: value for name, value in face.items() if name not in ("name", "text")}


def _parse(text: str, number: int) -> Line:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise NotALog(f"line {number} is no JSON", number) from fault
    if not isinstance(line, dict):
        raise NotALog(f"line {number} is no JSON object", number)
    return line


def _bytes_of(lines: Iterator[Line]) -> bytes:
    first = next(lines, {})
    if first.get("line") != "log":
        raise NotALog("the first line is not that of a log")
    if first.get("version") != VERSION:
        raise NotALog(f"the lines are of another version than {VERSION}", is_other=True)
    versions = Versions(*(_number(first, name) for name in ("format", "protocol", "rules")))
    if versions != OUR_VERSIONS:
        reason = f"of another version of kotp2p: {versions}; this is {OUR_VERSIONS}"
        raise NotALog(reason, is_other=True)
    salt = _octets(first, "salt")
    if len(salt) != SALT_BYTES:
        raise NotALog("the salt has another length")
    data, rest, index = bytearray(pack_head(salt)), bytearray(), count()
    for line in lines:
        if line.get("line") == "record":
            data += _record_of(salt, next(index), line)
        elif line.get("line") == "rest":
            rest += _octets(line, "bytes")
        if len(data) + len(rest) > MAX_LOG_BYTES:
            raise NotALog("longer than a log may be")
    data += rest
    if sha256(data).hexdigest() != first.get("sha256"):
        raise NotALog("bytes of the log are missing, or others")
    return bytes(data)


def _record_of(salt: bytes, index: int, line: Line) -> bytes:
    kind = KINDS_BY_NAME.get(str(line.get("kind")))
    body, signature = _octets(line, "body"), _octets(line, "signature")
    if kind is None or len(body) + len(signature) > MAX_FRAME_BYTES:
        raise NotALog(f"record {index} is none")
    try:
        return pack_record(salt, index, Signed(kind, body, signature))
    except Unwritable as fault:
        raise NotALog(f"record {index} is none: {fault}") from fault


def _number(line: Line, name: str) -> int:
    value = line.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotALog(f"{name} is no number")
    return value


def _octets(line: Line, name: str) -> bytes:
    value = line.get(name)
    try:
        if not isinstance(value, str) or value != value.strip():
            raise ValueError
        return bytes.fromhex(value)
    except ValueError as fault:
        raise NotALog(f"{name} is not hexadecimal") from fault
